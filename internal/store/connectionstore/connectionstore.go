// Package connectionstore keeps the connection to the authorization service in the
// desk's database, its secrets sealed. It satisfies connection.Store; which settings
// there are is said by connection.Fields.
package connectionstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/keyfile"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
)

// Trail takes audit entries within the transaction of what they report.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Store keeps the connection. It is safe for concurrent use.
type Store struct {
	db    engine.DB
	trail Trail
}

var _ connection.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// Load implements connection.Store.
func (s *Store) Load(ctx context.Context) (stored connection.Stored, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		stored, err = load(ctx, tx)
		return err
	})
	return stored, err
}

func load(ctx context.Context, tx *engine.Tx) (stored connection.Stored, err error) {
	stored.Settings = connection.Defaults()
	if err := loadSettings(ctx, tx, &stored); err != nil {
		return stored, err
	}
	if stored.Secrets, err = loadSecrets(ctx, tx); err != nil {
		return stored, err
	}
	stored.KeyID, err = keystore.InUse(ctx, tx, keyfile.Seal)
	return stored, err
}

// loadSettings fills stored, and leaves it alone where nothing was saved yet.
func loadSettings(ctx context.Context, tx *engine.Tx, stored *connection.Stored) error {
	var saved connection.Stored
	var names []string
	var values []any
	for _, f := range connection.Fields() {
		names, values = append(names, f.Column), append(values, column{f.At(&saved.Settings)})
	}
	names, values = append(names, "updated_at"), append(values, engine.ScanTime(&saved.UpdatedAt))
	err := tx.QueryRow(ctx, `SELECT `+strings.Join(names, ", ")+` FROM connection`).Scan(values...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	*stored = saved
	return engine.Error(err)
}

// loadSecrets reads the sealed secrets by method. They are opened where they are used,
// never here.
func loadSecrets(ctx context.Context, tx *engine.Tx) (map[connection.Method]connection.Sealed, error) {
	rows, err := tx.Query(ctx, `SELECT method, origin, key_id, sealed, stored_at FROM connection_secret`)
	if err != nil {
		return nil, engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below reports what went wrong
	all := map[connection.Method]connection.Sealed{}
	for rows.Next() {
		var s connection.Sealed
		if err := rows.Scan(&s.Method, &s.Origin, &s.KeyID, &s.Bytes, engine.ScanTime(&s.StoredAt)); err != nil {
			return nil, engine.Error(err)
		}
		all[s.Method] = s
	}
	return all, engine.Error(rows.Err())
}

// Save implements connection.Store.
func (s *Store) Save(ctx context.Context, read connection.Stored, c connection.Settings, secret *connection.Sealed, e audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		switch now, err := load(ctx, tx); {
		case err != nil:
			return err
		case !reflect.DeepEqual(now, read):
			return connection.ErrStale
		}
		if err := saveSettings(ctx, tx, c); err != nil {
			return err
		}
		if secret != nil {
			if err := saveSecret(ctx, tx, *secret); err != nil {
				return err
			}
		}
		return s.trail.Append(ctx, tx, e)
	})
}

func saveSecret(ctx context.Context, tx *engine.Tx, s connection.Sealed) error {
	_, err := tx.Exec(ctx, `INSERT INTO connection_secret (method, origin, key_id, sealed, stored_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (method) DO UPDATE SET origin = excluded.origin, key_id = excluded.key_id, sealed = excluded.sealed,
			stored_at = excluded.stored_at`,
		s.Method, s.Origin, s.KeyID, s.Bytes, engine.Micros(s.StoredAt))
	return engine.Error(err)
}

// RenewKey puts another sealing key in use: every secret passes through renew, whose
// result and entry are kept in the same transaction.
func (s *Store) RenewKey(ctx context.Context, keyID string,
	renew func([]connection.Sealed) ([]connection.Sealed, audit.Entry, error)) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		secrets, err := loadSecrets(ctx, tx)
		if err != nil {
			return err
		}
		renewed, entry, err := renew(slices.Collect(maps.Values(secrets)))
		if err != nil {
			return err
		}
		for _, secret := range renewed {
			if err := saveSecret(ctx, tx, secret); err != nil {
				return err
			}
		}
		if err := keystore.Replace(ctx, tx, keyfile.Seal, keyID); err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// saveSettings writes every field of the table of settings: a setting that is added
// there is stored without a change here, beyond its column.
func saveSettings(ctx context.Context, tx *engine.Tx, c connection.Settings) error {
	names, values, changes := []string{"id", "updated_at"}, []any{1, engine.Micros(tx.Now)}, []string{"updated_at = excluded.updated_at"}
	for _, f := range connection.Fields() {
		value, err := column{f.At(&c)}.Value()
		if err != nil {
			return fmt.Errorf("connectionstore: %s: %w", f.Column, err)
		}
		names, values, changes = append(names, f.Column), append(values, value), append(changes, f.Column+" = excluded."+f.Column)
	}
	_, err := tx.Exec(ctx, `INSERT INTO connection (`+strings.Join(names, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(names)-1)+`)
		ON CONFLICT (id) DO UPDATE SET `+strings.Join(changes, ", "), values...)
	return engine.Error(err)
}

// AppendAudit implements connection.Store.
func (s *Store) AppendAudit(ctx context.Context, e audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error { return s.trail.Append(ctx, tx, e) })
}
