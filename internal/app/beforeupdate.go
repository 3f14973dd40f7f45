package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// tellStep tells of each step of an update, which may take minutes with many rows.
func (c Config) tellStep(name string) func(context.Context, int64) {
	return func(ctx context.Context, version int64) {
		c.withDefaults().Logger.InfoContext(ctx, "a step of the update is done", "database", name, "schema", version)
	}
}

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
		o.Updated = c.tellStep(half + "/" + file)
	}
	for said := false; ; said = true {
		db, err := sqlite.Open(ctx, o)
		if err == nil {
			c.whileBusy(ctx, db, half+"/"+file)
			c.updated(ctx, half)
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
	if kept := c.copyOfBrokenOff(half, file, version); kept != "" {
		log.InfoContext(ctx, "the update that was broken off goes on; the copy of before it is kept", "copy", kept)
		return nil
	}
	name := fmt.Sprintf("%s.%d", c.Clock().UTC().Format(updateLayout), version)
	path := filepath.Join(c.DataDir, updateFolder, name, half, file)
	log.InfoContext(ctx, "before the update the database is copied; the copy is deleted after 7 days", "copy", path)
	if err := errors.Join(remove(path), c.removePartial(half, file)); err != nil {
		return err
	}
	if err := atomicfile.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := copyTo(ctx, db, path); err != nil {
		return err
	}
	return atomicfile.Write(c.underUpdate(half), []byte(name), 0o600)
}

// partialCopy ends the name of a copy until it is whole.
const partialCopy = ".partial"

// removePartial removes what starts left that were broken off while they copied: each is as large as the database.
func (c Config) removePartial(half, file string) error {
	all, err := os.ReadDir(filepath.Join(c.DataDir, updateFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range all {
		if e.IsDir() {
			err = errors.Join(err, remove(filepath.Join(c.DataDir, updateFolder, e.Name(), half, file+partialCopy)))
		}
	}
	return err
}

// remove removes a file that may be there.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// underUpdate is the file that names the folder with the copy of a half whose update has not come to its end.
func (c Config) underUpdate(half string) string {
	return filepath.Join(c.DataDir, updateFolder, half+".under-update")
}

// copyOfBrokenOff is where the copy lies that was made before an update which was broken off, "" without one: the
// schema is one in the middle by now, and a copy of that would be of no use. Where it is that of the copy, somebody may
// have gone back to the version before and worked on with it.
func (c Config) copyOfBrokenOff(half, file string, version int64) string {
	name, err := os.ReadFile(c.underUpdate(half))
	if err != nil || strings.HasSuffix(string(name), fmt.Sprintf(".%d", version)) {
		return ""
	}
	path := filepath.Join(c.DataDir, updateFolder, filepath.Base(string(name)), half, file)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// updated notes that a half is open, and so not in the middle of an update: the next one has a copy of its own.
func (c Config) updated(ctx context.Context, half string) {
	if c.staged || c.beside {
		return
	}
	path := c.underUpdate(half)
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err = errors.Join(err, atomicfile.SyncNames(filepath.Dir(path))); err != nil {
		c.withDefaults().Logger.ErrorContext(ctx, "it could not be noted that an update is done", "error", err)
	}
}

// copyTo copies a database; the copy gets its name when it is whole.
func copyTo(ctx context.Context, db *sqlite.DB, path string) error {
	snapshot, err := db.Snapshot(ctx)
	if err != nil {
		return err
	}
	temp := path + partialCopy
	if err = remove(temp); err == nil {
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
