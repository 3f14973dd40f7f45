package connectionstore_test

import (
	"context"
	"errors"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/connectionstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// TestStore_Failures: what could not be read or kept is said.
func TestStore_Failures(t *testing.T) {
	db := storetest.Open(t, migrations.Desk, nil)
	secret := &connection.Sealed{Method: connection.APIKey, Origin: "https://a:443", Bytes: []byte{1}, StoredAt: now}
	newStore := func(db engine.DB) *connectionstore.Store {
		return connectionstore.New(db, auditlog.New(db, audit.Key{1}))
	}
	first, err := newStore(db).Load(t.Context())
	if err == nil {
		err = newStore(db).Save(t.Context(), first, everything(), secret, audit.Entry{Event: audit.ConnectionChanged})
	}
	stored, loadErr := newStore(db).Load(t.Context())
	if err = errors.Join(err, loadErr, db.Close()); err != nil {
		t.Fatal(err)
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Load": {Tables: "connection connection_secret installation_key", Do: func(ctx context.Context, db engine.DB) error {
			_, err := newStore(db).Load(ctx)
			return err
		}},
		"Save": {Tables: "connection connection_secret installation_key audit_entry", Do: func(ctx context.Context, db engine.DB) error {
			return newStore(db).Save(ctx, stored, connection.Defaults(), secret, audit.Entry{Event: audit.ConnectionChanged})
		}},
		"RenewKey": {Tables: "connection_secret installation_key audit_entry", Do: func(ctx context.Context, db engine.DB) error {
			return newStore(db).RenewKey(ctx, "0123456789abcdef", func(all []connection.Sealed) ([]connection.Sealed, audit.Entry, error) {
				return all, audit.Entry{Event: audit.KeyRenewed}, nil
			})
		}},
		"AppendAudit": {Tables: "audit_entry", Do: func(ctx context.Context, db engine.DB) error {
			return newStore(db).AppendAudit(ctx, audit.Entry{Event: audit.ConnectionTested})
		}},
	})
}
