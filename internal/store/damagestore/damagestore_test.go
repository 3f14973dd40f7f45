package damagestore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/integrity"
	"guiche/internal/store/damagestore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// trail notes what it is told.
type trail struct{ entries []audit.Entry }

func (t *trail) Append(_ context.Context, tx *engine.Tx, e audit.Entry) error {
	tx.OnRollback(func() { t.entries = t.entries[:len(t.entries)-1] })
	t.entries = append(t.entries, e)
	return nil
}

var (
	at   = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	file = integrity.Damage{Half: integrity.Desk, Kind: integrity.File, Name: "0123456789abcdef", Case: uuid.UUID{7}, Since: at}
	row  = integrity.Damage{Half: integrity.Service, Kind: integrity.Row, Name: "request 12", Since: at}
)

func MustOpen(t *testing.T) (*damagestore.Store, *trail, *storetest.Database) {
	t.Helper()
	db := storetest.Open(t, migrations.Desk, func() time.Time { return at })
	told := &trail{}
	return damagestore.New(db, told), told, db
}

// TestStore: damage is told once, however often it is found, and once that it is mended.
func TestStore(t *testing.T) {
	ctx := t.Context()
	s, told, _ := MustOpen(t)
	for _, d := range []integrity.Damage{file, row, file, row} {
		if err := s.Add(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.List(ctx, 10)
	if diff := cmp.Diff([]integrity.Damage{row, file}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
	known, err := s.Known(ctx, integrity.Desk, integrity.File, "other", file.Name, row.Name)
	if err != nil || !slices.Equal(known, []string{file.Name}) {
		t.Errorf("known: got %q, %v", known, err)
	}
	for range 2 {
		if err := s.Remove(ctx, file); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Count(ctx); err != nil || n != 1 {
		t.Errorf("got %d, %v, want the row alone", n, err)
	}
	before, err := s.LastCheck(ctx)
	if err != nil || !before.IsZero() {
		t.Errorf("got %v, %v, want that nothing was checked", before, err)
	}
	if err := s.Checked(ctx); err != nil {
		t.Fatal(err)
	}
	if after, err := s.LastCheck(ctx); err != nil || !after.Equal(at) {
		t.Errorf("got %v, %v, want %v", after, err, at)
	}
	want := []audit.Entry{
		{At: at, Event: audit.DamageFound, Object: audit.ObjectCase, ObjectID: file.Case, Detail: "metade=desk arquivo=0123456789ab"},
		{At: at, Event: audit.DamageFound, Detail: "metade=service registro=request 12"},
		{At: at, Event: audit.DamageMended, Object: audit.ObjectCase, ObjectID: file.Case, Detail: "metade=desk arquivo=0123456789ab"},
	}
	if diff := cmp.Diff(want, told.entries); diff != "" {
		t.Errorf("told: -want +got\n%s", diff)
	}
}

// TestStore_Add_known: what is known costs no write, so that reading a damaged file again
// and again stops nobody.
func TestStore_Add_known(t *testing.T) {
	s, _, db := MustOpen(t)
	if err := s.Add(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	err := db.Write(t.Context(), func(*engine.Tx) error { // nobody else writes meanwhile
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		return s.Add(ctx, file)
	})
	if err != nil {
		t.Errorf("got %v", err)
	}
}

// TestStore_Add_refused: what is not remembered is not told either.
func TestStore_Add_refused(t *testing.T) {
	s, told, _ := MustOpen(t)
	if err := s.Add(t.Context(), integrity.Damage{Half: "elsewhere", Kind: integrity.File, Name: "a"}); err == nil || len(told.entries) != 0 {
		t.Errorf("got %v, told %+v", err, told.entries)
	}
}

// TestStore_List_damaged: a row that cannot be read is an error, and no damage.
func TestStore_List_damaged(t *testing.T) {
	s, _, db := MustOpen(t)
	storetest.Unguard(t, db)
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO damage (half, kind, name, case_uid, found_at) VALUES ('desk', 'arquivo', 'a', ?, 1)`,
			[]byte{1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.List(t.Context(), 9); err == nil {
		t.Errorf("got %+v", got)
	}
}

func TestStore_Failures(t *testing.T) {
	s, _, db := MustOpen(t)
	if err := errors.Join(s.Add(t.Context(), row), db.Close()); err != nil {
		t.Fatal(err)
	}
	on := func(do func(ctx context.Context, s *damagestore.Store) error) storetest.Operation {
		return storetest.Operation{Tables: "damage", Do: func(ctx context.Context, db engine.DB) error {
			return do(ctx, damagestore.New(db, &trail{}))
		}}
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Checked": {Tables: "integrity_check", Do: func(ctx context.Context, db engine.DB) error {
			return damagestore.New(db, &trail{}).Checked(ctx)
		}},
		"LastCheck": {Tables: "integrity_check", Do: func(ctx context.Context, db engine.DB) error {
			_, err := damagestore.New(db, &trail{}).LastCheck(ctx)
			return err
		}},
		"Add":    on(func(ctx context.Context, s *damagestore.Store) error { return s.Add(ctx, file) }),
		"Remove": on(func(ctx context.Context, s *damagestore.Store) error { return s.Remove(ctx, row) }),
		"List":   on(func(ctx context.Context, s *damagestore.Store) error { _, err := s.List(ctx, 1); return err }),
		"Count":  on(func(ctx context.Context, s *damagestore.Store) error { _, err := s.Count(ctx); return err }),
		"Known": on(func(ctx context.Context, s *damagestore.Store) error {
			_, err := s.Known(ctx, integrity.Desk, integrity.File, "x")
			return err
		}),
	})
}
