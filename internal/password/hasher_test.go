package password_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"guiche/internal/password"
)

func TestArgon2id(t *testing.T) {
	cheap := password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})
	hash, err := cheap.Hash(t.Context(), "senha")
	if err != nil {
		t.Fatal(err)
	}

	t.Run("PHC", func(t *testing.T) {
		real, err := password.NewArgon2id(password.Argon2idConfig{}).Hash(t.Context(), "senha")
		if want := "$argon2id$v=19$m=19456,t=2,p=1$"; err != nil || !strings.HasPrefix(real, want) {
			t.Errorf("got %q, error %v, want prefix %q", real, err, want)
		}
		again, err := cheap.Hash(t.Context(), "senha")
		if err != nil || again == hash {
			t.Errorf("got the same hash twice, want a salt of its own each")
		}
	})

	t.Run("Verify", func(t *testing.T) {
		// The hash names its own cost: another setting still reads it.
		other := password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 16, Passes: 3, Threads: 2})
		for tried, want := range map[string]bool{"senha": true, "Senha": false, "": false, "senha ": false} {
			if got, err := other.Verify(t.Context(), hash, tried); err != nil || got != want {
				t.Errorf("%q: got %t, error %v, want %t", tried, got, err, want)
			}
		}
	})

	t.Run("KnownAnswer", func(t *testing.T) {
		const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
		if got, err := cheap.Verify(t.Context(), reference, "password"); err != nil || !got {
			t.Errorf("got %t, error %v, want the reference implementation's hash to fit", got, err)
		}
	})

	t.Run("Decoy", func(t *testing.T) {
		for _, tried := range []string{"", "senha"} {
			if got, err := cheap.Verify(t.Context(), cheap.Decoy(), tried); err != nil || got {
				t.Errorf("%q: got %t, error %v, want a hash that nothing fits", tried, got, err)
			}
		}
	})

	t.Run("OtherForms", func(t *testing.T) {
		for _, form := range []string{
			"", "senha", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaA", "$2a$10$abcdefghijklmnopqrstuv",
			strings.Replace(hash, "v=19", "v=16", 1), strings.Replace(hash, "t=1", "t=0", 1), strings.Replace(hash, "p=1", "p=0", 1),
			strings.Replace(hash, "m=8", "m=x", 1), hash[:len(hash)-4], hash + "$", strings.Replace(hash, "$m", "$$m", 1),
		} {
			if _, err := cheap.Verify(t.Context(), form, "senha"); err == nil {
				t.Errorf("%q: got no error, want one", form)
			}
		}
	})
}

func TestArgon2id_Hash_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hasher := password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1, Concurrent: 1})
	for range 3 {
		if hash, err := hasher.Hash(ctx, "senha"); !errors.Is(err, context.Canceled) || hash != "" {
			t.Errorf("got %q, error %v, want context.Canceled", hash, err)
		}
		if fits, err := hasher.Verify(ctx, hasher.Decoy(), "senha"); !errors.Is(err, context.Canceled) || fits {
			t.Errorf("got %t, error %v, want context.Canceled", fits, err)
		}
	}
	if _, err := hasher.Hash(t.Context(), "senha"); err != nil {
		t.Errorf("got %v after the cancelled ones, want nil", err)
	}
}

// TestArgon2id_Hash_ManyAtOnce: those that have to wait are hashed all the same.
func TestArgon2id_Hash_ManyAtOnce(t *testing.T) {
	hasher := password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1, Concurrent: 2})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			hash, err := hasher.Hash(t.Context(), "senha")
			if err != nil {
				t.Error(err)
				return
			}
			if fits, err := hasher.Verify(t.Context(), hash, "senha"); err != nil || !fits {
				t.Errorf("got %t, error %v, want the password to fit", fits, err)
			}
		})
	}
	wg.Wait()
}
