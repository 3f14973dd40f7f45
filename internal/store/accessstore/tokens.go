package accessstore

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// keepEnded is how long families and tokens that ended stay for the console.
const keepEnded = 30 * 24 * time.Hour

// AddFamily implements access.TokenStore. Looking once more and adding are one
// transaction, so that a client revoked at the same moment gets nothing.
func (s *Store) AddFamily(ctx context.Context, f access.Family, tokens ...access.Token) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		err := execOne(ctx, tx, `UPDATE oauth_client SET used_at = CASE WHEN used_at < ?1 THEN ?1 ELSE used_at END
			WHERE uid = ?2 AND revoked_at = 0`,
			engine.Micros(f.CreatedAt), engine.UID(f.ClientID))
		if err != nil {
			return err
		}
		return addFamily(ctx, tx, f, tokens)
	})
}

// addFamily stores a session with its first tokens, and drops the sessions that ended
// long ago. It finds no profile that was disabled since its owner was checked.
func addFamily(ctx context.Context, tx *engine.Tx, f access.Family, tokens []access.Token) error {
	ended := engine.Micros(f.CreatedAt.Add(-keepEnded))
	for _, forget := range []string{`DELETE FROM token WHERE expires_at < ?`, `DELETE FROM token_family WHERE ends_at < ?`} {
		if err := exec(ctx, tx, forget, ended); err != nil {
			return err
		}
	}
	var id int64
	err := tx.QueryRow(ctx, `INSERT INTO token_family (uid, profile_id, user_id, client_id, scopes, created_at, ends_at)
		SELECT ?, p.id, (SELECT id FROM service_user WHERE uid = ?), (SELECT id FROM oauth_client WHERE uid = ?), ?, ?, ?
		FROM profile p WHERE p.uid = ? AND p.disabled = 0 RETURNING id`,
		engine.UID(f.ID), engine.UID(f.UserID), engine.UID(f.ClientID), join(f.Scopes), engine.Micros(f.CreatedAt), engine.Micros(f.EndsAt),
		engine.UID(f.ProfileID)).Scan(&id)
	if err != nil {
		return err
	}
	return addTokens(ctx, tx, id, tokens)
}

// addTokens stores digests: a copy of the database opens nothing.
func addTokens(ctx context.Context, tx *engine.Tx, family int64, tokens []access.Token) error {
	for _, t := range tokens {
		err := exec(ctx, tx, `INSERT INTO token (family_id, kind, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?)`,
			family, string(t.Kind), t.Hash[:], engine.Micros(t.CreatedAt), engine.Micros(t.ExpiresAt))
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	familyColumns = `f.uid, p.uid, u.uid, c.uid, coalesce(u.name, c.name), f.scopes, f.created_at, f.used_at,
		f.renewed_at, f.ends_at, f.revoked_at, f.reason`
	familyTables = `token_family f` + ofFamily
	ofFamily     = ` JOIN profile p ON p.id = f.profile_id
		LEFT JOIN service_user u ON u.id = f.user_id LEFT JOIN oauth_client c ON c.id = f.client_id`
	// ownerOut is 1 where the user was disabled, or the client revoked.
	ownerOut = `coalesce(u.disabled, CASE c.revoked_at WHEN 0 THEN 0 ELSE 1 END)`
)

// familyFields are the destinations of familyColumns.
func familyFields(f *access.Family) (fields []any, done func()) {
	var scopes string
	fields = []any{engine.ScanUID(&f.ID), engine.ScanUID(&f.ProfileID), engine.ScanUID(&f.UserID), engine.ScanUID(&f.ClientID),
		&f.Owner, &scopes,
		engine.ScanTime(&f.CreatedAt), engine.ScanTime(&f.UsedAt), engine.ScanTime(&f.RenewedAt), engine.ScanTime(&f.EndsAt),
		engine.ScanTime(&f.RevokedAt), &f.Reason}
	return fields, func() { f.Scopes = split[access.Scope](scopes) }
}

// TokenByHash implements access.TokenStore.
func (s *Store) TokenByHash(ctx context.Context, kind access.TokenKind, hash [sha256.Size]byte) (g access.Grant, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		g, _, err = grant(ctx, tx, kind, hash)
		return err
	})
	return g, err
}

// grant reads a token with all on which its validity rests, and the inner id of
// its family.
func grant(ctx context.Context, tx *engine.Tx, kind access.TokenKind, hash [sha256.Size]byte) (g access.Grant, family int64, err error) {
	fields, done := familyFields(&g.Family)
	profile, profileDone := profileFields(&g.Profile)
	token := []any{&family, engine.ScanTime(&g.Token.CreatedAt), engine.ScanTime(&g.Token.ExpiresAt),
		engine.ScanTime(&g.Token.SpentAt), &g.OwnerOut}
	err = tx.QueryRow(ctx, `SELECT f.id, t.created_at, t.expires_at, t.spent_at, `+ownerOut+`, `+familyColumns+`, `+profileColumns+`
		FROM token t JOIN token_family f ON f.id = t.family_id`+ofFamily+` WHERE t.hash = ? AND t.kind = ?`, hash[:], string(kind)).
		Scan(slices.Concat(token, fields, profile)...)
	done()
	profileDone()
	g.Token.Hash, g.Token.Kind = hash, kind
	return g, family, err
}

// Renew implements access.TokenStore: one transaction of the one writer.
func (s *Store) Renew(ctx context.Context, hash [sha256.Size]byte, at time.Time, next ...access.Token) (g access.Grant, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		var family int64
		g, family, err = grant(ctx, tx, access.RefreshToken, hash)
		switch {
		case err != nil:
			return err
		case !g.Token.SpentAt.IsZero():
			return revokeFamily(ctx, tx, g.Family.ID, access.RevokedByReuse, at)
		case !g.Live(at):
			return nil
		}
		return renew(ctx, tx, family, hash, at, next)
	})
	return g, err
}

// renew spends one refresh token and adds its successors in the same transaction, so
// that a token is never good twice.
func renew(ctx context.Context, tx *engine.Tx, family int64, spent [sha256.Size]byte, at time.Time, next []access.Token) error {
	ends := at
	for _, t := range next {
		ends = later(ends, t.ExpiresAt)
	}
	if err := execOne(ctx, tx, `UPDATE token SET spent_at = ? WHERE hash = ?`, engine.Micros(at), spent[:]); err != nil {
		return err
	}
	if err := execOne(ctx, tx, `UPDATE token_family SET renewed_at = ?1, ends_at = CASE WHEN ends_at < ?2 THEN ?2 ELSE ends_at END
		WHERE id = ?3`,
		engine.Micros(at), engine.Micros(ends), family); err != nil {
		return err
	}
	return addTokens(ctx, tx, family, next)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// TouchFamily implements access.TokenStore.
func (s *Store) TouchFamily(ctx context.Context, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return execOne(ctx, tx, `UPDATE token_family SET used_at = CASE WHEN used_at < ?1 THEN ?1 ELSE used_at END WHERE uid = ?2`,
			engine.Micros(at), engine.UID(id))
	})
}

// Family implements access.TokenStore.
func (s *Store) Family(ctx context.Context, id uuid.UUID) (f access.Family, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		f, err = scanFamily(tx.QueryRow(ctx, `SELECT `+familyColumns+` FROM `+familyTables+` WHERE f.uid = ?`, engine.UID(id)))
		return err
	})
	return f, err
}

// scanFamily reads a session with the profile it belongs to.
func scanFamily(r engine.Row) (f access.Family, err error) {
	fields, done := familyFields(&f)
	err = r.Scan(fields...)
	done()
	return f, err
}

// Families implements access.TokenStore.
func (s *Store) Families(ctx context.Context, q access.FamilyQuery) (found access.FamilyPage, err error) {
	from, args := familyTables+` WHERE p.uid = ?`, []any{engine.UID(q.Profile)}
	if !q.LiveAt.IsZero() {
		from += ` AND f.revoked_at = 0 AND f.ends_at > ? AND ` + ownerOut + ` = 0`
		args = append(args, engine.Micros(q.LiveAt))
	}
	err = s.read(ctx, func(tx *engine.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM `+from, args...).Scan(&found.Total); err != nil {
			return err
		}
		page, values := ` ORDER BY f.id DESC`, args
		if q.Size > 0 {
			page, values = page+` LIMIT ? OFFSET ?`, append(values[:len(values):len(values)], q.Size, max(0, q.Page-1)*q.Size)
		}
		found.Items, err = engine.List(ctx, tx, scanFamily, `SELECT `+familyColumns+` FROM `+from+page, values...)
		return err
	})
	return found, err
}

// RevokeFamily implements access.TokenStore.
func (s *Store) RevokeFamily(ctx context.Context, id uuid.UUID, reason access.Revocation, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error { return revokeFamily(ctx, tx, id, reason, at) })
}

// RevokeFamilies implements access.TokenStore.
func (s *Store) RevokeFamilies(ctx context.Context, profile uuid.UUID, reason access.Revocation, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return revokeFamilies(ctx, tx, profile, reason, at)
	})
}

// revokeFamilies ends all sessions of a profile that have not ended before.
func revokeFamilies(ctx context.Context, tx *engine.Tx, profile uuid.UUID, reason access.Revocation, at time.Time) error {
	return exec(ctx, tx, `UPDATE token_family SET revoked_at = ?, reason = ?
		WHERE revoked_at = 0 AND profile_id = (SELECT id FROM profile WHERE uid = ?)`,
		engine.Micros(at), string(reason), engine.UID(profile))
}

// revokeFamily ends a session and keeps the first reason: what came later did not end
// it.
func revokeFamily(ctx context.Context, tx *engine.Tx, id uuid.UUID, reason access.Revocation, at time.Time) error {
	return execOne(ctx, tx, `UPDATE token_family SET reason = CASE revoked_at WHEN 0 THEN ? ELSE reason END,
		revoked_at = CASE revoked_at WHEN 0 THEN ? ELSE revoked_at END WHERE uid = ?`,
		string(reason), engine.Micros(at), engine.UID(id))
}
