package accessstore

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// EnsureProfile implements access.ProfileStore.
func (s *Store) EnsureProfile(ctx context.Context, p access.Profile) error {
	return s.write(ctx, func(tx *engine.Tx) error { return putProfile(ctx, tx, p, `ON CONFLICT (uid) DO NOTHING`) })
}

// PutProfile implements access.ProfileStore. With another rate the profile begins
// anew: what was paid for was paid for at the old one.
func (s *Store) PutProfile(ctx context.Context, p access.Profile) error {
	return s.write(ctx, func(tx *engine.Tx) error { return replaceProfile(ctx, tx, p) })
}

// ChangeProfile implements access.ProfileStore.
func (s *Store) ChangeProfile(ctx context.Context, id uuid.UUID, change func(access.Profile) (access.Profile, error)) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		kept, err := scanProfile(tx.QueryRow(ctx, `SELECT `+profileColumns+` FROM profile p WHERE p.uid = ?`, engine.UID(id)))
		if err != nil {
			return err
		}
		changed, err := change(kept)
		if err != nil {
			return err
		}
		return replaceProfile(ctx, tx, changed)
	})
}

func replaceProfile(ctx context.Context, tx *engine.Tx, p access.Profile) error {
	err := putProfile(ctx, tx, p, `ON CONFLICT (uid) DO UPDATE SET name = excluded.name, methods = excluded.methods,
		scopes = excluded.scopes, rate = excluded.rate, disabled = excluded.disabled,
		rate_until = CASE profile.rate WHEN excluded.rate THEN profile.rate_until ELSE 0 END`)
	if err != nil || !p.Disabled {
		return err
	}
	return revokeFamilies(ctx, tx, p.ID, access.RevokedByHand, tx.Now)
}

// putProfile inserts a profile; onConflict says what happens to one that has the same
// identifier.
func putProfile(ctx context.Context, tx *engine.Tx, p access.Profile, onConflict string) error {
	return exec(ctx, tx, `INSERT INTO profile (uid, name, methods, scopes, rate, disabled, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?) `+onConflict,
		engine.UID(p.ID), p.Name, join(p.Methods), join(p.Scopes), p.Rate, p.Disabled, engine.Micros(tx.Now))
}

const profileColumns = `p.uid, p.name, p.methods, p.scopes, p.rate, p.disabled`

// profileFields are the destinations of profileColumns; done turns what was
// scanned into the profile's own types.
func profileFields(p *access.Profile) (fields []any, done func()) {
	var methods, scopes string
	fields = []any{engine.ScanUID(&p.ID), &p.Name, &methods, &scopes, &p.Rate, &p.Disabled}
	return fields, func() { p.Methods, p.Scopes = split[access.Method](methods), split[access.Scope](scopes) }
}

func scanProfile(r engine.Row) (p access.Profile, err error) {
	fields, done := profileFields(&p)
	err = r.Scan(fields...)
	done()
	return p, err
}

// Profiles implements access.ProfileStore.
func (s *Store) Profiles(ctx context.Context) (profiles []access.Profile, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		profiles, err = engine.List(ctx, tx, scanProfile, `SELECT `+profileColumns+` FROM profile p ORDER BY p.id`)
		return err
	})
	engine.SortByName(profiles, func(p access.Profile) string { return p.Name })
	return profiles, err
}

// AddKey implements access.ProfileStore.
func (s *Store) AddKey(ctx context.Context, k access.Key) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		profile, err := profileID(ctx, tx, k.ProfileID)
		if err != nil {
			return engine.Error(err)
		}
		return exec(ctx, tx, `INSERT INTO api_key (uid, profile_id, hash, hint, idle, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			engine.UID(k.ID), profile, k.Hash[:], k.Hint, k.Idle.Microseconds(), engine.Micros(k.CreatedAt))
	})
}

const keyColumns = `k.uid, p.uid, k.hash, k.hint, k.idle, k.created_at, k.used_at, k.revoked_at`

// keyFields are the destinations of keyColumns; done turns what was scanned into
// the key's own types.
func keyFields(k *access.Key) (fields []any, done func()) {
	var hash []byte
	var idle int64
	fields = []any{engine.ScanUID(&k.ID), engine.ScanUID(&k.ProfileID), &hash, &k.Hint, &idle,
		engine.ScanTime(&k.CreatedAt), engine.ScanTime(&k.UsedAt), engine.ScanTime(&k.RevokedAt)}
	return fields, func() {
		copy(k.Hash[:], hash)
		k.Idle = time.Duration(idle) * time.Microsecond
	}
}

// Keys implements access.ProfileStore.
func (s *Store) Keys(ctx context.Context, profile uuid.UUID) (keys []access.Key, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		keys, err = engine.List(ctx, tx, func(r engine.Row) (k access.Key, err error) {
			fields, done := keyFields(&k)
			err = r.Scan(fields...)
			done()
			return k, err
		}, `SELECT `+keyColumns+` FROM api_key k JOIN profile p ON p.id = k.profile_id WHERE p.uid = ? ORDER BY k.id DESC`, engine.UID(profile))
		return err
	})
	return keys, err
}

// KeyByHash implements access.ProfileStore.
func (s *Store) KeyByHash(ctx context.Context, hash [sha256.Size]byte) (k access.Key, p access.Profile, err error) {
	fields, done := keyFields(&k)
	profile, profileDone := profileFields(&p)
	err = s.read(ctx, func(tx *engine.Tx) error {
		return tx.QueryRow(ctx, `SELECT `+keyColumns+`, `+profileColumns+`
			FROM api_key k JOIN profile p ON p.id = k.profile_id WHERE k.hash = ?`, hash[:]).
			Scan(append(fields, profile...)...)
	})
	done()
	profileDone()
	return k, p, err
}

// TouchKey implements access.ProfileStore.
func (s *Store) TouchKey(ctx context.Context, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return execOne(ctx, tx, `UPDATE api_key SET used_at = CASE WHEN used_at < ?1 THEN ?1 ELSE used_at END WHERE uid = ?2`,
			engine.Micros(at), engine.UID(id))
	})
}

// RevokeKey implements access.ProfileStore. A key stays revoked since the first
// time.
func (s *Store) RevokeKey(ctx context.Context, id uuid.UUID, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return execOne(ctx, tx, `UPDATE api_key SET revoked_at = CASE revoked_at WHEN 0 THEN ? ELSE revoked_at END WHERE uid = ?`,
			engine.Micros(at), engine.UID(id))
	})
}

// setBack is more than requests that come at once may differ about the time.
const setBack = time.Minute

// TakeTurn implements access.ProfileStore: rate_until is when the requests so far
// are paid for at the even pace, and may lie burst intervals ahead. Much farther it
// lies only when the clock was set back since: then it counts no more.
func (s *Store) TakeTurn(ctx context.Context, profile uuid.UUID, now time.Time, interval time.Duration,
	burst int) (wait time.Duration, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		var until time.Time
		if err := tx.QueryRow(ctx, `SELECT rate_until FROM profile
			WHERE uid = ?`, engine.UID(profile)).Scan(engine.ScanTime(&until)); err != nil {
			return err
		}
		most, owed := time.Duration(burst)*interval, max(0, until.Sub(now))
		if owed > most+setBack {
			owed = 0
		}
		if wait = owed + interval - most; wait > 0 {
			return nil
		}
		return exec(ctx, tx, `UPDATE profile SET rate_until = ? WHERE uid = ?`, engine.Micros(now.Add(owed+interval)), engine.UID(profile))
	})
	return max(0, wait), err
}
