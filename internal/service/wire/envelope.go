// Package wire is the specification's JSON of what the service answers: the
// envelope around everything, and the authorizations in it, written as a stream
// because of their PDFs.
//
// It stands apart because two need it: the service stores an answer before its
// first byte is sent, and its HTTP interface writes all others.
//
// Comments cite interface.md of package authorization: the specification ("2.5")
// and our decisions ("row 5").
package wire

import (
	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// Envelope is the shape of every answer (2.1 and row 4).
type Envelope struct {
	Success bool          `json:"sucesso"`
	Errors  []string      `json:"erros"`
	Details []ErrorDetail `json:"errosDetalhados"`
	Data    any           `json:"data"`
}

// ErrorDetail is an item of the extension errosDetalhados (row 4).
type ErrorDetail struct {
	Code    string `json:"codigo"`
	Field   string `json:"campo"`
	Message string `json:"mensagem"`
}

// NewEnvelope returns the envelope of data, or of a refusal when there are details.
func NewEnvelope(data any, details []ErrorDetail) Envelope {
	messages, details := errorLists(details)
	return Envelope{Success: len(details) == 0, Errors: messages, Details: details, Data: data}
}

// errorLists returns erros beside errosDetalhados, neither of them null (row 5).
func errorLists(details []ErrorDetail) ([]string, []ErrorDetail) {
	messages := make([]string, 0, len(details))
	for _, d := range details {
		messages = append(messages, d.Message)
	}
	return messages, append([]ErrorDetail{}, details...)
}

// FieldDetails are the details of problems of fields.
func FieldDetails(fields []problem.Field) []ErrorDetail {
	details := make([]ErrorDetail, 0, len(fields))
	for _, f := range fields {
		details = append(details, ErrorDetail{Code: f.Code, Field: f.Path, Message: f.Message})
	}
	return details
}

func answerDetails(errors []authorization.AnswerError) []ErrorDetail {
	details := make([]ErrorDetail, 0, len(errors))
	for _, e := range errors {
		details = append(details, ErrorDetail(e))
	}
	return details
}

// OrNull is how a nullable text or date without a value is written (row 5).
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
