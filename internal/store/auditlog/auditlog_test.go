package auditlog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var (
	key   = audit.Key{7}
	start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

// trail is a log, its database with a clock that moves a minute at each look, and a folder.
type trail struct {
	*auditlog.Log
	db     engine.DB
	folder string
}

func MustOpen(tb testing.TB) trail {
	tb.Helper()
	var minutes atomic.Int64
	db := storetest.Open(tb, migrations.Desk, func() time.Time { return start.Add(time.Duration(minutes.Add(1)) * time.Minute) })
	return trail{auditlog.New(db, key), db, tb.TempDir()}
}

// MustRecord adds n entries, actors and events taking turns.
func MustRecord(tb testing.TB, log trail, n int) {
	tb.Helper()
	for i := range n {
		e := audit.Entry{Actor: uuid.UUID{byte(i%2 + 1)}, Event: audit.CaseViewed, Object: audit.ObjectCase, ObjectID: uuid.UUID{byte(i + 1)}}
		if i%3 == 0 {
			e.Event = audit.GuideOpened
		}
		if err := log.Record(tb.Context(), e); err != nil {
			tb.Fatal(err)
		}
	}
	MustLink(tb, log)
}

// MustLink gives what is committed its place in the chain.
func MustLink(tb testing.TB, log trail) {
	tb.Helper()
	if err := log.Link(tb.Context()); err != nil {
		tb.Fatal(err)
	}
}

// MustTamper does what somebody does who has the database but not the key.
func MustTamper(tb testing.TB, log trail, statements string) {
	tb.Helper()
	storetest.Unguard(tb, log.db)
	err := log.db.Write(tb.Context(), func(tx *engine.Tx) error {
		for statement := range strings.SplitSeq(statements, ";") {
			if _, err := tx.Exec(tb.Context(), statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func wantBroken(t *testing.T, err error, position int64) {
	t.Helper()
	var broken *audit.BrokenError
	if !errors.As(err, &broken) || broken.Position != position {
		t.Errorf("got %v, want entry %d named", err, position)
	}
}

func TestLog_Append(t *testing.T) {
	t.Run("SharesTheFateOfItsTransaction", func(t *testing.T) {
		log := MustOpen(t)
		refused := errors.New("refused")
		err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
			if err := log.Append(t.Context(), tx, audit.Entry{Event: audit.CaseViewed}); err != nil {
				t.Error(err)
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("got %v, want the job's error", err)
		}
		MustRecord(t, log, 3)
		page, err := log.List(t.Context(), auditlog.Filter{})
		if err != nil || len(page) != 3 || page[2].Position != 1 {
			t.Errorf("got %d entries, error %v, want 3 without a gap", len(page), err)
		}
		if err := log.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("KeepsWhatItWasGiven", func(t *testing.T) {
		log := MustOpen(t)
		want := audit.Entry{
			At: start.Add(1500 * time.Nanosecond), Actor: uuid.UUID{1}, Event: audit.PersonChanged,
			Object: audit.ObjectPerson, ObjectID: uuid.UUID{2}, Detail: "papeis=recepcao",
		}
		if err := log.Record(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		page, err := log.List(t.Context(), auditlog.Filter{})
		if err != nil || len(page) != 1 {
			t.Fatalf("got %d entries, error %v, want 1", len(page), err)
		}
		want.At = start.Add(time.Microsecond)
		if got := page[0].Entry; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
	t.Run("NeedsAnEvent", func(t *testing.T) {
		if err := MustOpen(t).Record(t.Context(), audit.Entry{}); err == nil {
			t.Error("got no error, want one")
		}
	})
	t.Run("IsNeverChanged", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 1)
		statements := []string{`UPDATE audit_entry SET detail = 'x'`, `DELETE FROM audit_entry`,
			`INSERT INTO audit_entry SELECT * FROM audit_entry WHERE TRUE ON CONFLICT (id) DO UPDATE SET detail = 'x'`}
		if !storetest.OnPostgres() {
			statements = append(statements, `INSERT OR REPLACE INTO audit_entry SELECT * FROM audit_entry`)
		}
		for _, statement := range statements {
			err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), statement)
				return err
			})
			if err == nil {
				t.Errorf("%s: got no error, want one", statement)
			}
		}
	})
}

func TestLog_Verify(t *testing.T) {
	for name, tc := range map[string]struct {
		tamper string
		want   int64
	}{
		"Alter":  {`UPDATE audit_entry SET event = 'caso.visto' WHERE id = 4`, 4},
		"Actor":  {`UPDATE audit_entry SET actor = NULL WHERE id = 5`, 5},
		"Delete": {`DELETE FROM audit_entry WHERE id = 3`, 3},
		"Swap": {`UPDATE audit_entry SET id = 100 WHERE id = 2; UPDATE audit_entry SET id = 2 WHERE id = 6;
			UPDATE audit_entry SET id = 6 WHERE id = 100`, 2},
		"First": {`DELETE FROM audit_entry WHERE id = 1`, 1},
		"Forge": {`INSERT INTO audit_entry (id, at, event, mac) SELECT 11, 1, 'caso.visto', mac FROM audit_entry WHERE id = 1`, 11},
	} {
		t.Run(name, func(t *testing.T) {
			log := MustOpen(t)
			MustRecord(t, log, 10)
			if err := log.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			MustTamper(t, log, tc.tamper)
			wantBroken(t, log.Verify(t.Context()), tc.want)
		})
	}
	t.Run("OtherKey", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 2)
		wantBroken(t, auditlog.New(log.db, audit.Key{8}).Verify(t.Context()), 1)
	})
	t.Run("Cancelled", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := log.Verify(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
}

// MustWriteHead notes the head beside the database and returns the file.
func MustWriteHead(tb testing.TB, log trail) string {
	tb.Helper()
	path := filepath.Join(log.folder, "audit.head")
	if err := log.WriteHead(tb.Context(), path); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestLog_CheckHead(t *testing.T) {
	t.Run("GrownTrail", func(t *testing.T) {
		log := MustOpen(t)
		path := MustWriteHead(t, log)
		MustRecord(t, log, 3)
		MustWriteHead(t, log)
		MustRecord(t, log, 3)
		if err := log.CheckHead(t.Context(), path); err != nil {
			t.Errorf("got %v, want nil", err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v, error %v, want mode 0600", info, err)
		}
	})
	t.Run("EndRemoved", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 5)
		path := MustWriteHead(t, log)
		MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 3`)
		if err := log.Verify(t.Context()); err != nil {
			t.Errorf("the chain alone: got %v, want nil", err)
		}
		wantBroken(t, log.CheckHead(t.Context(), path), 4)
		before, _ := os.ReadFile(path)
		wantBroken(t, log.WriteHead(t.Context(), path), 4)
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Error("a head that no longer fits was replaced")
		}
	})
	t.Run("EndRewritten", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 5)
		path := MustWriteHead(t, log)
		MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 3`)
		MustRecord(t, log, 5)
		wantBroken(t, log.CheckHead(t.Context(), path), 5)
	})
	t.Run("EmptyTrail", func(t *testing.T) {
		log := MustOpen(t)
		path := MustWriteHead(t, log)
		if got, err := os.ReadFile(path); err != nil || string(got) != "0 "+strings.Repeat("0", 64)+"\n" {
			t.Errorf("got %q, error %v, want position 0", got, err)
		}
		if err := log.CheckHead(t.Context(), path); err != nil {
			t.Errorf("got %v, want nil", err)
		}
	})
	t.Run("Emptied", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 2)
		path := MustWriteHead(t, log)
		MustTamper(t, log, `DELETE FROM audit_entry`)
		wantBroken(t, log.CheckHead(t.Context(), path), 1)
	})
	t.Run("FileOfTheNewestEntry", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 3)
		page, err := log.List(t.Context(), auditlog.Filter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("3 %x\n", page[0].MAC)
		if got, err := os.ReadFile(MustWriteHead(t, log)); err != nil || string(got) != want {
			t.Errorf("got %q, error %v, want %q", got, err, want)
		}
	})
	t.Run("FileCannotBeRead", func(t *testing.T) {
		log := MustOpen(t)
		var broken *audit.BrokenError
		for doing, err := range map[string]error{
			"CheckHead": log.CheckHead(t.Context(), t.TempDir()), "WriteHead": log.WriteHead(t.Context(), t.TempDir()),
		} {
			if err == nil || errors.As(err, &broken) {
				t.Errorf("%s: got %v, want an error that is not about the trail", doing, err)
			}
		}
	})
	t.Run("NoFile", func(t *testing.T) {
		if err := MustOpen(t).CheckHead(t.Context(), filepath.Join(t.TempDir(), "none")); err != nil {
			t.Errorf("got %v, want nil", err)
		}
	})
	t.Run("DamagedFile", func(t *testing.T) {
		log := MustOpen(t)
		for _, content := range []string{"", "x", "3 abc\n", "3 " + strings.Repeat("g", 64) + "\n", "3 " + strings.Repeat("0", 62) + "\n"} {
			path := filepath.Join(t.TempDir(), "audit.head")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			wantBroken(t, log.CheckHead(t.Context(), path), 0)
			wantBroken(t, log.WriteHead(t.Context(), path), 0)
			if after, _ := os.ReadFile(path); string(after) != content {
				t.Errorf("%q: got it replaced by %q", content, after)
			}
		}
	})
}

func TestLog_List(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 12)
	all, err := log.List(t.Context(), auditlog.Filter{Limit: 500})
	if err != nil || len(all) != 12 {
		t.Fatalf("got %d entries, error %v, want 12", len(all), err)
	}
	at := func(position int) time.Time { return all[12-position].Entry.At }
	for name, tc := range map[string]struct {
		filter auditlog.Filter
		want   []int64
	}{
		"NewestFirst": {auditlog.Filter{Limit: 3}, []int64{12, 11, 10}},
		"NextPage":    {auditlog.Filter{Limit: 3, Before: 10}, []int64{9, 8, 7}},
		"LastPage":    {auditlog.Filter{Before: 3}, []int64{2, 1}},
		"Actor":       {auditlog.Filter{Actor: uuid.UUID{2}}, []int64{12, 10, 8, 6, 4, 2}},
		"Event":       {auditlog.Filter{Event: audit.GuideOpened}, []int64{10, 7, 4, 1}},
		"Period":      {auditlog.Filter{From: at(4), To: at(7)}, []int64{6, 5, 4}},
		"All":         {auditlog.Filter{From: at(3), To: at(12), Actor: uuid.UUID{2}, Event: audit.GuideOpened, Before: 10}, []int64{4}},
		"None":        {auditlog.Filter{Event: audit.LoggedIn}, nil},
		"Refused":     {auditlog.Filter{Denied: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := log.List(t.Context(), tc.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, link := range page {
				got = append(got, link.Position)
			}
			if len(got) != len(tc.want) {
				t.Fatalf("got %v, want %v", got, tc.want)
			}
			for i := range got {
				if got[i] != tc.want[i] {
					t.Fatalf("got %v, want %v", got, tc.want)
				}
			}
		})
	}
}

func TestLog_List_Limits(t *testing.T) {
	log := MustOpen(t)
	err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
		for range 501 {
			if err := log.Append(t.Context(), tx, audit.Entry{Event: audit.CaseViewed}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]int{-1: 50, 0: 50, 1: 1, 499: 499, 500: 500, 501: 500, 9999: 500} {
		if page, err := log.List(t.Context(), auditlog.Filter{Limit: limit}); err != nil || len(page) != want {
			t.Errorf("limit %d: got %d entries, error %v, want %d", limit, len(page), err, want)
		}
	}
	if page, err := log.List(t.Context(), auditlog.Filter{Before: 1}); err != nil || len(page) != 0 {
		t.Errorf("before the first: got %d entries, error %v, want none", len(page), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if page, err := log.List(ctx, auditlog.Filter{}); !errors.Is(err, context.Canceled) || len(page) != 0 {
		t.Errorf("cancelled: got %d entries, error %v", len(page), err)
	}
}

// TestLog_List_Denied: what was refused, of every kind, is one choice, beside others.
func TestLog_List_Denied(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 1)
	for _, event := range append(audit.Denied(), audit.LoggedIn) {
		if err := log.Record(t.Context(), audit.Entry{Actor: uuid.UUID{7}, Event: event}); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []auditlog.Filter{{Denied: true}, {Denied: true, Actor: uuid.UUID{7}}} {
		page, err := log.List(t.Context(), f)
		if err != nil || len(page) != len(audit.Denied()) {
			t.Errorf("%+v: got %d entries, error %v, want %d", f, len(page), err, len(audit.Denied()))
		}
	}
}

// TestLog_WriteHead_Unwritten: a head that cannot be written is an error.
func TestLog_WriteHead_Unwritten(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 1)
	longest := strings.Repeat("a", 255) // of a name: there is room for nothing beside it
	if err := log.WriteHead(t.Context(), filepath.Join(t.TempDir(), longest)); err == nil {
		t.Error("got no error")
	}
}
