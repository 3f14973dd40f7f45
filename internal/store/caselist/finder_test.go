package caselist_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// uidOf is the identifier of the nth value of a kind.
func uidOf(kind, n byte) uuid.UUID { return uuid.UUID{15: n, 0: kind + 1} }

// errUndo takes back what a transaction did.
var errUndo = errors.New("undo")

// within runs a test in a transaction that has rows of cases which differ in everything they
// are filtered by, some values being rare. There is nothing behind the rows.
func within(t *testing.T, n int, test func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row),
	change ...func(row *caselist.Row)) {
	t.Helper()
	ctx, db := t.Context(), storetest.Open(t, migrations.Desk, clock)
	random := rand.New(rand.NewPCG(1, 2)) // the same rows each time
	err := db.Write(ctx, func(tx *engine.Tx) error {
		storetest.Loosen(t, db, tx)
		pick := func(kind byte, word string) int64 {
			uid := uidOf(kind, byte(min(random.IntN(5), random.IntN(6))))
			number, err := caselist.Value(ctx, tx, word, uid, uid.String())
			must(t, err)
			return number
		}
		var rows []caselist.Row
		for i := range n {
			row := caselist.Row{ID: int64(i + 1), UID: uuid.New(), CreatedAt: int64(i) * 1000, Unit: pick(0, caselist.Unit),
				Credential: pick(1, caselist.Credential), Sender: pick(2, caselist.Sender)}
			row.Group, row.Status = random.Int64N(8), []string{"", "A", "N"}[random.IntN(3)]
			for _, c := range change {
				c(&row)
			}
			must(t, caselist.Begin(ctx, tx, row))
			rows = append(rows, row)
		}
		values, err := caselist.ReadValues(ctx, tx)
		must(t, err)
		test(tx, values, rows)
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
}

func clock() time.Time { return engine.Time(now) }

// withinSQLite is within for how SQLite finds what it finds.
func withinSQLite(t *testing.T, n int, test func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row),
	change ...func(row *caselist.Row)) {
	t.Helper()
	storetest.OfSQLite(t)
	within(t, n, test, change...)
}

// question is a combination of filters.
type question struct {
	units                    []byte // within reach, nil for all
	unit, credential, sender int    // -1 for any
	group                    int    // -1 for any
	status                   authorization.Status
	below                    int64
	where                    bool // it is one of the first 4000
}

func (q question) finder(values caselist.FilterValues) *caselist.Finder {
	f := caselist.NewFinder(values)
	reach := permission.Reach{All: q.units == nil}
	for _, u := range q.units {
		reach.Units = append(reach.Units, uidOf(0, u))
	}
	f.Units(values.Within(reach))
	if q.unit >= 0 {
		f.Unit(values.Number(caselist.Unit, uidOf(0, byte(q.unit))))
	}
	if q.credential >= 0 {
		f.Credential(values.Number(caselist.Credential, uidOf(1, byte(q.credential))))
	}
	if q.sender >= 0 {
		f.Sender(values.Number(caselist.Sender, uidOf(2, byte(q.sender))))
	}
	if q.group >= 0 {
		f.Group(authorization.Group(q.group))
	}
	if q.status != "" {
		f.Status(q.status)
	}
	if q.below > 0 {
		f.Below(q.below)
	}
	if q.where {
		f.Where(`created_at < ?`, 4000_000)
	}
	return f
}

func (q question) holds(values caselist.FilterValues, r caselist.Row) bool {
	is := func(number int64, kind byte, word string, n int) bool {
		return n < 0 || number == values.Number(word, uidOf(kind, byte(n)))
	}
	within := q.units == nil || slices.ContainsFunc(q.units, func(u byte) bool { return is(r.Unit, 0, caselist.Unit, int(u)) })
	return within && is(r.Unit, 0, caselist.Unit, q.unit) && is(r.Credential, 1, caselist.Credential, q.credential) &&
		is(r.Sender, 2, caselist.Sender, q.sender) && (q.group < 0 || r.Group == int64(q.group)) &&
		(q.status == "" || r.Status == string(q.status)) && (q.below == 0 || r.ID < q.below) && (!q.where || r.ID <= 4000)
}

// nowhere reports whether the unit is out of reach.
func (q question) nowhere() bool {
	return q.units != nil && (len(q.units) == 0 || q.unit >= 0 && !slices.Contains(q.units, byte(q.unit)))
}

// any reports whether the filters restrict nothing.
func (q question) any() bool {
	return q.units == nil && q.unit < 0 && q.credential < 0 && q.sender < 0 && q.group < 0 && q.status == ""
}

// questions are combinations of all filters, with values that are common, rare and unknown.
func questions() (all []question) {
	for _, units := range [][]byte{nil, {0}, {1, 2, 4}, {}} {
		for _, unit := range []int{-1, 1, 4, 9} {
			for _, credential := range []int{-1, 0, 4} {
				for _, sender := range []int{-1, 1, 9} {
					for _, group := range []int{-1, 0, 5} {
						for _, status := range []authorization.Status{"", "A"} {
							all = append(all, question{units, unit, credential, sender, group, status, 0, false},
								question{units, unit, credential, sender, group, status, 300, false})
						}
					}
				}
			}
		}
	}
	return all
}

// TestFinder_Rest: whatever the filters are, the same cases are found as by looking at each.
func TestFinder_Rest(t *testing.T) {
	const limit = 20
	within(t, 600, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		for _, q := range questions() {
			var want, got []int64
			for _, r := range slices.Backward(rows) {
				if q.holds(values, r) && len(want) < limit {
					want = append(want, r.ID)
				}
			}
			rest, args := q.finder(values).Rest(tx, limit)
			found, err := caselist.Read(t.Context(), tx, func(r checksum.Row) { t.Errorf("damaged: %v", r) }, rest, args...)
			must(t, err)
			for _, r := range found {
				got = append(got, r.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: got %v, want %v", q, got, want)
			}
		}
	})
}

// TestFinder_Rest_Bounds: of what was sent between two moments each case is found.
func TestFinder_Rest_Bounds(t *testing.T) {
	const limit = 20
	within(t, 300, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		for _, b := range []struct{ since, before int64 }{
			{0, 0}, {rows[40].CreatedAt, 0}, {rows[40].CreatedAt + 1, 0}, {0, rows[7].CreatedAt}, {0, rows[7].CreatedAt + 1},
			{rows[100].CreatedAt, rows[110].CreatedAt}, {rows[290].CreatedAt, rows[295].CreatedAt}, {rows[299].CreatedAt + 1, 0},
		} {
			f := caselist.NewFinder(values)
			f.Since(b.since)
			f.Before(b.before)
			var want []int64
			for i := range rows {
				r := rows[len(rows)-1-i]
				if r.CreatedAt >= b.since && (b.before == 0 || r.CreatedAt < b.before) && len(want) < limit {
					want = append(want, r.ID)
				}
			}
			rest, args := f.Rest(tx, limit)
			if got := listed(t, tx, rest, args); !slices.Equal(got, want) {
				t.Errorf("%+v: got %v, want %v", b, got, want)
			}
		}
	})
}

// listed are the numbers of the rows that a query finds.
func listed(t *testing.T, tx *engine.Tx, rest string, args []any) (ids []int64) {
	t.Helper()
	rows, err := caselist.Read(t.Context(), tx, func(r checksum.Row) { t.Errorf("damaged: %v", r) }, rest, args...)
	must(t, err)
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestFinder_Rest_Empty: without any case nothing is found, whatever is asked.
func TestFinder_Rest_Empty(t *testing.T) {
	within(t, 0, func(tx *engine.Tx, values caselist.FilterValues, _ []caselist.Row) {
		for _, q := range questions() {
			rest, args := q.finder(values).Rest(tx, 20)
			found, err := caselist.Read(t.Context(), tx, nil, rest, args...)
			if err != nil || len(found) > 0 {
				t.Errorf("%+v: got %v, %v", q, found, err)
			}
		}
	})
}

// TestFinder_Plan: no combination of filters sorts rows, or reads them from end to end.
func TestFinder_Plan(t *testing.T) {
	withinSQLite(t, 50, func(tx *engine.Tx, values caselist.FilterValues, _ []caselist.Row) {
		for _, q := range questions() {
			if q.unit == 9 || q.sender == 9 || q.nowhere() || q.any() {
				continue // nothing is found, or everything
			}
			rest, args := q.finder(values).Rest(tx, 20)
			plan, err := engine.List(t.Context(), tx, func(row engine.Row) (line string, err error) {
				var a, b, c int
				err = row.Scan(&a, &b, &c, &line)
				return line, err
			}, `EXPLAIN QUERY PLAN SELECT * FROM case_summary `+rest, args...)
			must(t, err)
			if whole := strings.Join(plan, "\n"); strings.Contains(whole, "TEMP B-TREE") || strings.Contains(whole, "SCAN case_summary") {
				t.Errorf("%+v:\n%s", q, whole)
			}
		}
	})
}
