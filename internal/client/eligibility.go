package client

import (
	"context"
	"net/url"

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
	return readEligibility(object(e.data)), nil
}

func (c *Client) offersEligibility() bool {
	if c.cfg.Eligibility != nil {
		return *c.cfg.Eligibility
	}
	return c.features().Eligibility
}

func readEligibility(o map[string]any) authorization.Eligibility {
	eligible, told := truth(o["elegivel"])
	out := authorization.Eligibility{Told: told, Eligible: eligible, Situation: text(o["situacao"]), Name: text(o["nomeBeneficiario"]),
		Plan: text(o["planoBeneficiario"])}
	out.CardValidity, _ = moment(o["validadeCarteira"])
	for _, m := range list(o["mensagens"]) {
		if message := text(m); message != "" {
			out.Messages = append(out.Messages, message)
		}
	}
	return out
}
