package caselist

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// Queue says which part of the queue is read.
type Queue struct {
	Units []int64 // nil for all
	Group int64   // of AnyGroup only: see there
	Today int64   // whoever is at the counter since then waits there, and what was closed since then is shown
	After int64   // the case after which it goes on, 0 for none
	Limit int
}

// AnyGroup is Queue.Group for all that is not closed.
const AnyGroup = -1

// atCounter holds for a case whose patient waits at the counter for somebody to do something.
const atCounter = `(q.patient_present = 1 AND q.queue_group BETWEEN 1 AND 4 AND q.created_at >= ?)`

// position is where a case stands in the order of the queue.
type position struct{ section, place, id, review int64 }

// Sections of the queue: what is unknown, who waits at the counter, and all others.
const (
	unknownSection = iota
	counterSection
	otherSection
)

// sectionIndex is what a section is read by where SQLite would read all places: few patients
// wait at the counter, however many cases the queue has.
var sectionIndex = map[int64]string{counterSection: `queue_case_counter`}

// Read reads rows of cases in the order of the queue: those whose outcome is unknown, those whose patient waits at
// the counter, and the others, each by their place.
func (q Queue) Read(ctx context.Context, tx *engine.Tx, found func(checksum.Row)) ([]Row, error) {
	after, err := q.position(ctx, tx)
	if err != nil {
		return nil, err
	}
	if tx.AsksAhead() {
		query, args := q.sectionsQuery(tx, rowsShown, after, nil)
		tx.Ahead(query, args...)
	}
	damaged, err := q.damaged(ctx, tx)
	if err != nil {
		return nil, err
	}
	if len(damaged) == 0 {
		if rows, whole, err := q.readWhole(ctx, tx, after); whole || err != nil {
			return rows, err
		}
	}
	places, err := q.places(ctx, tx, after, damaged)
	if err != nil {
		return nil, err
	}
	if q.After == 0 && q.Group == AnyGroup {
		places = append(positions(damaged), places...)
	}
	return readPlaces(ctx, tx, found, places[:min(len(places), q.Limit)])
}

// What a query of the queue reads of each case: its number, or its row.
const (
	placesAlone = `submission_id`
	rowsShown   = `shown`
)

// readWhole reads rows after a position that are all as they were written.
func (q Queue) readWhole(ctx context.Context, tx *engine.Tx, after position) (rows []Row, whole bool, err error) {
	var p position
	s := newShownRows(usual)
	s.columns = append(s.columns, &p.section, &p.place, &s.row.ReviewedAt)
	err = q.inSections(tx, rowsShown, after, nil, func(query string, args []any) (found int, err error) {
		before := s.read
		err = s.list(ctx, tx, query, args)
		return s.read - before, err
	})
	return s.rows, s.whole, err
}

// places are the positions after one, a page of them, but for damaged cases.
func (q Queue) places(ctx context.Context, tx *engine.Tx, after position, damaged []entry) (all []position, err error) {
	err = q.inSections(tx, placesAlone, after, damaged, func(query string, args []any) (int, error) {
		more, err := engine.List(ctx, tx, scanPosition, query, args...)
		all = append(all, more...)
		return len(more), err
	})
	return all, err
}

func scanPosition(row engine.Row) (p position, err error) {
	err = row.Scan(&p.id, &p.section, &p.place, &p.review)
	return p, err
}

// inSections asks for a page after a position, but for damaged cases; ask returns how many it found. A section is
// read only where those before it leave room: in a long queue the first one is a page. Where each way to the server
// is long, all are read at once.
func (q Queue) inSections(tx *engine.Tx, what string, after position, damaged []entry,
	ask func(query string, args []any) (found int, err error)) error {
	if tx.AsksAhead() {
		query, args := q.sectionsQuery(tx, what, after, damaged)
		_, err := ask(query, args)
		return err
	}
	left := q.Limit
	for section := after.section; section <= otherSection && left > 0; section++ {
		if !q.has(section) {
			continue
		}
		query, args := q.sectionQuery(tx, what, section, after.from(section), damaged, `?`)
		found, err := ask(query, append(args, left))
		if err != nil {
			return err
		}
		left -= found
	}
	return nil
}

// sectionsQuery is the query for all sections from a position on, each as far as those before it leave room. The number
// of rows stands in its text, where the planner sees how few they are.
func (q Queue) sectionsQuery(tx *engine.Tx, what string, after position, damaged []entry) (query string, args []any) {
	limit := strconv.Itoa(q.Limit)
	var parts, names []string
	room := limit
	for section := after.section; section <= otherSection; section++ {
		if !q.has(section) {
			continue
		}
		one, its := q.sectionQuery(tx, what, section, after.from(section), damaged, room)
		name := `s` + strconv.FormatInt(section, 10)
		parts, names = append(parts, name+` AS MATERIALIZED (`+one+`)`), append(names, `SELECT * FROM `+name)
		args, room = append(args, its...), room+` - (SELECT count(*) FROM `+name+`)`
	}
	order := ` ORDER BY section, place`
	return `WITH ` + strings.Join(parts, `, `) + ` ` + strings.Join(names, ` UNION ALL `) +
		order + ` LIMIT ` + limit, args
}

// from is the place in a section after which it is read.
func (p position) from(section int64) int64 {
	if section == p.section {
		return p.place
	}
	return -1
}

// sectionQuery is the query for a section, without the value of how many there is room for.
func (q Queue) sectionQuery(tx *engine.Tx, what string, section, after int64, damaged []entry, room string) (query string, args []any) {
	place, condition, args := q.section(section)
	of, units := within(q.Units)
	condition, args = condition+` AND `+place+` > ?`+of, append(append(args, after), units...)
	for _, e := range damaged {
		condition, args = condition+` AND q.submission_id <> ?`, append(args, e.id)
	}
	from := `queue_case q` + tx.By(sectionIndex[section])
	order := ` ORDER BY ` + place + ` LIMIT ` + room
	if section == counterSection { // sorted, and read along only as far as there is room
		from, condition, order = `(SELECT * FROM `+from+` WHERE `+condition+order+`) q`, `1 = 1`, ` ORDER BY `+place
	}
	return `SELECT ` + what + `, ` + strconv.FormatInt(section, 10) + ` AS section, q.place, ` + reviewIn(section) + ` FROM ` +
		from + ` WHERE ` + condition + order, args
}

// reviewIn says when the operator of a case in a section was asked to look at it again. What is unknown was not denied:
// of that section the index of places tells all that the list asks.
func reviewIn(section int64) string {
	if section == unknownSection {
		return `0 AS review`
	}
	return `q.review`
}

// mostDamaged bounds how many damaged cases the queue begins with.
const mostDamaged = 20

// damaged are cases of the queue of which a row was found damaged: it begins with them, and
// they stand in no group.
func (q Queue) damaged(ctx context.Context, tx *engine.Tx) ([]entry, error) {
	known, err := damagedCases(ctx, tx)
	if err != nil || len(known) == 0 {
		return nil, err
	}
	condition, args := within(q.Units)
	return engine.List(ctx, tx, func(row engine.Row) (e entry, err error) {
		err = row.Scan(&e.id, &e.group, &e.since)
		return e, err
	}, `SELECT DISTINCT q.submission_id, q.queue_group, q.since FROM damage d JOIN submission s ON s.uid = d.case_uid
		JOIN queue_case q ON q.submission_id = s.id WHERE d.half = 'desk' AND d.kind = 'registro'`+condition+`
		ORDER BY q.submission_id DESC LIMIT ?`,
		append(args, mostDamaged)...)
}

func positions(entries []entry) []position {
	all := make([]position, len(entries))
	for i, e := range entries {
		all[i].id = e.id
	}
	return all
}

// within is the condition on units, nil for all.
func within(units []int64) (condition string, args []any) {
	if units == nil {
		return ``, nil
	}
	return ` AND q.unit IN (` + marks(len(units)) + `)`, anys(units)
}

// has reports whether a part of the queue has cases of the group.
func (q Queue) has(section int64) bool {
	if section == unknownSection {
		return q.Group <= unknown
	}
	return q.Group != unknown
}

// section is the condition of a part of the queue, and the place as its order names it: not the index of all
// places leads to the few patients who wait at the counter.
func (q Queue) section(section int64) (place, condition string, args []any) {
	from, until := place0(1), place0(closed)
	switch {
	case q.Group == closed:
		from, until = place0(closed), place0(closed+1)
	case q.Group != AnyGroup:
		from, until = place0(q.Group), place0(q.Group+1)
	}
	switch section {
	case unknownSection:
		return `q.place`, `q.place < ?`, []any{place0(1)}
	case counterSection:
		return `q.place + 0`, atCounter + ` AND q.place + 0 >= ? AND q.place + 0 < ?`, []any{q.Today, from, until}
	}
	condition, args = `q.place >= ? AND q.place < ? AND NOT `+atCounter, []any{from, until, q.Today}
	if q.Group == closed {
		condition, args = condition+` AND q.since >= ?`, append(args, q.Today)
	}
	return `q.place`, condition, args
}

// place0 is before every place of a group.
func place0(group int64) int64 { return group << placeBits }

// position finds where a page ends, also when the case with which it ended has left the
// queue since then.
func (q Queue) position(ctx context.Context, tx *engine.Tx) (p position, err error) {
	if q.After == 0 {
		return position{place: -1}, nil
	}
	e := entry{id: q.After}
	err = engine.Error(tx.QueryRow(ctx, `SELECT COALESCE(q.queue_group, s.queue_group), s.created_at, s.patient_present
		FROM case_summary s LEFT JOIN queue_case q ON q.submission_id = s.submission_id WHERE s.submission_id = ?`, q.After).
		Scan(&e.group, &e.created, &e.present))
	p = position{section: otherSection, place: place(e.group, e.id), id: e.id}
	switch {
	case e.group == unknown:
		p.section = unknownSection
	case waits(e.group) && e.present && e.created >= q.Today:
		p.section = counterSection
	}
	return p, err
}

// readPlaces reads the rows of cases in the order of their places.
func readPlaces(ctx context.Context, tx *engine.Tx, found func(checksum.Row), places []position) ([]Row, error) {
	ids := make([]int64, len(places))
	for i, p := range places {
		ids[i] = p.id
	}
	rows, err := Read(ctx, tx, found, `WHERE submission_id `+engine.InNumbers, engine.Numbers(ids))
	at := make(map[int64]int, len(rows))
	for i := range rows {
		at[rows[i].ID] = i
	}
	ordered := make([]Row, 0, len(rows))
	for _, p := range places {
		if i, ok := at[p.id]; ok {
			rows[i].ReviewedAt = p.review
			ordered = append(ordered, rows[i])
		}
	}
	return ordered, err
}

// Tally is how many cases of the queue stand in a group.
type Tally struct {
	Group  int64 // 0: those whose outcome is unknown
	Cases  int
	Oldest int64 // the longest unchanged state
}

// Counts counts the cases by group; of the closed ones those that were closed today.
func (q Queue) Counts(ctx context.Context, tx *engine.Tx) ([]Tally, error) {
	query, args := q.countsQuery()
	tallies, err := engine.List(ctx, tx, func(row engine.Row) (t Tally, err error) {
		err = row.Scan(&t.Group, &t.Cases, &t.Oldest)
		return t, err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	damaged, err := q.damaged(ctx, tx)
	for _, e := range damaged {
		i := slices.IndexFunc(tallies, func(t Tally) bool { return t.Group == e.group && (t.Group != closed || e.since >= q.Today) })
		if i >= 0 {
			tallies[i].Cases--
		}
	}
	return slices.DeleteFunc(tallies, func(t Tally) bool { return t.Cases <= 0 }), err
}

// AheadOfCounts tells of what Counts asks.
func (q Queue) AheadOfCounts(tx *engine.Tx) {
	query, args := q.countsQuery()
	tx.Ahead(query, args...)
}

func (q Queue) countsQuery() (query string, args []any) {
	of, units := within(q.Units)
	return `SELECT queue_group, cases, COALESCE((SELECT since FROM queue_case q WHERE q.queue_group = c.queue_group` + of + `
			ORDER BY since LIMIT 1), 0) FROM (SELECT queue_group, SUM(cases) AS cases FROM queue_count q
			WHERE queue_group < 7` + of + ` GROUP BY queue_group) c
		UNION ALL SELECT 7, COUNT(*), MIN(since) FROM queue_case q WHERE queue_group = 7 AND since >= ?` + of + ` HAVING COUNT(*) > 0`,
		slices.Concat(units, units, []any{q.Today}, units)
}
