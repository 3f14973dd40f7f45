package client

import (
	"context"
	"net/url"

	"guiche/internal/authorization"
)

// DefaultEligibilityPath is that of specification 4.4.
const DefaultEligibilityPath = "/api/v1/elegibilidade"

// EligibilityQuestion asks about a card (specification 4.4 and row 15).
type EligibilityQuestion struct {
	EligibilityID string // credencialElegibilityId of the credential
	CardNumber    string
	CardValidity  authorization.LocalTime // zero where the card carries none
}

// Eligibility is what an operator says about a card.
type Eligibility struct {
	Eligible     bool
	Situation    string // the operator's word
	Name         string // of the beneficiary
	Plan         string
	CardValidity authorization.LocalTime
	Messages     []string
}

// Eligibility asks whether a card is valid, where that is announced
// (elegibilidade) or Config.Eligibility says so. The card stands in the address, which nobody logs. A question
// that the service does not accept is problem.Invalid with the fields.
func (c *Client) Eligibility(ctx context.Context, q EligibilityQuestion) (Eligibility, error) {
	if !c.offersEligibility() {
		return Eligibility{}, errNotAnnounced("elegibilidade")
	}
	query := url.Values{"credencialId": {q.EligibilityID}, "numeroCarteira": {q.CardNumber}}
	if !q.CardValidity.IsZero() {
		query.Set("validadeCarteira", q.CardValidity.String())
	}
	r, err := c.get(ctx, c.cfg.EligibilityPath, query, "application/json")
	if err != nil {
		return Eligibility{}, err
	}
	e, err := c.accepted(ctx, r)
	if err != nil {
		return Eligibility{}, err
	}
	return readEligibility(object(e.data)), nil
}

func (c *Client) offersEligibility() bool {
	if c.cfg.Eligibility != nil {
		return *c.cfg.Eligibility
	}
	return c.features().Eligibility
}

func readEligibility(o map[string]any) Eligibility {
	eligible, _ := truth(o["elegivel"])
	out := Eligibility{Eligible: eligible, Situation: text(o["situacao"]), Name: text(o["nomeBeneficiario"]),
		Plan: text(o["planoBeneficiario"])}
	out.CardValidity, _ = moment(o["validadeCarteira"])
	for _, m := range list(o["mensagens"]) {
		if message := text(m); message != "" {
			out.Messages = append(out.Messages, message)
		}
	}
	return out
}
