package connection_test

import (
	"bytes"
	"testing"

	"guiche/internal/connection"
)

func TestSealer(t *testing.T) {
	s := MustSealer(t, 1)
	sealed := s.Seal(connection.APIKey, "https://a:443", "segredo", now)
	got, err := s.Open(sealed)
	if err != nil || got != "segredo" {
		t.Fatalf("got %d characters, error %v", len(got), err)
	}
	if again := s.Seal(connection.APIKey, "https://a:443", "segredo", now); bytes.Equal(again.Bytes, sealed.Bytes) {
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
		"Empty":  func(x *connection.Sealed) { x.Bytes = nil },
		"Key": func(x *connection.Sealed) {
			*x = MustSealer(t, 2).Seal(connection.APIKey, "https://a:443", "segredo", now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sealed := s.Seal(connection.APIKey, "https://a:443", "segredo", now)
			tamper(&sealed)
			if got, err := s.Open(sealed); err == nil || got != "" {
				t.Errorf("got %d characters, want an error", len(got))
			}
		})
	}
}
