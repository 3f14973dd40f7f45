// Package backupstore remembers in the desk's database when backups were made and checked.
// It satisfies backup.Store.
package backupstore

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/store/engine"
)

// Trail takes audit entries within the transaction of what they report.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Store remembers runs. It is safe for concurrent use.
type Store struct {
	db    engine.DB
	trail Trail
}

var _ backup.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// kept is how many runs are remembered of those that made a backup, and as many of those
// that failed; the trail tells of all.
const kept = 400

// Add implements backup.Store.
func (s *Store) Add(ctx context.Context, r backup.Run) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO backup_run (at, name, bytes, encrypted, missing, failure, verified_at, damage)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, engine.Micros(r.At), r.Name, r.Bytes, r.Encrypted, r.Missing, string(r.Failure),
			engine.Micros(r.VerifiedAt), r.Damage)
		if err != nil {
			return engine.Error(err)
		}
		_, err = tx.Exec(ctx, `DELETE FROM backup_run WHERE (failure = '') = ?1 AND id <=
			(SELECT id FROM backup_run WHERE (failure = '') = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`, r.Failure == "", kept)
		if err != nil {
			return engine.Error(err)
		}
		return s.trail.Append(ctx, tx, entryOf(r))
	})
}

// entryOf tells the trail of a run.
func entryOf(r backup.Run) audit.Entry {
	if r.Failure != "" {
		return audit.Entry{Event: audit.BackupFailed, Detail: "motivo=" + string(r.Failure)}
	}
	detail := fmt.Sprintf("copia=%s bytes=%d", r.Name, r.Bytes)
	if !r.VerifiedAt.IsZero() {
		detail += fmt.Sprintf(" danos=%d", r.Damage)
	}
	return audit.Entry{Event: audit.BackupMade, Detail: detail}
}

// Latest implements backup.Store.
func (s *Store) Latest(ctx context.Context, limit int) ([]backup.Run, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]backup.Run, error) {
		return engine.List(ctx, tx, scanRun, `SELECT at, name, bytes, encrypted, missing, failure, verified_at, damage FROM backup_run
			WHERE id IN (SELECT id FROM backup_run ORDER BY id DESC LIMIT ?)
				OR id = (SELECT max(id) FROM backup_run WHERE failure = '')
				OR id = (SELECT max(id) FROM backup_run WHERE failure = '' AND damage = 0)
				OR id = (SELECT max(id) FROM backup_run WHERE failure = '' AND damage = 0 AND verified_at > 0)
			ORDER BY id DESC`, limit)
	})
}

func scanRun(row engine.Row) (r backup.Run, err error) {
	err = row.Scan(engine.ScanTime(&r.At), &r.Name, &r.Bytes, &r.Encrypted, &r.Missing, &r.Failure, engine.ScanTime(&r.VerifiedAt), &r.Damage)
	return r, err
}
