package sqlite_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
)

// newer is the tests' schema with one more migration.
var newer = fstest.MapFS{"00001_note.sql": schema["00001_note.sql"],
	"00002_mark.sql": {Data: []byte("-- +goose Up\nCREATE TABLE mark (id INTEGER PRIMARY KEY) STRICT;\n")}}

// TestDB_HasSchema: a database of an earlier or a later schema is not of this one, and
// without migrations nothing can be said.
func TestDB_HasSchema(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for name, tt := range map[string]struct {
		migrations fstest.MapFS
		want, ok   bool
	}{
		"Same":       {schema, true, true},
		"Later":      {newer, false, true},
		"None":       {fstest.MapFS{}, false, false},
		"NoNumber":   {fstest.MapFS{"note.sql": schema["00001_note.sql"]}, false, false},
		"OtherFiles": {fstest.MapFS{"00001_note.txt": schema["00001_note.sql"]}, false, false},
	} {
		if got, err := db.HasSchema(t.Context(), tt.migrations); got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, tt.want)
		}
	}
	later, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: newer})
	if err != nil {
		t.Fatal(err)
	}
	defer MustClose(t, later)
	if got, err := later.HasSchema(t.Context(), schema); got || err != nil {
		t.Errorf("Earlier: got %v, %v, want false", got, err)
	}
}

// TestOpen_Updated: each step of an update is told, in order, and no step of a new database or of none.
func TestOpen_Updated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	newest := maps.Clone(newer)
	newest["00003_sign.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE sign (id INTEGER PRIMARY KEY) STRICT;\n")}
	for _, step := range []struct {
		name       string
		migrations fstest.MapFS
		want       []int64
	}{{"new", schema, nil}, {"two steps", newest, []int64{2, 3}}, {"nothing to do", newest, nil}} {
		var told []int64
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: step.migrations,
			Updated: func(_ context.Context, version int64) { told = append(told, version) }})
		if err != nil {
			t.Fatal(err)
		}
		if same, err := db.HasSchema(t.Context(), step.migrations); !same || err != nil || !slices.Equal(told, step.want) {
			t.Errorf("%s: told %v, has the schema: %t, %v, want %v", step.name, told, same, err, step.want)
		}
		MustClose(t, db)
	}
}

// TestOpen_BeforeUpdate: what is to be done before an update is done once, while the
// database still is as it was, and an error of it leaves it so.
func TestOpen_BeforeUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	refusal := errors.New("no room for a copy")
	open := func(migrations fstest.MapFS, answer error) (told []int64, err error) {
		t.Helper()
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: migrations,
			BeforeUpdate: func(ctx context.Context, db *sqlite.DB, version int64) error {
				if same, err := db.HasSchema(ctx, schema); !same || err != nil {
					t.Errorf("the schema is another one already, %v", err)
				}
				told = append(told, version)
				return answer
			}})
		if err == nil {
			MustClose(t, db)
		}
		return told, err
	}
	for _, step := range []struct {
		name       string
		migrations fstest.MapFS
		answer     error
		calls      int
	}{
		{"a new database", schema, refusal, 0}, {"nothing to do", schema, refusal, 0}, {"refused", newer, refusal, 1},
		{"again", newer, nil, 1}, {"done", newer, refusal, 0},
	} {
		told, err := open(step.migrations, step.answer)
		wanted := step.answer
		if step.calls == 0 {
			wanted = nil
		}
		if !errors.Is(err, wanted) || len(told) != step.calls || step.calls > 0 && told[0] != 1 {
			t.Errorf("%s: got %v, called for %v, want %v and %d calls", step.name, err, told, wanted, step.calls)
		}
	}
}
