package deskstore

import (
	"context"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"
)

// beginSummary writes what lists show of a submission that begins.
func beginSummary(ctx context.Context, tx *sqlite.Tx, id int64, sub desk.Submission) (err error) {
	r := sub.Request
	row := caselist.Row{ID: id, UID: sub.UID, CreatedAt: sqlite.Micros(tx.Now), PatientPresent: r.PatientPresent,
		BeneficiaryName: r.BeneficiaryName, CardNumber: r.CardNumber, CredentialName: sub.Names.Credential, UnitName: sub.Names.Unit,
		Procedures: int64(len(r.Procedures)), State: caselist.State{State: string(desk.Queued),
			Group: int64(desk.GroupOf(desk.Queued, "")), Origin: string(desk.OriginDesk), ChangedAt: sqlite.Micros(tx.Now),
			Simulated: sub.Simulated}}
	if len(r.Procedures) > 0 {
		row.ProcedureCode, row.ProcedureName = r.Procedures[0].Code, r.Procedures[0].Name
	}
	if row.Unit, err = caselist.Value(ctx, tx, caselist.Unit, r.UnitID, row.UnitName); err != nil {
		return err
	}
	if row.Credential, err = caselist.Value(ctx, tx, caselist.Credential, r.CredentialID, row.CredentialName); err != nil {
		return err
	}
	if row.Sender, err = caselist.Value(ctx, tx, caselist.Sender, sub.Sender.User, ""); err != nil {
		return err
	}
	return caselist.Begin(ctx, tx, row)
}

// statePlaces are where the columns that lists show of a state stand in a row of it.
var statePlaces = func() (places []int) {
	all := stateTable.Covered()
	for _, column := range caselist.StateColumns {
		places = append(places, slices.Index(all, column))
	}
	return places
}()

// changeSummary has lists show the state that a row of submission_state holds.
func changeSummary(ctx context.Context, tx *sqlite.Tx, id int64, stored []any) error {
	values := make([]any, len(statePlaces))
	for i, place := range statePlaces {
		values[i] = stored[place]
	}
	state, err := caselist.TakeState(values)
	if err != nil {
		return err
	}
	return caselist.Change(ctx, tx, id, func(r *caselist.Row) { r.State = state })
}

// answerSummary has lists show of an answer whether it has a guide, and find its numbers.
func answerSummary(ctx context.Context, tx *sqlite.Tx, id int64, a authorization.Answer) error {
	has := a.GuidePDF != "" || slices.ContainsFunc(a.Authorizations, func(z authorization.Authorization) bool { return z.GuidePDF != "" })
	if err := caselist.Change(ctx, tx, id, func(r *caselist.Row) { r.HasGuide = has }); err != nil {
		return err
	}
	if len(a.Authorizations) == 0 {
		return nil
	}
	return caselist.Learn(ctx, tx, id)
}

// summaryOf is a row as the desk lists it.
func summaryOf(r caselist.Row) (c desk.CaseSummary, err error) {
	c = desk.CaseSummary{UID: r.UID, CreatedAt: sqlite.Time(r.CreatedAt), BeneficiaryName: r.BeneficiaryName, CardNumber: r.CardNumber,
		PatientPresent: r.PatientPresent, Credential: r.CredentialName, ProcedureCode: r.ProcedureCode, ProcedureName: r.ProcedureName,
		Procedures: int(r.Procedures), HasGuide: r.HasGuide,
		CaseState: desk.CaseState{State: desk.State(r.State.State), Status: authorization.Status(r.Status), Group: authorization.Group(r.Group),
			Origin: desk.Origin(r.Origin), At: sqlite.Time(r.ChangedAt), Reason: r.Reason, Alert: desk.Alert(r.Alert), Simulated: r.Simulated,
			Corrected: r.Corrected, UnknownOutcome: r.Doubtful},
		AnswerSummary: desk.AnswerSummary{Authorizations: int(r.Authorizations), Authorized: int(r.Authorized), Items: int(r.Items),
			ItemsAuthorized: int(r.ItemsAuthorized), Senha: r.Password}}
	err = (*localTime)(&c.SenhaValidUntil).Scan(r.PasswordUntil)
	return c, err
}
