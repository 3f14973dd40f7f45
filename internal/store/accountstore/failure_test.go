package accountstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/internal/throttle"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestTx_FailedQueries: every query that fails is an error.
func TestTx_FailedQueries(t *testing.T) {
	db := storetest.Open(t, migrations.Desk, nil)
	store := accountstore.New(db, auditlog.New(db, audit.Key{1}))
	ana := MustInsert(t, store, account.User{UID: uuid.New(), Login: "ana", Name: "Ana", CreatedAt: now,
		Roles: []permission.Role{permission.Reception}, Units: []uuid.UUID{{9}}})
	bia := account.User{UID: uuid.New(), Login: "bia", Name: "Bia", CreatedAt: now, Roles: permission.Roles(), Units: []uuid.UUID{{8}}}
	hash, secret, subject := account.Hash{1}, account.Hash{2}, [32]byte{3}
	session := account.Session{UID: uuid.New(), User: ana.UID, CreatedAt: now, ActiveAt: now}
	MustWrite(t, store, func(tx account.Tx) error { return tx.InsertSession(t.Context(), hash, session) })
	MustWrite(t, store, func(tx account.Tx) error { return tx.InsertInvitation(t.Context(), secret, ana.UID, now) })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	on := func(tables string, do func(ctx context.Context, tx account.Tx) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error {
			store := accountstore.New(db, auditlog.New(db, audit.Key{1}))
			return store.Write(ctx, func(tx account.Tx) error { return do(ctx, tx) })
		}}
	}
	const user = "person person_role person_unit"
	db.CheckFailures(t, map[string]storetest.Operation{
		"Append": on("audit_entry", func(ctx context.Context, tx account.Tx) error {
			return tx.Append(ctx, audit.Entry{Event: audit.LoggedIn})
		}),
		"Users": on(user, func(ctx context.Context, tx account.Tx) error { return second(tx.Users(ctx)) }),
		"User":  on(user, func(ctx context.Context, tx account.Tx) error { return second(tx.User(ctx, ana.UID)) }),
		"UserWithPassword": on(user, func(ctx context.Context, tx account.Tx) error {
			_, _, err := tx.UserWithPassword(ctx, "ana")
			return err
		}),
		"InsertUser":  on(user, func(ctx context.Context, tx account.Tx) error { return tx.InsertUser(ctx, bia) }),
		"UpdateUser":  on(user, func(ctx context.Context, tx account.Tx) error { return tx.UpdateUser(ctx, ana) }),
		"SetPassword": on("person", func(ctx context.Context, tx account.Tx) error { return tx.SetPassword(ctx, ana.UID, "x") }),
		"SetPreferences": on("person", func(ctx context.Context, tx account.Tx) error {
			return tx.SetPreferences(ctx, ana.UID, account.Preferences{Theme: account.DarkTheme})
		}),
		"SetLastLogin": on("person", func(ctx context.Context, tx account.Tx) error { return tx.SetLastLogin(ctx, ana.UID, now) }),
		"InsertInvitation": on("activation person", func(ctx context.Context, tx account.Tx) error {
			return tx.InsertInvitation(ctx, account.Hash{9}, ana.UID, now)
		}),
		"Invitation": on("activation person",
			func(ctx context.Context, tx account.Tx) error { return second(tx.Invitation(ctx, secret)) }),
		"DeleteInvitations": on("activation person",
			func(ctx context.Context, tx account.Tx) error { return tx.DeleteInvitations(ctx, ana.UID) }),
		"InsertSession": on("session person", func(ctx context.Context, tx account.Tx) error {
			return tx.InsertSession(ctx, account.Hash{8}, account.Session{UID: uuid.New(), User: ana.UID, CreatedAt: now, ActiveAt: now})
		}),
		"Session":  on("session "+user, func(ctx context.Context, tx account.Tx) error { _, _, err := tx.Session(ctx, hash); return err }),
		"Sessions": on("session person", func(ctx context.Context, tx account.Tx) error { return second(tx.Sessions(ctx, ana.UID)) }),
		"SessionOwner": on("session person", func(ctx context.Context, tx account.Tx) error {
			return second(tx.SessionOwner(ctx, session.UID))
		}),
		"TouchSession": on("session", func(ctx context.Context, tx account.Tx) error {
			return tx.TouchSession(ctx, session.UID, now.Add(time.Hour))
		}),
		"SetSessionData": on("session", func(ctx context.Context, tx account.Tx) error {
			return tx.SetSessionData(ctx, session.UID, []byte("x"))
		}),
		"ConfirmSession": on("session", func(ctx context.Context, tx account.Tx) error {
			return tx.ConfirmSession(ctx, session.UID, now)
		}),
		"DeleteSession":       on("session", func(ctx context.Context, tx account.Tx) error { return tx.DeleteSession(ctx, session.UID) }),
		"DeleteSessions":      on("session person", func(ctx context.Context, tx account.Tx) error { return tx.DeleteSessions(ctx, ana.UID) }),
		"DeleteStaleSessions": on("session", func(ctx context.Context, tx account.Tx) error { return tx.DeleteStaleSessions(ctx, now, now) }),
		"Failures":            on("login_throttle", func(ctx context.Context, tx account.Tx) error { return second(tx.Failures(ctx, subject)) }),
		"SetFailures": on("login_throttle", func(ctx context.Context, tx account.Tx) error {
			return tx.SetFailures(ctx, subject, throttle.Failures{Count: 1, At: now})
		}),
		"ClearFailures": on("login_throttle", func(ctx context.Context, tx account.Tx) error {
			return tx.SetFailures(ctx, subject, throttle.Failures{})
		}),
		"DeleteStaleFailures": on("login_throttle login_failure", func(ctx context.Context, tx account.Tx) error {
			return tx.DeleteStaleFailures(ctx, now, now)
		}),
		"CountTried":   on("login_failure", func(ctx context.Context, tx account.Tx) error { return tx.CountTried(ctx, ana.UID) }),
		"CountRefused": on("login_failure", func(ctx context.Context, tx account.Tx) error { return tx.CountRefused(ctx, ana.UID) }),
		"FailedLogins": on("login_failure", func(ctx context.Context, tx account.Tx) error { return second(tx.FailedLogins(ctx, now)) }),
	})
}

func second[T any](_ T, err error) error { return err }
