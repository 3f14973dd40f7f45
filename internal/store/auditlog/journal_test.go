package auditlog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

var errFull = problem.New(problem.NoSpace, "Falta espaço.")

// look is a look at a case at so many seconds.
func look(seconds int) audit.Entry {
	return audit.Entry{At: start.Add(time.Duration(seconds) * time.Second), Actor: uuid.UUID{1}, Event: audit.CaseViewed,
		Object: audit.ObjectCase, ObjectID: uuid.UUID{2}}
}

func MustOpenJournal(tb testing.TB, path string) *auditlog.Journal {
	tb.Helper()
	j, err := auditlog.OpenJournal(path, key)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = j.Close() })
	return j
}

// events are the events and seconds of a trail, oldest first.
func events(tb testing.TB, log trail) string {
	tb.Helper()
	var all []string
	for _, link := range MustList(tb, log, auditlog.Filter{}) {
		all = append([]string{fmt.Sprint(link.Entry.At.Sub(start).Seconds())}, all...)
	}
	return strings.Join(all, " ")
}

// TestLog_Keep: a look that was not written for want of space is kept, the same within a
// minute once, survives the process, and gets into the trail with its own time, once.
func TestLog_Keep(t *testing.T) {
	log, path := MustOpen(t), filepath.Join(t.TempDir(), "desk", "looks.journal")
	log.UseJournal(MustOpenJournal(t, path))
	ctx := audit.WithAddress(t.Context(), "10.1.2.3")
	for _, seconds := range []int{0, 10, 59, 60, 121} {
		e := look(seconds)
		if err := log.Keep(ctx, e, e.At.Add(-time.Minute), errFull); err != nil {
			t.Fatal(err)
		}
	}
	if got := events(t, log); got != "" {
		t.Errorf("the trail has %q already", got)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log.UseJournal(MustOpenJournal(t, path)) // as the next process does
	for range 2 {
		if err := log.WriteKept(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := events(t, log); got != "0 121" {
			t.Errorf("the trail has %q, want those that are a minute apart", got)
		}
	}
	for _, link := range MustList(t, log, auditlog.Filter{}) {
		if link.Entry.Origin.Address != "10.1.2.3" {
			t.Errorf("got address %q", link.Entry.Origin.Address)
		}
	}
	if err := os.WriteFile(path, content, 0o600); err != nil { // killed before it emptied the file
		t.Fatal(err)
	}
	log.UseJournal(MustOpenJournal(t, path))
	if err := log.WriteKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := events(t, log); got != "0 121" {
		t.Errorf("after a kill the trail has %q", got)
	}
	if err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestLog_Keep_Not: what failed otherwise is not kept, nor is anything without a journal,
// and a full journal refuses.
func TestLog_Keep_Not(t *testing.T) {
	log := MustOpen(t)
	if err := log.Keep(t.Context(), look(0), time.Time{}, errFull); !errors.Is(err, errFull) {
		t.Errorf("without a journal: got %v", err)
	}
	path := filepath.Join(t.TempDir(), "looks.journal")
	log.UseJournal(MustOpenJournal(t, path))
	other := errors.New("other")
	if err := log.Keep(t.Context(), look(0), time.Time{}, other); !errors.Is(err, other) {
		t.Errorf("another error: got %v", err)
	}
	if err := log.Keep(t.Context(), look(0), time.Time{}, nil); err != nil {
		t.Errorf("what was written: got %v", err)
	}
	long := look(0)
	long.Detail = strings.Repeat("x", 600)
	if err := log.Keep(t.Context(), long, time.Time{}, errFull); !errors.Is(err, errFull) {
		t.Errorf("one that is too long: got %v", err)
	}
	kept := 0
	for log.Keep(t.Context(), look(kept), time.Time{}, errFull) == nil {
		kept++
	}
	if info, err := os.Stat(path); err != nil || kept != 1024 || info.Size() != 1024*512 {
		t.Errorf("got %d in %v, %v, want 1024 and no growth", kept, info, err)
	}
	if err := log.WriteKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := log.Keep(t.Context(), look(0), time.Time{}, errFull); err != nil {
		t.Errorf("after it was emptied: got %v", err)
	}
}

// TestLog_Keep_Different: only what says the same is kept once.
func TestLog_Keep_Different(t *testing.T) {
	log, ctx := MustOpen(t), from(t.Context(), home)
	log.UseJournal(MustOpenJournal(t, filepath.Join(t.TempDir(), "looks.journal")))
	keep := func(ctx context.Context, seconds int, change func(*audit.Entry)) {
		t.Helper()
		e := look(seconds)
		change(&e)
		if err := log.Keep(ctx, e, start, errFull); err != nil {
			t.Fatal(err)
		}
	}
	for i, change := range []func(*audit.Entry){
		func(*audit.Entry) {}, func(e *audit.Entry) { e.Actor = uuid.UUID{3} }, func(e *audit.Entry) { e.Event = audit.GuideOpened },
		func(e *audit.Entry) { e.Object = audit.ObjectDraft }, func(e *audit.Entry) { e.ObjectID = uuid.UUID{4} },
		func(e *audit.Entry) { e.Detail = "guia=1" },
	} {
		keep(ctx, i, change)
		keep(ctx, 10+i, change)
	}
	keep(from(t.Context(), "198.51.100.9"), 6, func(*audit.Entry) {})
	if err := log.WriteKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := events(t, log); got != "0 1 2 3 4 5 6" {
		t.Errorf("the trail has %q, want each of the first seven once", got)
	}
}

// TestLog_Keep_Unwritable: what does not get into the file is not called kept.
func TestLog_Keep_Unwritable(t *testing.T) {
	log := MustOpen(t)
	j := MustOpenJournal(t, filepath.Join(t.TempDir(), "looks.journal"))
	log.UseJournal(j)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := log.Keep(t.Context(), look(0), time.Time{}, errFull); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

// TestOpenJournal_Short: a file that was cut gets all its space again, and keeps what it has.
func TestOpenJournal_Short(t *testing.T) {
	log, path := MustOpen(t), filepath.Join(t.TempDir(), "looks.journal")
	log.UseJournal(MustOpenJournal(t, path))
	if err := log.Keep(t.Context(), look(5), time.Time{}, errFull); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	log.UseJournal(MustOpenJournal(t, path))
	info, err := os.Stat(path)
	if err != nil || info.Size() != 1024*512 || info.Mode() != 0o600 {
		t.Errorf("got %v, %v", info, err)
	}
	if err := log.WriteKept(t.Context()); err != nil || events(t, log) != "5" {
		t.Errorf("got %q, %v", events(t, log), err)
	}
}

// TestLog_WriteKept_Full: what finds no space yet stays kept.
func TestLog_WriteKept_Full(t *testing.T) {
	storetest.OfSQLite(t)
	log := MustOpen(t)
	log.UseJournal(MustOpenJournal(t, filepath.Join(t.TempDir(), "looks.journal")))
	for i := range 200 {
		if err := log.Keep(t.Context(), look(i), time.Time{}, errFull); err != nil {
			t.Fatal(err)
		}
	}
	limit := func(pages string) {
		t.Helper()
		err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
			var most int
			return tx.QueryRow(t.Context(), "PRAGMA max_page_count = "+pages).Scan(&most)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // none more than there are
	if err := log.WriteKept(t.Context()); !problem.Is(err, problem.NoSpace) {
		t.Errorf("got %v, want that there is no space", err)
	}
	limit("1000000")
	if err := log.WriteKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(strings.Fields(events(t, log))); got != 50 { // a page of the list
		t.Errorf("got %d", got)
	}
}

// TestLog_WriteKept_Twice: a look that was kept twice is told once.
func TestLog_WriteKept_Twice(t *testing.T) {
	log := MustOpen(t)
	log.UseJournal(MustOpenJournal(t, filepath.Join(t.TempDir(), "looks.journal")))
	for range 2 {
		if err := log.Keep(t.Context(), look(1), time.Time{}, errFull); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.WriteKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(strings.Fields(events(t, log))); got != 1 {
		t.Errorf("got %d entries, want one", got)
	}
}

// TestOpenJournal_Forged: what somebody put into the file from outside is not taken.
func TestOpenJournal_Forged(t *testing.T) {
	log, path := MustOpen(t), filepath.Join(t.TempDir(), "looks.journal")
	log.UseJournal(MustOpenJournal(t, path))
	if err := log.Keep(t.Context(), look(5), time.Time{}, errFull); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := strings.Replace(string(content), string(audit.CaseViewed), strings.Repeat("x", len(audit.CaseViewed)), 1)
	if err := os.WriteFile(path, []byte(forged), 0o600); err != nil {
		t.Fatal(err)
	}
	log.UseJournal(MustOpenJournal(t, path))
	if err := log.WriteKept(t.Context()); err != nil || events(t, log) != "" {
		t.Errorf("got %q, %v, want nothing", events(t, log), err)
	}
}

func TestOpenJournal_Fails(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(os.Args[0], "looks.journal")} {
		if _, err := auditlog.OpenJournal(path, key); err == nil {
			t.Errorf("%s: got no error", path)
		}
	}
}
