package servicestore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// PutUnit implements service.DirectoryStore.
func (s *Store) PutUnit(ctx context.Context, u service.Unit) error {
	return s.write(ctx, func(tx *engine.Tx) error { return s.putUnit(ctx, tx, u) })
}

// ChangeUnit implements service.DirectoryStore.
func (s *Store) ChangeUnit(ctx context.Context, id uuid.UUID, change func(service.Unit) (service.Unit, error)) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		kept, err := one(s.unitsIn(ctx, tx, alone(id)))
		if err != nil {
			return err
		}
		changed, err := change(kept)
		if err != nil {
			return err
		}
		return s.putUnit(ctx, tx, changed)
	})
}

func (s *Store) putUnit(ctx context.Context, tx *engine.Tx, u service.Unit) error {
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
}

// Unit implements service.DirectoryStore.
func (s *Store) Unit(ctx context.Context, id uuid.UUID) (service.Unit, error) {
	return one(s.units(ctx, alone(id)))
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

// alone chooses the entry with an identifier.
func alone(id uuid.UUID) choice { return choice{`uid = ?`, []any{engine.UID(id)}, true} }

// read reads the columns of the rows that are chosen, in an order.
func (c choice) read(ctx context.Context, tx *engine.Tx, s *Store, t checksum.Table, columns []string,
	order string) ([]engine.Values, error) {
	rows, err := t.Whole(ctx, tx, columns, `WHERE `+c.where+` ORDER BY `+order, c.args...)
	var damaged *checksum.DamagedError
	if s.noted(err) != nil && (c.alone || !errors.As(err, &damaged)) {
		return nil, err
	}
	return rows, nil
}

// of chooses the parts that belong to what is chosen. Those of one entry are in order already.
func (c choice) of(column, table string) choice {
	is := ` IN `
	if c.alone {
		is = ` = `
	}
	c.where = column + is + `(SELECT id FROM ` + table + ` WHERE ` + c.where + `)`
	return c
}

// units reads the units that are chosen, by name, with their care points.
func (s *Store) units(ctx context.Context, c choice) (units []service.Unit, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		units, err = s.unitsIn(ctx, tx, c)
		return err
	})
	return units, err
}

func (s *Store) unitsIn(ctx context.Context, tx *engine.Tx, c choice) ([]service.Unit, error) {
	rows, err := c.read(ctx, tx, s, unitTable, []string{"id", "uid", "name", "disabled"}, `sort_name, id`)
	if err != nil {
		return nil, err
	}
	parts, err := c.of("unit_id", "unit").read(ctx, tx, s, carePointTable, []string{"unit_id", "uid", "name", "disabled"}, `id`)
	if err != nil {
		return nil, err
	}
	points, err := owned(parts, func(r engine.Row, of *int64, p *service.CarePoint) error {
		return r.Scan(of, engine.ScanUID(&p.ID), &p.Name, &p.Disabled)
	})
	units := make([]service.Unit, len(rows))
	for i, row := range rows {
		var id int64
		u := &units[i]
		if err := row.Scan(&id, engine.ScanUID(&u.ID), &u.Name, &u.Disabled); err != nil {
			return nil, err
		}
		u.Points = points[id]
	}
	return units, err
}

// PutProfessional implements service.DirectoryStore.
func (s *Store) PutProfessional(ctx context.Context, p service.Professional) error {
	return s.write(ctx, func(tx *engine.Tx) error { return s.putProfessional(ctx, tx, p) })
}

// ChangeProfessional implements service.DirectoryStore.
func (s *Store) ChangeProfessional(ctx context.Context, id uuid.UUID,
	change func(service.Professional) (service.Professional, error)) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		kept, err := one(s.professionalsIn(ctx, tx, alone(id)))
		if err != nil {
			return err
		}
		changed, err := change(kept)
		if err != nil {
			return err
		}
		return s.putProfessional(ctx, tx, changed)
	})
}

func (s *Store) putProfessional(ctx context.Context, tx *engine.Tx, p service.Professional) error {
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
}

func putSpecialty(ctx context.Context, tx *engine.Tx, professional int64, sp service.Specialty) error {
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
func (s *Store) disableOthers(ctx context.Context, tx *engine.Tx, t checksum.Table, of int64, query string, kept []any) error {
	there, err := engine.List(ctx, tx, scanID, query, of)
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
	return one(s.professionals(ctx, alone(id)))
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
	err = s.read(ctx, func(tx *engine.Tx) error {
		all, err = s.professionalsIn(ctx, tx, c)
		return err
	})
	return all, err
}

func (s *Store) professionalsIn(ctx context.Context, tx *engine.Tx, c choice) ([]service.Professional, error) {
	rows, err := c.read(ctx, tx, s, professionalTable,
		[]string{"id", "uid", "name", "council", "number", "state", "disabled"}, `sort_name, id`)
	if err != nil {
		return nil, err
	}
	parts, err := c.of("professional_id", "professional").read(ctx, tx, s, specialtyTable,
		[]string{"professional_id", "number", "name", "cbo", "disabled"}, `number`)
	if err != nil {
		return nil, err
	}
	specialties, err := owned(parts, func(r engine.Row, of *int64, sp *service.Specialty) error {
		return r.Scan(of, &sp.ID, &sp.Name, &sp.CBO, &sp.Disabled)
	})
	all := make([]service.Professional, len(rows))
	for i, row := range rows {
		var id int64
		p := &all[i]
		if err := row.Scan(&id, engine.ScanUID(&p.ID), &p.Name, &p.Council, &p.Number, &p.State, &p.Disabled); err != nil {
			return nil, err
		}
		p.Specialties = specialties[id]
	}
	return all, err
}

// owned reads what belongs to the entries of a list, by entry, in the order of the rows.
func owned[T any](rows []engine.Values, scan func(r engine.Row, of *int64, part *T) error) (map[int64][]T, error) {
	by := make(map[int64][]T, len(rows))
	for _, row := range rows {
		var of int64
		var part T
		if err := scan(row, &of, &part); err != nil {
			return nil, err
		}
		by[of] = append(by[of], part)
	}
	return by, nil
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
