package copying

import (
	"context"

	"guiche/internal/store/engine"
)

// markTable is there as long as a database is being made a copy. Its row says of what.
const markTable = "copying"

// Marked returns of what a database is being made a copy, "" where it is none, or whole.
func Marked(ctx context.Context, db engine.DB) (source string, err error) {
	return engine.Get(ctx, db, func(tx *engine.Tx) (source string, err error) {
		there, err := tx.HasTable(ctx, markTable)
		if err != nil || !there {
			return "", err
		}
		err = tx.QueryRow(ctx, `SELECT source FROM copying`).Scan(&source)
		return source, engine.Error(err)
	})
}

// Mark notes of what a database is being made a copy.
func Mark(ctx context.Context, db engine.DB, source string) error {
	return db.WriteAlone(ctx, func(tx *engine.Tx) error {
		if _, err := tx.Exec(ctx, `CREATE TABLE copying (source text NOT NULL)`); err != nil {
			return engine.Error(err)
		}
		_, err := tx.Exec(ctx, `INSERT INTO copying (source) VALUES (?)`, source)
		return engine.Error(err)
	})
}

// Unmark says that the copy is whole.
func Unmark(ctx context.Context, db engine.DB) error {
	return db.WriteAlone(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `DROP TABLE copying`)
		return engine.Error(err)
	})
}
