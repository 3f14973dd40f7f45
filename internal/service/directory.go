package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// DirectoryStore keeps credentials, units and professionals. Lists leave out what
// is disabled; a single one is found all the same, for older requests name it.
//
// A change puts in place of an entry what it makes of it as it stands, in one step. An error of
// change leaves it so. change may run more than once.
type DirectoryStore interface {
	PutCredential(ctx context.Context, c Credential) error
	ChangeCredential(ctx context.Context, id uuid.UUID, change func(Credential) (Credential, error)) error
	Credential(ctx context.Context, id uuid.UUID) (Credential, error)
	// CredentialByEligibility finds by credencialElegibilityId, of several the oldest
	// that is not disabled.
	CredentialByEligibility(ctx context.Context, id uuid.UUID) (Credential, error)
	SearchCredentials(ctx context.Context, q CredentialQuery) (CredentialPage, error)
	PutUnit(ctx context.Context, u Unit) error
	ChangeUnit(ctx context.Context, id uuid.UUID, change func(Unit) (Unit, error)) error
	Unit(ctx context.Context, id uuid.UUID) (Unit, error)
	// Units searches units by the names of unit and care points.
	Units(ctx context.Context, q DirectoryQuery) (Listing[Unit], error)
	PutProfessional(ctx context.Context, p Professional) error
	ChangeProfessional(ctx context.Context, id uuid.UUID, change func(Professional) (Professional, error)) error
	Professional(ctx context.Context, id uuid.UUID) (Professional, error)
	// Professionals searches professionals by name, council, number and specialties.
	Professionals(ctx context.Context, q DirectoryQuery) (Listing[Professional], error)
	// References finds what a request names, each as it is found alone; what is not there
	// stays zero.
	References(ctx context.Context, credential, unit, professional uuid.UUID) (References, error)
}

// References are what a request names of the directory.
type References struct {
	Credential   Credential
	Unit         Unit
	Professional Professional
}

// Credential is a credential of the provider at an operator (2.2), with the
// settings that the specification speaks of.
type Credential struct {
	ID               uuid.UUID
	EligibilityID    uuid.UUID // credencialElegibilityId
	Name             string    // operator name
	ProviderCode     string    // codigoPrestador
	Operator         string    // key of the connector in Config.Operators
	ANSRegister      string    // 6 digits, printed on guides
	Contractor       string    // name of the provider, printed on guides
	CNES             string    // printed on guides
	Indication       string    // indicacaoClinica when the request omits it
	Biometrics       bool      // exigeBiometria (row 20)
	ValidityRequired bool      // validadeCarteira must be given (row 1)
	CardPattern      string    // regular expression over the whole numeroCarteira; "" takes any
	AttachmentsFor   []string  // codes of procedures, or their beginnings with a final *, whose requests need anexos
	Timeout          time.Duration
	Disabled         bool
}

// Rules are what the credential's settings ask of a request (row 1). The error is
// about a card pattern that is no regular expression.
func (c Credential) Rules() (rules authorization.Rules, err error) {
	rules.ValidityRequired, rules.AttachmentsFor = c.ValidityRequired, c.AttachmentsFor
	if rules.CardPattern, err = authorization.CompileCard(c.CardPattern); err != nil {
		err = fmt.Errorf("service: credential %s: %w", c.ID, err)
	}
	return rules, err
}

// CredentialQuery is a search (4.1 and row 14).
type CredentialQuery struct {
	Text string // all of its words, anywhere in name and provider code, whatever case and accents; "" finds all
	Page int    // from 1
	Size int

	Disabled bool // finds those too that are disabled
}

// CredentialPage is one page of a search, by name.
type CredentialPage struct {
	Items []Credential
	Total int
}

// DirectoryQuery chooses units or professionals; the zero one finds all that can
// be used.
type DirectoryQuery struct {
	Text string // all of its words, whatever case and accents; "" finds all
	Page int    // from 1
	Size int    // 0 is all in one page

	Disabled bool // finds those too that are disabled
}

// Listing is one page of a list.
type Listing[T any] struct {
	Items []T
	Total int // on all pages
}

// Unit is a place of the provider with its care points (row 13), those too that
// are disabled.
type Unit struct {
	ID       uuid.UUID
	Name     string
	Points   []CarePoint
	Disabled bool
}

// CarePoint is a place inside a unit.
type CarePoint struct {
	ID       uuid.UUID
	Name     string
	Disabled bool
}

// point reports whether requests may name a care point of the unit.
func (u Unit) point(id uuid.UUID) bool {
	return slices.ContainsFunc(u.Points, func(p CarePoint) bool { return p.ID == id && !p.Disabled })
}

// Professional is an executing professional (row 13), with the specialties that
// are disabled too.
type Professional struct {
	ID          uuid.UUID
	Name        string
	Council     string // abbreviation
	Number      string
	State       string // abbreviation
	Specialties []Specialty
	Disabled    bool
}

// Specialty is one of a professional's specialties.
type Specialty struct {
	ID       int // especialidadeExecutanteId
	Name     string
	CBO      string
	Disabled bool
}

// specialty finds one that is disabled too, for older requests name it.
func (p Professional) specialty(id int) (Specialty, bool) {
	i := slices.IndexFunc(p.Specialties, func(s Specialty) bool { return s.ID == id })
	if i < 0 {
		return Specialty{}, false
	}
	return p.Specialties[i], true
}

// SearchCredentials returns one page of the credentials that can be used (4.1).
func (s *Service) SearchCredentials(ctx context.Context, q CredentialQuery) (CredentialPage, error) {
	return s.store.SearchCredentials(ctx, q)
}

// Units lists the units that can be used (4.3).
func (s *Service) Units(ctx context.Context) ([]Unit, error) {
	found, err := s.store.Units(ctx, DirectoryQuery{})
	return found.Items, err
}

// Professionals lists the professionals that can be used (4.3).
func (s *Service) Professionals(ctx context.Context) ([]Professional, error) {
	found, err := s.store.Professionals(ctx, DirectoryQuery{})
	return found.Items, err
}
