package directory

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

var (
	_ entry[Unit]         = Unit{}
	_ entry[Professional] = Professional{}
	_ entry[Procedure]    = Procedure{}
	_ entry[Credential]   = Credential{}
)

func (u Unit) enabled() bool { return u.Active }

func (u Unit) label() string { return u.Name }

func (u Unit) object() string { return audit.ObjectUnit }

func (u Unit) taken() problem.Field {
	return taken("id", "Já existe uma unidade com este identificador.")
}

func (u Unit) load(ctx context.Context, tx Tx) (Unit, error) { return tx.Unit(ctx, u.UID) }

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

func (p Professional) enabled() bool { return p.Active }

func (p Professional) label() string { return p.Name }

func (p Professional) object() string { return audit.ObjectProfessional }

func (p Professional) taken() problem.Field {
	return taken("id", "Já existe um executante com este identificador.")
}

func (p Professional) load(ctx context.Context, tx Tx) (Professional, error) {
	return tx.Professional(ctx, p.UID)
}

func (p Professional) put(ctx context.Context, tx Tx) (uuid.UUID, error) {
	return p.UID, tx.PutProfessional(ctx, p)
}

func (p Procedure) enabled() bool { return p.Active }

func (p Procedure) object() string { return audit.ObjectProcedure }

func (p Procedure) taken() problem.Field {
	return taken("codigo", "Já existe um procedimento com este código.")
}

func (p Procedure) load(ctx context.Context, tx Tx) (Procedure, error) {
	return tx.Procedure(ctx, p.Code)
}

func (p Procedure) put(ctx context.Context, tx Tx) (uuid.UUID, error) { return tx.PutProcedure(ctx, p) }

func (c Credential) enabled() bool { return c.Active }

func (c Credential) label() string { return c.Name }

func (c Credential) object() string { return audit.ObjectCredential }

func (c Credential) taken() problem.Field {
	return taken("id", "Já existe uma credencial com este identificador.")
}

func (c Credential) load(ctx context.Context, tx Tx) (Credential, error) {
	return tx.Credential(ctx, c.UID)
}

func (c Credential) put(ctx context.Context, tx Tx) (uuid.UUID, error) {
	return c.UID, tx.PutCredential(ctx, c)
}

// taken is the problem of an identifier that another entry has.
func taken(path, message string) problem.Field {
	return problem.Field{Path: path, Code: authorization.CodeDomain, Message: message}
}
