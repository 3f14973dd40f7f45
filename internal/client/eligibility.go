package client

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"guiche/internal/authorization"
)

// DefaultEligibilityPath is that of specification 4.4.
const DefaultEligibilityPath = "/api/v1/elegibilidade"

// Eligibility asks whether a card is valid, where that is announced
// (elegibilidade) or Config.Eligibility says so. The card stands in the address, which nobody logs. A question
// that the service does not accept is problem.Invalid with the fields.
func (c *Client) Eligibility(ctx context.Context, q authorization.EligibilityQuestion) (authorization.Eligibility, error) {
	if !c.offersEligibility() {
		return authorization.Eligibility{}, errNotAnnounced("elegibilidade")
	}
	query := url.Values{"credencialId": {q.EligibilityID}, "numeroCarteira": {q.CardNumber}}
	if !q.CardValidity.IsZero() {
		query.Set("validadeCarteira", q.CardValidity.String())
	}
	r, err := c.get(ctx, c.cfg.EligibilityPath, query, "application/json")
	if err != nil {
		return authorization.Eligibility{}, err
	}
	e, err := c.accepted(ctx, r)
	if err != nil {
		return authorization.Eligibility{}, err
	}
	if e.failed() && len(object(e.data)) == 0 {
		return authorization.Eligibility{}, refusedBy(http.StatusUnprocessableEntity, e)
	}
	return readEligibility(e), nil
}

func (c *Client) offersEligibility() bool {
	if c.cfg.Eligibility != nil {
		return *c.cfg.Eligibility
	}
	return c.features().Eligibility
}

// readEligibility reads data, and among the messages what stands in erros.
func readEligibility(e envelope) authorization.Eligibility {
	o := object(e.data)
	eligible, told := truth(o["elegivel"])
	out := authorization.Eligibility{Told: told, Eligible: eligible, Situation: text(o["situacao"]), Name: text(o["nomeBeneficiario"]),
		Plan: text(o["planoBeneficiario"])}
	out.CardValidity, _ = moment(o["validadeCarteira"])
	for _, m := range append(readErrorList(o["mensagens"]), e.errors...) {
		if m.Message != "" && !slices.Contains(out.Messages, m.Message) {
			out.Messages = append(out.Messages, m.Message)
		}
	}
	return out
}
