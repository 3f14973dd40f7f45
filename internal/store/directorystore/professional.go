package directorystore

import (
	"context"
	"slices"

	"guiche/internal/directory"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const professionalColumns = `SELECT id, uid, name, council, council_number, state, active, standing FROM professional `

// allProfessionals is the rest of a query for all.
const allProfessionals = `ORDER BY id`

// professionalRow is a professional with its row number, by which specialties are
// joined.
type professionalRow struct {
	id int64
	directory.Professional
}

// scanProfessional reads a professional without specialties; those follow for a whole
// page at once.
func scanProfessional(rows engine.Row) (p professionalRow, err error) {
	err = rows.Scan(&p.id, engine.ScanUID(&p.UID), &p.Name, &p.Council, &p.CouncilNumber, &p.State, &p.Active, &p.SyncState)
	return p, err
}

// Professionals implements directory.Store.
func (s *Store) Professionals(ctx context.Context) ([]directory.Professional, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]directory.Professional, error) {
		kept, err := engine.Cached(tx, professionalsKey{}, func() ([]directory.Professional, error) {
			return professionals(ctx, tx, allProfessionals)
		})
		return copied(kept, ownProfessional), err
	})
}

// professionalsKey is that of all professionals in the cache.
type professionalsKey struct{}

// ownProfessional is a kept professional for somebody who may change it.
func ownProfessional(p directory.Professional) directory.Professional {
	p.Specialties = slices.Clone(p.Specialties)
	return p
}

// Professional implements directory.Store.
func (s *Store) Professional(ctx context.Context, uid uuid.UUID) (directory.Professional, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (directory.Professional, error) { return professional(ctx, tx, uid) })
}

// Professionals implements directory.Tx.
func (t *tx) Professionals(ctx context.Context) ([]directory.Professional, error) {
	return professionals(ctx, t.Tx, allProfessionals)
}

// Professional implements directory.Tx.
func (t *tx) Professional(ctx context.Context, uid uuid.UUID) (directory.Professional, error) {
	return professional(ctx, t.Tx, uid)
}

// professionalKey is that of one professional in the cache.
type professionalKey struct{ uid uuid.UUID }

// professional reads one professional with specialties, active or not; ErrNotFound if
// there is none.
func professional(ctx context.Context, tx *engine.Tx, uid uuid.UUID) (directory.Professional, error) {
	kept, err := engine.Cached(tx, professionalKey{uid}, func() (directory.Professional, error) {
		return one(professionals(ctx, tx, `WHERE uid = ?`, engine.UID(uid)))
	})
	return ownProfessional(kept), err
}

// professionals reads the professionals that the rest of the query chooses, with
// their specialties.
func professionals(ctx context.Context, tx *engine.Tx, rest string, args ...any) ([]directory.Professional, error) {
	rows, err := engine.List(ctx, tx, scanProfessional, professionalColumns+rest, args...)
	if err != nil {
		return nil, err
	}
	parts, err := engine.List(ctx, tx, scanSpecialty, `SELECT professional_id, specialty, name, cbo FROM professional_specialty
		WHERE professional_id IN (SELECT id FROM professional `+rest+`) ORDER BY professional_id, name, specialty`, args...)
	if err != nil {
		return nil, err
	}
	of := grouped(parts, func(s directory.Specialty) string { return s.Name })
	all := make([]directory.Professional, len(rows))
	for i, p := range rows {
		p.Specialties = of[p.id]
		all[i] = p.Professional
	}
	return all, nil
}

// scanSpecialty reads a specialty and the row that it belongs to.
func scanSpecialty(rows engine.Row) (s part[directory.Specialty], err error) {
	err = rows.Scan(&s.of, &s.value.ID, &s.value.Name, &s.value.CBO)
	return s, err
}

// PutProfessional implements directory.Tx.
func (t *tx) PutProfessional(ctx context.Context, p directory.Professional) error {
	var id int64
	err := t.QueryRow(ctx, `INSERT INTO professional (uid, name, council, council_number, state, active, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (uid) DO UPDATE SET name = excluded.name, council = excluded.council, council_number = excluded.council_number,
		state = excluded.state, active = excluded.active, updated_at = excluded.updated_at RETURNING id`,
		engine.UID(p.UID), p.Name, p.Council, p.CouncilNumber, p.State, p.Active, engine.Micros(t.Now)).Scan(&id)
	if err != nil {
		return engine.Error(err)
	}
	if err := exec(ctx, t.Tx, `DELETE FROM professional_specialty WHERE professional_id = ?`, id); err != nil {
		return err
	}
	for _, s := range p.Specialties {
		if err := exec(ctx, t.Tx, `INSERT INTO professional_specialty (professional_id, specialty, name, cbo) VALUES (?, ?, ?, ?)`,
			id, s.ID, s.Name, s.CBO); err != nil {
			return err
		}
	}
	return nil
}
