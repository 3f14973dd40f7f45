package checksum_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

var pairReader = checksum.NewReader(pairs)

// Keys of rows.
var (
	firstKey  = uuid.MustParse("00000000-0000-4000-8000-0000000000ff")
	secondKey = uuid.MustParse("ffffffff-0000-4000-8000-000000000001")
)

// readPairs reads all rows into texts, none where they are not whole.
func readPairs(tb testing.TB, db engine.DB) (texts []string, whole bool) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) (err error) {
		texts = nil
		var a int64
		var key uuid.UUID
		var text string
		whole, err = pairReader.Read(tb.Context(), tx, []any{&a, &key, &text}, func() {
			texts = append(texts, fmt.Sprint(a, " ", key, " ", text))
		}, `ORDER BY a DESC LIMIT ?`, 10)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return texts, whole
}

// TestReader_Read: whole rows are read as they were written, whatever is in them.
func TestReader_Read(t *testing.T) {
	db := MustOpen(t)
	if texts, whole := readPairs(t, db); !whole || len(texts) != 0 {
		t.Errorf("no rows: got %q, %v", texts, whole)
	}
	const odd = "d'Ávila, \x1f\t\"né\" 🫀\n"
	MustInsert(t, db, pairs, int64(1), firstKey[:], "")
	MustInsert(t, db, pairs, int64(-2), secondKey[:], odd)
	texts, whole := readPairs(t, db)
	want := []string{"1 " + firstKey.String() + " ", "-2 " + secondKey.String() + " " + odd}
	if diff := cmp.Diff(want, texts); !whole || diff != "" {
		t.Errorf("got %v (-want +got):\n%s", whole, diff)
	}
}

// TestReader_Read_NotWhole: one damaged row, or one without a sum, and they are not whole.
func TestReader_Read_NotWhole(t *testing.T) {
	for name, damage := range map[string]string{
		"Text": `value = 'odd'`, "NUL": `value = 'ol' || char(0) || 'd'`, "Longer": `value = 'old' || char(0)`, "Integer": `a = 7`,
		"Bytes": `b = x'00000000000040008000000000000001'`, "MoreBytes": `b = x'000000000000400080000000000000ff00'`, "FewBytes": `b = x'6c'`,
		"Sum": `checksum = x'0000000000000000'`, "NoSum": `checksum = NULL`,
	} {
		t.Run(name, func(t *testing.T) {
			withoutNUL(t, damage)
			db := MustOpen(t)
			MustInsert(t, db, pairs, int64(1), firstKey[:], "old")
			MustInsert(t, db, pairs, int64(2), secondKey[:], "beside")
			MustExec(t, db, `UPDATE pair SET `+damage+` WHERE a = 1`)
			if texts, whole := readPairs(t, db); whole {
				t.Errorf("got whole, %q", texts)
			}
		})
	}
	t.Run("ErrQuery", func(t *testing.T) {
		db := MustOpen(t)
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			whole, err := pairReader.Read(t.Context(), tx, []any{new(int64)}, func() {}, `ORDER BY nothing`)
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

// TestReader_Read_Targets: an integer is read as a truth too, and what a target cannot take is not whole.
func TestReader_Read_Targets(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), firstKey[:], "next")
	var a bool
	var key uuid.UUID
	var text string
	for name, row := range map[string]struct {
		targets []any
		whole   bool
		err     string
	}{
		"OK":      {[]any{&a, &key, &text}, true, ""},
		"Integer": {[]any{new(string), &key, &text}, false, ""},
		"Bytes":   {[]any{&a, new(string), &text}, false, ""},
		"Text":    {[]any{&a, &key, new(int64)}, false, ""},
		"Other":   {[]any{new(any), &key, &text}, false, "column 0 into a *interface {}"},
	} {
		t.Run(name, func(t *testing.T) {
			shown := 0
			err := db.Read(t.Context(), func(tx *engine.Tx) error {
				shown = 0
				whole, err := pairReader.Read(t.Context(), tx, row.targets, func() { shown++ }, "")
				if whole != row.whole {
					t.Errorf("got %v", whole)
				}
				return err
			})
			if (err != nil) != (row.err != "") || err != nil && !strings.Contains(err.Error(), row.err) {
				t.Errorf("got %v, want %q", err, row.err)
			}
			if (shown == 1) != row.whole {
				t.Errorf("got %d shown", shown)
			}
		})
	}
	if !a || key != firstKey || text != "next" {
		t.Errorf("got %v, %v, %q", a, key, text)
	}
}
