package directory

import (
	"context"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// UnitIDs returns which units there are, active or not.
func (r *Directory) UnitIDs(ctx context.Context) (map[uuid.UUID]bool, error) {
	all, err := r.store.Units(ctx)
	return idsOf(all, func(u Unit) uuid.UUID { return u.UID }), err
}

// ProfessionalIDs returns which executing professionals there are, active or not.
func (r *Directory) ProfessionalIDs(ctx context.Context) (map[uuid.UUID]bool, error) {
	all, err := r.store.Professionals(ctx)
	return idsOf(all, func(p Professional) uuid.UUID { return p.UID }), err
}

func idsOf[T any](all []T, id func(T) uuid.UUID) map[uuid.UUID]bool {
	ids := make(map[uuid.UUID]bool, len(all))
	for _, entry := range all {
		ids[id(entry)] = true
	}
	return ids
}

// UnitNames returns the names of an active unit and of its active care point;
// problem.NotFound when there is no such pair.
func (r *Directory) UnitNames(ctx context.Context, unit, carePoint uuid.UUID) (unitName, carePointName string, err error) {
	u, err := r.store.Unit(ctx, unit)
	if err != nil {
		return "", "", err
	}
	p, ok := u.CarePoint(carePoint)
	if !ok || !p.Active || !u.Active {
		return "", "", problem.New(problem.NotFound, "Unidade ou ponto de atendimento não encontrado.")
	}
	return u.Name, p.Name, nil
}

// ProfessionalNames returns the names of an active professional and of one of the
// professional's specialties; problem.NotFound when there is no such pair.
func (r *Directory) ProfessionalNames(ctx context.Context, professional uuid.UUID, specialty int) (name, specialtyName string, err error) {
	p, err := r.store.Professional(ctx, professional)
	if err != nil {
		return "", "", err
	}
	s, ok := p.Specialty(specialty)
	if !ok || !p.Active {
		return "", "", problem.New(problem.NotFound, "Executante ou especialidade não encontrado.")
	}
	return p.Name, s.Name, nil
}

// CredentialName returns the operator's name of an active credential;
// problem.NotFound when it was never seen.
func (r *Directory) CredentialName(ctx context.Context, credential uuid.UUID) (string, error) {
	c, err := r.store.Credential(ctx, credential)
	if err != nil {
		return "", err
	}
	if !c.Active {
		return "", problem.New(problem.NotFound, "Credencial não encontrada.")
	}
	return c.Name, nil
}

// ProcedureName returns the name of an active procedure.
func (r *Directory) ProcedureName(ctx context.Context, code string) (string, error) {
	p, err := r.Procedure(ctx, code)
	if err != nil {
		return "", err
	}
	if !p.Active {
		return "", problem.New(problem.NotFound, "Procedimento não encontrado.")
	}
	return p.Name, nil
}

// Rules returns what a credential's settings ask of a request; one that was
// never set up asks nothing.
func (r *Directory) Rules(ctx context.Context, credential uuid.UUID) (authorization.Rules, error) {
	c, err := r.store.Credential(ctx, credential)
	if problem.Is(err, problem.NotFound) {
		return authorization.Rules{}, nil
	}
	if err != nil {
		return authorization.Rules{}, err
	}
	return c.Rules()
}

// EligibilityID returns the credencialElegibilityId of a credential, zero where none is known.
func (r *Directory) EligibilityID(ctx context.Context, credential uuid.UUID) (uuid.UUID, error) {
	c, err := r.store.Credential(ctx, credential)
	if problem.Is(err, problem.NotFound) {
		return uuid.Nil, nil
	}
	return c.EligibilityID, err
}

// Indication returns the default indicacaoClinica of a credential's settings, ""
// when there is none.
func (r *Directory) Indication(ctx context.Context, credential uuid.UUID) (string, error) {
	c, err := r.store.Credential(ctx, credential)
	if problem.Is(err, problem.NotFound) {
		return "", nil
	}
	return c.Indication, err
}
