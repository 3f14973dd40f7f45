package registerstore

import (
	"context"

	"guiche/internal/register"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

const professionalColumns = `SELECT id, uid, name, council, council_number, state, active, standing FROM professional `

type professionalRow struct {
	id int64
	register.Professional
}

func scanProfessional(rows sqlite.Row) (p professionalRow, err error) {
	err = rows.Scan(&p.id, sqlite.ScanUID(&p.UID), &p.Name, &p.Council, &p.CouncilNumber, &p.State, &p.Active, &p.Standing)
	return p, err
}

// Professionals implements register.Store.
func (s *Store) Professionals(ctx context.Context) ([]register.Professional, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) ([]register.Professional, error) { return professionals(ctx, tx, `ORDER BY id`) })
}

// Professional implements register.Store.
func (s *Store) Professional(ctx context.Context, uid uuid.UUID) (register.Professional, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (register.Professional, error) { return professional(ctx, tx, uid) })
}

// Professionals implements register.Tx.
func (t *tx) Professionals(ctx context.Context) ([]register.Professional, error) {
	return professionals(ctx, t.Tx, `ORDER BY id`)
}

// Professional implements register.Tx.
func (t *tx) Professional(ctx context.Context, uid uuid.UUID) (register.Professional, error) {
	return professional(ctx, t.Tx, uid)
}

func professional(ctx context.Context, tx *sqlite.Tx, uid uuid.UUID) (register.Professional, error) {
	return one(professionals(ctx, tx, `WHERE uid = ?`, sqlite.UID(uid)))
}

// professionals reads the professionals that the rest of the query chooses, with
// their specialties.
func professionals(ctx context.Context, tx *sqlite.Tx, rest string, args ...any) ([]register.Professional, error) {
	rows, err := sqlite.List(ctx, tx, scanProfessional, professionalColumns+rest, args...)
	if err != nil {
		return nil, err
	}
	parts, err := sqlite.List(ctx, tx, scanSpecialty, `SELECT professional_id, specialty, name, cbo FROM professional_specialty
		WHERE professional_id IN (SELECT id FROM professional `+rest+`) ORDER BY professional_id, name, specialty`, args...)
	if err != nil {
		return nil, err
	}
	of := grouped(parts)
	all := make([]register.Professional, len(rows))
	for i, p := range rows {
		p.Specialties = of[p.id]
		all[i] = p.Professional
	}
	return all, nil
}

func scanSpecialty(rows sqlite.Row) (s part[register.Specialty], err error) {
	err = rows.Scan(&s.of, &s.value.ID, &s.value.Name, &s.value.CBO)
	return s, err
}

// PutProfessional implements register.Tx.
func (t *tx) PutProfessional(ctx context.Context, p register.Professional) error {
	var id int64
	err := t.QueryRow(ctx, `INSERT INTO professional (uid, name, council, council_number, state, active, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (uid) DO UPDATE SET name = excluded.name, council = excluded.council, council_number = excluded.council_number,
		state = excluded.state, active = excluded.active, updated_at = excluded.updated_at RETURNING id`,
		sqlite.UID(p.UID), p.Name, p.Council, p.CouncilNumber, p.State, p.Active, sqlite.Micros(t.Now)).Scan(&id)
	if err != nil {
		return sqlite.Error(err)
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
