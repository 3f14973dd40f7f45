package service

import (
	"encoding/json"
	"net/http"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// envelope is the shape of every answer (2.1 and row 4).
type envelope struct {
	Success bool          `json:"sucesso"`
	Errors  []string      `json:"erros"`
	Details []errorDetail `json:"errosDetalhados"`
	Data    any           `json:"data"`
}

// errorDetail is an item of the extension errosDetalhados (row 4).
type errorDetail struct {
	Code    string `json:"codigo"`
	Field   string `json:"campo"`
	Message string `json:"mensagem"`
}

func newEnvelope(data any, details []errorDetail) envelope {
	messages, details := errorLists(details)
	return envelope{Success: len(details) == 0, Errors: messages, Details: details, Data: data}
}

// errorLists returns erros beside errosDetalhados, neither of them null (row 5).
func errorLists(details []errorDetail) ([]string, []errorDetail) {
	messages := make([]string, 0, len(details))
	for _, d := range details {
		messages = append(messages, d.Message)
	}
	return messages, append([]errorDetail{}, details...)
}

func answerErrors(errors []authorization.AnswerError) []errorDetail {
	details := make([]errorDetail, 0, len(errors))
	for _, e := range errors {
		details = append(details, errorDetail(e))
	}
	return details
}

func (e *refusal) details() []errorDetail {
	if len(e.fields) == 0 {
		return []errorDetail{{Code: e.code, Message: e.message}}
	}
	return fieldDetails(e.fields)
}

func fieldDetails(fields []problem.Field) []errorDetail {
	details := make([]errorDetail, 0, len(fields))
	for _, f := range fields {
		details = append(details, errorDetail{Code: f.Code, Field: f.Path, Message: f.Message})
	}
	return details
}

// writeEnvelope sends an envelope, alone or with members beside it.
func writeEnvelope(w http.ResponseWriter, status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	answerHeader(w, status, int64(len(text)))
	_, err = w.Write(text)
	return err
}

// answerHeader sends the header of an answer of so many bytes.
func answerHeader(w http.ResponseWriter, status int, size int64) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(status)
}
