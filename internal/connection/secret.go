package connection

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
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
	KeyID    string // of the key that it is sealed under; "" is the first one, from before keys had ids
	Bytes    []byte // nonce, then AES-256-GCM
	StoredAt time.Time
}

// ErrUnopened says that a secret does not open: its key is not there, or the row is not
// what was sealed.
var ErrUnopened = errors.New("connection: the secret does not open")

// Keys finds sealing keys, which lie outside the database.
type Keys interface {
	// SealingKey returns the key of that id; "" is the first one. ErrUnopened where it is
	// not there.
	SealingKey(id string) ([32]byte, error)
}

// Sealer seals secrets. A key that was renewed opens what it sealed as long as it is
// there.
type Sealer struct{ keys Keys }

// NewSealer returns a sealer.
func NewSealer(keys Keys) *Sealer { return &Sealer{keys} }

// Seal returns the secret of a method under the key of that id, good for that origin
// alone.
func (s *Sealer) Seal(keyID string, method Method, origin string, secret Secret, at time.Time) (Sealed, error) {
	aead, err := s.aead(keyID)
	if err != nil {
		return Sealed{}, err
	}
	return Sealed{method, origin, keyID, aead.Seal(nil, nil, []byte(secret), bound(method, origin)), at}, nil
}

// Open returns the secret; ErrUnopened when its key is not there, or when the row is not
// what was sealed for this method and origin.
func (s *Sealer) Open(sealed Sealed) (Secret, error) {
	aead, err := s.aead(sealed.KeyID)
	if err != nil {
		return "", err
	}
	plain, err := aead.Open(nil, nil, sealed.Bytes, bound(sealed.Method, sealed.Origin))
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrUnopened, sealed.Method, err)
	}
	return Secret(plain), nil
}

// Renewal counts what became of secrets when their key was renewed.
type Renewal struct {
	Resealed int
	Unopened int // they did not open before either, and are as they were
}

// Renew seals secrets anew under the key of that id.
func (s *Sealer) Renew(all []Sealed, keyID string) (renewed []Sealed, count Renewal, err error) {
	for _, old := range all {
		secret, err := s.Open(old)
		if errors.Is(err, ErrUnopened) {
			count.Unopened++
			continue
		}
		if err != nil {
			return nil, Renewal{}, err
		}
		sealed, err := s.Seal(keyID, old.Method, old.Origin, secret, old.StoredAt)
		if err != nil {
			return nil, Renewal{}, err
		}
		renewed, count.Resealed = append(renewed, sealed), count.Resealed+1
	}
	return renewed, count, nil
}

func (s *Sealer) aead(keyID string) (cipher.AEAD, error) {
	key, err := s.keys.SealingKey(keyID)
	if err != nil {
		return nil, fmt.Errorf("connection: seal: %w", err)
	}
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("connection: seal: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("connection: seal: %w", err)
	}
	return aead, nil
}

// bound is what a secret is sealed together with: a row that is moved to another
// setting or another address no longer opens.
func bound(method Method, origin string) []byte { return []byte(string(method) + "\x00" + origin) }
