package deskstore

import (
	"context"
	"database/sql"
	"strings"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const stateColumns = `st.state, st.status, st.queue_group, st.origin, st.changed_at, st.reason, st.alert, st.simulated, st.corrected,
	st.doubtful`

// stateNames are the columns of stateColumns.
var stateNames = strings.Fields(strings.NewReplacer("st.", "", ",", "").Replace(stateColumns))

// stateTargets are where the columns of stateColumns are scanned, in the same order: a
// list and a single case read a state alike.
func stateTargets(s *desk.CaseState) []any {
	return []any{&s.State, &s.Status, &s.Group, &s.Origin, engine.ScanTime(&s.At), &s.Reason, &s.Alert, &s.Simulated, &s.Corrected,
		&s.UnknownOutcome}
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
		units[i] = engine.UID(u)
	}
	c.add(`st.unit_uid IN (`+placeholders(len(units))+`)`, units...)
	return c
}

// CaseState returns where a case within the reach stands.
func (s *Store) CaseState(ctx context.Context, reach permission.Reach, uid uuid.UUID) (desk.CaseState, error) {
	where := within(reach)
	where.add(`st.submission_id = (SELECT id FROM submission WHERE uid = ?)`, engine.UID(uid))
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (state desk.CaseState, err error) {
		rows, err := stateTable.Whole(ctx, tx, stateNames, `st `+where.String(), where.args...)
		if err != nil {
			return state, s.noted(err)
		}
		if len(rows) == 0 {
			return state, engine.Error(sql.ErrNoRows)
		}
		return state, engine.Error(rows[0].Scan(stateTargets(&state)...))
	})
}

// Alerts counts what administração is told.
func (s *Store) Alerts(ctx context.Context) (desk.Alerts, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (a desk.Alerts, err error) {
		err = tx.QueryRow(ctx, `SELECT COUNT(*) FILTER (WHERE alert = 'held'), COUNT(*) FILTER (WHERE alert = 'conflict')
			FROM submission_state WHERE alert <> ''`).Scan(&a.Held, &a.Conflicts)
		return a, engine.Error(err)
	})
}

// Unsettled counts what the service may have acted on and is not settled.
func (s *Store) Unsettled(ctx context.Context) (int, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (n int, err error) {
		err = tx.QueryRow(ctx, `SELECT COUNT(*) FROM submission_state WHERE state = 'sending' OR (state = 'queued' AND doubtful = 1)`).Scan(&n)
		return n, engine.Error(err)
	})
}
