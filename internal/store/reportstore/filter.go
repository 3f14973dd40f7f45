package reportstore

import (
	"context"
	"database/sql"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/report"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// KeepFilter stores a filter of the owner.
func (s *Store) KeepFilter(ctx context.Context, owner, uid uuid.UUID, f report.Filter) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO history_filter (uid, owner, used_at, from_day, until_day, queue_group, status, credential_uid,
			unit_uid, sender, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			engine.UID(uid), engine.UID(owner), engine.Micros(tx.Now), f.From.String(), f.Until.String(), groupOf(f.Situation),
			string(f.Situation.Status), engine.UID(f.Credential), engine.UID(f.Unit), engine.UID(f.Sender), f.Text)
		return engine.Error(err)
	})
}

// groupOf returns the group of a situation as cases carry it: 0 while unknown,
// NULL for any.
func groupOf(s report.Situation) sql.NullInt64 {
	return sql.NullInt64{Int64: int64(s.Group), Valid: s.Group != 0 || s.Unknown}
}

// Filter returns a filter of the owner.
func (s *Store) Filter(ctx context.Context, owner, uid uuid.UUID) (report.Filter, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (report.Filter, error) {
		caselist.Ahead(tx) // Cases comes next
		return filterOf(ctx, tx, owner, uid)
	})
}

func filterOf(ctx context.Context, tx *engine.Tx, owner, uid uuid.UUID) (f report.Filter, err error) {
	var from, until string
	var group sql.NullInt64
	err = tx.QueryRow(ctx, `SELECT from_day, until_day, queue_group, status, credential_uid, unit_uid, sender, text
		FROM history_filter WHERE uid = ? AND owner = ?`, engine.UID(uid), engine.UID(owner)).
		Scan(&from, &until, &group, &f.Situation.Status, engine.ScanUID(&f.Credential), engine.ScanUID(&f.Unit),
			engine.ScanUID(&f.Sender), &f.Text)
	if err != nil {
		return f, engine.Error(err)
	}
	f.Situation.Group, f.Situation.Unknown = authorization.Group(group.Int64), group.Valid && group.Int64 == 0
	if f.From, err = day(from); err == nil {
		f.Until, err = day(until)
	}
	return f, err
}

// UseFilter commits that a filter was used.
func (s *Store) UseFilter(ctx context.Context, uid uuid.UUID, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		if err := noteUse(ctx, tx, uid); err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// useNoted is how exactly it is noted when a filter was last used: a page of it writes the
// trail, and seldom anything else.
const useNoted = time.Hour

func noteUse(ctx context.Context, tx *engine.Tx, uid uuid.UUID) error {
	return engine.Error(tx.ExecLater(ctx, `UPDATE history_filter SET used_at = ? WHERE uid = ? AND used_at <= ?`,
		engine.Micros(tx.Now), engine.UID(uid), engine.Micros(tx.Now.Add(-useNoted))))
}

// HasFilter reports whether there is a filter, whoever's it is.
func (s *Store) HasFilter(ctx context.Context, uid uuid.UUID) (bool, error) {
	return s.has(ctx, `SELECT EXISTS (SELECT 1 FROM history_filter WHERE uid = ?)`, uid)
}

func day(text string) (authorization.LocalTime, error) {
	if text == "" {
		return authorization.LocalTime{}, nil
	}
	return authorization.ParseLocalTime(text)
}

// SweepFilters deletes what was not used since. It takes the writer's time only
// when there is something.
func (s *Store) SweepFilters(ctx context.Context, since time.Time) (swept int, err error) {
	var some bool
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		return tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM history_filter WHERE used_at < ?)`, engine.Micros(since)).Scan(&some)
	})
	if err != nil || !some {
		return 0, engine.Error(err)
	}
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		n, err := tx.Exec(ctx, `DELETE FROM history_filter WHERE used_at < ?`, engine.Micros(since))
		swept = int(n)
		return engine.Error(err)
	})
	return swept, err
}
