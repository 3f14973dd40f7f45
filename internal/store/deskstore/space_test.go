package deskstore_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestStore_AppendAudit_NoSpace: looks go on while the database can take nothing, and are
// in the trail when it can.
func TestStore_AppendAudit_NoSpace(t *testing.T) {
	storetest.OfSQLite(t) // which is told to have no space
	folder := t.TempDir()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: filepath.Join(folder, "guiche.db"), Migrations: migrations.Desk})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, db.Close()) })
	limit := func(pages string) {
		t.Helper()
		MustDo(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			var most int
			return tx.QueryRow(t.Context(), "PRAGMA max_page_count = "+pages).Scan(&most)
		}))
	}
	trail := auditlog.New(db, audit.Key{1})
	store := deskstore.New(db, trail)
	limit("1") // none more than there are
	var refused error
	for i := 0; refused == nil && i < 10_000; i++ {
		form := desk.Form{Values: map[string]string{"observacoes": strings.Repeat("x", 2000)}}
		_, refused = store.SaveDraft(t.Context(), ana.User, uuid.New(), form, 0, anyQuota)
	}
	look := audit.Entry{At: noon, Event: audit.CaseViewed, Actor: ana.User, Object: audit.ObjectCase, ObjectID: uuid.New()}
	written := 0 // what still has room in pages that are there
	for refused = nil; refused == nil && written < 10_000; written++ {
		look.At = look.At.Add(time.Hour)
		refused = store.AppendAuditOnce(t.Context(), look, look.At)
	}
	if !problem.Is(refused, problem.NoSpace) {
		t.Fatalf("without a journal: got %v", refused)
	}
	journal, err := auditlog.OpenJournal(filepath.Join(folder, "looks.journal"), audit.Key{1})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, journal.Close()) })
	trail.UseJournal(journal)
	MustDo(t, store.AppendAuditOnce(t.Context(), look, look.At.Add(-time.Minute)))
	MustDo(t, store.AppendAudit(t.Context(), audit.Entry{At: noon, Event: audit.CredentialSearched, Actor: ana.User}))
	limit("1000000")
	MustDo(t, trail.WriteKept(t.Context()))
	links, err := trail.List(t.Context(), auditlog.Filter{Limit: 500})
	MustDo(t, err)
	seen := map[audit.Event]bool{}
	for _, link := range links {
		if link.Entry.At.Equal(look.At) || link.Entry.Event != look.Event {
			seen[link.Entry.Event] = true
		}
	}
	if len(seen) != 2 {
		t.Errorf("got %v of %d entries, want both looks", seen, len(links))
	}
	MustDo(t, trail.Verify(t.Context()))
}
