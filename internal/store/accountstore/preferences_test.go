package accountstore_test

import (
	"io/fs"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/sqlite"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/migrations"

	"github.com/google/uuid"
)

func TestTx_SetPreferences(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	bia := MustInsert(t, store, account.User{UID: uuid.UUID{2}, Login: "bia", Name: "Bia"})
	want := account.Preferences{Theme: account.DarkTheme, KeysOff: true}
	MustWrite(t, store, func(tx account.Tx) error { return tx.SetPreferences(t.Context(), ana.UID, want) })
	MustWrite(t, store, func(tx account.Tx) error {
		got, err := tx.User(t.Context(), ana.UID)
		if err == nil && got.Preferences != want {
			t.Errorf("got %+v, want %+v", got.Preferences, want)
		}
		other, otherErr := tx.User(t.Context(), bia.UID)
		if otherErr != nil || other.Preferences != (account.Preferences{Theme: account.SystemTheme}) {
			t.Errorf("somebody else: got %+v, error %v", other.Preferences, otherErr)
		}
		return err
	})
	err := store.Write(t.Context(), func(tx account.Tx) error {
		return tx.SetPreferences(t.Context(), ana.UID, account.Preferences{Theme: "roxo"})
	})
	if err == nil {
		t.Error("unknown theme: got no error, want the schema's")
	}
}

func TestTx_SetLastLogin(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	for _, tc := range []struct{ at, want time.Time }{{now, now}, {now.Add(-time.Hour), now}, {now.Add(time.Hour), now.Add(time.Hour)}} {
		MustWrite(t, store, func(tx account.Tx) error {
			if err := tx.SetLastLogin(t.Context(), ana.UID, tc.at); err != nil {
				return err
			}
			got, err := tx.User(t.Context(), ana.UID)
			if !got.LastLogin.Equal(tc.want) {
				t.Errorf("got %v, want %v", got.LastLogin, tc.want)
			}
			return err
		})
	}
}

func TestTx_InsertSession_Client(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	want := account.Session{UID: uuid.UUID{1, 1}, User: ana.UID, CreatedAt: now, ActiveAt: now, Device: "Chrome no Windows",
		Address: "2001:db8::7"}
	MustWrite(t, store, func(tx account.Tx) error {
		if err := tx.InsertSession(t.Context(), account.Hash{1}, want); err != nil {
			return err
		}
		got, _, err := tx.Session(t.Context(), account.Hash{1})
		if got.Device != want.Device || got.Address != want.Address {
			t.Errorf("got %q from %q", got.Device, got.Address)
		}
		return err
	})
}

// before returns the migrations up to a name.
func before(t *testing.T, name string) fs.FS {
	t.Helper()
	part := fstest.MapFS{}
	entries, err := fs.ReadDir(migrations.Desk, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() >= name {
			continue
		}
		content, err := fs.ReadFile(migrations.Desk, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		part[e.Name()] = &fstest.MapFile{Data: content}
	}
	return part
}

// An installation from before keeps its last logins: the trail knows them.
func TestMigration_LastLogin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	open := func(files fs.FS) engine.DB {
		db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: files, Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	old := open(before(t, "00006"))
	err := old.Write(t.Context(), func(tx *engine.Tx) error {
		for i, login := range []string{"ana", "bia"} {
			if _, err := tx.Exec(t.Context(), `INSERT INTO person (uid, login, name, created_at)
				VALUES (?, ?, ?, 1)`, engine.UID(uuid.UUID{byte(i + 1)}), login, login); err != nil {
				return err
			}
		}
		_, err := tx.Exec(t.Context(), `INSERT INTO audit_entry (id, at, actor, event, mac) VALUES (1, ?, ?, ?, zeroblob(32))`,
			engine.Micros(now), engine.UID(uuid.UUID{1}), string(audit.LoggedIn))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(migrations.Desk)
	t.Cleanup(func() { _ = db.Close() })
	MustWrite(t, accountstore.New(db, auditlog.New(db, audit.Key{1})), func(tx account.Tx) error {
		users, err := tx.Users(t.Context())
		if len(users) != 2 || !users[0].LastLogin.Equal(now) || !users[1].LastLogin.IsZero() || users[0].Theme != account.SystemTheme {
			t.Errorf("got %+v", users)
		}
		return err
	})
}
