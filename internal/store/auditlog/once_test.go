package auditlog_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// once appends an entry unless it was written since then.
func once(ctx context.Context, log trail, e audit.Entry, since time.Time) error {
	return log.db.Write(ctx, func(tx *engine.Tx) error { return log.AppendOnce(ctx, tx, e, since) })
}

// TestLog_AppendOnce: the same, from the same address, is written once since a moment.
func TestLog_AppendOnce(t *testing.T) {
	log, ctx := MustOpen(t), t.Context()
	e := audit.Entry{At: start.Add(time.Hour), Actor: uuid.UUID{1}, Event: audit.CaseViewed, Object: audit.ObjectCase, ObjectID: uuid.UUID{2},
		Detail: "guia=1"}
	with := func(change func(*audit.Entry)) audit.Entry {
		other := e
		change(&other)
		return other
	}
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		entry   audit.Entry
		since   time.Time
		written bool
	}{
		{"First", from(ctx, home), e, e.At, true},
		{"Again", from(ctx, home), e, e.At, false},
		{"OneOfBefore", from(ctx, home), e, e.At.Add(time.Second), true},
		{"ElsewhereFrom", from(ctx, "198.51.100.9"), e, e.At, true},
		{"FromNowhere", ctx, e, e.At, true},
		{"FromNowhereAgain", ctx, e, e.At, false},
		{"OtherActor", from(ctx, home), with(func(e *audit.Entry) { e.Actor = uuid.UUID{3} }), e.At, true},
		{"OtherEvent", from(ctx, home), with(func(e *audit.Entry) { e.Event = audit.GuideOpened }), e.At, true},
		{"OtherKind", from(ctx, home), with(func(e *audit.Entry) { e.Object = audit.ObjectDraft }), e.At, true},
		{"OtherObject", from(ctx, home), with(func(e *audit.Entry) { e.ObjectID = uuid.UUID{4} }), e.At, true},
		{"OtherDetail", from(ctx, home), with(func(e *audit.Entry) { e.Detail = "" }), e.At, true},
	} {
		before := len(MustList(t, log, audit.Filter{}))
		if err := once(tt.ctx, log, tt.entry, tt.since); err != nil {
			t.Fatal(err)
		}
		if written := len(MustList(t, log, audit.Filter{})) > before; written != tt.written {
			t.Errorf("%s: got %t, want %t", tt.name, written, tt.written)
		}
	}
}

// TestLog_AppendOnce_Recent: what was written is known for an hour, and then forgotten.
func TestLog_AppendOnce_Recent(t *testing.T) {
	log, ctx := MustOpen(t), t.Context()
	look := func(after time.Duration, object byte) {
		t.Helper()
		e := audit.Entry{At: start.Add(after), Event: audit.CaseViewed, Object: audit.ObjectCase, ObjectID: uuid.UUID{object}}
		if err := once(ctx, log, e, e.At.Add(-auditlog.Recent)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range byte(20) {
		look(time.Duration(i)*time.Minute, i+1)
		look(time.Duration(i)*time.Minute, 1)
	}
	if n := len(MustList(t, log, audit.Filter{})); n != 20 {
		t.Errorf("got %d entries, want one for each of 20 cases", n)
	}
	for i := range byte(10) {
		look(10*time.Hour+time.Duration(i)*time.Minute, i+1)
	}
	MustLink(t, log)
	var kept int
	err := log.db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, `SELECT COUNT(*) FROM recent_look`).Scan(&kept) })
	if n := len(MustList(t, log, audit.Filter{})); err != nil || n != 30 || kept != 10 {
		t.Errorf("got %d entries and %d that are known, %v, want 30 and the 10 of the last hour", n, kept, err)
	}
}
