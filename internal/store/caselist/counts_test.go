package caselist_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	hour = 3600 * 1_000_000
	day  = 24 * hour
)

// first is when a day begins in most of Brazil.
const first = 20_000*day + 3*hour

// spread gives rows the times of five days, corrects some, and says since when they are as
// they are.
func spread(row *caselist.Row) {
	row.CreatedAt = first - 7*hour + row.ID*20*60*1_000_000
	row.ChangedAt = row.CreatedAt + row.ID*7919%50*hour
	row.Corrected = row.ID%5 == 0
}

// tally counts rows as Counts promises to.
func tally(rows []caselist.Row, units []int64, since int64) map[int64]caselist.Tally {
	all := map[int64]caselist.Tally{}
	for _, r := range rows {
		switch {
		case units != nil && !slices.Contains(units, r.Unit):
			continue
		case r.Group != 0 && (r.Corrected || r.CreatedAt < since):
			continue
		}
		t := all[r.Group]
		if t.Cases == 0 || r.ChangedAt < t.Oldest {
			t.Oldest = r.ChangedAt
		}
		t.Group, t.Cases = r.Group, t.Cases+1
		all[r.Group] = t
	}
	return all
}

func checkCounts(t *testing.T, tx *sqlite.Tx, rows []caselist.Row, units []int64, since int64) {
	t.Helper()
	tallies, err := caselist.Counts(t.Context(), tx, units, since)
	must(t, err)
	got := map[int64]caselist.Tally{}
	for _, one := range tallies {
		got[one.Group] = one
	}
	if diff := cmp.Diff(tally(rows, units, since), got, cmpopts.IgnoreUnexported(caselist.Tally{})); diff != "" {
		t.Errorf("units %v since %d (-want +got):\n%s", units, since, diff)
	}
}

// TestCounts: whatever the units and the moment are, the same is counted as by looking at
// each case.
func TestCounts(t *testing.T) {
	within(t, 360, func(tx *sqlite.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		for _, units := range [][]int64{nil, {}, {1}, {1, 2}, {99}} {
			for _, since := range []int64{0, first, first + day, first + 2*day + 5*hour, first - 1, first + 1, rows[100].CreatedAt,
				rows[100].CreatedAt + 1, first + 9*day} {
				checkCounts(t, tx, rows, units, since)
			}
		}
	}, spread)
}

// TestChange: rows and counters are what the cases became, whatever they were before.
func TestChange(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same changes each time
	within(t, 60, func(tx *sqlite.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		for range 200 {
			is := &rows[random.IntN(len(rows))]
			is.Group, is.Corrected, is.HasGuide = random.Int64N(8), random.IntN(3) == 0, random.IntN(2) == 0
			is.Status, is.Authorized = []string{"A", "N"}[random.IntN(2)], random.Int64N(3)
			must(t, caselist.Change(t.Context(), tx, is.ID, func(r *caselist.Row) { *r = *is }))
		}
		checkCounts(t, tx, rows, nil, 0)
		checkCounts(t, tx, rows, []int64{2}, first+day)
		checkRows(t, tx, rows)
		for i := range rows { // the same is no change, and nothing is left to count
			rows[i].Group, rows[i].Corrected = 3, true
			for range 2 {
				must(t, caselist.Change(t.Context(), tx, rows[i].ID, func(r *caselist.Row) { *r = rows[i] }))
			}
		}
		checkCounts(t, tx, rows, nil, 0)
		checkRows(t, tx, rows)
	}, spread, full)
}

// TestChange_Damaged: a row that is missing or not as it was written is left as it is, and
// that is no error.
func TestChange_Damaged(t *testing.T) {
	within(t, 3, func(tx *sqlite.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		_, err := tx.Exec(t.Context(), `UPDATE case_summary SET card_number = 'other' WHERE submission_id = 2`)
		must(t, err)
		for _, id := range []int64{2, 99} {
			err := caselist.Change(t.Context(), tx, id, func(*caselist.Row) { t.Errorf("%d was changed", id) })
			must(t, err)
		}
		rows[1] = caselist.Row{ID: 2, Damaged: true}
		told := checkRows(t, tx, rows)
		if want := []string{"case_summary 2"}; !slices.Equal(told, want) {
			t.Errorf("told of %q, want %q", told, want)
		}
	}, full)
}

// full gives a row something of all that lists show.
func full(row *caselist.Row) {
	row.PatientPresent, row.BeneficiaryName, row.CardNumber = row.ID%2 == 0, "Maria", "0310"
	row.CredentialName, row.UnitName = "Vale Sereno", "Centro"
	row.ProcedureCode, row.ProcedureName, row.Procedures = "1", "Um", 2
	row.State.State, row.Origin, row.Reason, row.Alert = "unknown", "servico", "corte", "conflict"
	row.Doubtful, row.Simulated = row.ID%3 == 0, row.ID%4 == 0
	row.Authorizations, row.Authorized, row.Items, row.ItemsAuthorized = 3, 2, 5, 4
	row.Password, row.PasswordUntil, row.HasGuide = "482", "2026-12-20", row.ID%5 == 1
}

// checkRows compares the rows that are kept, and returns of which it was told as damaged.
func checkRows(t *testing.T, tx *sqlite.Tx, want []caselist.Row) (told []string) {
	t.Helper()
	got, err := caselist.Read(t.Context(), tx, func(r checksum.Row) { told = append(told, r.String()) }, ` ORDER BY submission_id`)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	return told
}

// TestValue: a value keeps its number and is called as it was called last.
func TestValue(t *testing.T) {
	within(t, 0, func(tx *sqlite.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		numbers := map[int64]bool{}
		for _, name := range []string{"Centro", "Centro", "Centro novo"} {
			number, err := caselist.Value(t.Context(), tx, caselist.Unit, uidOf(0, 1), name)
			must(t, err)
			numbers[number] = true
		}
		values, err := caselist.ReadValues(t.Context(), tx)
		must(t, err)
		if number := values.Number(caselist.Unit, uidOf(0, 1)); !maps.Equal(numbers, map[int64]bool{number: true}) ||
			values.Name(number) != "Centro novo" || values.Name(number+1) != "" {
			t.Errorf("got %v and %+v, want one number with the last name", numbers, values)
		}
	})
}

// TestStateColumns: what follows the state of a case is a column of both tables.
func TestStateColumns(t *testing.T) {
	within(t, 0, func(tx *sqlite.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		for _, name := range caselist.StateColumns {
			for _, table := range []string{"submission_state", "case_summary"} {
				var there bool
				err := tx.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)`, table, name).Scan(&there)
				if err != nil || !there {
					t.Errorf("%s has no column %q, %v", table, name, err)
				}
			}
		}
	})
}
