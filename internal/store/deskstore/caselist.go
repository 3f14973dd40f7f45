package deskstore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// Orders of lists.
const (
	newestFirst = `ORDER BY st.submission_id DESC`
	asTheyCame  = `ORDER BY st.submission_id`
)

// summaryQuery reads the cases of the states that a query finds, in an order.
func summaryQuery(states, order string) string {
	return `SELECT st.submission_id, s.uid, s.created_at, s.provider_guide, s.beneficiary_name, s.card_number, s.patient_present,
	s.unit_uid, p.code, p.name, p.quantity,
	(SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = st.submission_id),
	s.` + strings.Join(nameColumns, ", s.") + `, ` + stateColumns + `,
	st.authorizations, st.authorized, st.items, st.items_authorized, st.password, st.password_until,
	EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
		OR EXISTS (SELECT 1 FROM authorization z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
	FROM (SELECT * FROM submission_state st ` + states + `) st
	JOIN submission s ON s.id = st.submission_id
	JOIN submission_procedure p ON p.submission_id = st.submission_id AND p.position = 0
	` + order
}

const stateColumns = `st.state, st.status, st.queue_group, st.origin, st.changed_at, st.reason, st.alert, st.simulated, st.corrected,
	st.doubtful`

// stateTargets are where the columns of stateColumns are scanned, in the same order: a
// list and a single case read a state alike.
func stateTargets(s *desk.CaseState) []any {
	return []any{&s.State, &s.Status, &s.Group, &s.Origin, sqlite.ScanTime(&s.At), &s.Reason, &s.Alert, &s.Simulated, &s.Corrected,
		&s.UnknownOutcome}
}

// summaryRow is a case of a list with its place in the database.
type summaryRow struct {
	id int64
	desk.CaseSummary
}

// scanSummary reads one row of the queue or the history, in the order of summaryColumns.
func scanSummary(rows sqlite.Row) (c summaryRow, err error) {
	err = rows.Scan(slices.Concat([]any{
		&c.id, sqlite.ScanUID(&c.UID), sqlite.ScanTime(&c.CreatedAt), &c.ProviderGuide, &c.BeneficiaryName, &c.CardNumber, &c.PatientPresent,
		sqlite.ScanUID(&c.UnitID), &c.FirstProcedure.Code, &c.FirstProcedure.Name, &c.FirstProcedure.Quantity, &c.Procedures,
	}, nameTargets(&c.Names), stateTargets(&c.CaseState), []any{
		&c.Authorizations, &c.Authorized, &c.Items, &c.ItemsAuthorized, &c.Senha, (*localTime)(&c.SenhaValidUntil), &c.HasGuide,
	})...)
	return c, err
}

// conditions collects the parts of a WHERE.
type conditions struct {
	parts []string
	args  []any
}

// add appends a condition and the arguments of its question marks, so that the two
// cannot come out of step.
func (c *conditions) add(part string, args ...any) {
	c.parts, c.args = append(c.parts, part), append(c.args, args...)
}

// String is the WHERE clause. It holds no value that somebody typed: those are
// arguments.
func (c *conditions) String() string { return `WHERE ` + strings.Join(c.parts, " AND ") }

// within starts every list with the units that the person may see. With no unit at all
// the list is empty: IN (NULL) matches nothing.
func within(reach permission.Reach) *conditions {
	c := &conditions{parts: []string{"1 = 1"}}
	if reach.All {
		return c
	}
	units := make([]any, len(reach.Units))
	for i, u := range reach.Units {
		units[i] = sqlite.UID(u)
	}
	c.add(`st.unit_uid IN (`+placeholders(len(units))+`)`, units...)
	return c
}

// since leaves out what was sent off earlier. Rows are in the order of sending, so
// the first of them bounds the part of the table that is read; the plus makes
// SQLite look for it by time.
func (c *conditions) since(t time.Time) {
	if !t.IsZero() {
		c.add(`st.submission_id >= (SELECT COALESCE(MIN(+id), 9223372036854775807) FROM submission WHERE created_at >= ?)`, sqlite.Micros(t))
	}
}

// atCounter holds for a case whose patient waits at the counter: present since today, and
// neither ready nor closed. The first condition bounds what is read, as in since.
const atCounter = `(st.submission_id >= (SELECT COALESCE(MIN(+id), 9223372036854775807) FROM submission WHERE created_at >= ?)
	AND st.queue_group NOT IN (?, ?) AND (SELECT patient_present FROM submission WHERE id = st.submission_id))`

// isUnknown holds for a case whose outcome is unknown.
const isUnknown = `(st.queue_group = 0)`

// waiting are the arguments of atCounter. Without a day nobody is at the counter.
func waiting(q desk.Query) []any {
	today := int64(math.MaxInt64)
	if !q.Today.IsZero() {
		today = sqlite.Micros(q.Today)
	}
	return []any{today, authorization.Ready, authorization.Closed}
}

// section is a part of the queue that has an order of its own.
type section struct {
	where *conditions
	order string
	after string // holds for what follows the row of its argument
}

// sections are the parts of the queue, the topmost first: what is unknown, what waits at the
// counter as it came, and the others. Several questions, because one order over all would
// read the whole table.
func sections(reach permission.Reach, q desk.Query) []section {
	unknown, counter, others := chosen(reach, q), chosen(reach, q), chosen(reach, q)
	unknown.add(isUnknown)
	counter.add(`NOT ` + isUnknown)
	counter.add(atCounter, waiting(q)...)
	others.add(`NOT ` + isUnknown)
	others.add(`NOT `+atCounter, waiting(q)...)
	return []section{
		{unknown, newestFirst, `st.submission_id < ?`}, {counter, asTheyCame, `st.submission_id > ?`},
		{others, newestFirst, `st.submission_id < ?`},
	}
}

// Cases lists at most q.Limit cases, section by section.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q desk.Query) ([]desk.CaseSummary, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) ([]desk.CaseSummary, error) {
		before, first, err := placeOf(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		var cases []desk.CaseSummary
		for i, part := range sections(reach, q)[first:] {
			if i == 0 && before != 0 {
				part.where.add(part.after, before)
			}
			found, err := s.listed(ctx, tx, part.where, part.order, q.Limit-len(cases))
			if err != nil {
				return nil, err
			}
			if cases = append(cases, found...); len(cases) == q.Limit {
				break
			}
		}
		return cases, nil
	})
}

// placeOf finds the last case of the page before: its row, 0 without one, and the section
// in which the next page begins.
func placeOf(ctx context.Context, tx *sqlite.Tx, q desk.Query) (row int64, section int, err error) {
	if q.Before == uuid.Nil {
		return 0, 0, nil
	}
	err = tx.QueryRow(ctx, `SELECT st.submission_id, CASE WHEN `+isUnknown+` THEN 0 WHEN `+atCounter+` THEN 1 ELSE 2 END
		FROM submission_state st WHERE st.submission_id = (SELECT id FROM submission WHERE uid = ?)`,
		append(waiting(q), sqlite.UID(q.Before))...).Scan(&row, &section)
	if err = sqlite.Error(err); problem.Is(err, problem.NotFound) {
		return -1, 2, nil // nothing comes before what is not there
	}
	return row, section, err
}

// chosen are the conditions of a query, but for its page.
func chosen(reach permission.Reach, q desk.Query) *conditions {
	where := within(reach)
	where.add(`st.corrected = 0`)
	where.since(q.Since)
	if q.Group != 0 {
		where.add(`st.queue_group = ?`, q.Group)
	}
	if q.Unknown {
		where.add(`st.queue_group = ?`, desk.GroupOf(desk.Unknown, ""))
	}
	if q.Unit != uuid.Nil {
		where.add(`st.unit_uid = ?`, sqlite.UID(q.Unit))
	}
	return where
}

// listed reads at most so many cases in an order. Of one whose rows are damaged it tells
// that, and nothing else that may not be so.
func (s *Store) listed(ctx context.Context, tx *sqlite.Tx, where *conditions, order string, limit int) ([]desk.CaseSummary, error) {
	ids, err := sqlite.List(ctx, tx, scanID, `SELECT st.submission_id FROM submission_state st `+where.String()+` `+order+` LIMIT ?`,
		append(where.args, limit)...)
	if err != nil {
		return nil, err
	}
	damaged, err := s.DamagedCases(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	list, err := jsonList(slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return damaged[id] }))
	if err != nil {
		return nil, err
	}
	rows, err := sqlite.List(ctx, tx, scanSummary,
		summaryQuery(`WHERE st.submission_id IN (SELECT value FROM json_each(?))`, order), list)
	var cases []desk.CaseSummary
	for _, id := range ids {
		switch {
		case damaged[id]:
			cases = append(cases, damagedCase(ctx, tx, id))
		case len(rows) > 0 && rows[0].id == id:
			cases, rows = append(cases, rows[0].CaseSummary), rows[1:]
		}
	}
	return cases, err
}

// damagedCase is what a list tells of a damaged case: its identifier, where it has one.
func damagedCase(ctx context.Context, tx *sqlite.Tx, id int64) desk.CaseSummary {
	uid, err := uidOf(ctx, tx, id)
	if err != nil {
		uid = uuid.Nil
	}
	return desk.CaseSummary{UID: uid, Damaged: true}
}

// counted are the groups one by one, so that each is a range of the index.
var counted = []any{
	authorization.YourTurn, authorization.ToFix, authorization.Refusal, authorization.Unrecognized,
	authorization.Waiting, authorization.Ready, authorization.Closed,
}

// Counts counts the cases within the reach by group.
func (s *Store) Counts(ctx context.Context, reach permission.Reach, since time.Time) (desk.Counts, error) {
	groups, unknown := within(reach), within(reach)
	groups.add(`st.corrected = 0`)
	groups.since(since)
	groups.add(`st.queue_group IN (`+placeholders(len(counted))+`)`, counted...)
	unknown.add(`st.queue_group = ?`, desk.GroupOf(desk.Unknown, ""))
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (desk.Counts, error) {
		counts := desk.Counts{Groups: map[authorization.Group]desk.GroupCount{}}
		for _, where := range []*conditions{groups, unknown} {
			tallies, err := sqlite.List(ctx, tx, scanTally, `SELECT st.queue_group, COUNT(*), MIN(st.changed_at)
				FROM submission_state st `+where.String()+` GROUP BY st.queue_group`, where.args...)
			if err != nil {
				return counts, err
			}
			for _, t := range tallies {
				if t.group == 0 {
					counts.Unknown = t.GroupCount
				} else {
					counts.Groups[t.group] = t.GroupCount
				}
			}
		}
		return counts, nil
	})
}

// CaseState returns where a case within the reach stands.
func (s *Store) CaseState(ctx context.Context, reach permission.Reach, uid uuid.UUID) (desk.CaseState, error) {
	where := within(reach)
	where.add(`st.submission_id = (SELECT id FROM submission WHERE uid = ?)`, sqlite.UID(uid))
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (state desk.CaseState, err error) {
		err = sqlite.Error(tx.QueryRow(ctx, `SELECT `+stateColumns+` FROM submission_state st `+where.String(), where.args...).
			Scan(stateTargets(&state)...))
		if problem.Is(err, problem.NotFound) {
			return state, err
		}
		damage := stateTable.Verify(ctx, tx, `submission_id = (SELECT id FROM submission WHERE uid = ?)`, sqlite.UID(uid))
		return state, cmp.Or(s.noted(damage), err)
	})
}

// groupTally is one line of the queue's counters.
type groupTally struct {
	group authorization.Group
	desk.GroupCount
}

// scanTally reads a group with its count and its oldest change.
func scanTally(rows sqlite.Row) (t groupTally, err error) {
	err = rows.Scan(&t.group, &t.Count, sqlite.ScanTime(&t.Oldest))
	return t, err
}

// Alerts counts what administração is told.
func (s *Store) Alerts(ctx context.Context) (desk.Alerts, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (a desk.Alerts, err error) {
		err = tx.QueryRow(ctx, `SELECT COUNT(*) FILTER (WHERE alert = 'held'), COUNT(*) FILTER (WHERE alert = 'conflict')
			FROM submission_state WHERE alert <> ''`).Scan(&a.Held, &a.Conflicts)
		return a, sqlite.Error(err)
	})
}

// Unsettled counts what the service may have acted on and is not settled.
func (s *Store) Unsettled(ctx context.Context) (int, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (n int, err error) {
		err = tx.QueryRow(ctx, `SELECT COUNT(*) FROM submission_state WHERE state = 'sending' OR (state = 'queued' AND doubtful = 1)`).Scan(&n)
		return n, sqlite.Error(err)
	})
}
