package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

const (
	// updateFolder holds the databases as they were before a version changed their schema.
	updateFolder = "before-update"
	updateLayout = "2006-01-02T150405Z"
	// updateLife is how long they are kept.
	updateLife = 7 * 24 * time.Hour
	// updateSweep is the pause between two looks for older ones.
	updateSweep = 6 * time.Hour
)

// errEarlierSchema keeps a command from changing the schema under a program that runs: most would fail with the next.
var errEarlierSchema = errors.New("the rows have the schema of an earlier version: start this version, or run guiche migrate, first")

// openUpdatable opens a database of the installation and brings it to this version's
// schema, after a copy of it as it was. On a disk without a byte what serves the folder waits
// for space, and while another program keeps the database for that.
func (c Config) openUpdatable(ctx context.Context, half, file string) (*sqlite.DB, error) {
	o := sqlite.Options{Path: filepath.Join(c.DataDir, half, file), Migrations: schemaOf(half), Clock: c.Clock, Disk: c.disk}
	if !c.staged {
		o.BeforeUpdate = func(ctx context.Context, db *sqlite.DB, version int64) error {
			if c.beside {
				return errEarlierSchema
			}
			return c.copyBeforeUpdate(ctx, db, half, file, version)
		}
	}
	for said := false; ; said = true {
		db, err := sqlite.Open(ctx, o)
		if err == nil {
			c.whileBusy(ctx, db, half+"/"+file)
			return db, nil
		}
		if c.disk == nil || !problem.Is(err, problem.NoSpace) {
			return nil, err
		}
		if !said {
			c.Logger.ErrorContext(ctx, "the start waits for disk space", "database", half+"/"+file, "error", err)
		}
		select {
		case <-time.After(spacePause):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// whileBusy waits, for Config.Wait at most, while another program keeps a database: a start
// writes into it. A try waits for seconds itself. The start says what is out of reach after.
func (c Config) whileBusy(ctx context.Context, db *sqlite.DB, name string) {
	waiting, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	for waiting.Err() == nil {
		err := db.Write(ctx, func(*engine.Tx) error { return nil })
		if !problem.Is(err, problem.Busy) {
			return
		}
		c.Logger.WarnContext(ctx, "another program keeps the database", "database", name, "error", err)
		select {
		case <-waiting.Done():
		case <-time.After(lockPause):
		}
	}
}

// spacePause is between two tries to open a database that the disk has no space for.
const spacePause = 500 * time.Millisecond

// copyBeforeUpdate copies a database where there is room. Without room the update goes on:
// a full disk must not keep an installation from starting.
func (c Config) copyBeforeUpdate(ctx context.Context, db *sqlite.DB, half, file string, version int64) error {
	c = c.withDefaults()
	info, err := os.Stat(filepath.Join(c.DataDir, half, file))
	if err != nil {
		return err
	}
	log := c.Logger.With("database", half+"/"+file, "schema", version, "bytes", info.Size())
	free, err := c.Free(c.DataDir)
	if err != nil {
		return err
	}
	if free < 2*info.Size() {
		log.WarnContext(ctx, "the database is updated without a copy of it as it was: there is no room for one", "free", free)
		return nil
	}
	name := fmt.Sprintf("%s.%d", c.Clock().UTC().Format(updateLayout), version)
	path := filepath.Join(c.DataDir, updateFolder, name, half, file)
	log.InfoContext(ctx, "before the update the database is copied; the copy is deleted after 7 days", "copy", path)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return copyTo(ctx, db, path)
}

// copyTo copies a database; the copy gets its name when it is whole.
func copyTo(ctx context.Context, db *sqlite.DB, path string) error {
	snapshot, err := db.Snapshot(ctx)
	if err != nil {
		return err
	}
	temp := path + ".partial"
	if err = os.Remove(temp); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = snapshot.CopyTo(ctx, temp)
	}
	if err = errors.Join(err, snapshot.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err == nil {
		err = atomicfile.SyncNames(filepath.Dir(path))
	}
	return err
}

// sweepUpdates removes what was copied before updates long ago, again and again until ctx
// is done.
func (s *baseServer) sweepUpdates(ctx context.Context) {
	ticker := time.NewTicker(updateSweep)
	defer ticker.Stop()
	for {
		if err := removeOldUpdates(filepath.Join(s.config.DataDir, updateFolder), s.config.Clock()); err != nil {
			s.config.Logger.ErrorContext(ctx, "copies from before updates were not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func removeOldUpdates(folder string, now time.Time) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		at, parseErr := time.Parse(updateLayout, e.Name()[:min(len(updateLayout), len(e.Name()))])
		if parseErr == nil && now.Sub(at) > updateLife {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
		}
	}
	return err
}
