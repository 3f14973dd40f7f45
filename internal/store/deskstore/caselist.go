package deskstore

import (
	"context"
	"math"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"

	"github.com/google/uuid"
)

// atCounter holds for a case whose patient waits at the counter: present since today, and
// neither Ready nor Closed. It has an index of its own.
const atCounter = `(created_at >= ? AND patient_present = 1 AND queue_group NOT IN (5, 7))`

// today is the argument of atCounter. Without a day nobody is at the counter.
func today(q desk.Query) int64 {
	if q.Today.IsZero() {
		return math.MaxInt64
	}
	return sqlite.Micros(q.Today)
}

// section is a part of the queue that has an order of its own.
type section struct {
	*caselist.Finder
	after string // holds for what follows the row of its argument
}

// sections are the parts of the queue, the topmost first: what is unknown, what waits at the
// counter as it came, and the others. Several questions, because one order over all would
// read the whole table.
func sections(values caselist.FilterValues, reach permission.Reach, q desk.Query) []section {
	unknown, counter, others := chosen(values, reach, q), chosen(values, reach, q), chosen(values, reach, q)
	unknown.Group(desk.GroupOf(desk.Unknown, ""))
	counter.Where(`queue_group <> 0 AND `+atCounter, today(q))
	counter.Index("case_summary_counter")
	counter.OldestFirst()
	others.Where(`queue_group <> 0 AND NOT `+atCounter, today(q))
	return []section{{unknown, `submission_id < ?`}, {counter, `submission_id > ?`}, {others, `submission_id < ?`}}
}

// chosen finds the cases of a query, but for its page.
func chosen(values caselist.FilterValues, reach permission.Reach, q desk.Query) *caselist.Finder {
	f := caselist.NewFinder(values)
	f.Units(values.Within(reach))
	f.Where(`corrected = 0`)
	f.Since(sqlite.Micros(q.Since))
	if q.Group != 0 {
		f.Group(q.Group)
	}
	if q.Unknown {
		f.Group(desk.GroupOf(desk.Unknown, ""))
	}
	if q.Unit != uuid.Nil {
		f.Unit(values.Number(caselist.Unit, q.Unit))
	}
	return f
}

// Cases lists at most q.Limit cases, section by section.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q desk.Query) ([]desk.CaseSummary, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) ([]desk.CaseSummary, error) {
		values, err := caselist.ReadValues(ctx, tx)
		if err != nil {
			return nil, err
		}
		before, first, err := placeOf(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		var cases []desk.CaseSummary
		for i, part := range sections(values, reach, q)[first:] {
			if i == 0 && before != 0 {
				part.Where(part.after, before)
			}
			if cases, err = s.list(ctx, tx, cases, part, q.Limit); err != nil || len(cases) == q.Limit {
				break
			}
		}
		return cases, err
	})
}

// list adds the cases of a section to those above, as far as the limit.
func (s *Store) list(ctx context.Context, tx *sqlite.Tx, cases []desk.CaseSummary, part section, limit int) ([]desk.CaseSummary, error) {
	rest, args := part.Rest(limit - len(cases))
	rows, err := caselist.Read(ctx, tx, s.Found, rest, args...)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.Damaged {
			cases = append(cases, damagedCase(ctx, tx, r.ID))
			continue
		}
		c, err := summaryOf(r)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// placeOf finds the last case of the page before: its row, 0 without one, and the section
// in which the next page begins.
func placeOf(ctx context.Context, tx *sqlite.Tx, q desk.Query) (row int64, section int, err error) {
	if q.Before == uuid.Nil {
		return 0, 0, nil
	}
	err = tx.QueryRow(ctx, `SELECT submission_id, CASE WHEN queue_group = 0 THEN 0 WHEN `+atCounter+` THEN 1 ELSE 2 END
		FROM case_summary WHERE submission_id = (SELECT id FROM submission WHERE uid = ?)`, today(q), sqlite.UID(q.Before)).Scan(&row, &section)
	if err = sqlite.Error(err); problem.Is(err, problem.NotFound) {
		return -1, 2, nil // nothing comes before what is not there
	}
	return row, section, err
}

// damagedCase is what a list tells of a damaged case: its identifier, where it has one.
func damagedCase(ctx context.Context, tx *sqlite.Tx, id int64) desk.CaseSummary {
	uid, err := uidOf(ctx, tx, id)
	if err != nil {
		uid = uuid.Nil
	}
	return desk.CaseSummary{UID: uid, Damaged: true}
}

// Counts counts the cases within the reach by group.
func (s *Store) Counts(ctx context.Context, reach permission.Reach, since time.Time) (desk.Counts, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (desk.Counts, error) {
		counts := desk.Counts{Groups: map[authorization.Group]desk.GroupCount{}}
		units, err := caselist.UnitsWithin(ctx, tx, reach)
		if err != nil {
			return counts, err
		}
		tallies, err := caselist.Counts(ctx, tx, units, sqlite.Micros(since))
		for _, t := range tallies {
			count := desk.GroupCount{Count: t.Cases, Oldest: sqlite.Time(t.Oldest)}
			if t.Group == 0 {
				counts.Unknown = count
			} else {
				counts.Groups[authorization.Group(t.Group)] = count
			}
		}
		return counts, err
	})
}
