// Package admin is the administration of the authorization service: what its
// console and the start of the program do. It maintains partners and what they come
// in with, credentials, units and professionals, and reads the ledger; what must not
// be kept is refused here.
package admin

import (
	"maps"
	"slices"
	"time"

	"guiche/internal/password"
	"guiche/internal/permission"
	"guiche/internal/service"
	"guiche/internal/service/access"
)

// Config is what the administration works on. Directory, Ledger and Access are
// required.
type Config struct {
	Directory service.DirectoryStore
	Ledger    LedgerReader
	Blobs     Blobs
	Access    access.Store
	Operators map[string]service.Operator // as the service has them
	Hasher    password.Hasher             // of users' passwords; nil means argon2id with its defaults
	Clock     func() time.Time            // nil means time.Now
}

// Admin is the administration of a service. It is safe for concurrent use.
type Admin struct {
	directory service.DirectoryStore
	ledger    LedgerReader
	blobs     Blobs
	access    access.Store
	operators []string
	hasher    password.Hasher
	clock     func() time.Time
}

// New returns the administration of a service.
func New(c Config) *Admin {
	a := &Admin{
		directory: c.Directory, ledger: c.Ledger, blobs: c.Blobs, access: c.Access, hasher: c.Hasher, clock: c.Clock,
		operators: slices.Sorted(maps.Keys(c.Operators)),
	}
	if a.hasher == nil {
		a.hasher = password.NewArgon2id(password.Argon2idConfig{})
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	return a
}

// Operators lists the connected operators by the words of Credential.Operator.
func (a *Admin) Operators() []string { return slices.Clone(a.operators) }

// For returns the administration for an actor, problem.Forbidden unless they may
// manage the service.
func (a *Admin) For(by permission.Actor) (*Admin, error) {
	if err := by.Require(permission.ManageService); err != nil {
		return nil, err
	}
	return a, nil
}
