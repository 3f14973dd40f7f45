package service

import (
	"context"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// EligibilityQuery asks whether a card is valid (4.4 and row 15).
type EligibilityQuery struct {
	EligibilityID uuid.UUID               // credencialElegibilityId of the credential
	CardNumber    string                  // numeroCarteira
	CardValidity  authorization.LocalTime // validadeCarteira, zero where it was not given
	Problems      []problem.Field         // of what could not be read; the query lacks these values
}

// CheckEligibility asks an operator about a card, by the rules of a request for the
// same fields. Nothing of it is kept or logged. Errors are as those of Submit.
func (s *Service) CheckEligibility(ctx context.Context, q EligibilityQuery) (Eligibility, error) {
	credential, err := s.checkQuery(ctx, q)
	if err != nil {
		return Eligibility{}, err
	}
	operator, ok := s.operators[credential.Operator]
	if !ok {
		return Eligibility{}, s.errUnconnected()
	}
	checker, ok := operator.(EligibilityChecker)
	if !ok {
		return Eligibility{}, errNotOffered("A operadora desta credencial não informa elegibilidade.")
	}
	release := s.calls.acquire(ctx, credential.ID, s.limits.BusyWait, false)
	if release == nil {
		return Eligibility{}, errCrowded()
	}
	ctx, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	request := EligibilityRequest{
		AskedAt: s.clock().In(s.zone), Credential: credential, CardNumber: q.CardNumber, CardValidity: q.CardValidity,
	}
	found, err := within(ctx, release, func(ctx context.Context) (Eligibility, error) {
		return checker.CheckEligibility(ctx, request)
	})
	if err != nil {
		s.logger.Warn("operator failed", "operator", credential.Operator, "code", string(failureOf(err)), "cause", err)
		return Eligibility{}, errNoAnswer(err)
	}
	return found, nil
}

// checkQuery refuses a query with everything that is wrong with it and returns its
// credential.
func (s *Service) checkQuery(ctx context.Context, q EligibilityQuery) (Credential, error) {
	p := newFieldProblems()
	credential, err := find(ctx, q.EligibilityID, s.store.CredentialByEligibility)
	if err != nil {
		return credential, err
	}
	rules, err := credential.Rules()
	if err != nil {
		return credential, err
	}
	named := !slices.ContainsFunc(q.Problems, func(f problem.Field) bool { return f.Path == "credencialId" })
	if named && credential.ID == uuid.Nil {
		p.unknown("credencialId", "Esta credencial de elegibilidade não existe.")
	}
	for _, f := range q.Problems {
		p.add(f)
	}
	card := authorization.Request{CardNumber: q.CardNumber, CardValidity: q.CardValidity}
	for _, f := range card.Problems(rules) {
		if f.Path == "numeroCarteira" || f.Path == "validadeCarteira" {
			p.add(forPrograms(f))
		}
	}
	return credential, p.err()
}

// find returns the zero value for what is not there.
func find[T any](ctx context.Context, id uuid.UUID, get func(context.Context, uuid.UUID) (T, error)) (T, error) {
	var zero T
	if id == uuid.Nil {
		return zero, nil
	}
	v, err := get(ctx, id)
	if problem.Is(err, problem.NotFound) {
		return zero, nil
	}
	return v, err
}
