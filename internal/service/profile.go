package service

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Method is a way to authenticate (specification 5), enabled for each profile.
type Method string

// The methods.
const (
	MethodAPIKey   Method = "chave" // request header x-api-key
	MethodPassword Method = "senha" // bearer token of a login with user and password
	MethodOAuth    Method = "oauth" // bearer token of OAuth 2.0 client credentials
)

// Methods lists all methods.
func Methods() []Method { return []Method{MethodAPIKey, MethodPassword, MethodOAuth} }

// Scope is a permission (row 25).
type Scope string

// public stands in the route table where no credential is needed.
const public Scope = "-"

// The scopes.
const (
	ReadCredentials      Scope = "credenciais:ler" //nolint:gosec // a word, no secret
	ReadRegisters        Scope = "cadastros:ler"
	ReadEligibility      Scope = "elegibilidade:ler"
	CreateAuthorizations Scope = "autorizacoes:criar"
	ReadAuthorizations   Scope = "autorizacoes:ler"
	ChangeAuthorizations Scope = "autorizacoes:alterar"
)

// Scopes lists all scopes.
func Scopes() []Scope {
	return []Scope{ReadCredentials, ReadRegisters, ReadEligibility, CreateAuthorizations, ReadAuthorizations, ChangeAuthorizations}
}

// Profile is a partner integration profile (specification 5).
type Profile struct {
	ID       uuid.UUID
	Name     string
	Methods  []Method
	Scopes   []Scope
	Rate     int // requests a minute, 0 is no limit (row 10)
	Disabled bool
}

// DeskProfile is the permanent profile of the desk that runs with the service.
func DeskProfile() Profile {
	return Profile{
		ID:      uuid.MustParse("0198a000-0000-7000-8000-000000000001"),
		Name:    "Guichê desta instalação",
		Methods: []Method{MethodAPIKey},
		Scopes:  Scopes(),
	}
}

func (p Profile) allows(m Method) bool { return slices.Contains(p.Methods, m) }

func (p Profile) may(s Scope) bool { return s == "" || slices.Contains(p.Scopes, s) }

// Key is an API key as it is kept: the key itself is shown once and forgotten.
type Key struct {
	ID        uuid.UUID
	ProfileID uuid.UUID
	Hash      [32]byte      // SHA-256
	Hint      string        // last characters
	Idle      time.Duration // ends after so long without use; 0 is never
	CreatedAt time.Time
	UsedAt    time.Time // to the minute; zero when it never was
	RevokedAt time.Time
}

// valid reports whether the key opens the door at a moment.
func (k Key) valid(now time.Time) bool {
	return k.RevokedAt.IsZero() && inUse(k.Idle, k.CreatedAt, k.UsedAt, now)
}

// inUse reports whether less than idle has passed since something was made or last
// used; an idle of 0 is no limit.
func inUse(idle time.Duration, createdAt, usedAt, now time.Time) bool {
	last := createdAt
	if usedAt.After(last) {
		last = usedAt
	}
	return idle == 0 || now.Before(last.Add(idle))
}
