// Package register holds what the desk knows in advance: the provider's units
// and care points, the executing professionals with their specialties, the
// procedures that can be asked for, and what is special about each operator
// credential.
//
// Identifiers that go on the wire are those of the authorization service
// (specification 2.3 and 4.3; open points, rows 13 and 20).
package register

import (
	"context"
	"strings"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// Store keeps the register. Reading what is not there is a problem.NotFound
// error. What was switched off is left out of the lists and still found by its
// identifier, because earlier requests name it.
type Store interface {
	Units(ctx context.Context) ([]Unit, error)
	Unit(ctx context.Context, uid uuid.UUID) (Unit, error)
	PutUnits(ctx context.Context, units []Unit) error

	Professionals(ctx context.Context) ([]Professional, error)
	Professional(ctx context.Context, uid uuid.UUID) (Professional, error)
	PutProfessionals(ctx context.Context, professionals []Professional) error

	// SearchProcedures returns active procedures whose code starts with the digits
	// of text or whose name and aliases hold all its words, best first.
	SearchProcedures(ctx context.Context, text string, limit int) ([]Procedure, error)
	Procedure(ctx context.Context, code string) (Procedure, error)
	PutProcedures(ctx context.Context, procedures []Procedure) error

	Credentials(ctx context.Context) ([]Credential, error)
	Credential(ctx context.Context, uid uuid.UUID) (Credential, error)
	PutCredential(ctx context.Context, credential Credential) error
	SeeCredentials(ctx context.Context, seen []Credential) error
}

// Register answers what is known in advance and takes what an administrator or
// an import puts in. It is safe for concurrent use.
type Register struct {
	store Store
}

// New returns a register over its store.
func New(store Store) *Register { return &Register{store: store} }

// Units lists the active units by name, each with its active care points.
func (r *Register) Units(ctx context.Context) ([]Unit, error) { return r.store.Units(ctx) }

// Unit returns a unit, active or not; problem.NotFound when there is none.
func (r *Register) Unit(ctx context.Context, uid uuid.UUID) (Unit, error) {
	return r.store.Unit(ctx, uid)
}

// PutUnits adds units or replaces those with the same identifier. Care points
// that a unit no longer lists are switched off, not deleted. A unit or point
// without identifier or name is problem.Invalid, and then nothing is stored.
func (r *Register) PutUnits(ctx context.Context, units ...Unit) error {
	ready, err := prepare(units, Unit.trimmed, Unit.check)
	if err != nil {
		return err
	}
	return r.store.PutUnits(ctx, ready)
}

// Professionals lists the active executing professionals by name, each with its
// specialties.
func (r *Register) Professionals(ctx context.Context) ([]Professional, error) {
	return r.store.Professionals(ctx)
}

// Professional returns a professional, active or not; problem.NotFound when
// there is none.
func (r *Register) Professional(ctx context.Context, uid uuid.UUID) (Professional, error) {
	return r.store.Professional(ctx, uid)
}

// PutProfessionals adds professionals or replaces those with the same
// identifier, specialties included. One without identifier, name or a proper
// specialty is problem.Invalid, and then nothing is stored.
func (r *Register) PutProfessionals(ctx context.Context, professionals ...Professional) error {
	ready, err := prepare(professionals, Professional.trimmed, Professional.check)
	if err != nil {
		return err
	}
	return r.store.PutProfessionals(ctx, ready)
}

// SearchProcedures finds at most limit active procedures for what a person
// types: digits are the beginning of a code, anything else is words of name and
// aliases, of which the beginning is enough; case and accents do not count. No
// text finds nothing.
func (r *Register) SearchProcedures(ctx context.Context, text string, limit int) ([]Procedure, error) {
	if limit <= 0 || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return r.store.SearchProcedures(ctx, text, limit)
}

// Procedure returns the procedure of a code, active or not, whatever spaces and
// punctuation the code was typed with; problem.NotFound when there is none.
func (r *Register) Procedure(ctx context.Context, code string) (Procedure, error) {
	return r.store.Procedure(ctx, cleanCode(code))
}

// PutProcedures adds procedures or replaces those with the same code. One
// without code or name is problem.Invalid, and then nothing is stored.
func (r *Register) PutProcedures(ctx context.Context, procedures ...Procedure) error {
	ready, err := prepare(procedures, Procedure.trimmed, Procedure.check)
	if err != nil {
		return err
	}
	return r.store.PutProcedures(ctx, ready)
}

// Credentials lists the active credentials that were seen or set up, by name.
func (r *Register) Credentials(ctx context.Context) ([]Credential, error) {
	return r.store.Credentials(ctx)
}

// Credential returns what is known about a credential; problem.NotFound when it
// was neither seen nor set up.
func (r *Register) Credential(ctx context.Context, uid uuid.UUID) (Credential, error) {
	return r.store.Credential(ctx, uid)
}

// PutCredential stores an administrator's settings of a credential. A pattern
// that is no regular expression is problem.Invalid.
func (r *Register) PutCredential(ctx context.Context, c Credential) error {
	c = c.trimmed()
	if err := c.check(); err != nil {
		return err
	}
	return r.store.PutCredential(ctx, c)
}

// SeeCredentials remembers the names and codes of credentials that the service
// just listed, and prefills biometrics (open points, row 20) as long as no
// administrator decided otherwise. One whose id is no UUID is left out.
func (r *Register) SeeCredentials(ctx context.Context, seen []authorization.Credential) error {
	credentials := make([]Credential, 0, len(seen))
	for _, s := range seen {
		if c, ok := credentialOf(s); ok {
			credentials = append(credentials, c)
		}
	}
	if len(credentials) == 0 {
		return nil
	}
	return r.store.SeeCredentials(ctx, credentials)
}

// prepare returns trimmed copies of the entries, or what is wrong with the first
// that cannot be stored.
func prepare[T any](entries []T, trimmed func(T) T, check func(T) error) ([]T, error) {
	ready := make([]T, len(entries))
	for i, e := range entries {
		ready[i] = trimmed(e)
		if err := check(ready[i]); err != nil {
			return nil, err
		}
	}
	return ready, nil
}
