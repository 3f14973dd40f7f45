package golden_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver of the restored databases
)

// databases are the files of the data folder that hold the rows, by their half.
var databases = map[string]string{"desk": "guiche.db", "service": "service.db"}

// MustRestore puts the data folder together in a temporary one.
func MustRestore(tb testing.TB) string {
	tb.Helper()
	folder := tb.TempDir()
	for half, file := range databases {
		db := MustOpen(tb, filepath.Join(MustMake(tb, folder, half), file))
		must(tb, db.Close())
		for name := range strings.FieldsSeq(string(MustRead(tb, half, "blobs.txt"))) {
			must(tb, os.WriteFile(filepath.Join(MustMake(tb, folder, half, "blobs", name[:2]), name), MustBlob(tb, name), 0o600))
		}
	}
	must(tb, os.WriteFile(filepath.Join(folder, "desk", "audit.head"), MustRead(tb, "desk", "audit.head"), 0o600))
	for _, key := range []string{"audit.key", "seal.key"} {
		secret, err := hex.DecodeString(strings.TrimSpace(string(MustRead(tb, "keys", key+".hex"))))
		must(tb, err)
		must(tb, os.WriteFile(filepath.Join(MustMake(tb, folder, "keys"), key), secret, 0o600))
	}
	return folder
}

// MustOpen makes a database of the dump of the half that it is in.
func MustOpen(tb testing.TB, path string) *sql.DB {
	tb.Helper()
	half := filepath.Base(filepath.Dir(path))
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	must(tb, err)
	script := append([]byte("BEGIN;\n"), MustRead(tb, half, "tables.sql")...)
	rows, err := filepath.Glob(filepath.Join("testdata", half, "rows", "*.sql"))
	must(tb, err)
	for _, table := range rows {
		script = append(script, MustRead(tb, half, "rows", filepath.Base(table))...)
	}
	script = append(append(script, MustRead(tb, half, "rest.sql")...), "COMMIT;\n"...)
	_, err = db.ExecContext(tb.Context(), string(script))
	must(tb, err)
	return db
}

// reference stands in a stored blob for bytes that other blobs hold too.
var reference = regexp.MustCompile(`\{\{(file|base64) ([0-9a-z-]+)\}\}`)

// MustBlob returns a blob by its name, which is the hash of its bytes.
func MustBlob(tb testing.TB, name string) []byte {
	tb.Helper()
	content := MustExpand(tb, name)
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != name {
		tb.Fatalf("blob %s does not hold what its name says", name)
	}
	return content
}

// MustExpand returns a file of the blobs with its references filled in.
func MustExpand(tb testing.TB, name string) []byte {
	tb.Helper()
	return reference.ReplaceAllFunc(MustRead(tb, "blobs", name), func(match []byte) []byte {
		parts := reference.FindSubmatch(match)
		content := MustExpand(tb, string(parts[2]))
		if bytes.Equal(parts[1], []byte("base64")) {
			return []byte(base64.StdEncoding.EncodeToString(content))
		}
		return content
	})
}

// MustMake makes a folder and returns its path.
func MustMake(tb testing.TB, parts ...string) string {
	tb.Helper()
	path := filepath.Join(parts...)
	must(tb, os.MkdirAll(path, 0o700))
	return path
}

// MustRead returns a file of testdata.
func MustRead(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, parts...)...))
	must(tb, err)
	return content
}

// MustReadJSON reads a file of testdata.
func MustReadJSON[T any](tb testing.TB, name string) (v T) {
	tb.Helper()
	must(tb, json.Unmarshal(MustRead(tb, name), &v))
	return v
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
