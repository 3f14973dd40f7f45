package engine_test

import (
	"database/sql"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"guiche/internal/store/engine"
)

type word string

type level int8

// TestRows_Scan: columns get into variables as database/sql copies them.
func TestRows_Scan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	db := MustOpen(t, path)
	beside, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	values := []string{`NULL`, `1`, `0`, `-7`, `300`, `'zeta'`, `'12'`, `''`, `x'0102'`, `x''`, `2.5`, `9223372036854775807`}
	for _, dest := range []any{
		new(string), new(word), new(int64), new(int), new(level), new(uint16), new(bool), new(float64), new([]byte), new(any),
		new(*string), new(*int64), new(sql.NullInt64), new(sql.NullString),
	} {
		for _, value := range values {
			want, got := reflect.New(reflect.TypeOf(dest).Elem()), reflect.New(reflect.TypeOf(dest).Elem())
			wanted := beside.QueryRow(`SELECT ` + value).Scan(want.Interface())
			err := db.Read(t.Context(), func(tx *engine.Tx) error {
				return tx.QueryRow(t.Context(), `SELECT `+value).Scan(got.Interface())
			})
			if (err == nil) != (wanted == nil) || err == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s into %T: got %v, error %v, want %v, error %v", value, dest, got.Elem(), err, want.Elem(), wanted)
			}
			if _, std := dest.(sql.Scanner); !std && err != nil && strings.Contains(err.Error(), "zeta") {
				t.Errorf("%s into %T: the error %q holds what was read", value, dest, err)
			}
		}
	}
}

func TestRows_Scan_Wrong(t *testing.T) {
	db := mustNotes(t, 1)
	for name, dest := range map[string][]any{"TooFew": {}, "TooMany": {new(int), new(int)}, "NoVariable": {7}, "NoPlace": {(*word)(nil)}} {
		t.Run(name, func(t *testing.T) {
			err := db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT id FROM note`).Scan(dest...) })
			if err == nil {
				t.Error("got no error, want one")
			}
		})
	}
}

// TestRows_LeftOpen: what a function leaves open ends with it, and hinders nobody.
func TestRows_LeftOpen(t *testing.T) {
	db := mustNotes(t, 3)
	var left []*engine.Rows
	leave := func(tx *engine.Tx) error {
		for range 2 { // one is kept, the other is not
			rows, err := tx.Query(t.Context(), `SELECT id FROM note`)
			if err != nil || !rows.Next() {
				t.Fatalf("error %v, want a row", err)
			}
			left = append(left, rows)
		}
		return nil
	}
	for range 8 { // more than there are readers
		if err := db.Read(t.Context(), leave); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Write(t.Context(), leave); err != nil {
		t.Fatal(err)
	}
	for _, rows := range left {
		if rows.Next() || rows.Err() == nil || rows.Scan(new(int)) == nil || rows.Close() != nil {
			t.Errorf("got another row or %v, want that reading has ended", rows.Err())
		}
	}
	if err := db.Write(t.Context(), insert(t.Context(), "next")); err != nil || MustCount(t, db) != 4 {
		t.Errorf("got %v, %d notes, want 4", err, MustCount(t, db))
	}
}
