package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"guiche/internal/store/engine"
)

// flipInIndex changes a letter of a text where an index has it, and leaves its row.
func flipInIndex(t *testing.T, path, text string) {
	t.Helper()
	const pageSize, indexLeaf = 4096, 0x0a
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := range slices.Chunk(content, pageSize) {
		if at := bytes.Index(page, []byte(text)); page[0] == indexLeaf && at >= 0 {
			page[at] ^= 1
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no index has %q", text)
}

// TestDB_MendIndexes: an index that says something else than its rows is found by the check
// of the whole, and made anew.
func TestDB_MendIndexes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	db := MustOpen(t, path)
	for _, text := range []string{"alfa", "beta", "gama"} {
		if err := db.Write(t.Context(), insert(t.Context(), text)); err != nil {
			t.Fatal(err)
		}
	}
	MustClose(t, db)
	flipInIndex(t, path, "beta")
	db = MustOpen(t, path)
	if err := db.Check(t.Context()); err == nil {
		t.Error("the check of the whole finds nothing")
	}
	var mended []string
	mend := func() {
		t.Helper()
		mended = nil
		if err := db.MendIndexes(t.Context(), func(table string) { mended = append(mended, table) }, func() error { return nil }); err != nil {
			t.Error(err)
		}
	}
	if mend(); !slices.Equal(mended, []string{"note"}) {
		t.Errorf("got %v, want that the index of the notes was made anew", mended)
	}
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
	found := 0
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM note INDEXED BY sqlite_autoindex_note_2 WHERE text = 'beta'`).Scan(&found)
	})
	if found != 1 || err != nil {
		t.Errorf("got %d notes, %v", found, err)
	}
	if mend(); len(mended) > 0 {
		t.Errorf("got %v of what is whole", mended)
	}
}

// TestDB_MendIndexes_Pause: after each table there is a pause, and who ends it there ends the
// look.
func TestDB_MendIndexes_Pause(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	if err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE INDEX reply_note ON reply (note_id)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	for most, want := range map[int]int{9: 2, 1: 1} { // note and reply have indexes
		pauses := 0
		err := db.MendIndexes(t.Context(), func(table string) { t.Errorf("%s was made anew", table) }, func() error {
			if pauses++; pauses == most {
				return enough
			}
			return nil
		})
		if pauses != want || errors.Is(err, enough) != (most == want) {
			t.Errorf("at most %d: got %d pauses, %v", most, pauses, err)
		}
	}
}
