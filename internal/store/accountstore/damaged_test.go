package accountstore_test

import (
	"testing"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestTx_DamagedUser: somebody whose row cannot be read is said to be damaged in the list, and keeps nobody else out.
func TestTx_DamagedUser(t *testing.T) {
	for name, harm := range map[string]struct {
		statement string
		args      []any
	}{
		"Number": {`UPDATE person SET disabled = 7 WHERE login = 'ana'`, nil},
		"Unit":   {`UPDATE person_unit SET unit_uid = ?`, []any{[]byte("short")}},
	} {
		t.Run(name, func(t *testing.T) {
			db := storetest.Open(t, migrations.Desk, nil)
			store := accountstore.New(db, auditlog.New(db, audit.Key{1}))
			ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana", Units: []uuid.UUID{{7}}})
			MustInsert(t, store, account.User{UID: uuid.UUID{2}, Login: "bia", Name: "Bia"})
			session := account.Hash{5}
			MustWrite(t, store, func(tx account.Tx) error {
				return tx.InsertSession(t.Context(), session, account.Session{UID: uuid.UUID{6}, User: ana.UID})
			})
			storetest.Unguard(t, db)
			mustHarm(t, db, harm.statement, harm.args...)

			MustWrite(t, store, func(tx account.Tx) error {
				users, err := tx.Users(t.Context())
				if len(users) != 2 || !cmp.Equal(users[0], account.User{UID: ana.UID, Damaged: true}) || users[1].Name != "Bia" {
					t.Errorf("got %+v, want one who is damaged, and Bia", users)
				}
				for path, err := range map[string]error{
					"User":             second(tx.User(t.Context(), ana.UID)),
					"UserWithPassword": third(tx.UserWithPassword(t.Context(), "ana")),
					"Session":          third(tx.Session(t.Context(), session)),
				} {
					if !problem.Is(err, problem.Damaged) {
						t.Errorf("%s: got %v, want %s", path, err, problem.Damaged)
					}
				}
				return err
			})
		})
	}
}

func third[T, U any](_ T, _ U, err error) error { return err }

// mustHarm does to the database what the program does not.
func mustHarm(t *testing.T, db engine.DB, statement string, args ...any) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
