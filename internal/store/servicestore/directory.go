package servicestore

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/service"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// PutUnit implements service.DirectoryStore.
func (s *Store) PutUnit(ctx context.Context, u service.Unit) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		var unit int64
		err := tx.QueryRow(ctx, `INSERT INTO unit (uid, name, sort_name, disabled) VALUES (?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET name = excluded.name, sort_name = excluded.sort_name, disabled = excluded.disabled
			RETURNING id`, sqlite.UID(u.ID), u.Name, fold(u.Name), u.Disabled).Scan(&unit)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `UPDATE care_point SET disabled = 1 WHERE unit_id = ?`, unit); err != nil {
			return err
		}
		for _, p := range u.Points {
			if err := exec(ctx, tx, `INSERT INTO care_point (uid, unit_id, name, disabled) VALUES (?, ?, ?, ?)
				ON CONFLICT (uid) DO UPDATE SET unit_id = excluded.unit_id, name = excluded.name, disabled = excluded.disabled`,
				sqlite.UID(p.ID), unit, p.Name, p.Disabled); err != nil {
				return err
			}
		}
		return nil
	})
}

// Unit implements service.DirectoryStore.
func (s *Store) Unit(ctx context.Context, id uuid.UUID) (service.Unit, error) {
	return one(s.units(ctx, `uid = ?`, sqlite.UID(id)))
}

// Units implements service.DirectoryStore.
func (s *Store) Units(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Unit], error) {
	all, err := s.units(ctx, `(disabled = 0 OR ?)`, q.Disabled)
	return paged(searched(all, q.Text, func(u service.Unit) []string {
		texts := []string{u.Name}
		for _, p := range u.Points {
			texts = append(texts, p.Name)
		}
		return texts
	}), q.Page, q.Size), err
}

// units reads the units that a condition chooses, by name, with their care points.
func (s *Store) units(ctx context.Context, where string, args ...any) (units []service.Unit, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		if units, err = sqlite.List(ctx, tx, scanUnit, `SELECT uid, name, disabled FROM unit WHERE `+where+
			` ORDER BY sort_name, id`, args...); err != nil {
			return err
		}
		points, err := parts(ctx, tx, func(r sqlite.Row, of *uuid.UUID, p *service.CarePoint) error {
			return r.Scan(sqlite.ScanUID(of), sqlite.ScanUID(&p.ID), &p.Name, &p.Disabled)
		}, `SELECT u.uid, c.uid, c.name, c.disabled FROM care_point c JOIN unit u ON u.id = c.unit_id
			WHERE c.unit_id IN (SELECT id FROM unit WHERE `+where+`) ORDER BY c.id`, args...)
		for i, u := range units {
			units[i].Points = points[u.ID]
		}
		return err
	})
	return units, err
}

// scanUnit reads a unit without its care points.
func scanUnit(r sqlite.Row) (u service.Unit, err error) {
	return u, r.Scan(sqlite.ScanUID(&u.ID), &u.Name, &u.Disabled)
}

// PutProfessional implements service.DirectoryStore.
func (s *Store) PutProfessional(ctx context.Context, p service.Professional) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		var id int64
		err := tx.QueryRow(ctx, `INSERT INTO professional (uid, name, sort_name, council, number, state, disabled) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET name = excluded.name, sort_name = excluded.sort_name, council = excluded.council,
				number = excluded.number, state = excluded.state, disabled = excluded.disabled
			RETURNING id`, sqlite.UID(p.ID), p.Name, fold(p.Name), p.Council, p.Number, p.State, p.Disabled).Scan(&id)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `UPDATE specialty SET disabled = 1 WHERE professional_id = ?`, id); err != nil {
			return err
		}
		for _, sp := range p.Specialties {
			if err := exec(ctx, tx, `INSERT INTO specialty (professional_id, number, name, cbo, disabled) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (professional_id, number) DO UPDATE SET name = excluded.name, cbo = excluded.cbo, disabled = excluded.disabled`,
				id, sp.ID, sp.Name, sp.CBO, sp.Disabled); err != nil {
				return err
			}
		}
		return nil
	})
}

// Professional implements service.DirectoryStore.
func (s *Store) Professional(ctx context.Context, id uuid.UUID) (service.Professional, error) {
	return one(s.professionals(ctx, `uid = ?`, sqlite.UID(id)))
}

// Professionals implements service.DirectoryStore.
func (s *Store) Professionals(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Professional], error) {
	all, err := s.professionals(ctx, `(disabled = 0 OR ?)`, q.Disabled)
	return paged(searched(all, q.Text, func(p service.Professional) []string {
		texts := []string{p.Name, p.Council, p.Number, p.State}
		for _, sp := range p.Specialties {
			texts = append(texts, sp.Name)
		}
		return texts
	}), q.Page, q.Size), err
}

// professionals reads those that a condition chooses, by name, with their
// specialties.
func (s *Store) professionals(ctx context.Context, where string, args ...any) (all []service.Professional, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		if all, err = sqlite.List(ctx, tx, scanProfessional, `SELECT uid, name, council, number, state, disabled
			FROM professional WHERE `+where+` ORDER BY sort_name, id`, args...); err != nil {
			return err
		}
		specialties, err := parts(ctx, tx, func(r sqlite.Row, of *uuid.UUID, sp *service.Specialty) error {
			return r.Scan(sqlite.ScanUID(of), &sp.ID, &sp.Name, &sp.CBO, &sp.Disabled)
		}, `SELECT p.uid, s.number, s.name, s.cbo, s.disabled FROM specialty s JOIN professional p ON p.id = s.professional_id
			WHERE s.professional_id IN (SELECT id FROM professional WHERE `+where+`) ORDER BY s.number`, args...)
		for i, p := range all {
			all[i].Specialties = specialties[p.ID]
		}
		return err
	})
	return all, err
}

// scanProfessional reads a professional without specialties.
func scanProfessional(r sqlite.Row) (p service.Professional, err error) {
	return p, r.Scan(sqlite.ScanUID(&p.ID), &p.Name, &p.Council, &p.Number, &p.State, &p.Disabled)
}

// parts reads what belongs to the entries of a list, by entry, in the order of the
// query.
func parts[T any](ctx context.Context, tx *sqlite.Tx, scan func(r sqlite.Row, of *uuid.UUID, part *T) error, query string,
	args ...any) (map[uuid.UUID][]T, error) {
	type owned struct {
		of   uuid.UUID
		part T
	}
	all, err := sqlite.List(ctx, tx, func(r sqlite.Row) (o owned, err error) { return o, scan(r, &o.of, &o.part) }, query, args...)
	by := map[uuid.UUID][]T{}
	for _, o := range all {
		by[o.of] = append(by[o.of], o.part)
	}
	return by, err
}

// searched leaves the entries that have every word of a text somewhere.
func searched[T any](all []T, text string, texts func(T) []string) []T {
	words := slices.Collect(strings.FieldsSeq(fold(text)))
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(e T) bool {
		in := fold(strings.Join(texts(e), "\n"))
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(in, word) })
	})
}

// paged returns one page of a list; a size of 0 is all of it.
func paged[T any](all []T, number, size int) service.Listing[T] {
	l := service.Listing[T]{Items: all, Total: len(all)}
	if size > 0 {
		first := min(max(0, number-1)*size, len(all))
		l.Items = all[first:min(first+size, len(all))]
	}
	return l
}
