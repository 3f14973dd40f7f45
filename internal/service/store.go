package service

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// Store keeps what the service knows. Reading what is not there is a
// problem.NotFound error.
type Store interface {
	ProfileStore
	TokenStore
	RegisterStore
	LedgerStore
	LifeStore
	WorkStore
	ConsoleStore
}

// ProfileStore keeps partner profiles and their keys.
type ProfileStore interface {
	// EnsureProfile adds a profile; one with the same ID stays as it is.
	EnsureProfile(ctx context.Context, p Profile) error
	// PutProfile adds a profile or replaces the one with the same ID.
	PutProfile(ctx context.Context, p Profile) error
	// Profiles lists all profiles by name.
	Profiles(ctx context.Context) ([]Profile, error)
	AddKey(ctx context.Context, k Key) error
	Keys(ctx context.Context, profile uuid.UUID) ([]Key, error)
	// KeyByHash returns a key, revoked or not, with its profile.
	KeyByHash(ctx context.Context, hash [sha256.Size]byte) (Key, Profile, error)
	TouchKey(ctx context.Context, id uuid.UUID, at time.Time) error
	RevokeKey(ctx context.Context, id uuid.UUID, at time.Time) error
	// TakeTurn counts one request of a profile at an even pace of one per interval,
	// with burst of them at once. It returns how long to wait when it is too early;
	// then nothing was counted.
	TakeTurn(ctx context.Context, profile uuid.UUID, now time.Time, interval time.Duration, burst int) (time.Duration, error)
}

// RegisterStore keeps credentials, units and professionals. Lists leave out what
// is disabled; a single one is found all the same, for older requests name it.
type RegisterStore interface {
	PutCredential(ctx context.Context, c Credential) error
	Credential(ctx context.Context, id uuid.UUID) (Credential, error)
	// CredentialByEligibility finds by credencialElegibilityId, of several the oldest
	// that is not disabled.
	CredentialByEligibility(ctx context.Context, id uuid.UUID) (Credential, error)
	SearchCredentials(ctx context.Context, q CredentialQuery) (CredentialPage, error)
	PutUnit(ctx context.Context, u Unit) error
	Unit(ctx context.Context, id uuid.UUID) (Unit, error)
	// Units searches units by the names of unit and care points.
	Units(ctx context.Context, q RegisterQuery) (Listing[Unit], error)
	PutProfessional(ctx context.Context, p Professional) error
	Professional(ctx context.Context, id uuid.UUID) (Professional, error)
	// Professionals searches professionals by name, council, number and specialties.
	Professionals(ctx context.Context, q RegisterQuery) (Listing[Professional], error)
}

// LedgerStore keeps requests, what operators decided, and the life of every
// authorization. It only adds; the database refuses changes.
type LedgerStore interface {
	// Receive adds a request unless its profile has one with the same key or
	// guiaPrestador already: then it returns that one and false.
	Receive(ctx context.Context, r Receipt) (Record, bool, error)
	Record(ctx context.Context, id uuid.UUID) (Record, error)
	RecordByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (Record, error)
	RecordByGuide(ctx context.Context, profile uuid.UUID, providerGuide string) (Record, error)
	// AddFailure notes that asking the operator failed.
	AddFailure(ctx context.Context, f Failed) error
	// AddAnswer notes the answer with its authorizations, problem.Conflict when the
	// request has one.
	AddAnswer(ctx context.Context, a Answered) error
	// Authorization returns an authorization of the profile as it stands now.
	Authorization(ctx context.Context, profile, guideID uuid.UUID) (authorization.Authorization, error)
	Authorizations(ctx context.Context, request uuid.UUID) ([]authorization.Authorization, error)
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

// RegisterQuery chooses units or professionals; the zero one finds all that can be
// used.
type RegisterQuery struct {
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

// Receipt is a request that was read and checked.
type Receipt struct {
	ID          uuid.UUID
	ProfileID   uuid.UUID
	Access      Access
	Key         *[sha256.Size]byte // hash of Idempotency-Key, nil without one
	KeyUntil    time.Time
	Fingerprint [sha256.Size]byte
	Request     authorization.Request
	ReceivedAt  time.Time
	GuideID     uuid.UUID // of the first authorization, when the request is decided afterwards; else uuid.Nil
	// Generate returns the guiaPrestador of so many seconds later, for a request that
	// has none (row 7).
	Generate func(seconds int) string
}

// Record is a request of the ledger.
type Record struct {
	ID          uuid.UUID
	Fingerprint [sha256.Size]byte
	Request     authorization.Request
	ReceivedAt  time.Time
	Failure     string   // code of the last failure, "" when the operator was asked without one
	Answer      blob.Ref // the answer as it goes over the wire, "" while there is none
	AnswerSize  int64
	Errors      []authorization.AnswerError // of the request as a whole
	GuideID     uuid.UUID                   // as in Receipt
}

// Failed is a failure of asking an operator.
type Failed struct {
	RequestID uuid.UUID
	At        time.Time
	Operator  string
	Code      string
}

// Answered is an answer with what it says.
type Answered struct {
	RequestID uuid.UUID
	At        time.Time
	Operator  string
	Decision  Decision
	Answer    blob.Info
	Due       []time.Time // when the operator is asked about each authorization; zero for never
}
