package access

import (
	"log/slog"
	"time"

	"guiche/internal/password"
)

// Config is what access control is made of. Store is required.
type Config struct {
	Store  Store
	Hasher password.Hasher  // of users' passwords; nil means argon2id with its defaults
	Clock  func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil means slog.Default
}

// Control decides who may come in and hands out tokens. It is safe for concurrent
// use.
type Control struct {
	store  Store
	hasher password.Hasher
	clock  func() time.Time
	logger *slog.Logger
}

// New returns the access control over a store.
func New(c Config) *Control {
	control := &Control{store: c.Store, hasher: c.Hasher, clock: c.Clock, logger: c.Logger}
	if control.hasher == nil {
		control.hasher = password.NewArgon2id(password.Argon2idConfig{})
	}
	if control.clock == nil {
		control.clock = time.Now
	}
	if control.logger == nil {
		control.logger = slog.Default()
	}
	return control
}
