package api

import (
	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/wire"

	"github.com/google/uuid"
)

// eligibilityDoc is data of an eligibility answer (row 15).
type eligibilityDoc struct {
	Eligible     bool     `json:"elegivel"`
	Situation    string   `json:"situacao"`
	Name         string   `json:"nomeBeneficiario"`
	Plan         string   `json:"planoBeneficiario"`
	CardValidity *string  `json:"validadeCarteira"`
	Messages     []string `json:"mensagens"`
}

// checkEligibility serves GET /api/v1/elegibilidade (4.4 and row 15). Nothing of it
// is kept or logged.
func (a *API) checkEligibility(c *call) (response, error) {
	query, err := eligibilityQuery(c)
	if err != nil {
		return response{}, err
	}
	found, err := a.service.CheckEligibility(c.Context(), query)
	return response{data: eligibilityDoc{
		Eligible: found.Eligible, Situation: found.Situation, Name: found.Name, Plan: found.Plan,
		CardValidity: wire.OrNull(found.CardValidity.String()), Messages: append([]string{}, found.Messages...),
	}}, err
}

// eligibilityQuery reads the parameters; the credential is named by its
// credencialElegibilityId.
func eligibilityQuery(c *call) (service.EligibilityQuery, error) {
	values, err := parameters(c)
	if err != nil {
		return service.EligibilityQuery{}, err
	}
	q := service.EligibilityQuery{CardNumber: values.Get("numeroCarteira")}
	wrong := func(path, code, message string) {
		q.Problems = append(q.Problems, problem.Field{Path: path, Code: code, Message: message})
	}
	switch text := values.Get("credencialId"); {
	case text == "":
		wrong("credencialId", authorization.CodeRequired, "Informe credencialId, com o credencialElegibilityId da credencial.")
	case !isUUID(text):
		wrong("credencialId", authorization.CodeFormat, "credencialId deve ser um UUID.")
	default:
		q.EligibilityID = uuid.MustParse(text)
	}
	if text := values.Get("validadeCarteira"); text != "" {
		if q.CardValidity, err = authorization.ParseLocalTime(text); err != nil {
			wrong("validadeCarteira", authorization.CodeFormat,
				"validadeCarteira deve ser uma data ISO 8601, como 2027-12-31T00:00:00.")
		}
	}
	return q, nil
}
