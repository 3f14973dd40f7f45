package deskstore

import (
	"context"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/unsynced"
)

// Places of an error in an answer; an authorization's is its position.
const (
	placeField  = -2 // names a field of the request
	placeAnswer = -1 // the whole answer's
)

// insertAnswer writes the operator's answer of one attempt: its facts, its errors and
// its authorizations, in the transaction that settles the attempt. A crash leaves all of
// it or nothing.
func insertAnswer(ctx context.Context, tx *sqlite.Tx, submission int64, attempt int, s desk.Settlement) error {
	if err := unsynced.Write(ctx, tx); err != nil {
		return err
	}
	if err := writeAnswer(ctx, tx, submission, attempt, s); err != nil {
		return err
	}
	return answerSummary(ctx, tx, submission, *s.Answer)
}

// writeAnswer writes the rows of an answer.
func writeAnswer(ctx context.Context, tx *sqlite.Tx, submission int64, attempt int, s desk.Settlement) error {
	a := s.Answer
	id, err := answerTable.InsertNumbered(ctx, tx, submission, attempt, sqlite.Micros(s.At), a.Success, string(a.GuidePDF),
		string(a.ReceiptPDF))
	if err != nil {
		return err
	}
	if err := insertErrors(ctx, tx, id, placeAnswer, a.Errors); err != nil {
		return err
	}
	fields := make([]authorization.AnswerError, len(s.Fields))
	for i, f := range s.Fields {
		fields[i] = authorization.AnswerError{Code: f.Code, Field: f.Path, Message: f.Message}
	}
	if err := insertErrors(ctx, tx, id, placeField, fields); err != nil {
		return err
	}
	for i, authorized := range a.Authorizations {
		if err := insertAuthorization(ctx, tx, id, i, authorized); err != nil {
			return err
		}
	}
	return nil
}

// insertErrors writes a list of errors in its order. place is an authorization's position,
// or one of the negative places above.
func insertErrors(ctx context.Context, tx *sqlite.Tx, answer int64, place int, errs []authorization.AnswerError) error {
	for i, e := range errs {
		if err := answerErrorTable.Insert(ctx, tx, answer, place, i, e.Code, e.Field, e.Message); err != nil {
			return err
		}
	}
	return nil
}

// insertAuthorization writes one authorization with its procedures, at its position in
// the operator's order: pages show them in the same order.
func insertAuthorization(ctx context.Context, tx *sqlite.Tx, answer int64, position int, a authorization.Authorization) error {
	id, err := authorizationTable.InsertNumbered(ctx, tx,
		answer, position, a.Number, a.Success, string(a.Status), a.GuideID, a.GuideNumber, a.Senha, a.SenhaValidUntil.String(),
		a.Protocol, a.ProviderGuide, a.PartnerGuide, a.RequestNumber, a.AuthorizedAt.String(), string(a.GuidePDF), a.Recorded)
	if err != nil {
		return err
	}
	for i, p := range a.Procedures {
		if err := authorizationProcedureTable.Insert(ctx, tx, id, i, p.Code, p.Name, p.Quantity, p.Authorized, p.Executed,
			p.Senha, p.Protocol, p.Justification, p.Mnemonic); err != nil {
			return err
		}
	}
	return insertErrors(ctx, tx, answer, position, a.Errors)
}

// loadAnswers reads the answers of a submission, oldest first, and the errors of the latest
// that name a field of its request.
func loadAnswers(ctx context.Context, tx *sqlite.Tx, submission int64) ([]desk.PastAnswer, []problem.Field, error) {
	rows, err := sqlite.List(ctx, tx, scanAnswer, `SELECT id, read_at, success, guide_pdf, receipt_pdf FROM answer
		WHERE submission_id = ? ORDER BY id`, submission)
	if err != nil {
		return nil, nil, err
	}
	var answers []desk.PastAnswer
	var fields []problem.Field
	for i, row := range rows {
		errs, err := loadErrors(ctx, tx, row.id)
		if err != nil {
			return nil, nil, err
		}
		if row.Authorizations, err = loadAuthorizations(ctx, tx, row.id, errs); err != nil {
			return nil, nil, err
		}
		row.Errors = errs[placeAnswer]
		answers = append(answers, row.PastAnswer)
		if i < len(rows)-1 {
			continue
		}
		for _, e := range errs[placeField] {
			fields = append(fields, problem.Field{Path: e.Field, Code: e.Code, Message: e.Message})
		}
	}
	return answers, fields, nil
}

// answerRow is an answer with its place in the database.
type answerRow struct {
	id int64
	desk.PastAnswer
}

// scanAnswer reads what stands in the row of an answer itself.
func scanAnswer(row sqlite.Row) (a answerRow, err error) {
	err = row.Scan(&a.id, sqlite.ScanTime(&a.At), &a.Success, &a.GuidePDF, &a.ReceiptPDF)
	return a, err
}

// loadErrors reads the errors of an answer by place.
func loadErrors(ctx context.Context, tx *sqlite.Tx, answer int64) (map[int][]authorization.AnswerError, error) {
	type placed struct {
		place int
		authorization.AnswerError
	}
	all, err := sqlite.List(ctx, tx, func(rows sqlite.Row) (e placed, err error) {
		err = rows.Scan(&e.place, &e.Code, &e.Field, &e.Message)
		return e, err
	}, `SELECT place, code, field, message FROM answer_error WHERE answer_id = ? ORDER BY place, position`, answer)
	byPlace := map[int][]authorization.AnswerError{}
	for _, e := range all {
		byPlace[e.place] = append(byPlace[e.place], e.AnswerError)
	}
	return byPlace, err
}

// loadAuthorizations reads the authorizations of an answer, with the errors that were
// filed under their positions.
func loadAuthorizations(ctx context.Context, tx *sqlite.Tx, answer int64,
	errs map[int][]authorization.AnswerError) ([]authorization.Authorization, error) {
	type numbered struct {
		id int64
		authorization.Authorization
	}
	rows, err := sqlite.List(ctx, tx, func(rows sqlite.Row) (a numbered, err error) {
		err = rows.Scan(&a.id, &a.Number, &a.Success, &a.Status, &a.GuideID, &a.GuideNumber, &a.Senha, (*localTime)(&a.SenhaValidUntil),
			&a.Protocol, &a.ProviderGuide, &a.PartnerGuide, &a.RequestNumber, (*localTime)(&a.AuthorizedAt), &a.GuidePDF, &a.Recorded)
		return a, err
	}, `SELECT id, number, success, status, guide_id, guide_number, password, password_until, protocol, provider_guide,
		partner_guide, request_number, authorized_at, guide_pdf, recorded FROM authorization WHERE answer_id = ? ORDER BY position`, answer)
	if err != nil {
		return nil, err
	}
	var authorizations []authorization.Authorization
	for i, row := range rows {
		if row.Procedures, err = sqlite.List(ctx, tx, scanResult, `SELECT code, name, quantity, authorized, executed, password, protocol,
			justification, mnemonic FROM authorization_procedure WHERE authorization_id = ? ORDER BY position`, row.id); err != nil {
			return nil, err
		}
		row.Errors = errs[i]
		authorizations = append(authorizations, row.Authorization)
	}
	return authorizations, nil
}

// scanResult reads the columns of one authorized procedure, in the order of its SELECT.
func scanResult(rows sqlite.Row) (p authorization.ProcedureResult, err error) {
	err = rows.Scan(&p.Code, &p.Name, &p.Quantity, &p.Authorized, &p.Executed, &p.Senha, &p.Protocol, &p.Justification, &p.Mnemonic)
	return p, err
}
