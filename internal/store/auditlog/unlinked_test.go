package auditlog_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// ofProcesses is for a test of what happens where several processes write.
func ofProcesses(tb testing.TB, log trail) {
	tb.Helper()
	if !log.db.Shared() {
		tb.Skip("one process writes to this engine, and links what it appends")
	}
}

// again opens the database as another process does.
func again(tb testing.TB, log trail) trail {
	tb.Helper()
	db := log.db.(*storetest.Database).Again(tb)
	return trail{auditlog.New(db, key), db, tb.TempDir()}
}

func mustCount(tb testing.TB, log trail, table string) (n int) {
	tb.Helper()
	err := log.db.Read(tb.Context(), func(tx *engine.Tx) error { return tx.QueryRow(tb.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n) })
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// TestLog_Link_Processes: what two processes append and link at once is one chain, in which each
// entry stands once, those of one writer in their order.
func TestLog_Link_Processes(t *testing.T) {
	one := MustOpen(t)
	processes := []trail{one}
	if one.db.Shared() {
		processes = append(processes, again(t, one))
	}
	const writers, each = 4, 15
	var all sync.WaitGroup
	for i, log := range processes {
		for w := range writers {
			all.Go(func() {
				for n := range each {
					e := audit.Entry{Event: audit.CaseViewed, Actor: uuid.UUID{byte(i + 1), byte(w + 1)}, ObjectID: uuid.UUID{byte(n + 1)}}
					if err := errors.Join(log.Record(from(t.Context(), home), e), log.Link(t.Context())); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if err := one.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	next := map[uuid.UUID]byte{}
	page := MustList(t, one, auditlog.Filter{Limit: 500})
	for i := range page {
		e := page[len(page)-1-i].Entry
		if next[e.Actor]++; e.ObjectID[0] != next[e.Actor] || e.Origin.Address != home {
			t.Errorf("got entry %d of a writer as its number %d, from %q", e.ObjectID[0], next[e.Actor], e.Origin.Address)
		}
	}
	if want := len(processes) * writers * each; len(page) != want || mustCount(t, one, "audit_unlinked") != 0 {
		t.Errorf("got %d entries in the chain, %d elsewhere, want %d", len(page), mustCount(t, one, "audit_unlinked"), want)
	}
}

// TestLog_Link_Held: who links while another process does leaves it to that one.
func TestLog_Link_Held(t *testing.T) {
	log := MustOpen(t)
	ofProcesses(t, log)
	if err := log.Record(t.Context(), audit.Entry{Event: audit.CaseViewed}); err != nil {
		t.Fatal(err)
	}
	err := again(t, log).db.Write(t.Context(), func(tx *engine.Tx) error {
		if _, err := tx.Exec(t.Context(), `UPDATE audit_lease SET id = id`); err != nil {
			return err
		}
		if err := log.Link(t.Context()); err != nil {
			return err
		}
		if n := mustCount(t, log, "audit_entry"); n != 0 {
			t.Errorf("got %d entries in the chain, want none yet", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	MustLink(t, log)
	if n := mustCount(t, log, "audit_entry"); n != 1 {
		t.Errorf("got %d entries in the chain, want 1", n)
	}
}

// TestLog_Link_Altered: what somebody changed before it was linked is a broken link, whose alarm a
// person can end; what follows is whole.
func TestLog_Link_Altered(t *testing.T) {
	for name, statement := range map[string]string{
		"Detail": `UPDATE audit_unlinked SET detail = 'outro' WHERE id = (SELECT max(id) FROM audit_unlinked)`,
		"Since":  `UPDATE audit_unlinked SET since = 1 WHERE id = (SELECT max(id) FROM audit_unlinked)`,
		"Seal":   `UPDATE audit_unlinked SET seal = address_digest WHERE id = (SELECT max(id) FROM audit_unlinked)`,
	} {
		t.Run(name, func(t *testing.T) {
			log := MustOpen(t)
			ofProcesses(t, log)
			MustRecord(t, log, 2)
			if err := log.Record(from(t.Context(), home), audit.Entry{Event: audit.CaseViewed}); err != nil {
				t.Fatal(err)
			}
			MustTamper(t, log, statement)
			MustRecord(t, log, 2)
			wantBroken(t, log.Verify(t.Context()), 3)
			m := auditlog.NewMonitor(auditlog.MonitorConfig{
				Log: log.Log, Path: filepath.Join(log.folder, "audit.head"), Logger: slog.New(slog.DiscardHandler),
			})
			state, err := m.Check(t.Context())
			if err == nil {
				err = m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonInvestigated, state.Mark)
			}
			if err != nil || m.State().Broken != nil || m.State().Head.Position != 6 {
				t.Errorf("got %v and %+v, want no alarm any more", err, m.State())
			}
		})
	}
}

// TestLog_Link_NotChanged: who writes to the database changes no entry that waits.
func TestLog_Link_NotChanged(t *testing.T) {
	log := MustOpen(t)
	ofProcesses(t, log)
	if err := log.Record(t.Context(), audit.Entry{Event: audit.CaseViewed}); err != nil {
		t.Fatal(err)
	}
	err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE audit_unlinked SET detail = 'x'`)
		return err
	})
	if err == nil {
		t.Error("got no error, want one")
	}
}

// TestMonitor_Run_Link: entries get their place without anybody who asks for it.
func TestMonitor_Run_Link(t *testing.T) {
	log := MustOpen(t)
	m := auditlog.NewMonitor(auditlog.MonitorConfig{
		Log: log.Log, Path: filepath.Join(log.folder, "audit.head"), LinkEvery: time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	wait(t, "the trail is checked", func() bool { return !m.State().At.IsZero() })
	if err := log.Record(t.Context(), audit.Entry{Event: audit.CaseViewed}); err != nil {
		t.Fatal(err)
	}
	wait(t, "the entry is linked", func() bool { return mustCount(t, log, "audit_entry") == 1 })
	cancel()
	<-ended
}
