package checksum_test

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// TestTable_encoding: sums are stored, so that what is hashed stays for ever.
func TestTable_encoding(t *testing.T) {
	for name, tt := range map[string]struct {
		table   checksum.Table
		values  []any
		encoded string
	}{
		"EveryKind": {notes, []any{int64(7), "Ana", int64(-2), 0.5, []byte{0, 1}, "more"},
			"\x01t\x04note" + "\x00i\x00\x00\x00\x00\x00\x00\x00\x07" + "\x01t\x03Ana" + "\x02i\xff\xff\xff\xff\xff\xff\xff\xfe" +
				"\x03r\x3f\xe0\x00\x00\x00\x00\x00\x00" + "\x04b\x02\x00\x01" + "\x05t\x04more"},
		"Nothing": {notes, []any{int64(7), nil, nil, nil, nil, "none"},
			"\x01t\x04note" + "\x00i\x00\x00\x00\x00\x00\x00\x00\x07" + "\x01n" + "\x02n" + "\x03n" + "\x04n"},
		"TwoKeys": {pairs, []any{int64(7), []byte("k"), strings.Repeat("x", 200)},
			"\x01t\x04pair" + "\x00i\x00\x00\x00\x00\x00\x00\x00\x07" + "\x01b\x01k" + "\x02t\xc8\x01" + strings.Repeat("x", 200)},
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			MustInsert(t, db, tt.table, tt.values...)
			want := sha256.Sum256([]byte(tt.encoded))
			if got := one[[]byte](t, db, `SELECT checksum FROM `+tt.table.Name); string(got) != string(want[:checksum.Size]) || len(got) != 8 {
				t.Errorf("got %x, want %x", got, want[:8])
			}
		})
	}
}

// The values that stores hand over.
type (
	word    string
	count   int16
	share   float32
	yes     bool
	valued  struct{ value any }
	refused struct{}
)

func (v valued) Value() (driver.Value, error) { return v.value, nil }

var errRefused = errors.New("refused")

func (refused) Value() (driver.Value, error) { return nil, errRefused }

func pointer[T any](v T) *T { return &v }

// TestTable_Insert_values: a row is whole as the engine gives it back, whatever its values
// were to the program.
func TestTable_Insert_values(t *testing.T) {
	for name, values := range map[string][]any{
		"Plain":    {int64(1), "Ana", int64(3), 0.5, []byte("raw"), "none"},
		"Nil":      {int64(1), nil, nil, nil, nil, "none"},
		"NilBytes": {int64(1), "", 0, 0.0, []byte(nil), ""},
		"NoBytes":  {int64(1), "", 0, 0.0, []byte{}, ""},
		"Named":    {count(1), word("Ana"), count(-3), share(0.5), []byte("raw"), word("none")},
		"True":     {1, "Ana", true, float32(0.25), nil, "later"},
		"False":    {int8(1), "Ana", false, -1.5, nil, "later"},
		"NamedYes": {int32(1), "Ana", yes(true), 1e300, nil, "later"},
		"Pointers": {pointer(int64(1)), pointer("Ana"), pointer(3), pointer(0.5), nil, pointer(word("none"))},
		"NilPtr":   {int64(1), (*string)(nil), (*int)(nil), (*float64)(nil), nil, "none"},
		"Valuers":  {int64(1), valued{"Ana"}, valued{int64(3)}, valued{0.5}, valued{[]byte("raw")}, valued{"none"}},
		"NilValue": {int64(1), valued{nil}, valued{true}, valued{nil}, valued{[]byte(nil)}, "none"},
		"NoText":   {int64(1), "A\x00na\xff", int64(3), 0.5, []byte("\x00\xff"), word("\x00x")},
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			MustInsert(t, db, notes, values...)
			wantDamaged(t, db, notes, false)
		})
	}
}

// TestTable_Insert_refuses: what is no row is not written.
func TestTable_Insert_refuses(t *testing.T) {
	for name, values := range map[string][]any{
		"TooFew":    {int64(1), "Ana", int64(3), 0.5, []byte("raw")},
		"TooMany":   {int64(1), "Ana", int64(3), 0.5, []byte("raw"), "none", "more"},
		"NoColumn":  {int64(1), []string{"Ana"}, int64(3), 0.5, []byte("raw"), "none"},
		"NoColumns": {int64(1), "Ana", struct{}{}, 0.5, []byte("raw"), "none"},
		"Valuer":    {int64(1), refused{}, int64(3), 0.5, []byte("raw"), "none"},
		"Type":      {int64(1), "Ana", "three", 0.5, []byte("raw"), "none"},
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			err := db.Write(t.Context(), func(tx *engine.Tx) error { return notes.Insert(t.Context(), tx, values...) })
			if err == nil || one[int](t, db, `SELECT count(*) FROM note`) != 0 {
				t.Errorf("got %v, want a refusal", err)
			}
			if name == "Valuer" && !errors.Is(err, errRefused) {
				t.Errorf("got %v, want the value's own error", err)
			}
			if strings.HasPrefix(name, "NoColumn") && !strings.Contains(err.Error(), "note.") {
				t.Errorf("got %v, want the column named", err)
			}
		})
	}
}

// TestTable_Damaged: whatever changes in a row is noticed.
func TestTable_Damaged(t *testing.T) {
	for name, tt := range map[string]struct {
		change  string
		damaged bool
	}{
		"Nothing":    {`text = text`, false},
		"Key":        {`id = 9`, true},
		"Text":       {`text = 'Ane'`, true},
		"TextGone":   {`text = NULL`, true},
		"Number":     {`number = 2`, true},
		"Sign":       {`number = -3`, true},
		"NumberGone": {`number = NULL`, true},
		"Share":      {`share = 0.5000001`, true},
		"ShareSign":  {`share = -share`, true},
		"Bytes":      {`raw = x'726178'`, true},
		"BytesCut":   {`raw = x'7261'`, true},
		"NoBytes":    {`raw = x''`, true},
		"Sum":        {`checksum = x'0102030405060708'`, true},
		"ShortSum":   {`checksum = substr(checksum, 1, 7)`, true},
		"NoSum":      {`checksum = NULL`, true},
		"Later":      {`later = 'more'`, true},
		"Moved":      {`text = 'An', raw = x'61726177'`, true},
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			note(t, db, 1)
			MustExec(t, db, `UPDATE note SET `+tt.change)
			wantDamaged(t, db, notes, tt.damaged)
		})
	}
}

// TestTable_Damaged_otherTable: a row of one table is none of another, though all its
// values are the same.
func TestTable_Damaged_otherTable(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("k"), "v")
	MustExec(t, db, `CREATE TABLE other AS SELECT * FROM pair`)
	other := pairs
	other.Name = "other"
	wantDamaged(t, db, pairs, false)
	wantDamaged(t, db, other, true)
}

// TestTable_Later: rows from before a column keep their sums; any other value in it counts.
func TestTable_Later(t *testing.T) {
	db := MustOpen(t)
	before := notes
	before.Columns, before.Later = notes.Columns[:4], nil
	MustInsert(t, db, before, int64(1), "Ana", int64(3), 0.5, []byte("raw")) // the column says 'none'
	wantDamaged(t, db, notes, false)
	MustInsert(t, db, notes, int64(2), "Ana", int64(3), 0.5, []byte("raw"), "more")
	wantDamaged(t, db, notes, false)
	MustExec(t, db, `UPDATE note SET later = 'none' WHERE id = 2`)
	if got := damaged(t, db, notes, `1 = 1`); !slices.Equal(got, []string{"note 2"}) {
		t.Errorf("got %q, want the value that went noticed", got)
	}
}

// TestTable_Damaged_pending: a row without a sum is damaged once all have theirs.
func TestTable_Damaged_pending(t *testing.T) {
	db := MustOpen(t)
	for id := range int64(4) {
		note(t, db, id+1)
	}
	MustExec(t, db, `UPDATE note SET checksum = NULL WHERE id IN (2, 3)`)
	MustExec(t, db, `UPDATE note SET number = 9 WHERE id = 4`)
	for pending, want := range map[string][]string{"note": {"note 4"}, "pair": {"note 2", "note 3", "note 4"}} {
		MustWrite(t, db, func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.Exec(ctx, `DELETE FROM checksum_pending`)
			return errors.Join(err, func() error {
				_, err := tx.Exec(ctx, `INSERT INTO checksum_pending VALUES (?)`, pending)
				return err
			}())
		})
		if got := damaged(t, db, notes, `1 = 1 ORDER BY id`); !slices.Equal(got, want) {
			t.Errorf("%s pending: got %q, want %q", pending, got, want)
		}
	}
}
