package servicestore

import (
	"context"

	"guiche/internal/service"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// PutUnit implements service.RegisterStore.
func (s *Store) PutUnit(ctx context.Context, u service.Unit) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		if err := exec(ctx, tx, `INSERT INTO unit (uid, name, sort_name, disabled) VALUES (?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET name = excluded.name, sort_name = excluded.sort_name, disabled = excluded.disabled`,
			sqlite.UID(u.ID), u.Name, fold(u.Name), u.Disabled); err != nil {
			return err
		}
		unit, err := rowID(ctx, tx, "unit", u.ID)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `UPDATE care_point SET disabled = 1 WHERE unit_id = ?`, unit); err != nil {
			return err
		}
		for _, p := range u.Points {
			if err := exec(ctx, tx, `INSERT INTO care_point (uid, unit_id, name) VALUES (?, ?, ?)
				ON CONFLICT (uid) DO UPDATE SET unit_id = excluded.unit_id, name = excluded.name, disabled = 0`,
				sqlite.UID(p.ID), unit, p.Name); err != nil {
				return err
			}
		}
		return nil
	})
}

// Unit implements service.RegisterStore.
func (s *Store) Unit(ctx context.Context, id uuid.UUID) (u service.Unit, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		if u, err = scanUnit(tx.QueryRow(ctx, `SELECT uid, name, disabled FROM unit WHERE uid = ?`, sqlite.UID(id))); err != nil {
			return err
		}
		u.Points, err = points(ctx, tx, u.ID)
		return err
	})
	return u, err
}

// Units implements service.RegisterStore.
func (s *Store) Units(ctx context.Context) (units []service.Unit, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		if units, err = list(ctx, tx, scanUnit, `SELECT uid, name, disabled FROM unit WHERE disabled = 0 ORDER BY sort_name, id`); err != nil {
			return err
		}
		for i := range units {
			if units[i].Points, err = points(ctx, tx, units[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return units, err
}

func scanUnit(r row) (u service.Unit, err error) {
	return u, r.Scan(sqlite.ScanUID(&u.ID), &u.Name, &u.Disabled)
}

func points(ctx context.Context, tx *sqlite.Tx, unit uuid.UUID) ([]service.CarePoint, error) {
	return list(ctx, tx, func(r row) (p service.CarePoint, err error) {
		return p, r.Scan(sqlite.ScanUID(&p.ID), &p.Name)
	}, `SELECT c.uid, c.name FROM care_point c JOIN unit u ON u.id = c.unit_id WHERE u.uid = ? AND c.disabled = 0 ORDER BY c.id`, sqlite.UID(unit))
}

// PutProfessional implements service.RegisterStore.
func (s *Store) PutProfessional(ctx context.Context, p service.Professional) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		if err := exec(ctx, tx, `INSERT INTO professional (uid, name, sort_name, council, number, state, disabled) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET name = excluded.name, sort_name = excluded.sort_name, council = excluded.council,
				number = excluded.number, state = excluded.state, disabled = excluded.disabled`,
			sqlite.UID(p.ID), p.Name, fold(p.Name), p.Council, p.Number, p.State, p.Disabled); err != nil {
			return err
		}
		id, err := rowID(ctx, tx, "professional", p.ID)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `DELETE FROM specialty WHERE professional_id = ?`, id); err != nil {
			return err
		}
		for _, sp := range p.Specialties {
			if err := exec(ctx, tx, `INSERT INTO specialty (professional_id, number, name, cbo) VALUES (?, ?, ?, ?)`,
				id, sp.ID, sp.Name, sp.CBO); err != nil {
				return err
			}
		}
		return nil
	})
}

const professionalColumns = `uid, name, council, number, state, disabled`

// Professional implements service.RegisterStore.
func (s *Store) Professional(ctx context.Context, id uuid.UUID) (p service.Professional, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		p, err = scanProfessional(tx.QueryRow(ctx, `SELECT `+professionalColumns+` FROM professional WHERE uid = ?`, sqlite.UID(id)))
		if err != nil {
			return err
		}
		p.Specialties, err = specialties(ctx, tx, p.ID)
		return err
	})
	return p, err
}

// Professionals implements service.RegisterStore.
func (s *Store) Professionals(ctx context.Context) (all []service.Professional, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		all, err = list(ctx, tx, scanProfessional, `SELECT `+professionalColumns+` FROM professional WHERE disabled = 0 ORDER BY sort_name, id`)
		if err != nil {
			return err
		}
		for i := range all {
			if all[i].Specialties, err = specialties(ctx, tx, all[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

func scanProfessional(r row) (p service.Professional, err error) {
	return p, r.Scan(sqlite.ScanUID(&p.ID), &p.Name, &p.Council, &p.Number, &p.State, &p.Disabled)
}

func specialties(ctx context.Context, tx *sqlite.Tx, professional uuid.UUID) ([]service.Specialty, error) {
	return list(ctx, tx, func(r row) (sp service.Specialty, err error) {
		return sp, r.Scan(&sp.ID, &sp.Name, &sp.CBO)
	}, `SELECT s.number, s.name, s.cbo FROM specialty s JOIN professional p ON p.id = s.professional_id WHERE p.uid = ? ORDER BY s.number`,
		sqlite.UID(professional))
}
