package connection_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"guiche/internal/connection"
)

func TestSealer(t *testing.T) {
	s := MustSealer(t, 1)
	sealed := MustSeal(t, s, connection.APIKey, "https://a:443", "segredo", now)
	got, err := s.Open(sealed)
	if err != nil || got != "segredo" {
		t.Fatalf("got %d characters, error %v", len(got), err)
	}
	if again := MustSeal(t, s, connection.APIKey, "https://a:443", "segredo", now); bytes.Equal(again.Bytes, sealed.Bytes) {
		t.Error("sealed twice: got the same bytes, want a nonce of its own")
	}
	if bytes.Contains(sealed.Bytes, []byte("segredo")) {
		t.Error("the secret shows")
	}
}

func TestSealer_Open_Tampering(t *testing.T) {
	s := MustSealer(t, 1)
	for name, tamper := range map[string]func(*connection.Sealed){
		"Method": func(x *connection.Sealed) { x.Method = connection.OAuth },
		"Origin": func(x *connection.Sealed) { x.Origin = "https://b:443" },
		"Bytes":  func(x *connection.Sealed) { x.Bytes[len(x.Bytes)-1] ^= 1 },
		"Nonce":  func(x *connection.Sealed) { x.Bytes[0] ^= 1 },
		"Short":  func(x *connection.Sealed) { x.Bytes = x.Bytes[:5] },
		"KeyID":  func(x *connection.Sealed) { x.KeyID = secondKey },
		"NoKey":  func(x *connection.Sealed) { x.KeyID = "ffffffffffffffff" },
		"Empty":  func(x *connection.Sealed) { x.Bytes = nil },
		"Key": func(x *connection.Sealed) {
			*x = MustSeal(t, MustSealer(t, 2), connection.APIKey, "https://a:443", "segredo", now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sealed := MustSeal(t, s, connection.APIKey, "https://a:443", "segredo", now)
			tamper(&sealed)
			if got, err := s.Open(sealed); !errors.Is(err, connection.ErrUnopened) || got != "" {
				t.Errorf("got %d characters, error %v, want ErrUnopened", len(got), err)
			}
		})
	}
}

func MustSeal(tb testing.TB, s *connection.Sealer, method connection.Method, origin string, secret connection.Secret,
	at time.Time) connection.Sealed {
	tb.Helper()
	sealed, err := s.Seal("", method, origin, secret, at)
	MustDo(tb, err)
	return sealed
}

// Under a new key everything opens that opened before, and what did not stays as it was.
func TestSealer_Renew(t *testing.T) {
	s := MustSealer(t, 1)
	opens := MustSeal(t, s, connection.APIKey, "https://a:443", "segredo", now)
	closed := MustSeal(t, MustSealer(t, 9), connection.OAuth, "https://a:443", "x", now)
	renewed, count, err := s.Renew([]connection.Sealed{opens, closed}, secondKey)
	if err != nil || count != (connection.Renewal{Resealed: 1, Unopened: 1}) || len(renewed) != 1 {
		t.Fatalf("got %d secrets, %+v, error %v", len(renewed), count, err)
	}
	if got, err := s.Open(renewed[0]); err != nil || got != "segredo" || renewed[0].KeyID != secondKey || !renewed[0].StoredAt.Equal(now) {
		t.Errorf("got %d characters under %q of %v, error %v", len(got), renewed[0].KeyID, renewed[0].StoredAt, err)
	}
	t.Run("KeyUnreadable", func(t *testing.T) {
		broken := connection.NewSealer(brokenKeys{})
		if renewed, _, err := broken.Renew([]connection.Sealed{opens}, secondKey); !errors.Is(err, errDisk) || renewed != nil {
			t.Errorf("got %d secrets, error %v, want the disk's error", len(renewed), err)
		}
	})
}

var errDisk = errors.New("disk")

// brokenKeys cannot be read at the moment.
type brokenKeys struct{}

func (brokenKeys) SealingKey(string) ([32]byte, error) { return [32]byte{}, errDisk }
