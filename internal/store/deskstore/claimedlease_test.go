package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestStore_ClaimLease: one process holds it at a time; whoever takes it over knows that it was not ended, and the one
// before has lost it.
func TestStore_ClaimLease(t *testing.T) {
	db := storetest.Open(t, migrations.Desk, nil)
	s, ctx, id := deskstore.New(db, auditlog.New(db, audit.Key{1})), t.Context(), uuid.New()
	now := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	claim := func(seconds int, want bool) {
		t.Helper()
		if abandoned, err := s.ClaimLease(ctx, id, at(seconds), at(seconds+15)); abandoned != want || err != nil {
			t.Errorf("claimed: got %v, %v, want %v", abandoned, err, want)
		}
	}
	conflict := func(err error) {
		t.Helper()
		if !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want a conflict", err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	claim(0, false)
	_, err := s.ClaimLease(ctx, id, at(14), at(29))
	conflict(err)
	must(s.RenewLease(ctx, id, at(15), at(20)))
	_, err = s.ClaimLease(ctx, id, at(19), at(34))
	conflict(err)
	claim(20, true)
	conflict(s.RenewLease(ctx, id, at(20), at(40)))
	must(s.EndLease(ctx, id, at(20)))
	_, err = s.ClaimLease(ctx, id, at(21), at(36))
	conflict(err)
	must(s.EndLease(ctx, id, at(35)))
	claim(22, false)
}
