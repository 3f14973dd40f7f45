package sweep_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/blob/sweep"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
)

var schema = fstest.MapFS{"00001_note.sql": {Data: []byte(`-- +goose Up
CREATE TABLE note (id INTEGER PRIMARY KEY, blob TEXT NOT NULL) STRICT;
CREATE INDEX note_blob ON note (blob);
`)}}

// env is a folder of real files beside a real database, as a process has them open.
type env struct {
	t   testing.TB
	dir string
	now atomic.Pointer[time.Time]

	db    *sqlite.DB
	files *files.Store
	rows  sweep.Rows
	close func()
}

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func mustEnv(t testing.TB) *env {
	t.Helper()
	return mustOpen(t, t.TempDir())
}

// mustOpen opens a folder, as another process would.
func mustOpen(t testing.TB, dir string) *env {
	t.Helper()
	e := &env{t: t, dir: dir}
	e.setClock(start)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: filepath.Join(dir, "note.db"), Migrations: schema})
	e.must(err)
	e.db, e.rows = db, blobnames.New(db, blobnames.Column{Table: "note", Name: "blob"})
	e.files, err = files.Open(files.Options{Dir: dir, Clock: e.clock})
	e.must(err)
	e.close = sync.OnceFunc(func() { e.must(errors.Join(e.files.Close(), e.db.Close())) })
	t.Cleanup(e.close)
	return e
}

func (e *env) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *env) clock() time.Time          { return *e.now.Load() }
func (e *env) setClock(at time.Time)     { e.now.Store(&at) }
func (e *env) sweeper() *sweep.Sweeper   { return e.sweeperOver(e.rows) }
func (e *env) stored(ref blob.Ref) bool  { return !e.missing(ref) }
func (e *env) missing(ref blob.Ref) bool { return isMissing(e.files, ref) }
func (e *env) sweep()                    { e.t.Helper(); e.must(e.sweeper().Sweep(context.Background())) }

func isMissing(s *files.Store, ref blob.Ref) bool {
	_, err := s.Stat(context.Background(), ref)
	return problem.Is(err, problem.NotFound)
}

func (e *env) sweeperOver(rows sweep.Rows) *sweep.Sweeper {
	return sweep.New(sweep.Config{Files: e.files, Rows: rows, Clock: e.clock, Logger: slog.New(slog.DiscardHandler)})
}

// put stores content under a hold that the caller ends.
func (e *env) put(content string) (blob.Ref, blob.Hold) {
	e.t.Helper()
	ctx, hold := e.files.Hold(context.Background())
	info, err := e.files.Put(ctx, strings.NewReader(content))
	e.must(err)
	return info.Ref, hold
}

// putUnnamed stores content and lets it go without a name.
func (e *env) putUnnamed(content string) blob.Ref {
	e.t.Helper()
	ref, hold := e.put(content)
	hold.End()
	return ref
}

// putNamed stores content and commits a row that names it.
func (e *env) putNamed(content string) blob.Ref {
	e.t.Helper()
	ref, hold := e.put(content)
	defer hold.End()
	e.must(e.name(ref))
	return ref
}

func (e *env) name(ref blob.Ref) error {
	return e.db.Write(context.Background(), func(tx *engine.Tx) error {
		_, err := tx.Exec(context.Background(), `INSERT INTO note (blob) VALUES (?)`, string(ref))
		return err
	})
}

// drop commits that one row less names a blob.
func (e *env) drop(ref blob.Ref) error {
	_, hold := e.files.Hold(context.Background())
	defer hold.End()
	return e.db.Write(context.Background(), func(tx *engine.Tx) error {
		hold.Add(ref)
		_, err := tx.Exec(context.Background(), `DELETE FROM note WHERE id = (SELECT id FROM note WHERE blob = ? LIMIT 1)`, string(ref))
		return err
	})
}

// run runs a sweeper until the test ends.
func (e *env) run() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { e.sweeper().Run(ctx); close(ended) }()
	e.t.Cleanup(func() { cancel(); <-ended })
}

func (e *env) eventually(what string, holds func() bool) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for tick := time.Tick(5 * time.Millisecond); !holds(); {
		select {
		case <-ctx.Done():
			e.t.Fatalf("did not happen: %s", what)
		case <-tick:
		}
	}
}

// markers lists what processes say they hold.
func (e *env) markers() (names []string) {
	e.t.Helper()
	e.must(filepath.WalkDir(filepath.Join(e.dir, "blobs", "held"), func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && len(entry.Name()) == 64 {
			names = append(names, entry.Name())
		}
		return err
	}))
	return names
}

// TestSweeper_Run: without waiting for a sweep, what is let go leaves and what has a name
// stays.
func TestSweeper_Run(t *testing.T) {
	e := mustEnv(t)
	e.run()
	refused, kept, twice := e.putUnnamed("refused"), e.putNamed("kept"), e.putNamed("twice")
	e.must(e.name(twice))
	e.must(e.drop(twice))
	e.eventually("what was refused leaves", func() bool { return e.missing(refused) })
	e.eventually("nothing is held any more", func() bool { return len(e.markers()) == 0 })
	if e.missing(kept) || e.missing(twice) {
		t.Error("something that a row names is gone")
	}
	e.must(e.drop(twice))
	e.eventually("the last name's bytes leave", func() bool { return e.missing(twice) })
}

func TestSweeper_Sweep(t *testing.T) {
	t.Run("Grace", func(t *testing.T) {
		e := mustEnv(t)
		old, named := e.putUnheld("old"), e.putNamed("named")
		e.setClock(start.Add(6 * 24 * time.Hour))
		young := e.putUnheld("young")
		e.setClock(start.Add(7*24*time.Hour + time.Minute))
		later := mustOpen(t, e.dir) // what stored them without a hold has ended
		later.setClock(e.clock())
		later.sweep()
		if later.stored(old) || later.missing(named) || later.missing(young) {
			t.Errorf("stored: old %t, named %t, young %t; want only the old one gone",
				later.stored(old), later.stored(named), later.stored(young))
		}
	})

	t.Run("Killed", func(t *testing.T) { // between the commit and the removal, and in the middle of an upload
		e := mustEnv(t)
		dropped, kept := e.putNamed("dropped"), e.putNamed("kept")
		e.must(e.drop(dropped))
		refused, uploading := e.putUnnamed("refused"), first(e.put("uploading"))
		left := t.TempDir()
		e.must(os.CopyFS(left, os.DirFS(e.dir)))
		next := mustOpen(t, left)
		next.sweep()
		if next.stored(dropped) || next.stored(refused) || next.stored(uploading) || next.missing(kept) {
			t.Errorf("stored: dropped %t, refused %t, uploading %t, kept %t; want only the last",
				next.stored(dropped), next.stored(refused), next.stored(uploading), next.stored(kept))
		}
		if got := next.markers(); len(got) != 0 {
			t.Errorf("got markers %v, want none", got)
		}
	})

	t.Run("KilledInTheMiddle", func(t *testing.T) { // of a file
		e := mustEnv(t)
		read, write := io.Pipe()
		ended := make(chan struct{})
		go func() {
			_, _ = e.files.Put(context.Background(), read)
			close(ended)
		}()
		_, err := io.WriteString(write, "the first half")
		e.must(err)
		left := t.TempDir()
		e.must(os.CopyFS(left, os.DirFS(e.dir)))
		next := mustOpen(t, left)
		if len(next.unfinished()) != 1 {
			t.Fatalf("got %v, want one unfinished file", next.unfinished())
		}
		next.sweep()
		e.sweep()
		if got := next.unfinished(); len(got) != 0 {
			t.Errorf("got %v, want none", got)
		}
		if got := e.unfinished(); len(got) != 1 {
			t.Errorf("of a process that goes on: got %v, want one", got)
		}
		_ = write.CloseWithError(io.ErrUnexpectedEOF)
		<-ended
	})

	t.Run("Stopped", func(t *testing.T) { // and nobody had swept before
		e := mustEnv(t)
		left := mustOpen(t, e.dir)
		refused := left.putUnnamed("refused")
		left.close()
		e.sweep()
		if e.stored(refused) {
			t.Error("still stored")
		}
	})

	t.Run("HeldByAnother", func(t *testing.T) {
		e := mustEnv(t)
		other := mustOpen(t, e.dir)
		ref, hold := other.put("same")
		e.putUnnamed("same")
		e.sweep()
		if e.missing(ref) {
			t.Fatal("removed while another process held it")
		}
		hold.End()
		other.sweep()
		if e.stored(ref) {
			t.Error("still stored after the last hold")
		}
	})

	t.Run("HeldAgain", func(t *testing.T) {
		e := mustEnv(t)
		ref := e.putUnnamed("same")
		_, hold := e.put("same")
		e.sweep()
		if e.missing(ref) {
			t.Fatal("removed while an upload held it")
		}
		hold.End()
		e.sweep()
		if e.stored(ref) {
			t.Error("still stored")
		}
	})
}

// unfinished lists the files that are being written, or were given up.
func (e *env) unfinished() []string {
	paths, err := filepath.Glob(filepath.Join(e.dir, "blobs", "tmp", "*"))
	e.must(err)
	return paths
}

// putUnheld stores content without a hold, as code would that forgot it.
func (e *env) putUnheld(content string) blob.Ref {
	e.t.Helper()
	info, err := e.files.Put(context.Background(), strings.NewReader(content))
	e.must(err)
	return info.Ref
}

func first[A, B any](a A, _ B) A { return a }

// brokenRows cannot be asked.
type brokenRows struct{ sweep.Rows }

func (brokenRows) WithUnnamedBlobs(context.Context, []blob.Ref, func([]blob.Ref)) error {
	return io.ErrUnexpectedEOF
}

// TestSweeper_Sweep_Failure: what could not be asked about is asked about again.
func TestSweeper_Sweep_Failure(t *testing.T) {
	e := mustEnv(t)
	ref := e.putUnnamed("refused")
	if err := e.sweeperOver(brokenRows{e.rows}).Sweep(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want the database's error", err)
	}
	if e.missing(ref) {
		t.Fatal("removed without an answer")
	}
	e.sweep()
	if e.stored(ref) {
		t.Error("still stored")
	}
}

// countedRows notes how much is asked at once.
type countedRows struct {
	sweep.Rows
	most, asked int
}

func (c *countedRows) WithUnnamedBlobs(ctx context.Context, refs []blob.Ref, remove func([]blob.Ref)) error {
	c.most, c.asked = max(c.most, len(refs)), c.asked+len(refs)
	return c.Rows.WithUnnamedBlobs(ctx, refs, remove)
}

// TestSweeper_Sweep_Batches: the writer is never taken for many at once.
func TestSweeper_Sweep_Batches(t *testing.T) {
	e := mustEnv(t)
	var refs []blob.Ref
	for i := range 300 {
		refs = append(refs, e.putUnnamed(strings.Repeat("x", i)))
	}
	rows := &countedRows{Rows: e.rows}
	e.must(e.sweeperOver(rows).Sweep(t.Context()))
	if rows.most > 50 || rows.asked != len(refs) {
		t.Errorf("asked about %d, at most %d at once; want %d, at most 50", rows.asked, rows.most, len(refs))
	}
	if slices.ContainsFunc(refs, e.stored) {
		t.Error("some are still stored")
	}
}
