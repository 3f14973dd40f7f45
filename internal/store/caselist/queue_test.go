package caselist_test

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

const (
	hour = 3600 * 1_000_000
	day  = 24 * hour
)

// first is when a day begins in most of Brazil, now some days later.
const (
	first = 20_000*day + 3*hour
	now   = first + 7*day
)

// spread gives rows the times of five days, corrects some, and says since when they are as
// they are: a few of them for longer than cases stand in the queue.
func spread(row *caselist.Row) {
	row.CreatedAt = first - 7*hour + row.ID*20*60*1_000_000
	row.ChangedAt = row.CreatedAt + row.ID*7919%50*hour
	if row.ID%11 == 0 {
		row.ChangedAt -= 40 * day
	}
	row.PatientPresent, row.Corrected = row.ID%3 != 0, row.ID%5 == 0
}

// queued reports whether a case stands in the queue, as it is promised.
func queued(r caselist.Row) bool {
	switch r.Group {
	case 0:
		return true
	case 7:
		return !r.Corrected && r.ChangedAt >= now-2*day
	}
	return !r.Corrected && r.ChangedAt >= now-30*day
}

// tally counts rows as Counts promises to.
func tally(rows []caselist.Row, units []int64, today int64) map[int64]caselist.Tally {
	all := map[int64]caselist.Tally{}
	for _, r := range rows {
		if !queued(r) || units != nil && !slices.Contains(units, r.Unit) || r.Group == 7 && r.ChangedAt < today {
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

// checkCounts compares what is counted with the rows.
func checkCounts(t *testing.T, tx *engine.Tx, rows []caselist.Row, units []int64, today int64) {
	t.Helper()
	tallies, err := caselist.Queue{Units: units, Today: today}.Counts(t.Context(), tx)
	must(t, err)
	got := map[int64]caselist.Tally{}
	for _, one := range tallies {
		got[one.Group] = one
	}
	if diff := cmp.Diff(tally(rows, units, today), got); diff != "" {
		t.Errorf("units %v since %d (-want +got):\n%s", units, today, diff)
	}
}

// TestQueue_Counts: whatever the units and the day are, the same is counted as by looking at
// each case.
func TestQueue_Counts(t *testing.T) {
	within(t, 360, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		for _, units := range [][]int64{nil, {}, {1}, {1, 2}, {99}} {
			for _, today := range []int64{now - 2*day, now - day, now, rows[100].ChangedAt} {
				checkCounts(t, tx, rows, units, max(today, now-2*day))
			}
		}
	}, spread)
}

// inOrder lists the queue as it is promised: what is unknown, who waits at the counter since
// today, and the others; by group, in those that wait for somebody the first first.
func inOrder(rows []caselist.Row, q caselist.Queue) (ids []int64) {
	section := func(r caselist.Row) int {
		switch {
		case r.Group == 0:
			return 0
		case r.Group < 5 && r.PatientPresent && r.CreatedAt >= q.Today:
			return 1
		}
		return 2
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r caselist.Row) bool {
		return !queued(r) || q.Group == caselist.AnyGroup && r.Group == 7 || q.Group != caselist.AnyGroup && r.Group != q.Group ||
			q.Units != nil && !slices.Contains(q.Units, r.Unit) || r.Group == 7 && r.ChangedAt < q.Today
	})
	slices.SortFunc(rows, func(a, b caselist.Row) int {
		first := stdcmp.Compare(a.ID, b.ID)
		if a.Group >= 5 {
			first = -first
		}
		return stdcmp.Or(section(a)-section(b), int(a.Group-b.Group), first)
	})
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestQueue_Read: the queue is in its order, in pages of any size.
func TestQueue_Read(t *testing.T) {
	within(t, 360, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		for _, q := range []caselist.Queue{
			{Group: caselist.AnyGroup}, {Group: 0}, {Group: 1}, {Group: 4}, {Group: 5}, {Group: 6}, {Group: 7},
			{Group: caselist.AnyGroup, Units: []int64{1}}, {Group: 3, Units: []int64{1, 2}}, {Group: caselist.AnyGroup, Units: []int64{}},
		} {
			q.Today = first + day
			if q.Group == 7 {
				q.Today = now - day
			}
			want := inOrder(rows, q)
			for _, q.Limit = range []int{1, 7, 400} {
				var got []int64
				for q.After = 0; ; q.After = got[len(got)-1] {
					page, err := q.Read(t.Context(), tx, nil)
					must(t, err)
					for _, r := range page {
						got = append(got, r.ID)
					}
					if len(page) < q.Limit || len(got) > len(want) {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%+v: got %v, want %v", q, got, want)
				}
			}
		}
	}, spread)
}

// TestQueue_Read_Left: a page goes on where the page before ended, also when the case with
// which that ended has left the queue.
func TestQueue_Read_Left(t *testing.T) {
	within(t, 60, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		q := caselist.Queue{Group: caselist.AnyGroup, Limit: 400, Today: first + day}
		want := inOrder(rows, q)
		i := slices.IndexFunc(want, func(id int64) bool { return rows[id-1].Group == 3 })
		must(t, caselist.Change(t.Context(), tx, want[i], func(r *caselist.Row) { r.Corrected = true }))
		q.After = want[i]
		var got []int64
		page, err := q.Read(t.Context(), tx, nil)
		must(t, err)
		for _, r := range page {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, want[i+1:]) {
			t.Errorf("after %d: got %v, want %v", want[i], got, want[i+1:])
		}
	}, spread)
}

// TestQueue_Ending: what is to be attended, by the day on which its senha ends.
func TestQueue_Ending(t *testing.T) {
	within(t, 40, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		for _, limit := range []int{3, 40} {
			got, err := caselist.Queue{Limit: limit}.Ending(t.Context(), tx, nil, "2026-12-03", "2026-12-09")
			must(t, err)
			var want, ids []int64
			for day := 3; day < 9; day++ {
				for _, r := range rows {
					if (r.Group == 5 || r.Group == 1) && r.PasswordUntil == fmt.Sprintf("2026-12-%02d", day) {
						want = append(want, r.ID)
					}
				}
			}
			for _, r := range got {
				ids = append(ids, r.ID)
			}
			if want = want[:min(limit, len(want))]; !slices.Equal(ids, want) || len(want) < 3 {
				t.Errorf("of %d: got %v, want %v", limit, ids, want)
			}
		}
		if got, err := (caselist.Queue{Units: []int64{99}, Limit: 9}).Ending(t.Context(), tx, nil, "2026-12-03", "2026-12-09"); err != nil ||
			len(got) > 0 {
			t.Errorf("of another unit: got %d, %v", len(got), err)
		}
	}, func(r *caselist.Row) {
		r.ChangedAt, r.PasswordUntil = now-hour, fmt.Sprintf("2026-12-%02d", r.ID%10+1)
	})
}

// TestQueue_Damaged: damaged cases stand first and in no group.
func TestQueue_Damaged(t *testing.T) {
	within(t, 20, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		_, err := tx.Exec(t.Context(), `INSERT INTO damage (half, kind, name, case_uid, found_at) VALUES ('desk', 'registro', 'x', ?1, 1),
			('desk', 'registro', 'y', ?1, 1)`, engine.UID(rows[4].UID))
		must(t, err)
		q := caselist.Queue{Group: caselist.AnyGroup, Limit: 30}
		got, err := q.Read(t.Context(), tx, nil)
		if err != nil || len(got) != 20 || got[0].ID != 5 || !got[0].Damaged || got[1].ID != 1 {
			t.Errorf("got %+v, %v, want the fifth first, damaged", got, err)
		}
		q.Group = 1
		if got, err = q.Read(t.Context(), tx, nil); err != nil || len(got) != 19 {
			t.Errorf("of its group: got %d, %v, want the others", len(got), err)
		}
		checkCounts(t, tx, slices.Delete(slices.Clone(rows), 4, 5), nil, 0)
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 1, now })
}

// TestConclude: a concluded case counts as closed for the day, and is back with its next
// change.
func TestConclude(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		must(t, caselist.Conclude(t.Context(), tx, 2))
		rows[1].Group, rows[1].ChangedAt = 7, now
		checkCounts(t, tx, rows, nil, now)
		rows[1].Group, rows[1].ChangedAt = 6, now+hour
		must(t, caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Group, r.ChangedAt = 6, now+hour }))
		checkCounts(t, tx, rows, nil, now)
		must(t, caselist.Conclude(t.Context(), tx, 99))
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 5, now-hour })
}

// TestBegin_Forgets: what has not changed for as long as it may stand leaves with those that
// come to its group.
func TestBegin_Forgets(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		tx.Now = tx.Now.Add(30 * 24 * time.Hour)
		for id := int64(4); id < 6; id++ {
			fresh := rows[0]
			fresh.ID, fresh.UID, fresh.ChangedAt = id, uuid.New(), engine.Micros(tx.Now)
			must(t, caselist.Begin(t.Context(), tx, fresh))
			tallies, err := caselist.Queue{}.Counts(t.Context(), tx)
			want := map[int64]int{4: 2, 5: 2}[id] // two of the three go with the first
			if err != nil || len(tallies) != 1 || tallies[0].Cases != want {
				t.Errorf("after %d: got %+v, %v, want %d", id, tallies, err, want)
			}
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 5, now-hour })
}

// TestChange: rows and counters are what the cases became, whatever they were before.
func TestChange(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6)) // the same changes each time
	within(t, 60, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		for i := range 200 {
			is := &rows[random.IntN(len(rows))]
			is.Group, is.Corrected, is.HasGuide = random.Int64N(8), random.IntN(3) == 0, random.IntN(2) == 0
			is.ChangedAt = now - int64(i)
			is.Status, is.Authorized = []string{"A", "N"}[random.IntN(2)], random.Int64N(3)
			must(t, caselist.Change(t.Context(), tx, is.ID, func(r *caselist.Row) { *r = *is }))
		}
		checkCounts(t, tx, rows, nil, now-day)
		checkCounts(t, tx, rows, []int64{2}, now-day)
		checkRows(t, tx, rows)
		for i := range rows { // the same is no change, and nothing is left to count
			rows[i].Group, rows[i].Corrected = 3, true
			for range 2 {
				must(t, caselist.Change(t.Context(), tx, rows[i].ID, func(r *caselist.Row) { *r = rows[i] }))
			}
		}
		checkCounts(t, tx, rows, nil, now-day)
		checkRows(t, tx, rows)
	}, full, func(r *caselist.Row) { r.ChangedAt = now - hour })
}

// TestChange_Damaged: a row that is missing or not as it was written is left as it is, and
// that is no error.
func TestChange_Damaged(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
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
func checkRows(t *testing.T, tx *engine.Tx, want []caselist.Row) (told []string) {
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
	within(t, 0, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
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
	within(t, 0, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		for _, name := range caselist.StateColumns {
			for _, table := range []string{"submission_state", "case_summary"} {
				if _, err := tx.Exec(t.Context(), `UPDATE `+table+` SET `+name+` = `+name); err != nil {
					t.Errorf("%s has no column %q: %v", table, name, err)
				}
			}
		}
	})
}
