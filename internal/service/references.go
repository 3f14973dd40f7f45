package service

import (
	"context"
	"fmt"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// credentialRules returns the credential of a request with the rules of its
// settings; a zero credential when there is none.
func (s *Service) credentialRules(ctx context.Context, r authorization.Request) (Credential, authorization.Rules, error) {
	c, err := find(ctx, r.CredentialID, s.store.Credential)
	if err != nil || c.Disabled || c.ID == uuid.Nil {
		return Credential{}, authorization.Rules{}, err
	}
	rules, err := c.rules()
	return c, rules, err
}

// rules are what the credential's settings ask of a request (row 1).
func (c Credential) rules() (rules authorization.Rules, err error) {
	rules.ValidityRequired, rules.AttachmentsFor = c.ValidityRequired, c.AttachmentsFor
	if rules.CardPattern, err = authorization.CompileCard(c.CardPattern); err != nil {
		err = fmt.Errorf("service: credential %s: %w", c.ID, err)
	}
	return rules, err
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

// checkReferences adds the identifiers that the registers do not know.
func (s *Service) checkReferences(ctx context.Context, r authorization.Request, c Credential, p *found) error {
	if c.ID == uuid.Nil {
		p.unknown("credencialId", "Esta credencial não existe.")
	}
	unit, err := find(ctx, r.UnitID, s.store.Unit)
	if err != nil {
		return err
	}
	if unit.ID == uuid.Nil || unit.Disabled {
		p.unknown("unidadeId", "Esta unidade não existe.")
	}
	if unit.ID != uuid.Nil && !slices.ContainsFunc(unit.Points, func(cp CarePoint) bool { return cp.ID == r.CarePointID && !cp.Disabled }) {
		p.unknown("pontoAtendimentoId", "Este ponto de atendimento não existe na unidade.")
	}
	professional, err := find(ctx, r.ProfessionalID, s.store.Professional)
	if err != nil {
		return err
	}
	if professional.ID == uuid.Nil || professional.Disabled {
		p.unknown("profissionalExecutanteId", "Este profissional executante não existe.")
	}
	if specialty, ok := professional.specialty(r.SpecialtyID); professional.ID != uuid.Nil && (!ok || specialty.Disabled) {
		p.unknown("especialidadeExecutanteId", "O profissional executante não tem esta especialidade.")
	}
	return nil
}

// specialty finds one that is disabled too, for older requests name it.
func (p Professional) specialty(id int) (Specialty, bool) {
	i := slices.IndexFunc(p.Specialties, func(s Specialty) bool { return s.ID == id })
	if i < 0 {
		return Specialty{}, false
	}
	return p.Specialties[i], true
}
