package keystore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/keyfile"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

const first, second = "0123456789abcdef", "fedcba9876543210"

func MustOpen(tb testing.TB) *storetest.Database {
	tb.Helper()
	return storetest.Open(tb, migrations.Desk, func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) })
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	db := MustOpen(t)
	s := keystore.New(db)
	wantUses(t, s, map[keyfile.Name]keyfile.Use{keyfile.Audit: {}, keyfile.Browser: {}, keyfile.Seal: {}})
	MustDo(t, s.Note(t.Context(), map[keyfile.Name]string{keyfile.Seal: first}))
	MustDo(t, s.Note(t.Context(), map[keyfile.Name]string{keyfile.Seal: second})) // the first one counts
	MustDo(t, auditlog.New(db, audit.Key{}).Record(t.Context(), audit.Entry{Event: audit.CaseViewed}))
	wantUses(t, s, map[keyfile.Name]keyfile.Use{keyfile.Audit: {Needed: true}, keyfile.Browser: {}, keyfile.Seal: {ID: first}})
	MustDo(t, replace(t.Context(), db, keyfile.Seal, second))
	wantUses(t, s, map[keyfile.Name]keyfile.Use{keyfile.Audit: {Needed: true}, keyfile.Browser: {}, keyfile.Seal: {ID: second}})
	list, err := s.List(t.Context())
	MustDo(t, err)
	want := []keystore.Noted{{keyfile.Seal, second, true}, {keyfile.Seal, first, false}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStore_Note: several keys are noted together, or none of them is; a missing one is added to those that are.
func TestStore_Note(t *testing.T) {
	db := MustOpen(t)
	s := keystore.New(db)
	for _, ids := range []map[keyfile.Name]string{
		{keyfile.Audit: first, keyfile.Browser: first, keyfile.Seal: "short"},
		{keyfile.Audit: "short", keyfile.Browser: first, keyfile.Seal: first},
	} {
		if err := s.Note(t.Context(), ids); err == nil {
			t.Errorf("%v: got no error, want one", ids)
		}
		wantUses(t, s, map[keyfile.Name]keyfile.Use{keyfile.Audit: {}, keyfile.Browser: {}, keyfile.Seal: {}})
	}
	MustDo(t, s.Note(t.Context(), map[keyfile.Name]string{keyfile.Audit: first, keyfile.Browser: second}))
	MustDo(t, s.Note(t.Context(), map[keyfile.Name]string{keyfile.Audit: second, keyfile.Browser: first, keyfile.Seal: first}))
	wantUses(t, s, map[keyfile.Name]keyfile.Use{keyfile.Audit: {ID: first}, keyfile.Browser: {ID: second}, keyfile.Seal: {ID: first}})
}

// A key that was retired is not used again, and one without a proper id is not noted.
func TestReplace_Refused(t *testing.T) {
	db := MustOpen(t)
	MustDo(t, replace(t.Context(), db, keyfile.Seal, first))
	for _, id := range []string{first, "", "short"} {
		if err := replace(t.Context(), db, keyfile.Seal, id); err == nil {
			t.Errorf("%q: got no error, want one", id)
		}
	}
	wantUses(t, keystore.New(db), map[keyfile.Name]keyfile.Use{keyfile.Audit: {}, keyfile.Browser: {}, keyfile.Seal: {ID: first}})
}

func replace(ctx context.Context, db engine.DB, name keyfile.Name, id string) error {
	return db.Write(ctx, func(tx *engine.Tx) error { return keystore.Replace(ctx, tx, name, id) })
}

func wantUses(t *testing.T, s *keystore.Store, want map[keyfile.Name]keyfile.Use) {
	t.Helper()
	got, err := s.Uses(t.Context())
	MustDo(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStore_Failures(t *testing.T) {
	db := MustOpen(t)
	MustDo(t, keystore.New(db).Note(t.Context(), map[keyfile.Name]string{keyfile.Audit: first}))
	MustDo(t, db.Close())
	db.CheckFailures(t, map[string]storetest.Operation{
		"Uses": {Tables: "installation_key audit_entry connection_secret", Do: func(ctx context.Context, db engine.DB) error {
			_, err := keystore.New(db).Uses(ctx)
			return err
		}},
		"Note": {Tables: "installation_key", Do: func(ctx context.Context, db engine.DB) error {
			return keystore.New(db).Note(ctx, map[keyfile.Name]string{keyfile.Seal: first})
		}},
		"Replace": {Tables: "installation_key", Do: func(ctx context.Context, db engine.DB) error {
			return replace(ctx, db, keyfile.Seal, second)
		}},
		"List": {Tables: "installation_key", Do: func(ctx context.Context, db engine.DB) error {
			_, err := keystore.New(db).List(ctx)
			return err
		}},
	})
}
