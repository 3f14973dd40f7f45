package checksum_test

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

var together = checksum.NewGroup(checksum.Part{Table: notes, Where: `id = ?`}, checksum.Part{Table: pairs, Where: `a = ?`})

func isWhole(tb testing.TB, db engine.DB, number int64) (whole bool) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) (err error) {
		whole, err = together.Whole(tb.Context(), tx, number)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return whole
}

// TestGroup_Whole: rows of all tables are compared, whatever their values are; rows of other
// numbers are not.
func TestGroup_Whole(t *testing.T) {
	db := MustOpen(t)
	if !isWhole(t, db, 1) {
		t.Error("without rows: not whole")
	}
	for i, values := range [][]any{
		{"Ana", int64(3), 0.5, []byte("raw"), "none"}, {nil, nil, nil, nil, "none"}, {"", 0, 0.0, []byte{}, ""},
		{"d''Ávila ' X'00' NULL \x1f\n🫀", int64(-1 << 63), -1.5, []byte{0, 0xFF, '\''}, "'"},
		{"NULL", int64(1<<63 - 1), 0.25, []byte("''"), "0.5"}, {"7", 7, 7.0, []byte("7"), "7"}, {"e", 0, 1e300, nil, "X'"},
	} {
		number := int64(i + 1)
		MustInsert(t, db, notes, append([]any{number}, values...)...)
		MustInsert(t, db, pairs, number, []byte("k"), "old")
		MustInsert(t, db, pairs, number, []byte("l"), "d'Ávila")
		if !isWhole(t, db, number) {
			t.Errorf("%v: not whole", values)
		}
	}
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE a = 3`)
	MustExec(t, db, `UPDATE note SET checksum = NULL WHERE id = 4`)
	MustExec(t, db, `UPDATE pair SET value = value || ' ' WHERE a = 5`)
	for number := range int64(6) {
		if want := number < 3; isWhole(t, db, number) != want {
			t.Errorf("%d: got whole %v, want %v", number, !want, want)
		}
	}
}

// TestGroup_Whole_Failure: what cannot be read is not whole.
func TestGroup_Whole_Failure(t *testing.T) {
	db := MustOpen(t)
	MustExec(t, db, `DROP TABLE pair`)
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		whole, err := together.Whole(t.Context(), tx, 1)
		if whole {
			t.Errorf("got %v, %v", whole, err)
		}
		return err
	})
	if err == nil {
		t.Error("got no error")
	}
}

// TestGroup_Read: the rows are as Scan of the database would give them, by number.
func TestGroup_Read(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, notes, int64(1), nil, int64(3), 0.5, []byte("raw"), "none")
	for i, name := range []string{"c", "a", "b"} {
		MustInsert(t, db, pairs, int64(1), []byte(name), "value "+strconv.Itoa(i))
	}
	MustInsert(t, db, pairs, int64(2), []byte("other"), "of another")
	rows, whole := MustReadRows(t, db, 1)
	if !whole {
		t.Error("not whole")
	}
	type note struct {
		Number int
		Later  string
		Text   *string
	}
	found, err := checksum.Scan(rows, together.Columns(notes, "id", "number", "later", "text"), func(row engine.Row) (n note, err error) {
		err = row.Scan(&n.Number, &n.Later, &n.Text)
		return n, err
	})
	if want := []note{{Number: 3, Later: "none"}}; err != nil || !reflect.DeepEqual(found, want) {
		t.Errorf("got %+v, %v, want %+v", found, err, want)
	}
	text := func(row engine.Row) (s string, err error) { err = row.Scan(&s); return s, err }
	values, err := checksum.Scan(rows, together.Columns(pairs, "a", "value"), text)
	slices.Sort(values) // those of one number come in any order
	if want := []string{"value 0", "value 1", "value 2"}; err != nil || !slices.Equal(values, want) {
		t.Errorf("got %q, %v, want %q", values, err, want)
	}
	number := func(row engine.Row) (n int, err error) { err = row.Scan(&n); return n, err }
	ids, err := checksum.Scan(rows, together.Columns(notes, "id", "id"), number)
	if want := []int{1}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("got %d, %v, want %d", ids, err, want)
	}
	for name, of := range map[string]checksum.Columns{
		"Null": together.Columns(notes, "id", "text"), "Number": together.Columns(notes, "id", "number"),
		"NoColumn": together.Columns(notes, "id", "nothing"), "Two": together.Columns(notes, "id", "later", "later"),
	} {
		if got, err := checksum.Scan(rows, of, text); err == nil {
			t.Errorf("%s: got %q as texts", name, got)
		}
	}
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE a = 1`)
	if _, whole = MustReadRows(t, db, 1); whole {
		t.Error("damaged: whole")
	}
}

// MustReadRows reads the rows of a number.
func MustReadRows(tb testing.TB, db engine.DB, number int64) (rows checksum.Rows, whole bool) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) (err error) {
		rows, whole, err = together.Read(tb.Context(), tx, number)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return rows, whole
}
