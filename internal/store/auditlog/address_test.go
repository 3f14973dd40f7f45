package auditlog_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// home is where the acts of these tests come from.
const home = "192.0.2.77"

func from(ctx context.Context, address string) context.Context {
	return audit.WithAddress(ctx, address)
}

// MustRecordFrom adds n entries of somebody at an address, a minute apart.
func MustRecordFrom(tb testing.TB, log trail, address string, n int) {
	tb.Helper()
	for range n {
		if err := log.Record(from(tb.Context(), address), audit.Entry{Event: audit.CaseViewed}); err != nil {
			tb.Fatal(err)
		}
	}
	MustLink(tb, log)
}

func MustList(tb testing.TB, log trail, f auditlog.Filter) []audit.Link {
	tb.Helper()
	page, err := log.List(tb.Context(), f)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

func addresses(page []audit.Link) (all []string) {
	for _, link := range page {
		all = append(all, link.Entry.Origin.Address)
	}
	return all
}

func MustForget(tb testing.TB, log trail, before time.Time) {
	tb.Helper()
	if err := log.ForgetAddresses(tb.Context(), before); err != nil {
		tb.Fatal(err)
	}
}

func TestLog_Append_Address(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 1)
	MustRecordFrom(t, log, home, 1)
	page := MustList(t, log, auditlog.Filter{})
	if got := addresses(page); got[0] != home || got[1] != "" {
		t.Errorf("got %q, want the address of the second entry alone", got)
	}
	if err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestLog_ForgetAddresses: what is too old goes from the file, and the chain stays whole.
func TestLog_ForgetAddresses(t *testing.T) {
	log := MustOpen(t)
	MustRecordFrom(t, log, home, 5)
	MustRecordFrom(t, log, "198.51.100.9", 1)
	before := MustList(t, log, auditlog.Filter{})
	cutoff := before[0].Entry.At.Truncate(time.Minute)

	MustForget(t, log, start) // nothing is that old
	if got := MustList(t, log, auditlog.Filter{}); len(got) != 6 {
		t.Fatalf("got %d entries, want none about nothing", len(got))
	}
	MustForget(t, log, cutoff)
	MustForget(t, log, cutoff)
	after := MustList(t, log, auditlog.Filter{})
	if len(after) != 7 || after[0].Entry.Event != audit.AddressesForgotten ||
		after[0].Entry.Detail != "antes="+cutoff.Format(time.RFC3339) {
		t.Fatalf("got %d entries, the newest %+v, want one that tells of it", len(after), after[0].Entry)
	}
	for i, link := range after[1:] {
		o := link.Entry.Origin
		if wanted := i == 0; (o.Address != "") != wanted || (o.Salt != [32]byte{}) != wanted || o.Digest != before[i].Entry.Origin.Digest {
			t.Errorf("entry %d: got %+v", link.Position, o)
		}
	}
	if err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if err := log.db.Close(); err != nil {
		t.Fatal(err)
	}
	if storetest.OnPostgres() { // its files hold what was deleted until they are written anew
		return
	}
	files, err := filepath.Glob(log.db.(*storetest.Database).Path() + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if content, err := os.ReadFile(file); err != nil || bytes.Contains(content, []byte(home)) {
			t.Errorf("%s still holds the address, error %v", filepath.Base(file), err)
		}
	}
}

// TestLog_ForgetAddresses_Seconds: no address goes that is from after what the trail says.
func TestLog_ForgetAddresses_Seconds(t *testing.T) {
	log := MustOpen(t)
	for _, at := range []time.Duration{-time.Millisecond, 0, 200 * time.Millisecond} {
		err := log.Record(from(t.Context(), home), audit.Entry{At: start.Add(at), Event: audit.CaseViewed})
		if err != nil {
			t.Fatal(err)
		}
	}
	MustForget(t, log, start.Add(900*time.Millisecond))
	page := MustList(t, log, auditlog.Filter{})
	if got := addresses(page); len(got) != 4 || got[3] != "" || got[2] != home || got[1] != home {
		t.Errorf("got %q, want those since %s kept", got, page[0].Entry.Detail)
	}
}

// TestLog_ForgetAddresses_Many needs several transactions, and tells of it once.
func TestLog_ForgetAddresses_Many(t *testing.T) {
	log := MustOpen(t)
	const many = 4500
	err := log.db.Write(t.Context(), func(tx *engine.Tx) error {
		for range many {
			if err := log.Append(from(t.Context(), home), tx, audit.Entry{Event: audit.CaseViewed}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	MustForget(t, log, start.Add(time.Hour))
	if got := MustList(t, log, auditlog.Filter{Event: audit.AddressesForgotten}); len(got) != 1 {
		t.Errorf("got %d entries about it, want 1", len(got))
	}
	if got := MustList(t, log, auditlog.Filter{SameAddress: many}); len(got) != 0 {
		t.Errorf("got %d addresses kept", len(got))
	}
	if err := log.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestLog_Verify_Address(t *testing.T) {
	for name, tc := range map[string]struct {
		tamper string
		want   int64
	}{
		"Alter":  {`UPDATE audit_address SET address = '203.0.113.1' WHERE entry = 4`, 4},
		"Delete": {`DELETE FROM audit_address WHERE entry = 5`, 5},
		"Digest": {`UPDATE audit_entry SET address_digest = NULL WHERE id = 6; DELETE FROM audit_address WHERE entry = 6`, 6},
		"Forge":  {`INSERT INTO audit_address SELECT 3, '203.0.113.1', salt FROM audit_address WHERE entry = 6`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			log := MustOpen(t)
			MustRecord(t, log, 3)
			MustRecordFrom(t, log, home, 4)
			MustTamper(t, log, tc.tamper)
			wantBroken(t, log.Verify(t.Context()), tc.want)
		})
	}
}

func TestLog_List_SameAddress(t *testing.T) {
	log := MustOpen(t)
	MustRecordFrom(t, log, home, 2)
	MustRecordFrom(t, log, "198.51.100.9", 2)
	MustRecordFrom(t, log, home, 1)
	MustRecord(t, log, 1)
	for position, want := range map[int64]int{1: 3, 4: 2, 5: 3, 6: 0, 99: 0} {
		if got := MustList(t, log, auditlog.Filter{SameAddress: position}); len(got) != want {
			t.Errorf("as entry %d: got %d entries, want %d", position, len(got), want)
		}
	}
	for address, want := range map[string]int64{home: 1, "198.51.100.9": 3, "203.0.113.1": 0, "": 0} {
		if got, err := log.OldestFrom(t.Context(), address); err != nil || got != want {
			t.Errorf("oldest from %q: got %d, error %v, want %d", address, got, err, want)
		}
	}
}
