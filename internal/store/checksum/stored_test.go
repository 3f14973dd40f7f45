package checksum_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
)

// MustRead reads all pairs with their keys in order.
func MustRead(tb testing.TB, db engine.DB) (rows []checksum.Stored) {
	tb.Helper()
	MustWrite(tb, db, func(ctx context.Context, tx *engine.Tx) (err error) {
		rows, err = pairs.Rows(ctx, tx, `WHERE a < ? ORDER BY a, b`, 100)
		return err
	})
	return rows
}

// TestTable_Rows: rows are read with what they hold, and each that is damaged says so.
func TestTable_Rows(t *testing.T) {
	db := MustOpen(t)
	if got := MustRead(t, db); len(got) != 0 {
		t.Errorf("of nothing: got %d rows", len(got))
	}
	for i := range 4 {
		MustInsert(t, db, pairs, int64(7), []byte{byte(i)}, "x")
	}
	MustExec(t, db, `UPDATE pair SET value = 'y' WHERE b IN (x'01', x'03')`)
	rows := MustRead(t, db)
	want := []checksum.Stored{{[]any{int64(7), []byte{0}, "x"}, false}, {[]any{int64(7), []byte{1}, "y"}, true},
		{[]any{int64(7), []byte{2}, "x"}, false}, {[]any{int64(7), []byte{3}, "y"}, true}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Fatalf("-want +got\n%s", diff)
	}
	if got := pairs.Row(rows[3]).String(); got != "pair 7 03" {
		t.Errorf("got the name %q", got)
	}
}

// inOrder are the notes, the first one first.
const inOrder = `(SELECT * FROM note ORDER BY id) n`

// TestTable_Replace: what differs is written with a new sum, what does not stays, and a row of
// another key is not touched.
func TestTable_Replace(t *testing.T) {
	db := MustOpen(t)
	note(t, db, 1)
	note(t, db, 2)
	old := []any{int64(1), "Ana", int64(3), 0.5, []byte("raw"), "none"}
	values := []any{int64(1), "Bia", int64(3), 0.5, []byte("newer"), "none"}
	MustWrite(t, db, func(ctx context.Context, tx *engine.Tx) error { return notes.Replace(ctx, tx, old, values) })
	wantDamaged(t, db, notes, false)
	if got := one[string](t, db, `SELECT string_agg(text || number || length(raw), ' ') FROM `+inOrder); got != "Bia35 Ana33" {
		t.Errorf("got %q", got)
	}
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		return notes.Replace(t.Context(), tx, old, []any{int64(1), struct{}{}, int64(3), 0.5, []byte("raw"), "none"})
	})
	if err == nil || !strings.Contains(err.Error(), "note.text") {
		t.Errorf("a value that no column has: got %v, want the column named", err)
	}
}

// TestEqual compares values of columns, bytes by what they are.
func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b any
		want bool
	}{
		{"a", "a", true}, {"a", "b", false}, {int64(1), int64(1), true}, {nil, nil, true}, {nil, "", false}, {[]byte("a"), []byte("a"), true},
		{[]byte("a"), []byte("b"), false}, {[]byte("a"), "a", false}, {"", []byte{}, false}, {[]byte{}, nil, false},
	} {
		if got := checksum.Equal(tt.a, tt.b); got != tt.want {
			t.Errorf("%#v and %#v: got %t", tt.a, tt.b, got)
		}
	}
}

// TestTable_Overwrite: a damaged row is whole again with what is written, and others stay.
func TestTable_Overwrite(t *testing.T) {
	db := MustOpen(t)
	note(t, db, 1)
	note(t, db, 2)
	MustExec(t, db, `UPDATE note SET text = 'Eva' WHERE id = 1`)
	wantDamaged(t, db, notes, true)
	key := []any{int64(1)}
	MustWrite(t, db, func(ctx context.Context, tx *engine.Tx) error {
		return notes.Overwrite(ctx, tx, key, "Bia", int64(4), 0.25, []byte("new"), "now")
	})
	wantDamaged(t, db, notes, false)
	if got := one[string](t, db, `SELECT string_agg(text || number || later, ' ') FROM `+inOrder); got != "Bia4now Ana3none" {
		t.Errorf("got %q", got)
	}
	for _, tt := range []struct {
		values []any
		want   string
	}{
		{[]any{"Bia"}, "not 1"}, {[]any{struct{}{}, int64(4), 0.25, []byte("new"), "now"}, "note.text"},
		{[]any{"Bia", "four", 0.25, nil, "now"}, "database"},
	} {
		err := db.Write(t.Context(), func(tx *engine.Tx) error { return notes.Overwrite(t.Context(), tx, key, tt.values...) })
		if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, engine.ErrAborted) {
			t.Errorf("%v: got %v, want an error about %s", tt.values, err, tt.want)
		}
	}
}

// TestTable_ChangeDamaged: a damaged row is changed where the condition holds, and stays damaged.
func TestTable_ChangeDamaged(t *testing.T) {
	db := MustOpen(t)
	note(t, db, 1)
	MustExec(t, db, `UPDATE note SET text = 'Eva'`)
	change := func(set string) (values []any, err error) {
		err = db.Write(t.Context(), func(tx *engine.Tx) (err error) {
			values, err = notes.ChangeDamaged(t.Context(), tx, []any{int64(1)}, checksum.Change{Set: set})
			return err
		})
		return values, err
	}
	values, err := change(`number = 9`)
	if err != nil || len(values) != 6 || values[2] != int64(9) {
		t.Errorf("got %v, %v", values, err)
	}
	wantDamaged(t, db, notes, true)
	if _, err := change(`nothing = 9`); err == nil {
		t.Error("a column that is not there: got no error")
	}
	MustExec(t, db, `DELETE FROM note`)
	if values, err := change(`number = 9`); values != nil || err != nil {
		t.Errorf("of no row: got %v, %v", values, err)
	}
}

// TestNamed finds the row of a name, and none where there is no such table or key.
func TestNamed(t *testing.T) {
	for name, want := range map[string]checksum.Row{
		"note 3": {Table: "note", Key: []any{int64(3)}}, "note 9223372036854775807": {Table: "note", Key: []any{int64(1<<63 - 1)}},
		"pair 7 0abc": {Table: "pair", Key: []any{int64(7), []byte{0x0a, 0xbc}}}, "note x y": {}, "note": {}, "": {}, "other 1": {}, "pair 7": {},
	} {
		table, row, ok := checksum.Named(tables, name)
		if diff := cmp.Diff(want, row); diff != "" || ok != (want.Table != "") || table.Name != want.Table {
			t.Errorf("%q: %t in %q, -want +got\n%s", name, ok, table.Name, diff)
		}
	}
}

// TestTable_Rows_Failure: what cannot be read is an error.
func TestTable_Rows_Failure(t *testing.T) {
	db := MustOpen(t)
	MustExec(t, db, `DROP TABLE pair`)
	if err := db.Read(t.Context(), func(tx *engine.Tx) error {
		_, err := pairs.Rows(t.Context(), tx, ``)
		return err
	}); err == nil {
		t.Error("without the table: got no error")
	}
}
