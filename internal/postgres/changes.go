package postgres

import (
	"context"

	"guiche/internal/store/engine"
)

// TakesChanges returns an error while the server shows rows and takes nothing new, as a standby does. Behind a pooler no
// connection tells of that.
func (db *DB) TakesChanges(ctx context.Context) error {
	return db.Read(ctx, func(tx *engine.Tx) error {
		var nothing bool
		err := tx.QueryRow(ctx, `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean`).Scan(&nothing)
		if err == nil && nothing {
			err = &engine.Failure{Kind: engine.OutOfReach, Err: errStandby}
		}
		return err
	})
}
