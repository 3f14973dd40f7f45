package deskstore

import (
	"context"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/unsynced"
)

// Places of an error in an answer; an authorization's is its position.
const (
	placeField  = -2 // names a field of the request
	placeAnswer = -1 // the whole answer's
)

// insertAnswer writes the operator's answer of one attempt: its facts, its errors and
// its authorizations, in the transaction that settles the attempt. A crash leaves all of
// it or nothing. Lists show its guide with the state: see showGuide.
func insertAnswer(ctx context.Context, tx *engine.Tx, submission int64, attempt int, s desk.Settlement) error {
	if err := unsynced.Write(ctx, tx); err != nil {
		return err
	}
	if err := writeAnswer(ctx, tx, submission, attempt, s); err != nil {
		return err
	}
	return learnNumbers(ctx, tx, submission, *s.Answer)
}

// writeAnswer writes the rows of an answer.
func writeAnswer(ctx context.Context, tx *engine.Tx, submission int64, attempt int, s desk.Settlement) error {
	a := s.Answer
	id, err := answerTable.InsertNumbered(ctx, tx, submission, attempt, engine.Micros(s.At), a.Success, string(a.GuidePDF),
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
func insertErrors(ctx context.Context, tx *engine.Tx, answer int64, place int, errs []authorization.AnswerError) error {
	for i, e := range errs {
		if err := answerErrorTable.Insert(ctx, tx, answer, place, i, e.Code, e.Field, e.Message); err != nil {
			return err
		}
	}
	return nil
}

// insertAuthorization writes one authorization with its procedures, at its position in
// the operator's order: pages show them in the same order.
func insertAuthorization(ctx context.Context, tx *engine.Tx, answer int64, position int, a authorization.Authorization) error {
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

// The columns that an answer is made of.
var (
	answerColumns      = wholeCase.Columns(answerTable, "id", "id", "read_at", "success", "guide_pdf", "receipt_pdf")
	answerErrorColumns = wholeCase.Columns(answerErrorTable, "position", "answer_id", "place", "code", "field", "message")
	authorizedColumns  = wholeCase.Columns(authorizationTable, "position", "id", "answer_id", "number", "success", "status", "guide_id",
		"guide_number", "password", "password_until", "protocol", "provider_guide", "partner_guide", "request_number", "authorized_at",
		"guide_pdf", "recorded")
	resultColumns = wholeCase.Columns(authorizationProcedureTable, "position", "authorization_id", "code", "name", "quantity", "authorized",
		"executed", "password", "protocol", "justification", "mnemonic")
)

// answersOf makes the answers of a case of its rows, oldest first, and the errors of the
// latest that name a field of its request.
func answersOf(rows checksum.Rows) (answers []desk.PastAnswer, fields []problem.Field, err error) {
	errs, err := errorsOf(rows)
	if err != nil {
		return nil, nil, err
	}
	authorizations, err := authorizationsOf(rows, errs)
	if err != nil {
		return nil, nil, err
	}
	var latest int64
	answers, err = checksum.Scan(rows, answerColumns, func(row engine.Row) (a desk.PastAnswer, err error) {
		err = row.Scan(&latest, engine.ScanTime(&a.At), &a.Success, &a.GuidePDF, &a.ReceiptPDF)
		a.Errors, a.Authorizations = errs[place{latest, placeAnswer}], authorizations[latest]
		return a, err
	})
	for _, e := range errs[place{latest, placeField}] {
		fields = append(fields, problem.Field{Path: e.Field, Code: e.Code, Message: e.Message})
	}
	return answers, fields, err
}

// place is where an error stands: an answer, and within it an authorization or one of the
// negative places.
type place struct {
	answer int64
	place  int
}

// errorsOf are the errors of all answers by place.
func errorsOf(rows checksum.Rows) (map[place][]authorization.AnswerError, error) {
	byPlace := map[place][]authorization.AnswerError{}
	_, err := checksum.Scan(rows, answerErrorColumns, func(row engine.Row) (none struct{}, err error) {
		var at place
		var e authorization.AnswerError
		err = row.Scan(&at.answer, &at.place, &e.Code, &e.Field, &e.Message)
		byPlace[at] = append(byPlace[at], e)
		return none, err
	})
	return byPlace, err
}

// authorizationsOf are the authorizations of all answers, with the errors that were filed
// under their positions.
func authorizationsOf(rows checksum.Rows, errs map[place][]authorization.AnswerError) (map[int64][]authorization.Authorization, error) {
	results := map[int64][]authorization.ProcedureResult{}
	_, err := checksum.Scan(rows, resultColumns, func(row engine.Row) (none struct{}, err error) {
		var of int64
		var p authorization.ProcedureResult
		err = row.Scan(&of, &p.Code, &p.Name, &p.Quantity, &p.Authorized, &p.Executed, &p.Senha, &p.Protocol, &p.Justification, &p.Mnemonic)
		results[of] = append(results[of], p)
		return none, err
	})
	if err != nil {
		return nil, err
	}
	all := map[int64][]authorization.Authorization{}
	_, err = checksum.Scan(rows, authorizedColumns, func(row engine.Row) (none struct{}, err error) {
		var id, answer int64
		var a authorization.Authorization
		err = row.Scan(&id, &answer, &a.Number, &a.Success, &a.Status, &a.GuideID, &a.GuideNumber, &a.Senha, (*localTime)(&a.SenhaValidUntil),
			&a.Protocol, &a.ProviderGuide, &a.PartnerGuide, &a.RequestNumber, (*localTime)(&a.AuthorizedAt), &a.GuidePDF, &a.Recorded)
		a.Procedures, a.Errors = results[id], errs[place{answer, len(all[answer])}]
		all[answer] = append(all[answer], a)
		return none, err
	})
	return all, err
}
