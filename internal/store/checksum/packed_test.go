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

// readPacked reads all rows as one text each, "" for rows that are not whole.
func readPacked(tb testing.TB, db engine.DB) (texts []string, whole bool) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) error {
		rows, all, err := packedPairs.Rows(tb.Context(), tx, `ORDER BY a DESC LIMIT ?`, 10)
		texts = nil
		for _, f := range rows {
			var key [1]byte
			a := f.Integer()
			f.Bytes(key[:])
			texts = append(texts, strings.Repeat("|", int(a))+string(key[:])+f.Text())
		}
		whole = all
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return texts, whole
}

// TestPacked_Rows: whole rows are read as they were written, whatever is in them.
func TestPacked_Rows(t *testing.T) {
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

// TestPacked_Rows_NotWhole: one damaged row, or one without a sum, and none is returned.
func TestPacked_Rows_NotWhole(t *testing.T) {
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
			_, whole, err := packedPairs.Rows(t.Context(), tx, `ORDER BY nothing`)
			if whole {
				t.Errorf("got %v, %v", whole, err)
			}
			return err
		})
		if err == nil {
			t.Error("got no error")
		}
	})
}

// TestPacked_Rows_Kinds: a value of another kind than the reader was told is not whole.
func TestPacked_Rows_Kinds(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("k"), "no number")
	if !storetest.OnPostgres() {
		MustExec(t, db, `UPDATE pair SET value = 'no' || char(0) || 'number'`)
	}
	turned := checksum.Table{Name: "pair", Key: []string{"a"}, Columns: []string{"value", "b"}}
	for kinds, table := range map[string]checksum.Table{"ibi": pairs, "itb": turned} {
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			rows, whole, err := checksum.Pack(table, kinds).Rows(t.Context(), tx, "")
			if whole || len(rows) > 0 {
				t.Errorf("%s: got %q", kinds, rows)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestFields_Bytes: as many bytes are read as there is room for, and the next value follows.
func TestFields_Bytes(t *testing.T) {
	f := checksum.Fields("6b6c6d\x00next")
	var key [2]byte
	if f.Bytes(key[:]); string(key[:]) != "kl" || f.Text() != "next" {
		t.Errorf("got %q, then %q", key, f)
	}
}
