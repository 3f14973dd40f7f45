package connection

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"log/slog"
	"time"
)

// Secret is an API key, a password or a client_secret; no formatting shows it.
type Secret string

// String keeps the secret out of formatted texts.
func (Secret) String() string { return "[segredo]" }

// GoString keeps the secret out of %#v.
func (Secret) GoString() string { return "[segredo]" }

// LogValue keeps the secret out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps the secret out of JSON, which is how logs write what holds it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Sealed is a secret as the database keeps it.
type Sealed struct {
	Method   Method
	Origin   string // what it is good for
	Bytes    []byte // nonce, then AES-256-GCM
	StoredAt time.Time
}

// Sealer seals secrets under a key that lies outside the database.
type Sealer struct{ aead cipher.AEAD }

// NewSealer returns the sealer of a key.
func NewSealer(key [32]byte) (*Sealer, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("connection: seal: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("connection: seal: %w", err)
	}
	return &Sealer{aead}, nil
}

// Seal returns the secret of a method, good for that origin alone.
func (s *Sealer) Seal(method Method, origin string, secret Secret, at time.Time) Sealed {
	return Sealed{method, origin, s.aead.Seal(nil, nil, []byte(secret), bound(method, origin)), at}
}

// Open returns the secret; an error when the key is another one, or when the row
// is not what was sealed for this method and origin.
func (s *Sealer) Open(sealed Sealed) (Secret, error) {
	plain, err := s.aead.Open(nil, nil, sealed.Bytes, bound(sealed.Method, sealed.Origin))
	if err != nil {
		return "", fmt.Errorf("connection: open secret %s: %w", sealed.Method, err)
	}
	return Secret(plain), nil
}

// bound is what a secret is sealed together with: a row that is moved to another
// setting or another address no longer opens.
func bound(method Method, origin string) []byte { return []byte(string(method) + "\x00" + origin) }
