package backupstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/store/backupstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

// trail notes what it is told, unless it fails.
type trail struct {
	entries []audit.Entry
	failure error
}

func (t *trail) Append(_ context.Context, tx *engine.Tx, e audit.Entry) error {
	tx.OnRollback(func() { t.entries = t.entries[:len(t.entries)-1] })
	t.entries = append(t.entries, e)
	return t.failure
}

func MustOpen(tb testing.TB) (*backupstore.Store, *trail, *storetest.Database) {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, nil)
	told := &trail{}
	return backupstore.New(db, told), told, db
}

var (
	at    = time.Date(2026, 11, 22, 8, 9, 30, 0, time.UTC)
	plain = backup.Run{At: at, Name: "2026-11-22T080930Z", Bytes: 1234}
	whole = backup.Run{At: at.Add(time.Hour), Name: "2026-11-22T090930Z", Bytes: 99, Encrypted: true, Missing: 2,
		VerifiedAt: at.Add(2 * time.Hour), Damage: 3}
	failed = backup.Run{At: at.Add(3 * time.Hour), Failure: backup.FailedNoSpace}
)

// TestStore: what was made, checked or not made is remembered, newest first, and told.
func TestStore(t *testing.T) {
	s, told, _ := MustOpen(t)
	if got, err := s.Latest(t.Context(), 9); len(got) != 0 || err != nil {
		t.Errorf("got %v, %v, want nothing yet", got, err)
	}
	for _, r := range []backup.Run{plain, whole, failed} {
		if err := s.Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	all := []backup.Run{failed, whole, plain} // with the latest that was made, and the latest that may be whole
	for _, limit := range []int{1, 2, 3, 9} {
		got, err := s.Latest(t.Context(), limit)
		if diff := cmp.Diff(all, got); err != nil || diff != "" {
			t.Errorf("%v, -want +got\n%s", err, diff)
		}
	}
	want := []audit.Entry{
		{Event: audit.BackupMade, Detail: "copia=2026-11-22T080930Z bytes=1234"},
		{Event: audit.BackupMade, Detail: "copia=2026-11-22T090930Z bytes=99 danos=3"},
		{Event: audit.BackupFailed, Detail: "motivo=sem_espaco"},
	}
	if diff := cmp.Diff(want, told.entries); diff != "" {
		t.Errorf("told: -want +got\n%s", diff)
	}
}

// TestStore_Add_kept: the newest 400 are remembered.
func TestStore_Add_kept(t *testing.T) {
	s, _, _ := MustOpen(t)
	for i := range 403 {
		r := plain
		r.Bytes = int64(i)
		if err := s.Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Latest(t.Context(), 1000)
	if err != nil || len(got) != 400 || got[0].Bytes != 402 || got[399].Bytes != 3 {
		t.Errorf("got %d runs, %v", len(got), err)
	}
}

// TestStore_Add_failing: however often it fails afterwards, the runs that made a backup are
// remembered, and the latest that is whole is among the latest.
func TestStore_Add_failing(t *testing.T) {
	s, _, _ := MustOpen(t)
	checked := plain
	checked.VerifiedAt = at.Add(time.Minute)
	damaged := plain
	damaged.Damage = 2
	for _, r := range append([]backup.Run{checked, plain, damaged}, slices.Repeat([]backup.Run{failed}, 410)...) {
		if err := s.Add(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Latest(t.Context(), 1000)
	if err != nil || len(got) != 403 {
		t.Errorf("got %d runs, %v, want the latest 400 that failed and all others", len(got), err)
	}
	got, err = s.Latest(t.Context(), 2)
	if diff := cmp.Diff([]backup.Run{failed, failed, damaged, plain, checked}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
}

// exec does to the database what the program does not.
func exec(tb testing.TB, db engine.DB, statement string) {
	tb.Helper()
	err := db.Write(tb.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(tb.Context(), statement)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// TestStore_Add_refused: what is not remembered is not told either.
func TestStore_Add_refused(t *testing.T) {
	s, told, db := MustOpen(t)
	wrong := plain
	wrong.Failure = backup.FailedBusy // and it has a name
	if err := s.Add(t.Context(), wrong); err == nil {
		t.Error("got no error")
	}
	storetest.Break(t, db, "DELETE ON backup_run")
	exec(t, db, `INSERT INTO backup_run WITH RECURSIVE run (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM run WHERE id < 400)
		SELECT id, 1, 'x', 1, 0, 0, '', 0, 0 FROM run`)
	if err := s.Add(t.Context(), plain); err == nil {
		t.Error("old ones stay: got no error")
	}
	if len(told.entries) != 0 {
		t.Errorf("told %+v", told.entries)
	}
}

// TestStore_Latest_damaged: a row that cannot be read is an error, and no run.
func TestStore_Latest_damaged(t *testing.T) {
	s, _, db := MustOpen(t)
	storetest.Unguard(t, db)
	exec(t, db, `INSERT INTO backup_run VALUES (1, 1, 'x', 1, 7, 0, '', 0, 0)`)
	if got, err := s.Latest(t.Context(), 9); err == nil {
		t.Errorf("got %+v", got)
	}
}

// TestStore_Add_together: a run is remembered and told, or neither.
func TestStore_Add_together(t *testing.T) {
	s, told, _ := MustOpen(t)
	told.failure = errors.New("no trail")
	if err := s.Add(t.Context(), plain); !errors.Is(err, told.failure) {
		t.Errorf("got %v, want the trail's error", err)
	}
	if got, err := s.Latest(t.Context(), 9); len(got) != 0 || err != nil {
		t.Errorf("got %v, %v, want nothing", got, err)
	}
}

func TestStore_Failures(t *testing.T) {
	s, _, db := MustOpen(t)
	if err := errors.Join(s.Add(t.Context(), whole), db.Close()); err != nil {
		t.Fatal(err)
	}
	on := func(do func(ctx context.Context, s *backupstore.Store) error) storetest.Operation {
		return storetest.Operation{Tables: "backup_run", Do: func(ctx context.Context, db engine.DB) error {
			return do(ctx, backupstore.New(db, &trail{}))
		}}
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Add":    on(func(ctx context.Context, s *backupstore.Store) error { return s.Add(ctx, plain) }),
		"Latest": on(func(ctx context.Context, s *backupstore.Store) error { _, err := s.Latest(ctx, 1); return err }),
	})
}
