package deskstore

import (
	"context"
	"database/sql"
	"slices"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// unsettled is of the state of a submission what a settlement depends on, or leaves as it is.
type unsettled struct {
	row                  []any // of submission_state
	unit, lease          uuid.UUID
	state                desk.State
	attempt, deadline    int64
	simulated, corrected bool
}

var unsettledNames = []string{"unit_uid", "lease", "state", "attempt", "deadline_at", "simulated", "corrected"}

// updateState writes the state of a case to which a settlement applies; problem.Conflict when it does not. All
// of it is known: to let the database work it out and give it back takes several times as long.
func updateState(ctx context.Context, tx *engine.Tx, uid uuid.UUID, to desk.Settlement,
	applies func(unsettled) bool) (id int64, err error) {
	id, was, err := unsettledOf(ctx, tx, uid)
	if problem.Is(err, problem.NotFound) || err == nil && !applies(was) {
		return 0, problem.Wrap(problem.Conflict, "O pedido já teve outro desfecho.", sql.ErrNoRows)
	}
	if err != nil {
		return 0, err
	}
	state := settledState(was.simulated, to)
	// no index is touched of what stays as it was
	if err := stateTable.Replace(ctx, tx, was.row, append([]any{id}, stateValues(was, to, state)...)); err != nil {
		return 0, err
	}
	return id, caselist.Change(ctx, tx, id, func(r *caselist.Row) {
		state.Corrected = was.corrected
		r.State = state
		showGuide(to.Answer)(r)
	})
}

// unsettledOf reads the state of a case, which is as it was written.
func unsettledOf(ctx context.Context, tx *engine.Tx, uid uuid.UUID) (id int64, was unsettled, err error) {
	if err := tx.QueryRow(ctx, `SELECT id FROM submission WHERE uid = ?`, engine.UID(uid)).Scan(&id); err != nil {
		return 0, was, engine.Error(err)
	}
	columns := stateTable.Covered()
	rows, err := stateTable.Whole(ctx, tx, columns, `WHERE submission_id = ?`, id)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return id, was, engine.Error(err)
	}
	for _, value := range rows[0] {
		was.row = append(was.row, value)
	}
	named := make(engine.Values, len(unsettledNames))
	for i, name := range unsettledNames {
		named[i] = rows[0][slices.Index(columns, name)]
	}
	err = named.Scan(engine.ScanUID(&was.unit), engine.ScanUID(&was.lease), &was.state, &was.attempt, &was.deadline, &was.simulated,
		&was.corrected)
	return id, was, engine.Error(err)
}

// stateValues are the columns of the state that a submission is settled with, over the one that it had.
func stateValues(was unsettled, to desk.Settlement, shown caselist.State) []any {
	return []any{engine.UID(was.unit), shown.State, shown.Status, shown.Group, shown.Origin, shown.ChangedAt, shown.Reason, shown.Alert,
		shown.Doubtful, was.attempt, engine.Micros(to.Due), was.deadline, nil, shown.Simulated, shown.Authorizations, int64(to.Items),
		shown.ItemsAuthorized, shown.Password, shown.PasswordUntil, shown.Authorized, was.corrected}
}

// settledState is what lists show of a submission that a settlement ended. What simulated operators were asked
// stays simulated until they or others have answered.
func settledState(simulated bool, to desk.Settlement) caselist.State {
	stays := simulated && to.State != desk.Answered && to.State != desk.Refused
	return caselist.State{State: string(to.State), Status: string(to.Status), Group: int64(to.Group), Origin: string(to.Origin),
		ChangedAt: engine.Micros(to.At), Reason: to.Reason, Alert: string(to.Alert), Doubtful: to.UnknownOutcome,
		Simulated: to.Simulated || stays, Authorizations: int64(to.Authorizations), Authorized: int64(to.Authorized), Items: int64(to.Items),
		ItemsAuthorized: int64(to.ItemsAuthorized), Password: to.Senha, PasswordUntil: to.SenhaValidUntil.String()}
}
