package servicestore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"

	"github.com/google/uuid"
)

// PutUnit implements service.DirectoryStore.
func (s *Store) PutUnit(ctx context.Context, u service.Unit) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		unit, err := put(ctx, tx, unitTable, u.ID, u.Name, fold(u.Name), u.Disabled)
		if err != nil {
			return err
		}
		kept := make([]any, 0, len(u.Points))
		for _, p := range u.Points {
			point, err := put(ctx, tx, carePointTable, p.ID, unit, p.Name, p.Disabled)
			if err != nil {
				return err
			}
			kept = append(kept, point)
		}
		return s.disableOthers(ctx, tx, carePointTable, unit, `SELECT id FROM care_point WHERE unit_id = ? AND disabled = 0`, kept)
	})
}

// Unit implements service.DirectoryStore.
func (s *Store) Unit(ctx context.Context, id uuid.UUID) (service.Unit, error) {
	return one(s.units(ctx, choice{`uid = ?`, []any{sqlite.UID(id)}, true}))
}

// Units implements service.DirectoryStore.
func (s *Store) Units(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Unit], error) {
	all, err := s.units(ctx, choice{`(disabled = 0 OR ?)`, []any{q.Disabled}, false})
	return paged(searched(all, q.Text, func(u service.Unit) []string {
		texts := []string{u.Name}
		for _, p := range u.Points {
			texts = append(texts, p.Name)
		}
		return texts
	}), q.Page, q.Size), err
}

// choice chooses entries of a register. Of a list, what is damaged is left out; what was
// asked for alone is an error then.
type choice struct {
	where string
	args  []any
	alone bool
}

// whole compares the rows that are chosen, and leaves the damaged ones out.
func (c choice) whole(ctx context.Context, tx *sqlite.Tx, s *Store, t checksum.Table) (choice, error) {
	err := s.noted(t.Verify(ctx, tx, c.where, c.args...))
	var damaged *checksum.DamagedError
	if c.alone || !errors.As(err, &damaged) {
		return c, err
	}
	c.args = slices.Clone(c.args)
	values := make([]string, len(damaged.Rows))
	for i, row := range damaged.Rows {
		values[i] = `(?` + strings.Repeat(", ?", len(row.Key)-1) + `)`
		c.args = append(c.args, row.Key...)
	}
	c.where += ` AND (` + strings.Join(t.Key, ", ") + `) NOT IN (VALUES ` + strings.Join(values, ", ") + `)`
	return c, nil
}

// of chooses the parts that belong to what is chosen.
func (c choice) of(column, table string) choice {
	c.where = column + ` IN (SELECT id FROM ` + table + ` WHERE ` + c.where + `)`
	return c
}

// units reads the units that are chosen, by name, with their care points.
func (s *Store) units(ctx context.Context, c choice) (units []service.Unit, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		units, err = s.unitsIn(ctx, tx, c)
		return err
	})
	return units, err
}

func (s *Store) unitsIn(ctx context.Context, tx *sqlite.Tx, c choice) ([]service.Unit, error) {
	c, err := c.whole(ctx, tx, s, unitTable)
	if err != nil {
		return nil, err
	}
	units, err := sqlite.List(ctx, tx, scanUnit, `SELECT uid, name, disabled FROM unit WHERE `+c.where+` ORDER BY sort_name, id`, c.args...)
	if err != nil {
		return nil, err
	}
	of, err := c.of("unit_id", "unit").whole(ctx, tx, s, carePointTable)
	if err != nil {
		return nil, err
	}
	points, err := parts(ctx, tx, func(r sqlite.Row, of *uuid.UUID, p *service.CarePoint) error {
		return r.Scan(sqlite.ScanUID(of), sqlite.ScanUID(&p.ID), &p.Name, &p.Disabled)
	}, `SELECT (SELECT uid FROM unit WHERE id = unit_id), uid, name, disabled FROM care_point WHERE `+of.where+` ORDER BY id`, of.args...)
	for i, u := range units {
		units[i].Points = points[u.ID]
	}
	return units, err
}

// scanUnit reads a unit without its care points.
func scanUnit(r sqlite.Row) (u service.Unit, err error) {
	return u, r.Scan(sqlite.ScanUID(&u.ID), &u.Name, &u.Disabled)
}

// PutProfessional implements service.DirectoryStore.
func (s *Store) PutProfessional(ctx context.Context, p service.Professional) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		id, err := put(ctx, tx, professionalTable, p.ID, p.Name, fold(p.Name), p.Council, p.Number, p.State, p.Disabled)
		if err != nil {
			return err
		}
		kept := make([]any, 0, len(p.Specialties))
		for _, sp := range p.Specialties {
			if err := putSpecialty(ctx, tx, id, sp); err != nil {
				return err
			}
			kept = append(kept, int64(sp.ID))
		}
		return s.disableOthers(ctx, tx, specialtyTable, id, `SELECT number FROM specialty WHERE professional_id = ? AND disabled = 0`, kept)
	})
}

func putSpecialty(ctx context.Context, tx *sqlite.Tx, professional int64, sp service.Specialty) error {
	var there bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM specialty WHERE professional_id = ? AND number = ?)`,
		professional, sp.ID).Scan(&there)
	switch {
	case err != nil:
		return err
	case there:
		return specialtyTable.Overwrite(ctx, tx, []any{professional, int64(sp.ID)}, sp.Name, sp.CBO, sp.Disabled)
	}
	return specialtyTable.Insert(ctx, tx, professional, sp.ID, sp.Name, sp.CBO, sp.Disabled)
}

// disableOthers disables the parts of an entry, by their number, that it is no longer kept
// with. What is damaged stays as it is.
func (s *Store) disableOthers(ctx context.Context, tx *sqlite.Tx, t checksum.Table, of int64, query string, kept []any) error {
	there, err := sqlite.List(ctx, tx, scanID, query, of)
	for _, number := range there {
		if slices.Contains(kept, any(number)) {
			continue
		}
		key := []any{of, number}[2-len(t.Key):]
		_, err := t.Update(ctx, tx, key, checksum.Change{Set: `disabled = 1`})
		if err = s.noted(err); err != nil && !problem.Is(err, problem.Damaged) {
			return err
		}
	}
	return err
}

// Professional implements service.DirectoryStore.
func (s *Store) Professional(ctx context.Context, id uuid.UUID) (service.Professional, error) {
	return one(s.professionals(ctx, choice{`uid = ?`, []any{sqlite.UID(id)}, true}))
}

// Professionals implements service.DirectoryStore.
func (s *Store) Professionals(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Professional], error) {
	all, err := s.professionals(ctx, choice{`(disabled = 0 OR ?)`, []any{q.Disabled}, false})
	return paged(searched(all, q.Text, func(p service.Professional) []string {
		texts := []string{p.Name, p.Council, p.Number, p.State}
		for _, sp := range p.Specialties {
			texts = append(texts, sp.Name)
		}
		return texts
	}), q.Page, q.Size), err
}

// professionals reads those that are chosen, by name, with their specialties.
func (s *Store) professionals(ctx context.Context, c choice) (all []service.Professional, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		all, err = s.professionalsIn(ctx, tx, c)
		return err
	})
	return all, err
}

func (s *Store) professionalsIn(ctx context.Context, tx *sqlite.Tx, c choice) ([]service.Professional, error) {
	c, err := c.whole(ctx, tx, s, professionalTable)
	if err != nil {
		return nil, err
	}
	all, err := sqlite.List(ctx, tx, scanProfessional, `SELECT uid, name, council, number, state, disabled
		FROM professional WHERE `+c.where+` ORDER BY sort_name, id`, c.args...)
	if err != nil {
		return nil, err
	}
	of, err := c.of("professional_id", "professional").whole(ctx, tx, s, specialtyTable)
	if err != nil {
		return nil, err
	}
	specialties, err := parts(ctx, tx, func(r sqlite.Row, of *uuid.UUID, sp *service.Specialty) error {
		return r.Scan(sqlite.ScanUID(of), &sp.ID, &sp.Name, &sp.CBO, &sp.Disabled)
	}, `SELECT (SELECT uid FROM professional WHERE id = professional_id), number, name, cbo, disabled FROM specialty
		WHERE `+of.where+` ORDER BY number`, of.args...)
	for i, p := range all {
		all[i].Specialties = specialties[p.ID]
	}
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
