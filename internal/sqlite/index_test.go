package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"guiche/internal/problem"
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
		err := db.MendIndexes(t.Context(), false, func(table string) { mended = append(mended, table) }, func() error { return nil })
		if err != nil {
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

// TestDB_MendIndexes_Cached: what a connection keeps of an index from before the damage makes it not whole.
func TestDB_MendIndexes_Cached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	db := MustOpen(t, path)
	if err := db.Write(t.Context(), insert(t.Context(), "beta")); err != nil {
		t.Fatal(err)
	}
	MustClose(t, db)
	db = MustOpen(t, path)
	mended := 0
	mend := func() {
		if err := db.MendIndexes(t.Context(), true, func(string) { mended++ }, func() error { return nil }); err != nil {
			t.Error(err)
		}
	}
	mend()
	flipInIndex(t, path, "beta")
	if mend(); mended != 1 {
		t.Errorf("%d tables were mended, want 1", mended)
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
		err := db.MendIndexes(t.Context(), false, func(table string) { t.Errorf("%s was made anew", table) }, func() error {
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

// mustExecPlain changes a file as SQLite lets everybody else.
func mustExecPlain(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestDB_MendIndexes_Text: whoever meets a damaged index of texts is told to come again, and once it
// is made anew from its rows all is found.
func TestDB_MendIndexes_Text(t *testing.T) {
	const ofRecord, ofLeaf, ofAll = "id = 10", "id > 10", "id > 0"
	for name, damage := range map[string]struct{ where, block string }{
		"RecordRandom": {ofRecord, "randomblob(length(block))"}, "RecordShort": {ofRecord, "substr(block, 1, length(block) / 2)"},
		"LeafZero": {ofLeaf, "zeroblob(length(block))"}, "LeafShort": {ofLeaf, "substr(block, 1, length(block) / 2)"},
		"AllOnes": {ofAll, "X'ffffffffffffffffffffffff'"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "guiche.db")
			db := MustOpen(t, path)
			err := db.Write(t.Context(), func(tx *engine.Tx) (err error) {
				for _, statement := range []string{
					`CREATE VIRTUAL TABLE note_text USING fts5 (text, content = 'note', content_rowid = 'id', detail = none, prefix = '2')`,
					`INSERT INTO note (text) VALUES ('alfa beta'), ('gama')`, `INSERT INTO note_text (note_text) VALUES ('rebuild')`,
				} {
					_, more := tx.Exec(t.Context(), statement)
					err = errors.Join(err, more)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			MustClose(t, db)
			mustExecPlain(t, path, `UPDATE note_text_data SET block = `+damage.block+` WHERE `+damage.where)
			db = MustOpen(t, path)
			found := func() (n int, err error) {
				err = db.Read(t.Context(), func(tx *engine.Tx) error {
					return tx.QueryRow(t.Context(), `SELECT count(*) FROM note_text WHERE note_text MATCH 'alfa'`).Scan(&n)
				})
				return n, err
			}
			if n, err := found(); !problem.Is(err, problem.Busy) {
				t.Errorf("got %d notes, %v", n, err)
			}
			select {
			case <-db.IndexDamaged():
			default:
				t.Error("nobody is told")
			}
			var mended []string
			err = db.MendIndexes(t.Context(), true, func(table string) { mended = append(mended, table) }, func() error { return nil })
			if err != nil || !slices.Equal(mended, []string{"note_text"}) {
				t.Errorf("made anew: %v, %v", mended, err)
			}
			if n, err := found(); n != 1 || err != nil {
				t.Errorf("got %d notes, %v", n, err)
			}
		})
	}
}
