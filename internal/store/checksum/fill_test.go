package checksum_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// fill writes so many rows to both tables, with sums or as they were before sums.
func fill(tb testing.TB, db engine.DB, n int64, sums bool) {
	tb.Helper()
	MustWrite(tb, db, func(ctx context.Context, tx *engine.Tx) (err error) {
		for i := int64(1); i <= n && err == nil; i++ {
			err = errors.Join(notes.Insert(ctx, tx, i, "Ana", i%7, 0.5, nil, "none"), pairs.Insert(ctx, tx, i/100, []byte{byte(i % 100)}, "v"))
		}
		return err
	})
	if sums {
		return
	}
	for _, table := range []string{"note", "pair"} {
		MustExec(tb, db, `UPDATE `+table+` SET checksum = NULL`)
		MustExec(tb, db, `INSERT INTO checksum_pending VALUES (?)`, table)
	}
}

func without(tb testing.TB, db engine.DB, table string) int {
	tb.Helper()
	return one[int](tb, db, `SELECT count(*) FROM `+table+` WHERE checksum IS NULL`)
}

// TestFill: rows from before sums get theirs, once.
func TestFill(t *testing.T) {
	for name, n := range map[string]int64{"None": 0, "Some": 20, "OnePiece": 500, "ThreePieces": 1203} {
		t.Run(name, func(t *testing.T) {
			db := MustOpen(t)
			fill(t, db, n, false)
			if err := checksum.Fill(t.Context(), db, tables); err != nil {
				t.Fatal(err)
			}
			for _, table := range tables {
				if without(t, db, table.Name) != 0 {
					t.Errorf("%s: %d rows have no sum", table.Name, without(t, db, table.Name))
				}
				wantDamaged(t, db, table, false)
			}
			if one[int](t, db, `SELECT count(*) FROM checksum_pending`) != 0 {
				t.Error("there is still something to fill")
			}
			if n == 0 {
				return
			}
			MustExec(t, db, `UPDATE note SET checksum = NULL WHERE id = 1`)
			if err := checksum.Fill(t.Context(), db, tables); err != nil || without(t, db, "note") != 1 {
				t.Errorf("got %v, want that a sum which was lost later is not made up for", err)
			}
		})
	}
}

// TestFill_cutShort: what was filled stays, and the rest comes at the next time.
func TestFill_cutShort(t *testing.T) {
	db := MustOpen(t)
	fill(t, db, 1203, false)
	MustExec(t, db, map[bool]string{
		false: `CREATE TRIGGER stop BEFORE UPDATE ON note WHEN old.id = 777 BEGIN SELECT RAISE(ABORT, 'no more'); END`,
		true:  `CREATE TRIGGER stop BEFORE UPDATE ON note FOR EACH ROW WHEN (old.id = 777) EXECUTE FUNCTION refuse('no more')`,
	}[storetest.OnPostgres()])
	if err := checksum.Fill(t.Context(), db, tables); err == nil {
		t.Fatal("got no error")
	}
	if got := without(t, db, "note"); got != 703 {
		t.Errorf("%d rows are without a sum, want all but the first piece", got)
	}
	if got := without(t, db, "pair"); got != 1203 {
		t.Errorf("%d rows of the next table are without a sum, want all", got)
	}
	wantDamaged(t, db, notes, false) // they still wait for theirs
	MustExec(t, db, `UPDATE note SET number = 99 WHERE id = 3`)
	MustExec(t, db, map[bool]string{false: `DROP TRIGGER stop`, true: `DROP TRIGGER stop ON note`}[storetest.OnPostgres()])
	if err := checksum.Fill(t.Context(), db, tables); err != nil || without(t, db, "note")+without(t, db, "pair") != 0 {
		t.Errorf("got %v, want all filled", err)
	}
	if got := damaged(t, db, notes, `1 = 1`); !slices.Equal(got, []string{"note 3"}) {
		t.Errorf("got %q, want that a sum is given once", got)
	}
}

// TestCheck: all rows are compared, and the caller is asked between pieces.
func TestCheck(t *testing.T) {
	db := MustOpen(t)
	fill(t, db, 1203, true)
	MustExec(t, db, `UPDATE note SET number = 99 WHERE id IN (1, 500, 501, 1000, 1001, 1203)`)
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE a = 12 AND b = x'03'`)
	want := []string{"note 1", "note 500", "note 501", "note 1000", "note 1001", "note 1203", "pair 12 03"}
	errStop := errors.New("stop")
	for name, tt := range map[string]struct {
		stop  int // after so many pieces; 0 for never
		nexts int
		want  []string
	}{
		"All": {0, 4, want}, "OnePiece": {1, 1, want[:2]}, "TwoPieces": {2, 2, want[:4]}, "NextTable": {3, 3, want[:6]},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			nexts := 0
			err := checksum.Check(t.Context(), db, tables, func(r checksum.Row) { got = append(got, r.String()) }, func() error {
				if nexts++; nexts == tt.stop {
					return errStop
				}
				return nil
			})
			if errors.Is(err, errStop) != (tt.stop > 0) || nexts != tt.nexts || !slices.Equal(got, tt.want) {
				t.Errorf("got %q after %d pieces, %v, want %q", got, nexts, err, tt.want)
			}
		})
	}
	var got []string
	err := checksum.Check(t.Context(), db, tables, func(r checksum.Row) { got = append(got, r.String()) }, nil)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestNewest: the rows that came last are compared.
func TestNewest(t *testing.T) {
	db := MustOpen(t)
	fill(t, db, 1203, true)
	MustExec(t, db, `UPDATE note SET number = 99 WHERE id IN (1, 703, 704, 1203)`)
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE (a = 7 AND b IN (x'03', x'04')) OR (a = 12 AND b = x'03') OR (a = 0 AND b = x'63')`)
	var got []string
	err := checksum.Newest(t.Context(), db, tables, func(r checksum.Row) { got = append(got, r.String()) }, nil)
	want := []string{"note 1203", "note 704", "pair 12 03", "pair 7 04"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestNewest_within: the look at the newest rows ends when its time is up, whatever is left.
func TestNewest_within(t *testing.T) {
	db := MustOpen(t)
	fill(t, db, 20, true)
	MustExec(t, db, `UPDATE note SET number = 99 WHERE id = 7`)
	MustExec(t, db, `UPDATE pair SET value = 'odd' WHERE b = x'03'`)
	for took, want := range map[time.Duration][]string{
		400 * time.Millisecond: {"note 7", "pair 0 03"}, 600 * time.Millisecond: {"note 7"}, time.Second: nil,
	} {
		now := time.Unix(0, 0)
		within := checksum.Within(func() time.Time { return now }, time.Second)
		var got []string
		err := checksum.Newest(t.Context(), db, tables, func(r checksum.Row) { got = append(got, r.String()) }, func() error {
			now = now.Add(took) // each table takes as long
			return within()
		})
		if errors.Is(err, checksum.ErrTime) != (len(want) < 2) || !slices.Equal(got, want) {
			t.Errorf("%s a table: got %q, %v, want %q", took, got, err, want)
		}
	}
}

// TestFill_refused: a row that cannot get its sum ends the filling with the reason.
func TestFill_refused(t *testing.T) {
	db := MustOpen(t)
	fill(t, db, 3, false)
	storetest.Break(t, db, "UPDATE ON note")
	err := checksum.Fill(t.Context(), db, tables)
	if err == nil || !strings.Contains(err.Error(), "broken") || errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v, want the refusal", err)
	}
}

// TestCheck_unreadable: a table that cannot be read is not one without damage.
func TestCheck_unreadable(t *testing.T) {
	db := MustOpen(t)
	nowhere := checksum.Table{Name: "nowhere", Key: []string{"id"}, Columns: []string{"text"}}
	err := checksum.Check(t.Context(), db, []checksum.Table{nowhere}, func(r checksum.Row) { t.Errorf("got %s", r) }, nil)
	if err == nil || errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v, want that there is no such table", err)
	}
}
