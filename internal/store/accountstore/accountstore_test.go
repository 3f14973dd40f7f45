package accountstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/storetest"
	"guiche/internal/throttle"
	"guiche/migrations"

	"github.com/google/uuid"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func MustOpen(tb testing.TB) account.Store {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, func() time.Time { return now })
	return accountstore.New(db, auditlog.New(db, audit.Key{1}))
}

func MustWrite(tb testing.TB, store account.Store, fn func(account.Tx) error) {
	tb.Helper()
	if err := store.Write(tb.Context(), fn); err != nil {
		tb.Fatal(err)
	}
}

// MustInsert adds a person.
func MustInsert(tb testing.TB, store account.Store, u account.User) account.User {
	tb.Helper()
	MustWrite(tb, store, func(tx account.Tx) error { return tx.InsertUser(tb.Context(), u) })
	return u
}

func TestTx_Memberships(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{
		UID: uuid.UUID{1}, Login: "ana", Name: "Ana", CreatedAt: now,
		Roles: []permission.Role{permission.Supervision, permission.Reception, permission.Reception}, Units: []uuid.UUID{{9}, {8}, {9}},
	})
	MustInsert(t, store, account.User{UID: uuid.UUID{2}, Login: "bia", Name: "Bia",
		Roles: []permission.Role{permission.Administration}, Units: []uuid.UUID{{7}}})
	read := func(uid uuid.UUID) (user account.User) {
		MustWrite(t, store, func(tx account.Tx) (err error) { user, err = tx.User(t.Context(), uid); return err })
		return user
	}
	got := read(ana.UID)
	if !slices.Equal(got.Roles, []permission.Role{permission.Reception, permission.Supervision}) ||
		!slices.Equal(got.Units, []uuid.UUID{{8}, {9}}) {
		t.Errorf("got %v, %v, want each once", got.Roles, got.Units)
	}
	ana.Roles, ana.Units, ana.Disabled = nil, nil, true
	MustWrite(t, store, func(tx account.Tx) error { return tx.UpdateUser(t.Context(), ana) })
	if got := read(ana.UID); len(got.Roles)+len(got.Units) != 0 || !got.Disabled {
		t.Errorf("got %+v, want nothing left", got)
	}
	if got := read(uuid.UUID{2}); len(got.Roles) != 1 || len(got.Units) != 1 || got.Disabled {
		t.Errorf("got %+v, want somebody else untouched", got)
	}
}

func TestTx_SetPassword(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	for _, want := range []string{"", "hash", ""} {
		MustWrite(t, store, func(tx account.Tx) error {
			if err := tx.SetPassword(t.Context(), ana.UID, want); err != nil {
				return err
			}
			user, hash, err := tx.UserWithPassword(t.Context(), "ana")
			if hash != want || user.Activated != (want != "") {
				t.Errorf("got %q, activated %t, want %q", hash, user.Activated, want)
			}
			return err
		})
	}
}

func TestTx_Sessions(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	sessions := map[string]account.Session{
		"idle":  {UID: uuid.UUID{1, 1}, User: ana.UID, CreatedAt: now.Add(-2 * time.Hour), ActiveAt: now.Add(-time.Hour)},
		"old":   {UID: uuid.UUID{1, 2}, User: ana.UID, CreatedAt: now.Add(-13 * time.Hour), ActiveAt: now},
		"alive": {UID: uuid.UUID{1, 3}, User: ana.UID, CreatedAt: now.Add(-time.Hour), ActiveAt: now},
	}
	MustWrite(t, store, func(tx account.Tx) error {
		for name, s := range sessions {
			if err := tx.InsertSession(t.Context(), account.Hash([]byte((name + string(make([]byte, 32)))[:32])), s); err != nil {
				return err
			}
		}
		return tx.DeleteStaleSessions(t.Context(), now.Add(-30*time.Minute), now.Add(-12*time.Hour))
	})
	MustWrite(t, store, func(tx account.Tx) error {
		got, err := tx.Sessions(t.Context(), ana.UID)
		if len(got) != 1 || got[0].UID != sessions["alive"].UID {
			t.Errorf("got %v, want the live one", got)
		}
		return err
	})
	t.Run("TouchNeverGoesBack", func(t *testing.T) {
		alive := sessions["alive"]
		for _, tc := range []struct{ at, want time.Time }{{now.Add(-time.Minute), now}, {now.Add(time.Minute), now.Add(time.Minute)}} {
			MustWrite(t, store, func(tx account.Tx) error {
				if err := tx.TouchSession(t.Context(), alive.UID, tc.at); err != nil {
					return err
				}
				got, err := tx.Sessions(t.Context(), ana.UID)
				if err == nil && !got[0].ActiveAt.Equal(tc.want) {
					t.Errorf("got %v, want %v", got[0].ActiveAt, tc.want)
				}
				return err
			})
		}
	})
}

func TestTx_Failures(t *testing.T) {
	store := MustOpen(t)
	subject, other := account.Hash{1}, account.Hash{2}
	for _, want := range []throttle.Failures{{Count: 1, At: now}, {Count: 7, At: now.Add(time.Minute)}, {}} {
		MustWrite(t, store, func(tx account.Tx) error {
			if err := tx.SetFailures(t.Context(), subject, want); err != nil {
				return err
			}
			got, err := tx.Failures(t.Context(), subject)
			if got != want {
				t.Errorf("got %v, want %v", got, want)
			}
			return err
		})
	}
	MustWrite(t, store, func(tx account.Tx) error {
		for s, at := range map[account.Hash]time.Time{subject: now, other: now.Add(-time.Hour)} {
			if err := tx.SetFailures(t.Context(), s, throttle.Failures{Count: 1, At: at}); err != nil {
				return err
			}
		}
		if err := tx.DeleteStaleFailures(t.Context(), now.Add(-time.Minute), now); err != nil {
			return err
		}
		kept, keptErr := tx.Failures(t.Context(), subject)
		gone, goneErr := tx.Failures(t.Context(), other)
		if kept.Count != 1 || gone.Count != 0 || keptErr != nil || goneErr != nil {
			t.Errorf("got %v and %v, want only the young one", kept, gone)
		}
		return nil
	})
}

func TestTx_NotFound(t *testing.T) {
	store := MustOpen(t)
	MustWrite(t, store, func(tx account.Tx) error {
		_, userErr := tx.User(t.Context(), uuid.UUID{1})
		_, _, credentialErr := tx.UserWithPassword(t.Context(), "ana")
		_, _, sessionErr := tx.Session(t.Context(), account.Hash{})
		_, invitationErr := tx.Invitation(t.Context(), account.Hash{})
		for name, err := range map[string]error{
			"User": userErr, "Credential": credentialErr, "Session": sessionErr, "Invitation": invitationErr,
			"DeleteSession": tx.DeleteSession(t.Context(), uuid.UUID{1}),
		} {
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: got %v, want NotFound", name, err)
			}
		}
		return nil
	})
}
