package deskstore

import (
	"context"
	"database/sql"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// unsettled is of the state of a submission what a settlement depends on, or leaves as it is.
type unsettled struct {
	unit, lease          uuid.UUID
	state                desk.State
	attempt              int
	deadline             int64
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
	if err := overwriteState(ctx, tx, id, was, to, state); err != nil {
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
	rows, err := stateTable.Whole(ctx, tx, unsettledNames, `WHERE submission_id = ?`, id)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err == nil {
		err = rows[0].Scan(engine.ScanUID(&was.unit), engine.ScanUID(&was.lease), &was.state, &was.attempt, &was.deadline, &was.simulated,
			&was.corrected)
	}
	return id, was, engine.Error(err)
}

// overwriteState writes the state that a submission is settled with over the one that it had.
func overwriteState(ctx context.Context, tx *engine.Tx, id int64, was unsettled, to desk.Settlement, shown caselist.State) error {
	return stateTable.Overwrite(ctx, tx, []any{id}, engine.UID(was.unit), to.State, string(to.Status), to.Group, to.Origin,
		shown.ChangedAt, to.Reason, to.Alert, to.UnknownOutcome, was.attempt, engine.Micros(to.Due), was.deadline, nil,
		shown.Simulated, to.Authorizations, to.Items, to.ItemsAuthorized, to.Senha, shown.PasswordUntil, to.Authorized, was.corrected)
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
