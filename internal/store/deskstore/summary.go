package deskstore

import (
	"context"
	"slices"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// beginSummary writes what lists show of a submission that begins in a state, and returns the
// number of its credential there.
func beginSummary(ctx context.Context, tx *engine.Tx, id int64, sub desk.Submission, state caselist.State) (credential int64, err error) {
	row, err := summaryRow(id, sub, tx.Now, func(kind string, uid uuid.UUID, name string) (int64, error) {
		return caselist.Value(ctx, tx, kind, uid, name)
	})
	if err != nil {
		return 0, err
	}
	row.State = state
	return row.Credential, caselist.Begin(ctx, tx, row)
}

// summaryRow is what lists show of a submission, but for its state. value returns the numbers
// of what it is filtered by: see caselist.Value.
func summaryRow(id int64, sub desk.Submission, now time.Time,
	value func(kind string, uid uuid.UUID, name string) (int64, error)) (row caselist.Row, err error) {
	r := sub.Request
	row = caselist.Row{ID: id, UID: sub.UID, CreatedAt: engine.Micros(now), PatientPresent: r.PatientPresent,
		BeneficiaryName: r.BeneficiaryName, CardNumber: r.CardNumber, CredentialName: sub.Names.Credential, UnitName: sub.Names.Unit,
		Procedures: int64(len(r.Procedures))}
	if len(r.Procedures) > 0 {
		row.ProcedureCode, row.ProcedureName = r.Procedures[0].Code, r.Procedures[0].Name
	}
	if row.Unit, err = value(caselist.Unit, r.UnitID, row.UnitName); err != nil {
		return row, err
	}
	if row.Credential, err = value(caselist.Credential, r.CredentialID, row.CredentialName); err != nil {
		return row, err
	}
	row.Sender, err = value(caselist.Sender, sub.Sender.User, "")
	return row, err
}

// statePlaces are where the columns that lists show of a state stand in a row of it.
var statePlaces = func() (places []int) {
	all := stateTable.Covered()
	for _, column := range caselist.StateColumns {
		places = append(places, slices.Index(all, column))
	}
	return places
}()

// summaryState is what lists show of a row of submission_state.
func summaryState(stored []any) (caselist.State, error) {
	values := make([]any, len(statePlaces))
	for i, place := range statePlaces {
		values[i] = stored[place]
	}
	return caselist.TakeState(values)
}

// changeSummary has lists show the state that a row of submission_state holds, and what else
// changes; it notes what the case met, unless its answer comes after.
func changeSummary(ctx context.Context, tx *engine.Tx, id int64, stored []any, more ...func(*caselist.Row)) error {
	state, err := summaryState(stored)
	if err != nil {
		return err
	}
	met := false
	err = caselist.Change(ctx, tx, id, func(r *caselist.Row) {
		met = r.Status != state.Status || r.Group != state.Group
		r.State = state
		for _, change := range more {
			change(r)
		}
	})
	if err == nil && met {
		err = keepUses(ctx, tx, id)
	}
	return err
}

// showGuide has lists show whether there is a guide with an answer; nil changes nothing.
func showGuide(a *authorization.Answer) func(*caselist.Row) {
	return func(r *caselist.Row) {
		if a != nil {
			r.HasGuide = hasGuide(*a)
		}
	}
}

// learnNumbers has lists find a case by the numbers of an answer.
func learnNumbers(ctx context.Context, tx *engine.Tx, id int64, a authorization.Answer) error {
	if len(a.Authorizations) == 0 {
		return nil
	}
	return caselist.Learn(ctx, tx, id)
}

// hasGuide reports whether there is a guide with an answer.
func hasGuide(a authorization.Answer) bool {
	return a.GuidePDF != "" || slices.ContainsFunc(a.Authorizations, func(z authorization.Authorization) bool { return z.GuidePDF != "" })
}

// summaryOf is a row as the desk lists it.
func summaryOf(r *caselist.Row) (c desk.CaseSummary, err error) {
	c = desk.CaseSummary{UID: r.UID, CreatedAt: engine.Time(r.CreatedAt), BeneficiaryName: r.BeneficiaryName, CardNumber: r.CardNumber,
		PatientPresent: r.PatientPresent, Credential: r.CredentialName, ProcedureCode: r.ProcedureCode, ProcedureName: r.ProcedureName,
		Procedures: int(r.Procedures), HasGuide: r.HasGuide, ReviewedAt: engine.Time(r.ReviewedAt),
		CaseState: desk.CaseState{State: desk.State(r.State.State), Status: authorization.Status(r.Status), Group: authorization.Group(r.Group),
			Origin: desk.Origin(r.Origin), At: engine.Time(r.ChangedAt), Reason: r.Reason, Alert: desk.Alert(r.Alert), Simulated: r.Simulated,
			Corrected: r.Corrected, UnknownOutcome: r.Doubtful},
		AnswerSummary: desk.AnswerSummary{Authorizations: int(r.Authorizations), Authorized: int(r.Authorized), Items: int(r.Items),
			ItemsAuthorized: int(r.ItemsAuthorized), Senha: r.Password}}
	err = (*localTime)(&c.SenhaValidUntil).Scan(r.PasswordUntil)
	return c, err
}
