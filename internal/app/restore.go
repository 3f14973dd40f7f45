package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/keyfile"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
)

// Restoration says which backup becomes the installation of Config.DataDir.
type Restoration struct {
	From     string // one backup, or a folder of which the newest is taken
	Identity string // file that opens encrypted backups
	Keys     string // folder of the installation's keys, or the file of each, where the backup holds none
	NewKeys  bool   // the keys are lost: go on with new ones
}

// Restored is what a restore did.
type Restored struct {
	Manifest backup.Manifest
	Unknown  int // requests of which nobody knows what became of them
}

// Restore makes an installation of a backup. Nothing that was on its way leaves by itself,
// and everybody logs in again.
func Restore(ctx context.Context, c Config, r Restoration) (done Restored, err error) {
	if c = c.withDefaults(); c.onServer() {
		return done, ErrServersTools
	}
	unlock, err := c.Lock(ctx)
	if err != nil {
		return done, err
	}
	defer unlock()
	config := backup.RestoreConfig{From: r.From, Data: c.DataDir, Look: look, Now: c.Clock()}
	if r.Keys != "" {
		if config.KeyFiles, err = keyFiles(r.Keys); err != nil {
			return done, fmt.Errorf("-keys: %w", err)
		}
	}
	if config.Remote, err = c.reachRemote(); err != nil {
		return done, err
	}
	if r.Identity != "" {
		if config.Identities, err = backup.Identities(r.Identity); err != nil {
			return done, err
		}
	}
	config.Finish = func(ctx context.Context, folder string, m backup.Manifest) error {
		c := c
		c.DataDir, c.staged = folder, true
		done.Unknown, err = finishRestore(ctx, c, r, m)
		return err
	}
	done.Manifest, err = backup.Restore(ctx, config)
	return done, err
}

// finishRestore makes of copied files an installation that may start.
func finishRestore(ctx context.Context, c Config, r Restoration, m backup.Manifest) (unknown int, err error) {
	if err := errors.Join(c.markRestored(m), restoreKeys(ctx, c, r)); err != nil {
		return 0, err
	}
	if err := restoreService(ctx, c); err != nil {
		return 0, fmt.Errorf("restore the service: %w", err)
	}
	data, err := openDeskData(ctx, c)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	unknown, err = data.markRestored(ctx, "copia="+m.MadeAt.Format("2006-01-02T15:04:05Z"))
	if err != nil {
		return 0, err
	}
	return unknown, data.trail.WriteHead(ctx, filepath.Join(c.DataDir, "desk", "audit.head"))
}

// markRestored makes of the desk's rows, which are as they were once, an installation that goes on.
func (d *deskData) markRestored(ctx context.Context, which string) (unknown int, err error) {
	if unknown, err = d.deskStore().MarkRestored(ctx); err != nil {
		return 0, err
	}
	if err := accountstore.New(d.db, d.trail).EndAll(ctx); err != nil {
		return 0, err
	}
	detail := fmt.Sprintf("%s sem_resposta=%d", which, unknown)
	return unknown, d.trail.Record(ctx, audit.Entry{Event: audit.InstallationRestored, Detail: detail})
}

// errRunning keeps what processes are working with from being marked as a copy.
var errRunning = errors.New("GUICHE_DATABASE: a process of this installation is running, or was in the last 20 seconds: " +
	"stop all of them first")

// refuseRunning refuses a database that processes share while one of them runs.
func refuseRunning(ctx context.Context, db engine.DB) error {
	if !db.Shared() {
		return nil
	}
	running, err := deskstore.New(db, nil).LeaseHeld(ctx)
	if err == nil && running {
		err = errRunning
	}
	return err
}

// RestoredByServer makes of databases that PostgreSQL's own tools put back an installation that goes on, as
// Restore does of a backup. It returns how many requests nobody knows the end of now.
func RestoredByServer(ctx context.Context, c Config) (unknown int, err error) {
	c = c.withDefaults()
	if err := errors.Join(c.checkDatabase(), c.checkThere(ctx)); err != nil {
		return 0, err
	}
	data, err := openDeskData(ctx, c)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	if err = refuseRunning(ctx, data.db); err == nil {
		err = restoreService(ctx, c)
	}
	if err != nil {
		return 0, err
	}
	return data.markRestored(ctx, "copia=banco_de_dados")
}

var errKeys = errors.New("the backup holds no keys of the installation: give their folder with -keys; " +
	"if they are lost for good, go on with -new-keys")

// errNotItsKeys says of each key that it is not where -keys says.
func errNotItsKeys(lost *keyfile.LostError) error {
	said := make([]string, len(lost.Keys))
	for i, l := range lost.Keys {
		said[i] = filepath.Base(l.Path) + " is missing"
		if l.Other != "" {
			said[i] = filepath.Base(l.Path) + " is another key"
		}
	}
	return fmt.Errorf("-keys lacks keys of this backup (%s), and nothing was restored: give the folder of its keys; "+
		"if they are lost for good, add -new-keys", strings.Join(said, ", "))
}

// restoreKeys sees to it that there are keys, and that they are those of the data.
func restoreKeys(ctx context.Context, c Config, r Restoration) error {
	data, err := openDeskData(ctx, c)
	if err == nil {
		return data.Close()
	}
	lost := new(keyfile.LostError)
	switch {
	case !errors.As(err, &lost):
		return err
	case !r.NewKeys && r.Keys == "":
		return errKeys
	case !r.NewKeys:
		return errNotItsKeys(lost)
	}
	var names []string
	for _, l := range lost.Keys {
		names = append(names, string(l.Name))
	}
	return ReplaceKeys(ctx, c, names)
}

// restoreService ends what a copied service must not go on with.
func restoreService(ctx context.Context, c Config) (err error) {
	if _, err := os.Stat(filepath.Join(c.DataDir, serviceHalf, "service.db")); !c.onServer() && errors.Is(err, fs.ErrNotExist) {
		return nil // an installation without a service of its own
	}
	db, err := c.openDatabase(ctx, serviceHalf)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := accessstore.New(db).EndTokens(ctx); err != nil {
		return err
	}
	return servicestore.New(db).MarkRestored(ctx)
}
