package accessstore

import (
	"context"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// AddUser implements access.UserStore.
func (s *Store) AddUser(ctx context.Context, u access.User, password string) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		profile, err := profileID(ctx, tx, u.ProfileID)
		if err != nil {
			return err
		}
		return exec(ctx, tx, `INSERT INTO service_user (uid, profile_id, name, password, created_at) VALUES (?, ?, ?, ?, ?)`,
			engine.UID(u.ID), profile, u.Name, password, engine.Micros(u.CreatedAt))
	})
}

const userColumns = `u.uid, p.uid, u.name, u.disabled, u.created_at, u.used_at`

// userFields are where a user's columns are scanned.
func userFields(u *access.User) []any {
	return []any{engine.ScanUID(&u.ID), engine.ScanUID(&u.ProfileID), &u.Name, &u.Disabled, engine.ScanTime(&u.CreatedAt),
		engine.ScanTime(&u.UsedAt)}
}

// UserByName implements access.UserStore.
func (s *Store) UserByName(ctx context.Context, name string) (u access.User, password string, p access.Profile, err error) {
	fields, done := profileFields(&p)
	err = s.read(ctx, func(tx *engine.Tx) error {
		return tx.QueryRow(ctx, `SELECT `+userColumns+`, u.password, `+profileColumns+`
			FROM service_user u JOIN profile p ON p.id = u.profile_id WHERE u.name = ?`, name).
			Scan(append(append(userFields(&u), &password), fields...)...)
	})
	done()
	return u, password, p, err
}

// Users implements access.UserStore.
func (s *Store) Users(ctx context.Context, profile uuid.UUID) (users []access.User, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		users, err = engine.List(ctx, tx, func(r engine.Row) (u access.User, err error) {
			return u, r.Scan(userFields(&u)...)
		}, `SELECT `+userColumns+` FROM service_user u JOIN profile p ON p.id = u.profile_id WHERE p.uid = ?
			ORDER BY u.name`, engine.UID(profile))
		return err
	})
	return users, err
}

// SetUserPassword implements access.UserStore.
func (s *Store) SetUserPassword(ctx context.Context, id uuid.UUID, password string, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		if err := execOne(ctx, tx, `UPDATE service_user SET password = ? WHERE uid = ?`, password, engine.UID(id)); err != nil {
			return err
		}
		return revokeOfUser(ctx, tx, id, at)
	})
}

// SetUserDisabled implements access.UserStore.
func (s *Store) SetUserDisabled(ctx context.Context, id uuid.UUID, disabled bool, at time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		if err := execOne(ctx, tx, `UPDATE service_user SET disabled = ? WHERE uid = ?`, disabled, engine.UID(id)); err != nil || !disabled {
			return err
		}
		return revokeOfUser(ctx, tx, id, at)
	})
}

// revokeOfUser ends all sessions of a user who was disabled or got another password.
func revokeOfUser(ctx context.Context, tx *engine.Tx, id uuid.UUID, at time.Time) error {
	return exec(ctx, tx, `UPDATE token_family SET revoked_at = ?, reason = ?
		WHERE revoked_at = 0 AND user_id = (SELECT id FROM service_user WHERE uid = ?)`,
		engine.Micros(at), string(access.RevokedWithUser), engine.UID(id))
}

// OpenSession implements access.UserStore. Looking once more and adding are one
// transaction, so that who is disabled at the same moment stays out.
func (s *Store) OpenSession(ctx context.Context, f access.Family, password string, tokens ...access.Token) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		err := execOne(ctx, tx, `UPDATE service_user SET used_at = ? WHERE uid = ? AND password = ? AND disabled = 0`,
			engine.Micros(f.CreatedAt), engine.UID(f.UserID), password)
		if err != nil {
			return err
		}
		return addFamily(ctx, tx, f, tokens)
	})
}
