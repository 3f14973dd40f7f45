package accountstore_test

import (
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// TestTx_Invitation: a link belongs to a person, or to the first administrator, until
// the person's links are deleted.
func TestTx_Invitation(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	want := map[account.Hash]account.Invitation{
		{1}: {User: ana.UID, Expires: now.Add(time.Hour)},
		{2}: {Expires: now.Add(2 * time.Hour)},
	}
	MustWrite(t, store, func(tx account.Tx) error {
		for hash, i := range want {
			if err := tx.InsertInvitation(t.Context(), hash, i.User, i.Expires); err != nil {
				return err
			}
		}
		return nil
	})
	MustWrite(t, store, func(tx account.Tx) error {
		for hash, i := range want {
			if got, err := tx.Invitation(t.Context(), hash); err != nil || got.User != i.User || !got.Expires.Equal(i.Expires) {
				t.Errorf("got %+v, %v, want %+v", got, err, i)
			}
		}
		return tx.DeleteInvitations(t.Context(), ana.UID)
	})
	MustWrite(t, store, func(tx account.Tx) error {
		if got, err := tx.Invitation(t.Context(), account.Hash{1}); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %+v, %v, want none", got, err)
		}
		_, err := tx.Invitation(t.Context(), account.Hash{2})
		return err
	})
}

// TestTx_SetSessionData: the browser's session is kept with the person's, and may be emptied.
func TestTx_SetSessionData(t *testing.T) {
	store := MustOpen(t)
	ana := MustInsert(t, store, account.User{UID: uuid.UUID{1}, Login: "ana", Name: "Ana"})
	session := account.Session{UID: uuid.UUID{2}, User: ana.UID, CreatedAt: now, ActiveAt: now}
	MustWrite(t, store, func(tx account.Tx) error { return tx.InsertSession(t.Context(), account.Hash{3}, session) })
	for _, data := range []string{"x", ""} {
		MustWrite(t, store, func(tx account.Tx) error {
			if tx.Now().IsZero() {
				t.Error("got no time, want the transaction's")
			}
			if err := tx.SetSessionData(t.Context(), session.UID, []byte(data)); err != nil {
				return err
			}
			got, user, err := tx.Session(t.Context(), account.Hash{3})
			if string(got.Data) != data || user.UID != ana.UID {
				t.Errorf("got %q of %s, want %q", got.Data, user.UID, data)
			}
			return err
		})
	}
	MustWrite(t, store, func(tx account.Tx) error { return tx.SetSessionData(t.Context(), session.UID, nil) })
}
