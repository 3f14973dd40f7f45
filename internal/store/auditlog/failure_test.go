package auditlog_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// TestLog_Failures: a trail that cannot be read or written is an error, and never a
// broken trail or an empty one.
func TestLog_Failures(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 2)
	MustRecordFrom(t, log, home, 1)
	head, err := os.ReadFile(MustWriteHead(t, log))
	if err != nil {
		t.Fatal(err)
	}
	if err := log.db.Close(); err != nil { // its last pages go from the log into the file
		t.Fatal(err)
	}
	reaching := func(tables string, do func(ctx context.Context, l *auditlog.Log, path string) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error {
			path := filepath.Join(t.TempDir(), "audit.head")
			if err := os.WriteFile(path, head, 0o600); err != nil {
				return err
			}
			err := do(ctx, auditlog.New(db, key), path)
			var broken *audit.BrokenError
			if errors.As(err, &broken) {
				t.Errorf("got %v, want no word about the chain", err)
			}
			return err
		}}
	}
	on := func(do func(ctx context.Context, l *auditlog.Log, path string) error) storetest.Operation {
		return reaching("audit_entry", do)
	}
	const both = "audit_entry audit_address"
	log.db.(*storetest.Database).CheckFailures(t, map[string]storetest.Operation{
		"Record": on(func(ctx context.Context, l *auditlog.Log, _ string) error {
			return l.Record(ctx, audit.Entry{Event: audit.CaseViewed})
		}),
		"RecordFrom": reaching(both, func(ctx context.Context, l *auditlog.Log, _ string) error {
			return cmp.Or(l.Record(from(ctx, home), audit.Entry{Event: audit.CaseViewed}), l.Link(ctx))
		}),
		"AppendOnce": {Tables: both + " recent_look", Do: func(ctx context.Context, db engine.DB) error {
			l := auditlog.New(db, key)
			return cmp.Or(once(ctx, trail{l, db, ""}, audit.Entry{Event: audit.CaseViewed}, start), l.Link(ctx))
		}},
		"ForgetAddresses": reaching(both, func(ctx context.Context, l *auditlog.Log, _ string) error {
			return l.ForgetAddresses(ctx, start.Add(time.Hour))
		}),
		"OldestFrom": reaching("audit_address", func(ctx context.Context, l *auditlog.Log, _ string) error {
			_, err := l.OldestFrom(ctx, home)
			return err
		}),
		"Verify":    reaching(both, func(ctx context.Context, l *auditlog.Log, _ string) error { return l.Verify(ctx) }),
		"WriteHead": on(func(ctx context.Context, l *auditlog.Log, path string) error { return l.WriteHead(ctx, path) }),
		"FirstHead": on(func(ctx context.Context, l *auditlog.Log, path string) error {
			return errors.Join(os.Remove(path), l.WriteHead(ctx, path))
		}),
		"CheckHead": on(func(ctx context.Context, l *auditlog.Log, path string) error { return l.CheckHead(ctx, path) }),
		"List": reaching(both, func(ctx context.Context, l *auditlog.Log, _ string) error {
			_, err := l.List(ctx, auditlog.Filter{})
			return err
		}),
	})
}

// TestLog_DamagedRow: a row that is not an entry at all is an error of reading.
func TestLog_DamagedRow(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 3)
	MustTamper(t, log, `UPDATE audit_entry SET actor = substr(actor, 1, 1) WHERE id = 2`)
	var broken *audit.BrokenError
	if err := log.Verify(t.Context()); err == nil || errors.As(err, &broken) {
		t.Errorf("Verify: got %v, want an error of reading", err)
	}
	if page, err := log.List(t.Context(), auditlog.Filter{}); err == nil || len(page) != 1 {
		t.Errorf("List: got %d entries, error %v, want an error after the third", len(page), err)
	}
}
