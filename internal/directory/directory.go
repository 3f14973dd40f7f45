// Package directory holds what the desk knows in advance: the provider's units
// and care points, the executing professionals with their specialties, the
// procedures that can be asked for, and what is special about each operator
// credential.
//
// Identifiers that go on the wire are those of the authorization service
// (specification 2.3 and 4.3; interface.md, rows 13 and 20).
package directory

import (
	"context"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/oneline"

	"github.com/google/uuid"
)

// Store keeps the directory. Reading what is not there is a problem.NotFound
// error. Lists are in any order, what belongs to an entry by name; they hold what
// was switched off too, because earlier requests name it.
type Store interface {
	Units(ctx context.Context) ([]Unit, error)
	// UnitsAhead tells that Units comes soon, where ctx is of what is read together.
	UnitsAhead(ctx context.Context) error
	Unit(ctx context.Context, uid uuid.UUID) (Unit, error)
	Professionals(ctx context.Context) ([]Professional, error)
	Professional(ctx context.Context, uid uuid.UUID) (Professional, error)
	Credentials(ctx context.Context) ([]Credential, error)
	Credential(ctx context.Context, uid uuid.UUID) (Credential, error)
	// Source returns the service that the SyncStates come from, "" for none.
	Source(ctx context.Context) (string, error)
	// News returns those of the credentials that are not kept as they are now.
	News(ctx context.Context, seen []Credential) ([]Credential, error)
	Procedure(ctx context.Context, code string) (Procedure, error)
	// SearchProcedures returns active procedures whose code starts with the digits
	// of text or whose name and aliases hold all its words, best first.
	SearchProcedures(ctx context.Context, text string, limit int) ([]Procedure, error)
	// ListProcedures returns a part of the same, active or not, by code, and how
	// many there are; no text lists all.
	ListProcedures(ctx context.Context, text string, offset, limit int) ([]Procedure, int, error)

	// Write runs fn in one transaction: all that it did is kept, or nothing.
	Write(ctx context.Context, fn func(Tx) error) error
}

// Tx is what can be done in one transaction. What is put is new or replaces the
// one with the same identifier; its SyncState stays as it is.
type Tx interface {
	Units(ctx context.Context) ([]Unit, error)
	Unit(ctx context.Context, uid uuid.UUID) (Unit, error)
	// CarePointUnit returns the unit that a care point belongs to.
	CarePointUnit(ctx context.Context, carePoint uuid.UUID) (uuid.UUID, error)
	// PutUnit switches off the care points that the unit no longer lists.
	PutUnit(ctx context.Context, u Unit) error
	Professionals(ctx context.Context) ([]Professional, error)
	Professional(ctx context.Context, uid uuid.UUID) (Professional, error)
	PutProfessional(ctx context.Context, p Professional) error
	Procedure(ctx context.Context, code string) (Procedure, error)
	// PutProcedure returns the identifier that the trail knows the procedure by.
	PutProcedure(ctx context.Context, p Procedure) (uuid.UUID, error)
	Credential(ctx context.Context, uid uuid.UUID) (Credential, error)
	// PutCredential keeps an administrator's settings.
	PutCredential(ctx context.Context, c Credential) error
	// SeeCredential keeps what the service says, settings untouched.
	SeeCredential(ctx context.Context, c Credential) error
	Source(ctx context.Context) (string, error)
	// SetSyncStates keeps what a service says. When it is another service than before,
	// everything that is not in s becomes Local.
	SetSyncStates(ctx context.Context, service string, s SyncStates) error
	// Append adds an entry to the audit trail.
	Append(ctx context.Context, e audit.Entry) error
}

// Directory answers what is known in advance and takes what an administrator or
// an import puts in. It is safe for concurrent use.
type Directory struct {
	store   Store
	replica Replica // nil for none
	behind  behind
}

// New returns the directory over its store.
func New(store Store) *Directory { return &Directory{store: store, behind: newBehind()} }

// Units lists the active units by name, each with its active care points.
func (r *Directory) Units(ctx context.Context) ([]Unit, error) {
	all, err := r.store.Units(ctx)
	units := ordered(keep(all, func(u Unit) bool { return u.Active }))
	for i, u := range units {
		units[i].CarePoints = keep(u.CarePoints, func(p CarePoint) bool { return p.Active })
	}
	return units, err
}

// UnitsAhead tells that Units comes soon, where ctx is of what is read together.
func (r *Directory) UnitsAhead(ctx context.Context) error { return r.store.UnitsAhead(ctx) }

// Unit returns a unit with all its care points, active or not; problem.NotFound
// when there is none.
func (r *Directory) Unit(ctx context.Context, uid uuid.UUID) (Unit, error) {
	return r.store.Unit(ctx, uid)
}

// Professionals lists the active executing professionals by name, each with its
// specialties.
func (r *Directory) Professionals(ctx context.Context) ([]Professional, error) {
	all, err := r.store.Professionals(ctx)
	return ordered(keep(all, func(p Professional) bool { return p.Active })), err
}

// Professional returns a professional, active or not; problem.NotFound when
// there is none.
func (r *Directory) Professional(ctx context.Context, uid uuid.UUID) (Professional, error) {
	return r.store.Professional(ctx, uid)
}

// SearchProcedures finds at most limit active procedures for what a person
// types: digits are the beginning of a code, anything else is words of name and
// aliases, of which the beginning is enough; case and accents do not count. No
// text finds nothing.
func (r *Directory) SearchProcedures(ctx context.Context, text string, limit int) ([]Procedure, error) {
	if text = oneline.Visible(text); limit <= 0 || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return r.store.SearchProcedures(ctx, text, limit)
}

// Procedure returns the procedure of a code, active or not, whatever spaces and
// punctuation the code was typed with; problem.NotFound when there is none.
func (r *Directory) Procedure(ctx context.Context, code string) (Procedure, error) {
	return r.store.Procedure(ctx, cleanCode(code))
}

// Credentials lists the active credentials that were seen or set up, by name.
func (r *Directory) Credentials(ctx context.Context) ([]Credential, error) {
	all, err := r.store.Credentials(ctx)
	return ordered(keep(all, func(c Credential) bool { return c.Active })), err
}

// Credential returns what is known about a credential; problem.NotFound when it
// was neither seen nor set up.
func (r *Directory) Credential(ctx context.Context, uid uuid.UUID) (Credential, error) {
	return r.store.Credential(ctx, uid)
}

// keep returns the entries that ok admits, nil for none.
func keep[T any](all []T, ok func(T) bool) []T {
	var kept []T
	for _, e := range all {
		if ok(e) {
			kept = append(kept, e)
		}
	}
	return kept
}
