package api

import (
	"fmt"
	"net/http"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// authorize serves POST /api/v2/autorizar/sp-sadt (4.2): it is answered when the
// operator has decided.
func (a *API) authorize(c *call) (response, error) {
	submission, err := a.submission(c, plainForm)
	if err != nil {
		return response{}, err
	}
	answer, err := a.service.Submit(c.Context(), submission)
	return response{stored: answer}, err
}

// acceptedDoc is data of the answer to a request that is decided afterwards (row
// 16). It is made of what never changes, so that it is the same at every
// repetition.
type acceptedDoc struct {
	Protocol      string    `json:"protocolo"`
	ProviderGuide string    `json:"guiaPrestador"`
	GuideID       uuid.UUID `json:"guiaId"`
	Situation     string    `json:"situacao"`
}

// accept serves POST /api/v1/solicitacao (4.5 and row 16): it is decided
// afterwards.
func (a *API) accept(c *call) (response, error) {
	submission, err := a.submission(c, acceptedForm)
	if err != nil {
		return response{}, err
	}
	accepted, err := a.service.Accept(c.Context(), submission)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, replayed: accepted.Replayed, data: acceptedDoc{
		Protocol: accepted.Protocol, ProviderGuide: accepted.ProviderGuide, GuideID: accepted.GuideID,
		Situation: string(accepted.Status),
	}}, nil
}

// submission reads a request and its key in the order of row 8: 415, 413, 400 and
// 422.
func (a *API) submission(c *call, form requestForm) (s service.Submission, err error) {
	s.Caller, s.Prefix = c.caller, form.prefix()
	if s.Request, s.Problems, err = a.readRequest(c, form); err != nil {
		return s, err
	}
	s.Key, err = a.idempotencyKey(c.Header)
	return s, err
}

// idempotencyKey returns Idempotency-Key, "" without one (row 11).
func (a *API) idempotencyKey(h http.Header) (string, error) {
	values, ok := h["Idempotency-Key"]
	if !ok {
		return "", nil
	}
	if n := utf8.RuneCountInString(values[0]); len(values) > 1 || n == 0 || n > a.limits.MaxKey {
		return "", invalid(problem.Field{Path: "Idempotency-Key", Code: authorization.CodeLimit,
			Message: fmt.Sprintf("O cabeçalho Idempotency-Key vem uma vez e tem de 1 a %d caracteres.", a.limits.MaxKey)})
	}
	return values[0], nil
}
