package sqlite_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

var errNotMeant = errors.New("not meant")

// TestDB_Write_log: however transactions share commits, spill to the log before they end, are
// taken back or do not wait for the disk, what was committed is in the files at once: for who
// reads and writes them as well, and for the next start after the program is killed.
func TestDB_Write_log(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	path := filepath.Join(t.TempDir(), "log.db")
	db, other := open(t, path), open(t, path)
	if err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE page (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for round := range 24 {
		var all sync.WaitGroup
		for range 1 + round%4 {
			seed, large := random.Uint64(), random.IntN(12) == 0
			write := db.Write
			if random.IntN(3) == 0 {
				write = db.WriteDerived
			}
			all.Go(func() {
				err := write(t.Context(), func(tx *engine.Tx) error { return pages(t.Context(), tx, seed, large) })
				if err != nil && !errors.Is(err, errNotMeant) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		err := other.Write(t.Context(), func(tx *engine.Tx) error { return pages(t.Context(), tx, random.Uint64(), false) })
		if err != nil && !errors.Is(err, errNotMeant) {
			t.Fatal(err)
		}
		want := content(t, db)
		for name, db := range map[string]*sqlite.DB{"beside": other, "after a kill": open(t, killed(t, path))} {
			if err := db.Check(t.Context()); err != nil || content(t, db) != want {
				t.Fatalf("round %d: %s the database has other rows (%v)", round, name, err)
			}
		}
	}
}

func open(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// pages writes some rows, more than a connection keeps in memory if they are large, and
// sometimes means none of them.
func pages(ctx context.Context, tx *engine.Tx, seed uint64, large bool) error {
	random := rand.New(rand.NewPCG(seed, 1))
	rows, size := 1+random.IntN(8), 1+random.IntN(9000)
	if large {
		rows, size = 300, 12000
	}
	for range rows {
		id := random.IntN(400)
		if _, err := tx.Exec(ctx, `INSERT INTO page (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes`,
			id, bytes.Repeat([]byte{byte(seed)}, size)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM page WHERE id = ?`, random.IntN(400)); err != nil {
			return err
		}
	}
	if random.IntN(4) == 0 {
		return errNotMeant
	}
	return nil
}

// killed copies the files as they are, and returns the path of the database.
func killed(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		file, err := os.ReadFile(path + suffix)
		if err == nil {
			err = os.WriteFile(to+suffix, file, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// content is a digest of all rows.
func content(t *testing.T, db *sqlite.DB) string {
	t.Helper()
	digest := sha256.New()
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		digest.Reset()
		_, err := engine.List(t.Context(), tx, func(r engine.Row) (id int64, err error) {
			var content []byte
			err = r.Scan(&id, &content)
			_, _ = fmt.Fprintf(digest, "%d %x\n", id, sha256.Sum256(content))
			return id, err
		}, `SELECT id, bytes FROM page ORDER BY id`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", digest.Sum(nil))
}
