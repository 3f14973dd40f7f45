package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"guiche/internal/backup"
	"guiche/internal/postgres"
)

// VerifyServer checks the rows of an installation on a database server: their checksums, the lists
// and the audit trail. Nothing in them is changed.
func VerifyServer(ctx context.Context, c Config) (r backup.Report, err error) {
	c = c.withDefaults()
	if err := errors.Join(c.checkDatabase(), c.checkKeys()); err != nil {
		return r, err
	}
	if err := c.checkThere(ctx); err != nil {
		return r, err
	}
	r.Path = "PostgreSQL"
	r.Unchecked = []string{"Os arquivos não foram lidos: a conferência diária do servidor os lê."}
	for _, half := range []string{deskHalf, serviceHalf} {
		if err := c.verifyOnServer(ctx, half, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (c Config) verifyOnServer(ctx context.Context, half string, r *backup.Report) (err error) {
	o, setting := c.postgresOptions(half)
	o.Migrations = nil
	db, err := postgres.Open(ctx, o)
	if err != nil {
		return c.serverError(setting, err)
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
	return nil
}
