package storetest

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/sqlite"
)

// migrated are empty databases by their schema.
var migrated = struct {
	sync.Mutex
	content map[fs.FS][]byte
}{content: map[fs.FS][]byte{}}

// Migrated returns the path of an empty database that has a schema, in a folder of its
// own. It is a copy: running every migration for each test would be most of its time.
func Migrated(tb testing.TB, schema fs.FS) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "guiche.db")
	migrated.Lock()
	defer migrated.Unlock()
	content, ok := migrated.content[schema]
	if !ok {
		content = migrate(tb, schema)
		migrated.content[schema] = content
	}
	must(tb, os.WriteFile(path, content, 0o600))
	return path
}

// migrate returns the file of an empty database that has a schema.
func migrate(tb testing.TB, schema fs.FS) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "guiche.db")
	db, err := sqlite.Open(context.Background(), sqlite.Options{Strict: true, Path: path, Migrations: schema})
	must(tb, err)
	must(tb, db.Close())
	content, err := os.ReadFile(path)
	must(tb, err)
	return content
}
