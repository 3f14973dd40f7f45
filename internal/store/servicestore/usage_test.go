package servicestore_test

import (
	"errors"
	"testing"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// TestStore_SentBytes: what a profile sent counts for a day, and what was refused does
// not.
func TestStore_SentBytes(t *testing.T) {
	f := MustStore(t)
	full := errors.New("full")
	admit := func(sent int64) error {
		if sent > 100 {
			return full
		}
		return nil
	}
	send := func(at time.Time, size int64) error {
		r := f.request(uuid.NewString()[:20])
		r.ID, r.Key, r.ReceivedAt, r.Admit = uuid.New(), nil, at, admit
		r.Request.Attachments = []authorization.Attachment{{Name: "a", Blob: "b", Size: size}}
		_, _, err := f.Receive(t.Context(), r)
		return err
	}
	sent := func(at time.Time, want int64) {
		t.Helper()
		if got, err := f.SentBytes(t.Context(), f.profile, at); err != nil || got != want {
			t.Errorf("got %d bytes, %v, want %d", got, err, want)
		}
	}
	sent(now, 0)
	must(t, send(now, 60))
	if err := send(now.Add(time.Hour), 41); !errors.Is(err, full) {
		t.Errorf("beyond the limit: got %v, want the refusal", err)
	}
	sent(now.Add(time.Hour), 60)
	must(t, send(now.Add(23*time.Hour), 40))
	sent(now.Add(23*time.Hour), 100)
	must(t, send(now.Add(24*time.Hour), 60))
	sent(now.Add(24*time.Hour), 100)
	if got, err := f.SentBytes(t.Context(), uuid.New(), now); err != nil || got != 0 {
		t.Errorf("another profile: got %d, %v, want 0", got, err)
	}
}
