package accountstore

import (
	"context"
	"time"

	"guiche/internal/account"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// InsertInvitation implements account.InvitationTx.
func (t *tx) InsertInvitation(ctx context.Context, hash account.Hash, user uuid.UUID, expires time.Time) error {
	return t.run(ctx, `INSERT INTO activation (hash, person_id, expires_at) VALUES (?, (SELECT id FROM person WHERE uid = ?), ?)`,
		hash[:], engine.UID(user), engine.Micros(expires))
}

// Invitation implements account.InvitationTx.
func (t *tx) Invitation(ctx context.Context, hash account.Hash) (account.Invitation, error) {
	var i account.Invitation
	err := t.QueryRow(ctx, `SELECT p.uid, a.expires_at FROM activation a LEFT JOIN person p ON p.id = a.person_id WHERE a.hash = ?`, hash[:]).
		Scan(engine.ScanUID(&i.User), engine.ScanTime(&i.Expires))
	return i, engine.Error(err)
}

// DeleteInvitations implements account.InvitationTx.
func (t *tx) DeleteInvitations(ctx context.Context, user uuid.UUID) error {
	return t.run(ctx, `DELETE FROM activation WHERE person_id IS NOT DISTINCT FROM (SELECT id FROM person WHERE uid = ?)`, engine.UID(user))
}
