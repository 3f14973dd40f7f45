package checksum_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

func TestTable_Covered(t *testing.T) {
	if got := pairs.Covered(); !slices.Equal(got, []string{"a", "b", "value"}) {
		t.Errorf("got %q", got)
	}
}

// TestTable_InsertNumbered: rows are numbered as they come; in SQLite from 1, and without gaps.
func TestTable_InsertNumbered(t *testing.T) {
	db := MustOpen(t)
	insert := func(table checksum.Table, values ...any) (id int64, err error) {
		err = db.Write(t.Context(), func(tx *engine.Tx) error {
			id, err = table.InsertNumbered(t.Context(), tx, values...)
			return err
		})
		return id, err
	}
	last := int64(0)
	for range 3 {
		id, err := insert(notes, "Ana", int64(3), 0.5, nil, "none")
		next := id == last+1 || storetest.OnPostgres() && id > last
		if err != nil || !next || one[int64](t, db, `SELECT max(id) FROM note`) != id {
			t.Fatalf("got %d after %d, %v", id, last, err)
		}
		last = id
	}
	wantDamaged(t, db, notes, false)
	for _, key := range [][]string{{"number"}, {"id", "number"}} {
		table := checksum.Table{Name: "note", Key: key, Columns: []string{"text"}}
		if _, err := insert(table, []any{"Ana", int64(3)}[:len(key)]...); err == nil || one[int](t, db, `SELECT count(*) FROM note`) != 3 {
			t.Errorf("key %q: got %v, want that its rows are not numbered", table.Key, err)
		}
	}
}

// TestTable_Update: a row that was changed is whole, unless it was damaged before.
func TestTable_Update(t *testing.T) {
	for name, tt := range map[string]struct {
		damage    string
		key       []any
		condition string
		changed   bool
		err       problem.Code
		value     string // afterwards
	}{
		"Changed":   {key: []any{int64(1), []byte("k")}, changed: true, value: "new"},
		"Condition": {key: []any{int64(1), []byte("k")}, condition: `value = ? OR value = 'old'`, changed: true, value: "new"},
		"Otherwise": {key: []any{int64(1), []byte("k")}, condition: `value = ?`, value: "old"},
		"NotThere":  {key: []any{int64(2), []byte("k")}, value: "old"},
		"HalfKey":   {key: []any{int64(1), []byte("l")}, value: "old"},
		"Damaged":   {damage: `value = 'odd'`, key: []any{int64(1), []byte("k")}, err: problem.Damaged, value: "odd"},
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			MustInsert(t, db, pairs, int64(1), []byte("k"), "old")
			MustInsert(t, db, pairs, int64(2), []byte("l"), "beside")
			if tt.damage != "" {
				MustExec(t, db, `UPDATE pair SET `+tt.damage+` WHERE a = 1`)
			}
			change := checksum.Change{Set: `value = ?`, Values: []any{"new"}, Condition: tt.condition}
			if tt.condition != "" {
				change.Args = []any{"what it is not"}
			}
			var changed bool
			err := db.Write(t.Context(), func(tx *engine.Tx) (err error) {
				changed, err = pairs.Update(t.Context(), tx, tt.key, change)
				return err
			})
			if changed != tt.changed || tt.err == "" && err != nil || tt.err != "" && !problem.Is(err, tt.err) {
				t.Errorf("got %t, %v", changed, err)
			}
			if got := one[string](t, db, `SELECT value FROM pair WHERE a = 1`); got != tt.value {
				t.Errorf("got %q, want %q", got, tt.value)
			}
			if got := damaged(t, db, pairs, `value <> 'odd'`); len(got) != 0 {
				t.Errorf("got %q damaged", got)
			}
		})
	}
}

// TestTable_Update_refused: what the schema does not take is an error, and no other outcome.
func TestTable_Update_refused(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("k"), "old")
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := pairs.Update(t.Context(), tx, []any{int64(1), []byte("k")}, checksum.Change{Set: `value = NULL`})
		return err
	})
	if err == nil || problem.Is(err, problem.Damaged) {
		t.Errorf("got %v", err)
	}
	wantDamaged(t, db, pairs, false)
}

// TestTable_Verify: the error names the rows, and nothing of what is in them.
func TestTable_Verify(t *testing.T) {
	db := MustOpen(t)
	for i := range int64(3) {
		MustInsert(t, db, pairs, i, []byte{0xab, byte(i)}, "Ana")
	}
	verify := func(where string, args ...any) error {
		return db.Read(t.Context(), func(tx *engine.Tx) error { return pairs.Verify(t.Context(), tx, where, args...) })
	}
	if err := verify(`1 = 1`); err != nil {
		t.Error(err)
	}
	MustExec(t, db, `UPDATE pair SET value = 'Ane' WHERE a > 0`)
	err := verify(`1 = 1 ORDER BY a`)
	var found *checksum.DamagedError
	if !problem.Is(err, problem.Damaged) || !errors.As(err, &found) {
		t.Fatalf("got %v", err)
	}
	if got, want := fmt.Sprint(found.Rows), "[pair 1 ab01 pair 2 ab02]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := found.Error(), "checksum: 2 damaged rows, the first is pair 1 ab01"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := verify(`a = ?`, 0); err != nil {
		t.Errorf("of the whole one: got %v", err)
	}
	if err := verify(`nowhere = 1`); err == nil || problem.Is(err, problem.Damaged) {
		t.Errorf("got %v, want that it cannot be told", err)
	}
}

// TestTable_IsWhole: a row that is not there is not damaged; part of a key names none.
func TestTable_IsWhole(t *testing.T) {
	db := MustOpen(t)
	MustInsert(t, db, pairs, int64(1), []byte("k"), "whole")
	MustInsert(t, db, pairs, int64(1), []byte("l"), "damaged")
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE b = x'6c'`)
	for name, tt := range map[string]struct {
		key  []any
		want bool
	}{
		"Whole":   {[]any{int64(1), []byte("k")}, true},
		"Damaged": {[]any{int64(1), []byte("l")}, false},
		"Absent":  {[]any{int64(2), []byte("k")}, true},
		"Short":   {[]any{int64(1)}, false},
		"Long":    {[]any{int64(1), []byte("k"), 3}, false},
	} {
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			whole, err := pairs.IsWhole(t.Context(), tx, tt.key...)
			if whole != tt.want {
				t.Errorf("%s: got %t, want %t", name, whole, tt.want)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTable_Failures: what cannot be read or written is an error, and never a whole row.
func TestTable_Failures(t *testing.T) {
	db := MustOpen(t)
	note(t, db, 1)
	MustExec(t, db, `UPDATE note SET checksum = NULL`)
	MustExec(t, db, `INSERT INTO checksum_pending VALUES ('note')`)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	within := func(tables string, do func(ctx context.Context, tx *engine.Tx) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error {
			return db.Write(ctx, func(tx *engine.Tx) error { return do(ctx, tx) })
		}}
	}
	found := func(checksum.Row) { t.Error("a row that cannot be read is called damaged") }
	db.CheckFailures(t, map[string]storetest.Operation{
		"Insert": within("note", func(ctx context.Context, tx *engine.Tx) error {
			return notes.Insert(ctx, tx, int64(2), "Ana", int64(3), 0.5, nil, "none")
		}),
		"InsertNumbered": within("note", func(ctx context.Context, tx *engine.Tx) error {
			_, err := notes.InsertNumbered(ctx, tx, "Ana", int64(3), 0.5, nil, "none")
			return err
		}),
		"Update": within("note checksum_pending", func(ctx context.Context, tx *engine.Tx) error {
			_, err := notes.Update(ctx, tx, []any{int64(1)}, checksum.Change{Set: `number = 4`})
			return err
		}),
		"Verify": within("note checksum_pending", func(ctx context.Context, tx *engine.Tx) error {
			return notes.Verify(ctx, tx, `1 = 1`)
		}),
		"IsWhole": within("note checksum_pending", func(ctx context.Context, tx *engine.Tx) error {
			_, err := notes.IsWhole(ctx, tx, int64(1))
			return err
		}),
		"Fill": {Tables: "note checksum_pending", Do: func(ctx context.Context, db engine.DB) error {
			return checksum.Fill(ctx, db, tables)
		}},
		"Check": {Tables: "note pair checksum_pending", Do: func(ctx context.Context, db engine.DB) error {
			return checksum.Check(ctx, db, tables, found, nil)
		}},
		"Newest": {Tables: "note pair checksum_pending", Do: func(ctx context.Context, db engine.DB) error {
			return checksum.Newest(ctx, db, tables, found, nil)
		}},
	})
}
