package simulated

import (
	"context"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

var _ service.EligibilityChecker = (*Operator)(nil)

// Words of the situation of a card.
const (
	situationActive  = "Ativo"
	situationInvalid = "Beneficiário não reconhecido"
)

// CheckEligibility implements service.EligibilityChecker by the rule whose
// conditions are about the card alone: what it does not know or refuses as a whole
// is not eligible, and what fails fails here too.
func (o *Operator) CheckEligibility(ctx context.Context, r service.EligibilityRequest) (service.Eligibility, error) {
	then := o.cardOutcome(r)
	if err := o.await(ctx, then); err != nil {
		return service.Eligibility{}, err
	}
	out := service.Eligibility{Eligible: true, Situation: situationActive, Plan: "Plano de demonstração (simulação)",
		CardValidity: r.CardValidity}
	for _, m := range then.Errors {
		out.Messages = append(out.Messages, m.Message)
	}
	for _, e := range then.Authorizations {
		if e.Status == authorization.InvalidBeneficiary {
			out.Eligible = false
		}
		for _, m := range e.Errors {
			out.Messages = append(out.Messages, m.Message)
		}
	}
	if len(then.Authorizations) == 0 {
		out.Eligible = false
	}
	if !out.Eligible {
		out.Situation, out.Plan, out.CardValidity = situationInvalid, "", authorization.LocalTime{}
	}
	return out, nil
}

func (o *Operator) cardOutcome(r service.EligibilityRequest) Outcome {
	for _, rule := range o.rules {
		if rule.When.fitsCard(r) {
			return rule.Then
		}
	}
	return ordinary
}

// fitsCard reports whether the conditions are about the card alone and hold.
func (c Condition) fitsCard(r service.EligibilityRequest) bool {
	alone := Condition{Card: c.Card, Credential: c.Credential}
	return c == alone && matches(c.Card, authorization.CleanCard(r.CardNumber)) &&
		(c.Credential == "" || c.Credential == r.Credential.ProviderCode)
}
