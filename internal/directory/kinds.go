package directory

import (
	"context"
	"fmt"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

func (u Unit) entry() entry {
	return entry{
		object: audit.ObjectUnit, check: u.check, put: u.put, uid: u.UID,
		replicate: func(ctx context.Context, of *Directory) error {
			now, err := of.store.Unit(ctx, u.UID)
			if err != nil {
				return err
			}
			return of.replicateUnit(ctx, now)
		},
	}
}

// put refuses a care point of another unit: earlier requests name it with that
// one.
func (u Unit) put(ctx context.Context, tx Tx) (uuid.UUID, error) {
	for i, p := range u.CarePoints {
		owner, err := tx.CarePointUnit(ctx, p.UID)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return uuid.Nil, err
		}
		if err == nil && owner != u.UID {
			path := fmt.Sprintf("pontosAtendimento[%d].id", i)
			return uuid.Nil, problem.InvalidFields([]problem.Field{taken(path, "Este identificador é de um ponto de outra unidade.")})
		}
	}
	return u.UID, tx.PutUnit(ctx, u)
}

// namesFree refuses the name of another active unit, and of another active care point of
// the unit, by which the form would offer two alike. What is called so already stays: names of
// the service are not the desk's to refuse.
func (u Unit) namesFree(ctx context.Context, tx Tx, before Unit) error {
	wrong := u.pointsAlike(before)
	name := fold(u.Name)
	if u.Active && (!before.Active || name != fold(before.Name)) {
		all, err := tx.Units(ctx)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(o Unit) bool { return o.Active && o.UID != u.UID && fold(o.Name) == name }) {
			wrong = append([]problem.Field{taken("nome", "Já existe uma unidade com este nome.")}, wrong...)
		}
	}
	return problem.InvalidFields(wrong)
}

// pointsAlike are the problems of care points that come to be called as another one; of several
// that do at once the first may.
func (u Unit) pointsAlike(before Unit) (wrong []problem.Field) {
	known := map[string]bool{}
	stays := func(p CarePoint) bool {
		was, _ := before.CarePoint(p.UID)
		return p.Active && was.Active && fold(was.Name) == fold(p.Name)
	}
	for _, p := range u.CarePoints {
		known[fold(p.Name)] = known[fold(p.Name)] || stays(p)
	}
	for i, p := range u.CarePoints {
		name := fold(p.Name)
		if name == "" || !p.Active || stays(p) { // a name that is missing is told so
			continue
		}
		if known[name] {
			wrong = append(wrong, taken(fmt.Sprintf("pontosAtendimento[%d].nome", i), "Já existe um ponto com este nome nesta unidade."))
		}
		known[name] = true
	}
	return wrong
}

func (p Professional) entry() entry {
	return entry{
		object: audit.ObjectProfessional, check: p.check, uid: p.UID,
		put: func(ctx context.Context, tx Tx) (uuid.UUID, error) { return p.UID, tx.PutProfessional(ctx, p) },
		replicate: func(ctx context.Context, of *Directory) error {
			now, err := of.store.Professional(ctx, p.UID)
			if err != nil {
				return err
			}
			return of.replicateProfessional(ctx, now)
		},
	}
}

func (p Procedure) entry() entry {
	return entry{
		object: audit.ObjectProcedure, check: p.check,
		put: func(ctx context.Context, tx Tx) (uuid.UUID, error) { return tx.PutProcedure(ctx, p) },
	}
}

func (c Credential) entry() entry {
	return entry{
		object: audit.ObjectCredential, check: c.check,
		put: func(ctx context.Context, tx Tx) (uuid.UUID, error) { return c.UID, tx.PutCredential(ctx, c) },
	}
}

// taken is the problem of an identifier that another entry has.
func taken(path, message string) problem.Field {
	return problem.Field{Path: path, Code: authorization.CodeDomain, Message: message}
}
