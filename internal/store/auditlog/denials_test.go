package auditlog_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// denials is a trail with a monitor, over a clock that the test moves.
type denials struct {
	trail
	*auditlog.Monitor
	clock *clock
}

func MustOpenDenials(t *testing.T) denials {
	t.Helper()
	d := denials{clock: &clock{now: start}}
	db := storetest.Open(t, migrations.Desk, d.clock.Now)
	d.trail = trail{auditlog.New(db, key), db, t.TempDir()}
	d.Monitor = auditlog.NewMonitor(auditlog.MonitorConfig{Log: d.trail.Log, Path: filepath.Join(d.folder, "audit.head"),
		Clock: d.clock.Now})
	return d
}

// MustDeny has somebody at an address refused so many times.
func (d denials) MustDeny(t *testing.T, n int, actor byte, address string) {
	t.Helper()
	for range n {
		e := audit.Entry{Actor: uuid.UUID{actor}, Event: audit.AccessDenied, Detail: "rota=/pessoas"}
		if err := d.trail.Record(audit.WithAddress(t.Context(), address), e); err != nil {
			t.Fatal(err)
		}
	}
}

// lines are the details and addresses of the trail, oldest first.
func (d denials) lines(t *testing.T) (all []string) {
	t.Helper()
	for _, link := range MustList(t, d.trail, auditlog.Filter{Limit: 500}) {
		all = append(all, strings.TrimSpace(link.Entry.Detail+" "+link.Entry.Origin.Address))
	}
	slices.Reverse(all)
	return all
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLog_Append_Denied: what is refused again within a minute is counted.
func TestLog_Append_Denied(t *testing.T) {
	t.Run("Repeats", func(t *testing.T) {
		d := MustOpenDenials(t)
		d.MustDeny(t, 50, 1, home)
		d.WriteDenials(t.Context())
		wantLines(t, d.lines(t), "rota=/pessoas "+home)
		d.clock.Advance(time.Minute)
		d.WriteDenials(t.Context())
		d.WriteDenials(t.Context())
		wantLines(t, d.lines(t), "rota=/pessoas "+home, "rota=/pessoas vezes=49 "+home)
		if page := MustList(t, d.trail, auditlog.Filter{Limit: 1}); !page[0].Entry.At.Equal(start) || page[0].Entry.Actor != (uuid.UUID{1}) {
			t.Errorf("got %+v, want the time of the latest of them, and who it was", page[0].Entry)
		}
		d.clock.Advance(time.Hour)
		d.MustDeny(t, 1, 1, home)
		if got := d.lines(t); len(got) != 3 || got[2] != "rota=/pessoas "+home {
			t.Errorf("an hour later: got %q", got)
		}
	})
	t.Run("WithoutMonitor", func(t *testing.T) {
		d := MustOpenDenials(t)
		d.MustDeny(t, 3, 1, home)
		d.clock.Advance(time.Minute)
		d.MustDeny(t, 1, 1, home)
		wantLines(t, d.lines(t), "rota=/pessoas "+home, "rota=/pessoas vezes=3 "+home)
	})
	t.Run("OthersAreOthers", func(t *testing.T) {
		d := MustOpenDenials(t)
		d.MustDeny(t, 2, 1, home)
		d.MustDeny(t, 2, 2, home)
		d.MustDeny(t, 2, 1, "198.51.100.9")
		wantLines(t, d.lines(t), "rota=/pessoas "+home, "rota=/pessoas "+home, "rota=/pessoas 198.51.100.9")
	})
	t.Run("EverythingElse", func(t *testing.T) {
		d := MustOpenDenials(t)
		MustRecord(t, d.trail, 3)
		if got := d.lines(t); len(got) != 3 {
			t.Errorf("got %d lines, want each", len(got))
		}
	})
	t.Run("End", func(t *testing.T) {
		d := MustOpenDenials(t)
		d.MustDeny(t, 3, 1, home)
		d.Finish(t.Context())
		wantLines(t, d.lines(t), "rota=/pessoas "+home, "rota=/pessoas vezes=2 "+home)
		if err := d.trail.CheckHead(t.Context(), filepath.Join(d.folder, "audit.head")); err != nil {
			t.Error(err)
		}
	})
	t.Run("NotWritten", func(t *testing.T) {
		d := MustOpenDenials(t)
		d.MustDeny(t, 3, 1, home)
		d.clock.Advance(time.Minute)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		d.WriteDenials(ended)
		d.clock.Advance(time.Minute)
		d.WriteDenials(t.Context())
		wantLines(t, d.lines(t), "rota=/pessoas "+home, "rota=/pessoas vezes=2 "+home)
	})
}

// MustRefuse has somebody refused at each of n addresses, in one transaction.
func (d denials) MustRefuse(t *testing.T, n int, address func(i int) string) {
	t.Helper()
	err := d.db.Write(t.Context(), func(tx *engine.Tx) error {
		for i := range n {
			if err := d.trail.Append(audit.WithAddress(t.Context(), address(i)), tx, audit.Entry{Event: audit.LoginFailed}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// told counts the lines of the trail, and the refusals that they tell of.
func (d denials) told(t *testing.T) (lines, refusals int) {
	t.Helper()
	for before := int64(0); ; {
		page := MustList(t, d.trail, auditlog.Filter{Limit: 500, Before: before})
		if len(page) == 0 {
			return lines, refusals
		}
		for _, link := range page {
			lines, refusals = lines+1, refusals+link.Entry.Times()
		}
		before = page[len(page)-1].Position
	}
}

// TestLog_Append_Flood: a day of refusals of all kinds, from everywhere, stays small, and
// none of them is lost.
func TestLog_Append_Flood(t *testing.T) {
	d := MustOpenDenials(t)
	const minutes, each = 60, 200
	for minute := range minutes {
		d.MustRefuse(t, each, func(i int) string { return fmt.Sprintf("2001:db8:%x:%x::1", minute, i) })
		d.clock.Advance(time.Minute)
		d.WriteDenials(t.Context())
	}
	lines, refusals := d.told(t)
	if refusals != minutes*each {
		t.Errorf("got %d refusals told, want %d", refusals, minutes*each)
	}
	if lines > 300+minutes*11 {
		t.Errorf("got %d lines in an hour", lines)
	}
	if err := d.trail.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestLog_Append_Many: refusals that repeat for ever, of as many kinds as are told apart,
// are as few lines where nothing writes the counts in between.
func TestLog_Append_Many(t *testing.T) {
	d := MustOpenDenials(t)
	const minutes, each = 20, 250
	for range minutes {
		d.MustRefuse(t, each, func(i int) string { return fmt.Sprintf("2001:db8::%x:1", i) })
		d.clock.Advance(time.Minute)
	}
	if lines, _ := d.told(t); lines > 300+minutes*11 {
		t.Errorf("got %d lines in %d minutes", lines, minutes)
	}
}
