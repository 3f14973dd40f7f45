// Package damagestore remembers in the desk's database what is damaged. It satisfies integrity.Store.
package damagestore

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/integrity"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Store remembers damage of both halves. It is safe for concurrent use.
type Store struct {
	db    engine.DB
	trail Trail
}

var _ integrity.Store = (*Store)(nil)

// New returns a store over the desk's database.
func New(db engine.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// Add implements integrity.Store. What is known costs no write.
func (s *Store) Add(ctx context.Context, d integrity.Damage) error {
	known, err := s.Known(ctx, d.Half, d.Kind, d.Name)
	if err != nil || len(known) > 0 {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		changed, err := change(ctx, tx, `INSERT INTO damage (half, kind, name, case_uid, found_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, string(d.Half), string(d.Kind), d.Name, engine.UID(d.Case), engine.Micros(tx.Now))
		if err != nil || !changed {
			return err
		}
		return s.trail.Append(ctx, tx, entryOf(tx, audit.DamageFound, d))
	})
}

// Remove implements integrity.Store.
func (s *Store) Remove(ctx context.Context, d integrity.Damage) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		changed, err := change(ctx, tx, `DELETE FROM damage WHERE half = ? AND kind = ? AND name = ?`,
			string(d.Half), string(d.Kind), d.Name)
		if err != nil || !changed {
			return err
		}
		return s.trail.Append(ctx, tx, entryOf(tx, audit.DamageMended, d))
	})
}

// change runs a statement and reports whether it changed a row.
func change(ctx context.Context, tx *engine.Tx, statement string, args ...any) (bool, error) {
	n, err := tx.Exec(ctx, statement, args...)
	return n > 0, engine.Error(err)
}

// shownName is how much of a name the trail has: enough to find it on the page, and of a
// file too little to try what its content might be.
const shownName = 12

func entryOf(tx *engine.Tx, event audit.Event, d integrity.Damage) audit.Entry {
	name := d.Name
	if d.Kind == integrity.File {
		name = name[:min(shownName, len(name))]
	}
	e := audit.Entry{At: tx.Now, Event: event, Detail: fmt.Sprintf("metade=%s %s=%s", d.Half, d.Kind, name)}
	if d.Case != uuid.Nil {
		e.Object, e.ObjectID = audit.ObjectCase, d.Case
	}
	return e
}

// Known implements integrity.Store.
func (s *Store) Known(ctx context.Context, half integrity.Half, kind integrity.Kind, names ...string) ([]string, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]string, error) {
		// Mostly nothing is damaged, and then no list of names is taken apart.
		return engine.List(ctx, tx, scanName, `SELECT d.name FROM (SELECT 1 FROM damage LIMIT 1) there CROSS JOIN damage d
			WHERE d.half = ? AND d.kind = ? AND d.name `+engine.InNames, string(half), string(kind), engine.Names(names))
	})
}

func scanName(row engine.Row) (name string, err error) {
	err = row.Scan(&name)
	return name, err
}

// List implements integrity.Store.
func (s *Store) List(ctx context.Context, limit int) ([]integrity.Damage, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]integrity.Damage, error) {
		return engine.List(ctx, tx, scanDamage, `SELECT half, kind, name, case_uid, found_at FROM damage ORDER BY id DESC LIMIT ?`, limit)
	})
}

func scanDamage(row engine.Row) (d integrity.Damage, err error) {
	err = row.Scan(&d.Half, &d.Kind, &d.Name, engine.ScanUID(&d.Case), engine.ScanTime(&d.Since))
	return d, err
}

// Checked remembers that all was checked.
func (s *Store) Checked(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO integrity_check (id, finished_at) VALUES (1, ?1)
			ON CONFLICT (id) DO UPDATE SET finished_at = ?1`, engine.Micros(tx.Now))
		return engine.Error(err)
	})
}

// LastCheck returns when all was last checked; the zero time for never.
func (s *Store) LastCheck(ctx context.Context) (at time.Time, err error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (time.Time, error) {
		err := tx.QueryRow(ctx, `SELECT COALESCE(MAX(finished_at), 0) FROM integrity_check`).Scan(engine.ScanTime(&at))
		return at, engine.Error(err)
	})
}

// Count implements integrity.Store.
func (s *Store) Count(ctx context.Context) (n int, err error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (int, error) {
		err := tx.QueryRow(ctx, `SELECT COUNT(*) FROM damage`).Scan(&n)
		return n, engine.Error(err)
	})
}
