package checksum_test

import (
	"bytes"
	"strings"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

var packedPairs = checksum.Pack(pairs, "ibt")

// readPacked reads all rows as one text each, none where they are not whole.
func readPacked(tb testing.TB, db engine.DB) (texts []string, whole bool) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) error {
		texts = nil
		var a int64
		var key [1]byte
		var text string
		all, err := packedPairs.Read(tb.Context(), tx, []any{&a, key[:], &text}, func(int) {
			texts = append(texts, strings.Repeat("|", int(a))+string(key[:])+text)
		}, `ORDER BY a DESC LIMIT ?`, 10)
		if whole = all; !whole {
			texts = nil
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return texts, whole
}

// TestPacked_Read: whole rows are read as they were written, whatever is in them.
func TestPacked_Read(t *testing.T) {
	db := MustOpen(t)
	if texts, whole := readPacked(t, db); !whole || len(texts) != 0 {
		t.Errorf("no rows: got %q, %v", texts, whole)
	}
	MustInsert(t, db, pairs, int64(1), []byte("k"), "")
	MustInsert(t, db, pairs, int64(2), []byte{0xFF}, "d'Ávila, \x1f\t\"né\" 🫀\n")
	texts, whole := readPacked(t, db)
	if want := "||\xFFd'Ávila, \x1f\t\"né\" 🫀\n,|k"; !whole || strings.Join(texts, ",") != want {
		t.Errorf("got %q, %v, want %q", texts, whole, want)
	}
}

// TestPacked_Read_NotWhole: one damaged row, or one without a sum, and none is returned.
func TestPacked_Read_NotWhole(t *testing.T) {
	for name, damage := range map[string]string{
		"Text": `value = 'odd'`, "NUL": `value = 'ol' || char(0) || 'd'`, "Longer": `value = 'old' || char(0)`, "Integer": `a = 7`,
		"Bytes": `b = x'6c'`, "MoreBytes": `b = x'6b6b'`, "Sum": `checksum = x'0000000000000000'`, "NoSum": `checksum = NULL`,
	} {
		t.Run(name, func(t *testing.T) {
			withoutNUL(t, damage)
			db := MustOpen(t)
			MustInsert(t, db, pairs, int64(1), []byte("k"), "old")
			MustInsert(t, db, pairs, int64(2), bytes.Repeat([]byte("l"), 40), "beside")
			MustExec(t, db, `UPDATE pair SET `+damage+` WHERE a = 1`)
			if texts, whole := readPacked(t, db); whole || len(texts) > 0 {
				t.Errorf("got %q, %v", texts, whole)
			}
		})
	}
	t.Run("ErrQuery", func(t *testing.T) {
		db := MustOpen(t)
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			whole, err := packedPairs.Read(t.Context(), tx, nil, func(int) {}, `ORDER BY nothing`)
			if whole {
				t.Errorf("got whole, %v", err)
			}
			return err
		})
		if err == nil {
			t.Error("got no error")
		}
	})
}

// TestPacked_Read_Kinds: a value of another kind than the reader was told is not whole.
func TestPacked_Read_Kinds(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("k"), "no number")
	if !storetest.OnPostgres() {
		MustExec(t, db, `UPDATE pair SET value = 'no' || char(0) || 'number'`)
	}
	turned := checksum.Table{Name: "pair", Key: []string{"a"}, Columns: []string{"value", "b"}}
	for kinds, table := range map[string]checksum.Table{"ibi": pairs, "itb": turned} {
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			whole, err := checksum.Pack(table, kinds).Read(t.Context(), tx, targetsOf(kinds), func(int) {}, "")
			if whole {
				t.Errorf("%s: got whole", kinds)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// targetsOf are variables for values of those kinds.
func targetsOf(kinds string) (all []any) {
	for _, kind := range kinds {
		switch kind {
		case 'i':
			all = append(all, new(int64))
		case 't':
			all = append(all, new(string))
		case 'b':
			all = append(all, make([]byte, 1))
		}
	}
	return all
}

// TestPacked_Read_Targets: as many bytes are read as there is room for, an integer is read as
// a truth too, and what a target cannot take is not whole.
func TestPacked_Read_Targets(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("klm"), "next")
	var a bool
	var key [2]byte
	var text string
	for name, row := range map[string]struct {
		targets []any
		whole   bool
	}{
		"OK":      {[]any{&a, key[:], &text}, true},
		"Integer": {[]any{new(string), key[:], &text}, false},
		"Bytes":   {[]any{&a, new(string), &text}, false},
		"Text":    {[]any{&a, key[:], new(int64)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			shown := 0
			err := db.Read(t.Context(), func(tx *engine.Tx) error {
				shown = 0
				whole, err := packedPairs.Read(t.Context(), tx, row.targets, func(of int) { shown += of }, "")
				if whole != row.whole {
					t.Errorf("got %v", whole)
				}
				return err
			})
			if err != nil || (shown == 1) != row.whole {
				t.Errorf("got %d shown, %v", shown, err)
			}
		})
	}
	if !a || string(key[:]) != "kl" || text != "next" {
		t.Errorf("got %v, %q, %q", a, key, text)
	}
}
