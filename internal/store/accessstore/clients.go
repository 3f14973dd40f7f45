package accessstore

import (
	"context"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// AddClient implements access.ClientStore.
func (s *Store) AddClient(ctx context.Context, c access.OAuthClient) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		profile, err := profileID(ctx, tx, c.ProfileID)
		if err != nil {
			return err
		}
		return exec(ctx, tx, `INSERT INTO oauth_client (uid, profile_id, name, hash, hint, idle, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			engine.UID(c.ID), profile, c.Name, c.Hash[:], c.Hint, c.Idle.Microseconds(), engine.Micros(c.CreatedAt))
	})
}

const clientColumns = `c.uid, p.uid, c.name, c.hash, c.hint, c.idle, c.created_at, c.used_at, c.revoked_at`

// clientFields are the destinations of clientColumns; done turns what was scanned
// into the client's own types.
func clientFields(c *access.OAuthClient) (fields []any, done func()) {
	var hash []byte
	var idle int64
	fields = []any{engine.ScanUID(&c.ID), engine.ScanUID(&c.ProfileID), &c.Name, &hash, &c.Hint, &idle,
		engine.ScanTime(&c.CreatedAt), engine.ScanTime(&c.UsedAt), engine.ScanTime(&c.RevokedAt)}
	return fields, func() {
		copy(c.Hash[:], hash)
		c.Idle = time.Duration(idle) * time.Microsecond
	}
}

// Client implements access.ClientStore.
func (s *Store) Client(ctx context.Context, id uuid.UUID) (c access.OAuthClient, p access.Profile, err error) {
	fields, done := clientFields(&c)
	profile, profileDone := profileFields(&p)
	err = s.read(ctx, func(tx *engine.Tx) error {
		return tx.QueryRow(ctx, `SELECT `+clientColumns+`, `+profileColumns+`
			FROM oauth_client c JOIN profile p ON p.id = c.profile_id WHERE c.uid = ?`, engine.UID(id)).
			Scan(append(fields, profile...)...)
	})
	done()
	profileDone()
	return c, p, err
}

// Clients implements access.ClientStore.
func (s *Store) Clients(ctx context.Context, profile uuid.UUID) (clients []access.OAuthClient, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		clients, err = engine.List(ctx, tx, func(r engine.Row) (c access.OAuthClient, err error) {
			fields, done := clientFields(&c)
			err = r.Scan(fields...)
			done()
			return c, err
		}, `SELECT `+clientColumns+` FROM oauth_client c JOIN profile p ON p.id = c.profile_id WHERE p.uid = ?
			ORDER BY c.id DESC`, engine.UID(profile))
		return err
	})
	return clients, err
}

// RevokeClient implements access.ClientStore. A client stays revoked since the
// first time.
func (s *Store) RevokeClient(ctx context.Context, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		err := execOne(ctx, tx, `UPDATE oauth_client SET revoked_at = CASE revoked_at WHEN 0 THEN ? ELSE revoked_at END WHERE uid = ?`,
			engine.Micros(at), engine.UID(id))
		if err != nil {
			return err
		}
		return exec(ctx, tx, `UPDATE token_family SET revoked_at = ?, reason = ?
			WHERE revoked_at = 0 AND client_id = (SELECT id FROM oauth_client WHERE uid = ?)`,
			engine.Micros(at), string(access.RevokedWithClient), engine.UID(id))
	})
}
