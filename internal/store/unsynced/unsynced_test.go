package unsynced_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/internal/store/unsynced"
	"guiche/migrations"
)

// env is a database with one table that names blobs, and their files.
type env struct {
	dir   string
	db    *storetest.Database
	blobs *files.Store
	*unsynced.Syncer
}

func mustEnv(t *testing.T) *env {
	t.Helper()
	e := &env{dir: t.TempDir(), db: storetest.Open(t, migrations.Desk, nil)}
	MustDo(t, e.db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE named (ref TEXT NOT NULL)`)
		return err
	}))
	var err error
	e.blobs, err = files.Open(files.Options{Dir: e.dir})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, e.blobs.Close()) })
	e.Syncer = unsynced.New(unsynced.Config{DB: e.db, Files: e.blobs, Logger: slog.New(slog.DiscardHandler),
		Names: blobnames.New(e.db, blobnames.Column{Table: "named", Name: "ref"})})
	return e
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// put stores a content under a batch and commits a row that names it.
func (e *env) put(t *testing.T, content string) blob.Ref {
	t.Helper()
	var batch blob.Batch
	ctx := batch.In(t.Context())
	info, err := e.blobs.Put(ctx, strings.NewReader(content))
	MustDo(t, err)
	MustDo(t, e.db.Write(ctx, func(tx *engine.Tx) error {
		if err := unsynced.Write(ctx, tx); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO named (ref) VALUES (?)`, string(info.Ref))
		return err
	}))
	return info.Ref
}

func (e *env) file(ref blob.Ref) string {
	return filepath.Join(e.dir, filepath.FromSlash(ref.Path()))
}

func (e *env) has(t *testing.T, ref blob.Ref) bool {
	t.Helper()
	content, err := unsynced.Bytes(t.Context(), e.db, ref)
	MustDo(t, err)
	return content != nil
}

func (e *env) read(t *testing.T, ref blob.Ref) string {
	t.Helper()
	file, err := e.blobs.Open(t.Context(), ref)
	MustDo(t, err)
	defer func() { MustDo(t, file.Close()) }()
	content, err := io.ReadAll(file)
	MustDo(t, err)
	return string(content)
}

// TestSyncer_Restore: of a file that a power cut took, in part or as a whole, the next start
// makes what it was.
func TestSyncer_Restore(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"Gone":   os.Remove,
		"Folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"Empty":  func(path string) error { return os.Truncate(path, 0) },
		"Zeros":  func(path string) error { return os.WriteFile(path, make([]byte, 9), 0o600) },
		"Whole":  func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			ref := e.put(t, "a resposta")
			MustDo(t, lose(e.file(ref)))
			MustDo(t, e.Restore(t.Context()))
			if got := e.read(t, ref); got != "a resposta" {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("NotNamed", func(t *testing.T) {
		e := mustEnv(t)
		ref := e.put(t, "a resposta")
		MustDo(t, e.db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `DELETE FROM named`)
			return err
		}))
		MustDo(t, os.Remove(e.file(ref)))
		MustDo(t, e.Restore(t.Context()))
		if _, err := e.blobs.Open(t.Context(), ref); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want what nobody names to stay away", err)
		}
	})
}

// TestSyncer_Restore_Many: of many files each is made again, one that was put twice, too.
func TestSyncer_Restore_Many(t *testing.T) {
	e := mustEnv(t)
	contents := []string{"a", "b", "a", "c"}
	var refs []blob.Ref
	for _, content := range contents {
		refs = append(refs, e.put(t, content))
	}
	for _, ref := range refs {
		_ = os.Remove(e.file(ref)) // one of them twice
	}
	MustDo(t, e.Restore(t.Context()))
	for i, ref := range refs {
		if got := e.read(t, ref); got != contents[i] {
			t.Errorf("got %q, want %q", got, contents[i])
		}
	}
}

// TestSyncer_Sync: what is on disk is not kept twice, and what came meanwhile is.
func TestSyncer_Sync(t *testing.T) {
	e := mustEnv(t)
	first := e.put(t, "a")
	if !e.has(t, first) {
		t.Fatal("the bytes are not in the database")
	}
	MustDo(t, e.Sync(t.Context()))
	second := e.put(t, "b")
	if e.has(t, first) || !e.has(t, second) {
		t.Errorf("got %v and %v, want the second one alone", e.has(t, first), e.has(t, second))
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	e.Run(ctx)
	if e.has(t, second) || e.read(t, second) != "b" {
		t.Error("a program that ends leaves bytes behind")
	}
}

// overtaken are files while which are brought to disk somebody commits what was numbered before them, as
// an engine with several writers lets them.
type overtaken struct {
	unsynced.Files
	commit func()
}

func (o overtaken) Sync(refs []blob.Ref) (gone []blob.Ref, err error) {
	o.commit()
	return o.Files.Sync(refs)
}

// TestSyncer_Sync_Overtaken: bytes stay whose file was not brought to disk, whatever their number.
func TestSyncer_Sync_Overtaken(t *testing.T) {
	e := mustEnv(t)
	first, late := e.put(t, "a"), blob.Ref(strings.Repeat("b", 64))
	s := unsynced.New(unsynced.Config{DB: e.db, Logger: slog.New(slog.DiscardHandler), Files: overtaken{e.blobs, func() {
		MustDo(t, e.db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO unsynced_blob (id, ref, bytes) VALUES (0, ?, ?)`, string(late), []byte("b"))
			return err
		}))
	}}})
	MustDo(t, s.Sync(t.Context()))
	if e.has(t, first) || !e.has(t, late) {
		t.Errorf("got %v and %v, want the late one alone", e.has(t, first), e.has(t, late))
	}
}

// TestBytes_Older: a database from before has none.
func TestBytes_Older(t *testing.T) {
	storetest.OfSQLite(t)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: filepath.Join(t.TempDir(), "a.db")})
	MustDo(t, err)
	defer func() { MustDo(t, db.Close()) }()
	if got, err := unsynced.Bytes(t.Context(), db, blob.Ref(strings.Repeat("0", 64))); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestSyncer_Sync_Log: bytes that are on disk are not written once more when the database
// forgets them.
func TestSyncer_Sync_Log(t *testing.T) {
	storetest.OfSQLite(t)
	e := mustEnv(t)
	logged := func() int64 {
		info, err := os.Stat(e.db.Path() + "-wal")
		MustDo(t, err)
		return info.Size()
	}
	const size = 100 << 10
	e.put(t, strings.Repeat("guia ", size/5))
	before := logged()
	MustDo(t, e.Sync(t.Context()))
	if more := logged() - before; more > size/2 {
		t.Errorf("to forget %d bytes took %d bytes of the log", size, more)
	}
	MustDo(t, e.db.Write(t.Context(), func(tx *engine.Tx) (err error) {
		var overwrites int
		err = tx.QueryRow(t.Context(), `PRAGMA secure_delete`).Scan(&overwrites)
		if overwrites != 1 {
			t.Errorf("secure_delete is %d afterwards, want 1", overwrites)
		}
		return err
	}))
}

// TestWrite_Large: what is too large for the database is on disk when it was put.
func TestWrite_Large(t *testing.T) {
	e := mustEnv(t)
	large := string(bytes.Repeat([]byte("guiche.\n"), 1<<15))
	ref := e.put(t, large)
	if e.has(t, ref) || e.read(t, ref) != large {
		t.Error("a large blob is in the database")
	}
}
