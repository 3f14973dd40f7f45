package registerstore

import (
	"context"
	"database/sql"

	"guiche/internal/register"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

const unitColumns = `SELECT id, uid, name, active FROM care_unit `

type unitRow struct {
	id int64
	register.Unit
}

func scanUnit(rows *sql.Rows) (u unitRow, err error) {
	err = rows.Scan(&u.id, sqlite.ScanUID(&u.UID), &u.Name, &u.Active)
	return u, err
}

// Units lists the active units by name, each with its active care points.
func (s *Store) Units(ctx context.Context) ([]register.Unit, error) {
	return read(ctx, s, func(tx *sqlite.Tx) ([]register.Unit, error) {
		rows, err := list(ctx, tx, scanUnit, unitColumns+`WHERE active = 1 ORDER BY name, id`)
		if err != nil {
			return nil, err
		}
		units := make([]register.Unit, len(rows))
		for i, u := range rows {
			if u.CarePoints, err = carePoints(ctx, tx, u.id, `AND active = 1`); err != nil {
				return nil, err
			}
			units[i] = u.Unit
		}
		return units, nil
	})
}

// Unit returns a unit with all its care points.
func (s *Store) Unit(ctx context.Context, uid uuid.UUID) (register.Unit, error) {
	return read(ctx, s, func(tx *sqlite.Tx) (register.Unit, error) {
		u, err := one(list(ctx, tx, scanUnit, unitColumns+`WHERE uid = ?`, sqlite.UID(uid)))
		if err != nil {
			return register.Unit{}, err
		}
		u.CarePoints, err = carePoints(ctx, tx, u.id, ``)
		return u.Unit, err
	})
}

func carePoints(ctx context.Context, tx *sqlite.Tx, unit int64, condition string) ([]register.CarePoint, error) {
	return list(ctx, tx, func(rows *sql.Rows) (p register.CarePoint, err error) {
		err = rows.Scan(sqlite.ScanUID(&p.UID), &p.Name, &p.Active)
		return p, err
	}, `SELECT uid, name, active FROM care_point WHERE unit_id = ? `+condition+` ORDER BY name, id`, unit)
}

// PutUnits adds or replaces units; care points that are no longer listed are
// switched off.
func (s *Store) PutUnits(ctx context.Context, units []register.Unit) error {
	return put(ctx, s, units, func(ctx context.Context, tx *sqlite.Tx, u register.Unit) error {
		now := sqlite.Micros(tx.Now)
		var id int64
		err := tx.QueryRow(ctx, `INSERT INTO care_unit (uid, name, active, updated_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET name = excluded.name, active = excluded.active, updated_at = excluded.updated_at
			RETURNING id`, sqlite.UID(u.UID), u.Name, u.Active, now).Scan(&id)
		if err != nil {
			return sqlite.Error(err)
		}
		if err := exec(ctx, tx, `UPDATE care_point SET active = 0, updated_at = ? WHERE unit_id = ? AND active = 1`, now, id); err != nil {
			return err
		}
		for _, p := range u.CarePoints {
			if err := exec(ctx, tx, `INSERT INTO care_point (uid, unit_id, name, active, updated_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (uid) DO UPDATE SET unit_id = excluded.unit_id, name = excluded.name, active = excluded.active,
				updated_at = excluded.updated_at`, sqlite.UID(p.UID), id, p.Name, p.Active, now); err != nil {
				return err
			}
		}
		return nil
	})
}
