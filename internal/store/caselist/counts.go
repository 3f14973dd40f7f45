package caselist

import (
	"context"
	"strings"

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
	if err != nil || len(tallies) == 0 {
		return nil, err
	}
	oldest, err := sqlite.List(ctx, tx, scanID, c.oldest(tallies), c.args...)
	for i, at := range oldest {
		tallies[i].Oldest = at
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

// oldest asks since when the longest unchanged case of each tally has been so, in one
// question; 0 where a clock was set back. No case changed before it was sent.
func (c *counting) oldest(tallies []Tally) string {
	c.args = nil
	parts := make([]string, len(tallies))
	for i, t := range tallies {
		from := begins(t.day)
		if t.Group != 0 {
			from = max(from, c.since)
		}
		c.args = append(c.args, i, t.Group, from, from)
		parts[i] = `SELECT ? AS place, COALESCE((SELECT changed_at FROM case_summary INDEXED BY case_summary_changed
			WHERE queue_group = ? AND changed_at >= ? AND created_at >= ? AND (corrected = 0 OR queue_group = 0)` + c.unit() + `
			ORDER BY changed_at LIMIT 1), 0) AS oldest`
	}
	return `SELECT oldest FROM (` + strings.Join(parts, ` UNION ALL `) + `) ORDER BY place`
}
