package copying_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"guiche/internal/copying"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
)

// schema has tables in an order in which they cannot be copied, and a trigger that refuses new rows.
var schema = fstest.MapFS{"00001_letters.sql": {Data: []byte(`-- +goose Up
CREATE TABLE answer (letter INTEGER NOT NULL REFERENCES letter (id), place TEXT NOT NULL, body BLOB, PRIMARY KEY (letter, place)) STRICT;
CREATE TABLE letter (id INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;
CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;
INSERT INTO counter VALUES (1, 0);
-- +goose StatementBegin
CREATE TRIGGER letter_begins BEFORE INSERT ON letter WHEN NEW.state <> 'new' BEGIN SELECT RAISE(ABORT, 'a letter begins new'); END;
-- +goose StatementEnd
`)}}

func mustOpen(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "letters.db"), Migrations: schema, Strict: true})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func exec(t *testing.T, db engine.DB, statement string) error {
	t.Helper()
	return db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement)
		return err
	})
}

// filled has letters of every state, and answers with bytes, without, and with none.
func filled(t *testing.T) *sqlite.DB {
	t.Helper()
	db := mustOpen(t)
	must(t, exec(t, db, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
		INSERT INTO letter (id, state) SELECT i, 'new' FROM n`))
	must(t, exec(t, db, `UPDATE letter SET state = 'read' WHERE id % 2 = 0`))
	must(t, exec(t, db, `INSERT INTO answer (letter, place, body) VALUES (1, 'ç', x'00'), (1, 'z', x''), (2, 'a', NULL)`))
	must(t, exec(t, db, `UPDATE counter SET n = 7`))
	return db
}

func half(from, to *sqlite.DB) copying.Half {
	return copying.Half{From: from, To: to, Replaced: []string{"counter"}}
}

// TestHalf_Copy: rows come in the order of what they point at, whatever a trigger says of new ones; what is there
// already stays, and the trigger stands afterwards.
func TestHalf_Copy(t *testing.T) {
	from, to := filled(t), mustOpen(t)
	must(t, exec(t, to, `INSERT INTO letter (id, state) VALUES (1, 'new')`)) // of an earlier run
	var order []string
	must(t, half(from, to).Copy(t.Context(), func(table string) { order = append(order, table) }))
	if want := []string{"counter", "letter", "answer"}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	got, err := half(from, to).Compare(t.Context())
	if diff := cmp.Diff(copying.Compared{Tables: 3, Rows: 1204}, got); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	if err := exec(t, to, `INSERT INTO letter (id, state) VALUES (5000, 'read')`); err == nil || !strings.Contains(err.Error(), "begins new") {
		t.Errorf("the trigger: got %v", err)
	}
}

// TestHalf_Compare: one row too many, one too few, another value, and no bytes in place of no value are found.
func TestHalf_Compare(t *testing.T) {
	from := filled(t)
	for name, change := range map[string]string{
		"Missing": `DELETE FROM letter WHERE id = 1200`,
		"First":   `UPDATE letter SET id = -1 WHERE id = 1200`,
		"Other":   `UPDATE letter SET state = 'lost' WHERE id = 600`,
		"NoBytes": `UPDATE answer SET body = x'' WHERE letter = 2`,
		"NoValue": `UPDATE answer SET body = NULL WHERE place = 'z'`,
	} {
		t.Run(name, func(t *testing.T) {
			to := mustOpen(t)
			must(t, half(from, to).Copy(t.Context(), func(string) {}))
			must(t, exec(t, to, change))
			got, err := half(from, to).Compare(t.Context())
			if err != nil || len(got.Differing) != 1 {
				t.Errorf("got %+v, %v, want one table that differs", got, err)
			}
		})
	}
}

// TestHalf_Filled names a table that has more than the schema gives it.
func TestHalf_Filled(t *testing.T) {
	for want, db := range map[string]*sqlite.DB{"": mustOpen(t), "answer": filled(t)} {
		if got, err := half(nil, db).Filled(t.Context()); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

// TestMark: a database is a part of a copy from Mark to Unmark.
func TestMark(t *testing.T) {
	db := mustOpen(t)
	marked := func(want string) {
		t.Helper()
		if got, err := copying.Marked(t.Context(), db); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	marked("")
	must(t, copying.Mark(t.Context(), db, "1 ab"))
	marked("1 ab")
	must(t, copying.Unmark(t.Context(), db))
	marked("")
}
