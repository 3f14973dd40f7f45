package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"guiche/internal/backup"
	"guiche/internal/postgres"
)

// VerifyServer checks an installation on a database server: the checksums of its rows, the lists, the
// audit trail, and, unless rows alone are asked for, the bytes of each file that rows name. Nothing is
// changed.
func VerifyServer(ctx context.Context, c Config, rowsOnly bool) (r backup.Report, err error) {
	c = c.withDefaults()
	if err := errors.Join(c.checkDatabase(), c.checkKeys()); err != nil {
		return r, err
	}
	if err := c.checkThere(ctx); err != nil {
		return r, err
	}
	r.Path = "PostgreSQL"
	files := &filesOnServer{unread: "Os arquivos não foram lidos, como pedido."}
	if !rowsOnly {
		if files, err = c.filesOnServer(ctx); err != nil {
			return r, err
		}
	}
	if files.unread != "" {
		r.Unchecked = []string{files.unread}
	}
	for _, half := range []string{deskHalf, serviceHalf} {
		if err := c.verifyOnServer(ctx, half, files, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// filesOnServer is where the files are that rows on a server name.
type filesOnServer struct {
	place  blobPlace
	unread string // why they are not read, "" where they are
}

func (c Config) filesOnServer(ctx context.Context) (f *filesOnServer, err error) {
	db, _, err := c.openToVerify(ctx, deskHalf)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	f = &filesOnServer{}
	current, err := db.HasSchema(ctx, postgresSchemaOf(deskHalf))
	switch {
	case err != nil:
		return nil, err
	case !current:
		f.unread = "Os arquivos não foram lidos: o banco de dados é de outra versão do programa."
		return f, nil
	}
	if f.place, err = c.markedBlobPlace(ctx, c.blobMarks(db)); err != nil {
		return nil, err
	}
	if f.place.bucket == nil && !exists(filepath.Join(c.DataDir, deskHalf, "blobs")) {
		f.unread = "Os arquivos não foram lidos: esta pasta de dados não os tem, e GUICHE_BLOBS não está definida."
	}
	return f, nil
}

// of is where those of a half are.
func (f *filesOnServer) of(half string) backup.DataHalf {
	h := backup.DataHalf{Name: half, File: "PostgreSQL"}
	if f.place.bucket != nil {
		h.Remote = f.place.remote(half)
	}
	return h
}

// openToVerify opens a half whose schema stays as it is. The setting is the one that names it.
func (c Config) openToVerify(ctx context.Context, half string) (db *postgres.DB, setting string, err error) {
	o, setting := c.postgresOptions(half)
	o.Migrations = nil
	if db, err = postgres.Open(ctx, o); err != nil {
		return nil, setting, c.serverError(setting, err)
	}
	return db, setting, nil
}

func (c Config) verifyOnServer(ctx context.Context, half string, files *filesOnServer, r *backup.Report) (err error) {
	db, setting, err := c.openToVerify(ctx, half)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	in := &contents{db: db, names: blobNamesOf(half, db),
		place: backup.Place{Half: half, Path: filepath.Join(c.DataDir, half, "postgresql"), Keys: c.keyPlace(), InUse: true}}
	if in.current, err = db.HasSchema(ctx, postgresSchemaOf(half)); err == nil && half == deskHalf {
		err = in.openTrail(ctx)
	}
	var found, unchecked []string
	if err == nil {
		found, unchecked, err = in.Check(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	if !in.current && half == serviceHalf {
		unchecked = []string{"Os registros do serviço não foram conferidos: são de outra versão do programa."}
	}
	r.Damage, r.Unchecked = append(r.Damage, found...), append(r.Unchecked, unchecked...)
	if files.unread != "" {
		return nil
	}
	return r.VerifyBlobs(ctx, c.DataDir, files.of(half), in)
}
