package directorystore

import (
	"context"
	"slices"

	"guiche/internal/directory"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const unitColumns = `SELECT id, uid, name, phone, active, standing FROM care_unit `

// allUnits is the rest of a query for all.
const allUnits = `ORDER BY id`

// unitRow is a unit with its row number, by which care points are joined.
type unitRow struct {
	id int64
	directory.Unit
}

// scanUnit reads a unit without care points; those follow for a whole page at once.
func scanUnit(rows engine.Row) (u unitRow, err error) {
	err = rows.Scan(&u.id, engine.ScanUID(&u.UID), &u.Name, &u.Phone, &u.Active, &u.SyncState)
	return u, err
}

// Units implements directory.Store.
func (s *Store) Units(ctx context.Context) ([]directory.Unit, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]directory.Unit, error) {
		kept, err := engine.Cached(tx, unitsKey{}, func() ([]directory.Unit, error) { return units(ctx, tx, allUnits) })
		return copied(kept, ownUnit), err
	})
}

// unitsKey is that of all units in the cache.
type unitsKey struct{}

// ownUnit is a kept unit for somebody who may change it.
func ownUnit(u directory.Unit) directory.Unit {
	u.CarePoints = slices.Clone(u.CarePoints)
	return u
}

// UnitsAhead implements directory.Store.
func (s *Store) UnitsAhead(ctx context.Context) error {
	return s.db.Read(ctx, func(tx *engine.Tx) error {
		tx.Ahead(unitColumns + allUnits)
		tx.Ahead(carePointsOf(allUnits))
		return nil
	})
}

// Unit implements directory.Store.
func (s *Store) Unit(ctx context.Context, uid uuid.UUID) (directory.Unit, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (directory.Unit, error) { return unit(ctx, tx, uid) })
}

// Units implements directory.Tx.
func (t *tx) Units(ctx context.Context) ([]directory.Unit, error) {
	return units(ctx, t.Tx, allUnits)
}

// Unit implements directory.Tx.
func (t *tx) Unit(ctx context.Context, uid uuid.UUID) (directory.Unit, error) {
	return unit(ctx, t.Tx, uid)
}

// unitKey is that of one unit in the cache.
type unitKey struct{ uid uuid.UUID }

// unit reads one unit with its care points, active or not; ErrNotFound if there is none.
func unit(ctx context.Context, tx *engine.Tx, uid uuid.UUID) (directory.Unit, error) {
	kept, err := engine.Cached(tx, unitKey{uid}, func() (directory.Unit, error) {
		return one(units(ctx, tx, `WHERE uid = ?`, engine.UID(uid)))
	})
	return ownUnit(kept), err
}

// units reads the units that the rest of the query chooses, with all their care
// points.
func units(ctx context.Context, tx *engine.Tx, rest string, args ...any) ([]directory.Unit, error) {
	points := carePointsOf(rest)
	tx.Ahead(points, args...)
	rows, err := engine.List(ctx, tx, scanUnit, unitColumns+rest, args...)
	if err != nil {
		return nil, err
	}
	parts, err := engine.List(ctx, tx, scanCarePoint, points, args...)
	if err != nil {
		return nil, err
	}
	of := grouped(parts, func(p directory.CarePoint) string { return p.Name })
	all := make([]directory.Unit, len(rows))
	for i, u := range rows {
		u.CarePoints = of[u.id]
		all[i] = u.Unit
	}
	return all, nil
}

func carePointsOf(rest string) string {
	return `SELECT unit_id, uid, name, active, standing FROM care_point
		WHERE unit_id IN (SELECT id FROM care_unit ` + rest + `) ORDER BY unit_id, name, id`
}

// scanCarePoint reads a care point and the row that it belongs to.
func scanCarePoint(rows engine.Row) (p part[directory.CarePoint], err error) {
	err = rows.Scan(&p.of, engine.ScanUID(&p.value.UID), &p.value.Name, &p.value.Active, &p.value.SyncState)
	return p, err
}

// CarePointUnit implements directory.Tx.
func (t *tx) CarePointUnit(ctx context.Context, carePoint uuid.UUID) (unit uuid.UUID, err error) {
	err = t.QueryRow(ctx, `SELECT u.uid FROM care_point p JOIN care_unit u ON u.id = p.unit_id WHERE p.uid = ?`,
		engine.UID(carePoint)).Scan(engine.ScanUID(&unit))
	return unit, engine.Error(err)
}

// PutUnit implements directory.Tx.
func (t *tx) PutUnit(ctx context.Context, u directory.Unit) error {
	now := engine.Micros(t.Now)
	var id int64
	err := t.QueryRow(ctx, `INSERT INTO care_unit (uid, name, phone, active, updated_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (uid) DO UPDATE SET name = excluded.name, phone = excluded.phone, active = excluded.active, updated_at = excluded.updated_at
		RETURNING id`, engine.UID(u.UID), u.Name, u.Phone, u.Active, now).Scan(&id)
	if err != nil {
		return engine.Error(err)
	}
	if err := exec(ctx, t.Tx, `UPDATE care_point SET active = 0, updated_at = ? WHERE unit_id = ? AND active = 1`, now, id); err != nil {
		return err
	}
	for _, p := range u.CarePoints {
		if err := exec(ctx, t.Tx, `INSERT INTO care_point (uid, unit_id, name, active, updated_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET unit_id = excluded.unit_id, name = excluded.name, active = excluded.active,
			updated_at = excluded.updated_at`, engine.UID(p.UID), id, p.Name, p.Active, now); err != nil {
			return err
		}
	}
	return nil
}
