package sqlite_test

import (
	"bytes"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// What a statement is given comes back as it was, whatever it ran with before.
func TestTx_Exec_Values(t *testing.T) {
	db := mustNotes(t, 0)
	long := strings.Repeat("atenção ", 1<<15)
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE value (id INTEGER PRIMARY KEY, v ANY, w ANY) STRICT`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	blob, huge := []byte{0, 1}, int64(1<<62)
	values := []any{"a", "", long, blob, []byte(long), int64(-1), huge, 7, true, false, 0.5, nil, []byte(nil), "z"}
	want := []any{"a", "", long, blob, []byte(long), int64(-1), huge, int64(7), int64(1), int64(0), 0.5, nil, nil, "z"}
	err = db.Write(t.Context(), func(tx *engine.Tx) error {
		for i, v := range values {
			other := values[len(values)-1-i]
			if _, err := tx.Exec(t.Context(), `INSERT INTO value (id, v, w) VALUES (?1, ?2, ?3)`, i, v, other); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range values {
		var v, w any
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT v, w FROM value WHERE id = ?`, i).Scan(&v, &w)
		})
		if err != nil || !same(v, want[i]) || !same(w, want[len(want)-1-i]) {
			t.Errorf("%d: got %T and %T, error %v, want %T and %T of the same", i, v, w, err, want[i], want[len(want)-1-i])
		}
	}
}

func same(got, want any) bool {
	if b, ok := want.([]byte); ok {
		g, ok := got.([]byte)
		return ok && bytes.Equal(g, b)
	}
	return got == want
}

// A value too few is an error, and the statement goes on being of use.
func TestTx_Exec_ValueMissing(t *testing.T) {
	db := mustNotes(t, 1)
	read := func(args ...any) (text string, err error) {
		err = db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT text FROM note WHERE id = ? AND text <> ?`, args...).Scan(&text)
		})
		return text, err
	}
	if _, err := read(1); err == nil {
		t.Error("got no error, want that a value is missing")
	}
	if got, err := read(1, ""); err != nil || got != "note 0" {
		t.Errorf("got %q, error %v, want note 0", got, err)
	}
	if _, err := read(2, ""); problem.CodeOf(engine.Error(err)) != problem.NotFound {
		t.Errorf("got %v, want that there is none", err)
	}
}
