package checksum

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"guiche/internal/store/engine"
)

// piece is how many rows are read at a time.
const piece = 500

// pending reports whether rows of the table from before checksums may have none yet.
func (t Table) pending(ctx context.Context, tx *engine.Tx) (pending bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM checksum_pending WHERE table_name = ?)`, t.Name).Scan(&pending)
	return pending, engine.Error(err)
}

// Fill gives rows from before checksums theirs, in pieces that each commit: beside the
// requests, and again from the next start where it was cut short. Without a sum a row is
// damaged from then on.
func Fill(ctx context.Context, db engine.DB, tables []Table) error {
	for _, t := range tables {
		if err := t.fill(ctx, db); err != nil {
			return fmt.Errorf("checksum: fill %s: %w", t.Name, err)
		}
	}
	return nil
}

func (t Table) fill(ctx context.Context, db engine.DB) error {
	pending, err := engine.Get(ctx, db, func(tx *engine.Tx) (bool, error) { return t.pending(ctx, tx) })
	var last []any
	for err == nil && pending {
		var next []any
		err = db.Write(ctx, func(tx *engine.Tx) (err error) {
			next, err = t.fillPiece(ctx, tx, last)
			return err
		})
		last, pending = next, next != nil
	}
	return err
}

// fillPiece gives the next rows after a key their sums, and returns the key of the last, nil
// when there are no more.
func (t Table) fillPiece(ctx context.Context, tx *engine.Tx, after []any) (last []any, err error) {
	rows, err := t.after(ctx, tx, after, `checksum IS NULL`, piece)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if err := t.seal(ctx, tx, r); err != nil {
			return nil, err
		}
	}
	if len(rows) == piece {
		return rows[piece-1].values[:len(t.Key)], nil
	}
	_, err = tx.Exec(ctx, `DELETE FROM checksum_pending WHERE table_name = ?`, t.Name)
	return nil, engine.Error(err)
}

// after reads the next rows after a key, nil for the first ones, for which a condition
// holds.
func (t Table) after(ctx context.Context, tx *engine.Tx, key []any, condition string, limit int) ([]row, error) {
	where, args := condition, []any{}
	if key != nil {
		where += ` AND (` + strings.Join(t.Key, ", ") + `) > (?` + strings.Repeat(", ?", len(t.Key)-1) + `)`
		args = append(args, key...)
	}
	return t.read(ctx, tx, `SELECT `+t.words().list+`, checksum FROM `+t.quoted()+` WHERE `+where+`
		ORDER BY `+strings.Join(t.Key, ", ")+` LIMIT ?`, append(args, limit)...)
}

// ErrTime ends a check that took as long as it may.
var ErrTime = errors.New("checksum: the time is up")

// Within returns a function that ends a check with ErrTime when so much time has passed.
func Within(clock func() time.Time, limit time.Duration) func() error {
	start := clock()
	return func() error {
		if clock().Sub(start) >= limit {
			return ErrTime
		}
		return nil
	}
}

// Newest compares the newest rows of each table, as many as one piece has, and hands out
// those that are damaged. Next, which may be nil, is called before each table; its error
// ends the check.
func Newest(ctx context.Context, db engine.DB, tables []Table, found func(Row), next func() error) error {
	for _, t := range tables {
		if next != nil {
			if err := next(); err != nil {
				return err
			}
		}
		damaged, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]Row, error) {
			return t.Damaged(ctx, tx, `1 = 1 ORDER BY `+strings.Join(t.Key, " DESC, ")+` DESC LIMIT ?`, piece)
		})
		for _, row := range damaged {
			found(row)
		}
		if err != nil {
			return fmt.Errorf("checksum: check %s: %w", t.Name, err)
		}
	}
	return nil
}

// Check compares all rows of the tables, in pieces of which each is a snapshot of its own,
// and hands out those that are damaged. Next, which may be nil, is called between pieces;
// its error ends the check.
func Check(ctx context.Context, db engine.DB, tables []Table, found func(Row), next func() error) error {
	for _, t := range tables {
		if err := t.check(ctx, db, found, next); err != nil {
			return fmt.Errorf("checksum: check %s: %w", t.Name, err)
		}
	}
	return nil
}

func (t Table) check(ctx context.Context, db engine.DB, found func(Row), next func() error) error {
	var last []any
	for {
		var rows []row
		var damaged []Row
		err := db.Read(ctx, func(tx *engine.Tx) (err error) {
			damaged = nil
			if rows, err = t.after(ctx, tx, last, `1 = 1`, piece); err == nil {
				damaged, err = t.damagedOf(ctx, tx, rows)
			}
			return err
		})
		for _, row := range damaged {
			found(row)
		}
		if err != nil || len(rows) < piece {
			return err
		}
		last = rows[len(rows)-1].values[:len(t.Key)]
		if next == nil {
			continue
		}
		if err := next(); err != nil {
			return err
		}
	}
}
