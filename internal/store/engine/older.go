package engine

import "context"

// Versioned is a database of which this version may know a part only.
type Versioned interface {
	DB
	// NewerSchema returns the schema of a database with which this version goes on although it
	// knows a part of it only, 0 otherwise.
	NewerSchema() int64
}

// WrittenByOlder reports whether a version wrote that knew a part of the schema only. What is
// made from rows besides, and what such a version knows nothing of, is to be made again, and
// then CaughtUp called. A version that itself knows a part only can make nothing again.
func WrittenByOlder(ctx context.Context, db Versioned) (older bool, err error) {
	if db.NewerSchema() > 0 {
		return false, nil
	}
	err = db.Read(ctx, func(tx *Tx) error {
		return tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM schema_floor WHERE older > 0)`).Scan(&older)
	})
	return older, Error(err)
}

// CaughtUp notes that all is as if no older version had written.
func CaughtUp(ctx context.Context, db DB) error {
	return db.Write(ctx, func(tx *Tx) error {
		_, err := tx.Exec(ctx, `UPDATE schema_floor SET older = 0`)
		return Error(err)
	})
}
