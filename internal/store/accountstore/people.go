package accountstore

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// userColumns are the columns of person p that userRow reads.
const userColumns = `p.uid, p.login, p.name, p.password, p.disabled, p.created_at, p.last_login_at, p.theme, p.keys_off,
	(SELECT coalesce(string_agg(role, ','), '') FROM person_role WHERE person_id = p.id),
	(SELECT coalesce(string_agg(unit_uid, ''), '') FROM person_unit WHERE person_id = p.id)`

// userRow is one row of userColumns.
type userRow struct {
	user     account.User
	password string
	roles    string
	units    []byte // identifiers, one after the other
}

// targets returns where a row's columns go.
func (r *userRow) targets() []any {
	u := &r.user
	return []any{engine.ScanUID(&u.UID), &u.Login, &u.Name, &r.password, &u.Disabled, engine.ScanTime(&u.CreatedAt),
		engine.ScanTime(&u.LastLogin), &u.Theme, &u.KeysOff, &r.roles, &r.units}
}

// value returns the person of a row that was read.
func (r *userRow) value() (account.User, error) {
	u := r.user
	u.Activated = r.password != ""
	for _, role := range permission.Roles() {
		if strings.Contains(","+r.roles+",", ","+string(role)+",") {
			u.Roles = append(u.Roles, role)
		}
	}
	for unit := range slices.Chunk(r.units, len(uuid.Nil)) {
		if len(unit) != len(uuid.Nil) {
			return u, fmt.Errorf("accountstore: a unit of a user is no identifier: %w", problem.ErrUnread)
		}
		u.Units = append(u.Units, uuid.UUID(unit))
	}
	slices.SortFunc(u.Units, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return u, nil
}

// one reads the person that the rest of the query chooses.
func (t *tx) one(ctx context.Context, rest string, arg any) (account.User, string, error) {
	var row userRow
	if err := t.QueryRow(ctx, `SELECT `+userColumns+` FROM person p `+rest, arg).Scan(row.targets()...); err != nil {
		return account.User{}, "", engine.DamagedIfUnread(err)
	}
	user, err := row.value()
	return user, row.password, engine.DamagedIfUnread(err)
}

// User implements account.PeopleTx.
func (t *tx) User(ctx context.Context, uid uuid.UUID) (account.User, error) {
	user, _, err := t.one(ctx, `WHERE p.uid = ?`, engine.UID(uid))
	return user, err
}

// UserWithPassword implements account.PeopleTx.
func (t *tx) UserWithPassword(ctx context.Context, login string) (account.User, string, error) {
	return t.one(ctx, `WHERE p.login = ?`, login)
}

// Users implements account.PeopleTx.
func (t *tx) Users(ctx context.Context) ([]account.User, error) {
	scan := func(rows engine.Row) (account.User, error) {
		var row userRow
		if err := rows.Scan(row.targets()...); err != nil {
			return row.user, err
		}
		return row.value()
	}
	damaged := func(u account.User) account.User { return account.User{UID: u.UID, Damaged: true} }
	return engine.List(ctx, t.Tx, engine.OrDamaged(scan, damaged), `SELECT `+userColumns+` FROM person p ORDER BY p.name, p.id`)
}

// InsertUser implements account.PeopleTx.
func (t *tx) InsertUser(ctx context.Context, u account.User) error {
	err := t.run(ctx, `INSERT INTO person (uid, login, name, disabled, created_at) VALUES (?, ?, ?, ?, ?)`,
		engine.UID(u.UID), u.Login, u.Name, u.Disabled, engine.Micros(u.CreatedAt))
	if err != nil {
		return err
	}
	return t.insertMemberships(ctx, u)
}

// UpdateUser implements account.PeopleTx.
func (t *tx) UpdateUser(ctx context.Context, u account.User) error {
	for _, table := range []string{"person_role", "person_unit"} {
		if err := t.run(ctx, `DELETE FROM `+table+` WHERE person_id = (SELECT id FROM person WHERE uid = ?)`, engine.UID(u.UID)); err != nil {
			return err
		}
	}
	if err := t.run(ctx, `UPDATE person SET name = ?, disabled = ? WHERE uid = ?`, u.Name, u.Disabled, engine.UID(u.UID)); err != nil {
		return err
	}
	return t.insertMemberships(ctx, u)
}

func (t *tx) insertMemberships(ctx context.Context, u account.User) error {
	for _, role := range u.Roles {
		err := t.run(ctx, `INSERT INTO person_role (person_id, role) SELECT id, ? FROM person
			WHERE uid = ? ON CONFLICT DO NOTHING`, string(role), engine.UID(u.UID))
		if err != nil {
			return err
		}
	}
	for _, unit := range u.Units {
		err := t.run(ctx, `INSERT INTO person_unit (person_id, unit_uid) SELECT id, ? FROM person
			WHERE uid = ? ON CONFLICT DO NOTHING`, engine.UID(unit), engine.UID(u.UID))
		if err != nil {
			return err
		}
	}
	return nil
}

// SetPassword implements account.PeopleTx.
func (t *tx) SetPassword(ctx context.Context, user uuid.UUID, hash string) error {
	return t.run(ctx, `UPDATE person SET password = ? WHERE uid = ?`, hash, engine.UID(user))
}

// SetPreferences implements account.PeopleTx.
func (t *tx) SetPreferences(ctx context.Context, user uuid.UUID, p account.Preferences) error {
	return t.run(ctx, `UPDATE person SET theme = ?, keys_off = ? WHERE uid = ?`, string(p.Theme), p.KeysOff, engine.UID(user))
}

// SetLastLogin implements account.PeopleTx; a time never goes back.
func (t *tx) SetLastLogin(ctx context.Context, user uuid.UUID, at time.Time) error {
	return t.run(ctx, `UPDATE person SET last_login_at = ?1 WHERE uid = ?2 AND last_login_at < ?1`, engine.Micros(at), engine.UID(user))
}
