package caselist

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
)

// Tally is how many cases of the queue a group has.
type Tally struct {
	Group  int64 // 0: those whose outcome is unknown, however old
	Cases  int
	Oldest int64 // the longest unchanged state

	day int64 // on which the first of them was sent
}

// Counts counts the cases of units, nil for all, that were sent since a moment, 0 for all. It
// adds up whole days; of the day in which the moment lies it counts the rows, unless the
// moment begins it.
func Counts(ctx context.Context, tx *sqlite.Tx, units []int64, since int64) ([]Tally, error) {
	c := counting{units: units, since: since, day: wholeDay(since)}
	tallies, err := sqlite.List(ctx, tx, scanTally, c.query(), c.args...)
	for i := range tallies {
		if err == nil {
			tallies[i].Oldest, err = c.oldest(ctx, tx, tallies[i])
		}
	}
	return tallies, err
}

// counting is what is counted.
type counting struct {
	units []int64
	since int64
	day   int64 // the first whole one
	args  []any // of the query
}

// wholeDay is the first day that begins at a moment or later.
func wholeDay(moment int64) int64 {
	if moment == 0 {
		return 0
	}
	return (moment - dayBegins + dayLength - 1) / dayLength
}

// begins is when a day does.
func begins(day int64) int64 { return day*dayLength + dayBegins }

// query counts by group.
func (c *counting) query() string {
	parts := `SELECT queue_group, day, cases FROM queue_count WHERE queue_group = 0` + c.unit()
	c.args = append(c.args, c.day)
	parts += ` UNION ALL SELECT queue_group, day, cases FROM queue_count WHERE queue_group IN (1, 2, 3, 4, 5, 6, 7) AND day >= ?` + c.unit()
	if until := begins(c.day); c.since != 0 && c.since != until {
		c.args = append(c.args, c.day-1, c.since, until, c.since, until)
		parts += ` UNION ALL SELECT queue_group, ?, 1 FROM case_summary WHERE created_at >= ? AND created_at < ?
			AND queue_group <> 0 AND corrected = 0 AND submission_id >= (SELECT MIN(id) ` + near + ` >= ? ORDER BY created_at LIMIT 200))
			AND submission_id <= (SELECT MAX(id) ` + near + ` < ? ORDER BY created_at DESC LIMIT 200))` + c.unit()
	}
	return `SELECT queue_group, MIN(day), SUM(cases) FROM (` + parts + `) GROUP BY queue_group`
}

// unit is the condition on units; its arguments follow those that are there.
func (c *counting) unit() string {
	if c.units == nil {
		return ``
	}
	c.args = append(c.args, anys(c.units)...)
	return ` AND unit IN (` + marks(len(c.units)) + `)`
}

func scanTally(row sqlite.Row) (t Tally, err error) {
	err = row.Scan(&t.Group, &t.day, &t.Cases)
	return t, err
}

// oldest is since when the longest unchanged case of a tally has been so. No case changed
// before it was sent.
func (c *counting) oldest(ctx context.Context, tx *sqlite.Tx, t Tally) (at int64, err error) {
	from := begins(t.day)
	if t.Group != 0 {
		from = max(from, c.since)
	}
	c.args = []any{t.Group, from, from}
	err = sqlite.Error(tx.QueryRow(ctx, `SELECT changed_at FROM case_summary INDEXED BY case_summary_changed
		WHERE queue_group = ? AND changed_at >= ? AND created_at >= ? AND (corrected = 0 OR queue_group = 0)`+c.unit()+`
		ORDER BY changed_at LIMIT 1`, c.args...).Scan(&at))
	if problem.Is(err, problem.NotFound) {
		return 0, nil // a clock was set back
	}
	return at, err
}
