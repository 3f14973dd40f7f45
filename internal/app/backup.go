package app

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/keyfile"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/backupstore"
	"guiche/internal/store/engine"
	"guiche/migrations"
)

// Backups says where and how an installation is copied.
type Backups struct {
	Folder     string        // "" makes none
	Recipients []string      // age recipients; without any the backup is not encrypted and holds no keys
	Every      time.Duration // pause between two that the server makes
	Keep       int           // how many stay; 0 means all
	Recheck    bool          // read blobs that are in the folder already, and copy damaged ones again
}

// MakeBackup copies an installation, also while a server runs on it, and writes down that
// it did. With an error there may be a backup all the same: the result has its path.
func MakeBackup(ctx context.Context, c Config, b Backups) (r backup.Result, err error) {
	c = c.withDefaults()
	if c.onServer() {
		return r, ErrServersTools
	}
	if err := c.checkInstalled(ctx); err != nil {
		return r, err
	}
	run := backup.Run{At: c.Clock()}
	if r, err = makeBackupOf(ctx, c, b); r.Path == "" {
		return r, err
	}
	return r, errors.Join(err, writeDown(ctx, c, describe(run, r, nil)))
}

// writeDown remembers a run, unless the database is of another version or its keys are
// not there: neither is a reason to have no backup.
func writeDown(ctx context.Context, c Config, run backup.Run) (err error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(c.DataDir, deskHalf, "guiche.db"), Clock: c.Clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if same, err := db.HasSchema(ctx, migrations.Desk); err != nil || !same {
		return err
	}
	key, err := auditKey(ctx, db, c.keyPlace())
	if lost := new(keyfile.LostError); errors.As(err, &lost) {
		return nil
	}
	if err != nil {
		return err
	}
	return backupstore.New(db, auditlog.New(db, audit.Key(key))).Add(ctx, run)
}

// makeBackupOf copies an installation.
func makeBackupOf(ctx context.Context, c Config, b Backups) (r backup.Result, err error) {
	var open []backup.Half
	defer func() {
		for _, h := range open {
			err = errors.Join(err, h.Database.(*half).close())
		}
	}()
	for _, data := range halves() {
		if _, err := os.Stat(filepath.Join(c.DataDir, data.Name, data.File)); errors.Is(err, os.ErrNotExist) {
			continue // an installation without a service of its own
		}
		h, err := openHalf(ctx, c, data)
		if err != nil {
			return r, err
		}
		open = append(open, h)
	}
	return makeBackup(ctx, c, b, open)
}

func makeBackup(ctx context.Context, c Config, b Backups, halves []backup.Half) (r backup.Result, err error) {
	var nameKey []byte
	var files map[string]string
	if len(b.Recipients) > 0 {
		if nameKey, err = backupNameKey(ctx, halves[0].Database.(*half).db, c.keyPlace()); err != nil {
			return r, c.keyError(err)
		}
		if files, err = keyFiles(c.keyPlace()); err != nil {
			return r, c.keyError(err)
		}
	}
	return backup.Make(ctx, backup.Config{
		Data: c.DataDir, Keys: c.keyPlace(), KeyFiles: files,
		Folder: b.Folder, Halves: halves, Look: look, Now: c.Clock(), Recipients: b.Recipients, NameKey: nameKey,
		Keep: b.Keep, Recheck: b.Recheck, Version: c.Version,
	})
}

// backupNameKey is a secret of the installation that is the same at every backup.
func backupNameKey(ctx context.Context, db engine.DB, keys string) ([]byte, error) {
	key, err := auditKey(ctx, db, keys)
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, key[:], nil, "guiche backup names", sha256.Size)
}

// openHalf opens one half beside the process that may be serving it, which may be of an
// earlier version: its schema stays.
func openHalf(ctx context.Context, c Config, data backup.DataHalf) (h backup.Half, err error) {
	place, err := c.knownBlobPlace()
	if err != nil {
		return h, err
	}
	folder := filepath.Join(c.DataDir, data.Name)
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(folder, data.File), Clock: c.Clock})
	if err != nil {
		return h, fmt.Errorf("GUICHE_DATA: %w", err)
	}
	blobs, err := files.Open(files.Options{Dir: folder, Clock: c.Clock})
	if err != nil {
		return h, errors.Join(fmt.Errorf("GUICHE_DATA: %w", err), db.Close())
	}
	h = newHalf(data.Name, data.File, db, blobs)
	if place.bucket != nil { // in the folder is what is held
		h.Remote = place.remote(data.Name)
	}
	h.Database.(*half).close = func() error { return errors.Join(blobs.Close(), db.Close()) }
	return h, nil
}

// newHalf is one half that is open in this process.
func newHalf(name, file string, db *sqlite.DB, blobs backup.Blobs) backup.Half {
	return backup.Half{Name: name, File: file, Database: &half{db: db, name: name}, Blobs: blobs}
}

// half is a database in use, as backup.Database asks for it.
type half struct {
	db    *sqlite.DB
	name  string
	close func() error
}

// Alone implements backup.Database.
func (h *half) Alone(ctx context.Context, fn func([]blob.Ref) error) error {
	return h.db.WriteAlone(ctx, func(*engine.Tx) error {
		passing, err := blobNamesOf(h.name, h.db).Passing(ctx)
		if err != nil {
			return err
		}
		return fn(passing)
	})
}

// Snapshot implements backup.Database.
func (h *half) Snapshot(ctx context.Context) (backup.Snapshot, error) { return h.db.Snapshot(ctx) }

// Verify checks an installation's folder, one backup, or the newest backup of a folder. The
// identity file opens encrypted backups; "" checks what can be told without it. The
// configuration says where the keys of an installation are, and how its bucket is reached.
func Verify(ctx context.Context, c Config, path, identity string) (r backup.Report, err error) {
	isData := !backup.IsBackup(path) && backup.IsData(path, halves())
	if c.DataDir = path; !isData {
		c.DataDir = "" // what lies in the folder of a backup says nothing about a bucket
	}
	remote, err := c.reachRemote()
	if err != nil {
		return r, err
	}
	if isData {
		all := halves()
		for i := range all {
			if remote != nil {
				all[i].Remote = remote(all[i].Name)
			}
		}
		return backup.VerifyData(ctx, path, c.keyPlace(), all, look)
	}
	v := backup.VerifyConfig{Look: look, Now: c.withDefaults().Clock(), Remote: remote}
	if identity != "" {
		if v.Identities, err = backup.Identities(identity); err != nil {
			return r, err
		}
	}
	return backup.Verify(ctx, path, v)
}
