package servicestore_test

import (
	"context"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// mustExec runs a statement behind the store's back.
func (f fixture) mustExec(tb testing.TB, statement string, args ...any) {
	tb.Helper()
	must(tb, f.db.Write(tb.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(tb.Context(), statement, args...)
		return err
	}))
}

// TestStore_AllOrNothing: what fails at its last statement fails as a whole and says
// so, and can be done again.
func TestStore_AllOrNothing(t *testing.T) {
	f := MustStore(t)
	for _, writer := range f.writers(t) {
		for breaks := range strings.SplitSeq(writer.breaks, ", ") {
			w := f.mustWorld(t)
			mend := storetest.Break(t, f.db, breaks)
			if err := writer.do(t.Context(), w); problem.CodeOf(err) != problem.Internal {
				t.Errorf("%s, %s fails: got %v, want %s", writer.method, breaks, err, problem.Internal)
			}
			mend()
			if err := writer.do(t.Context(), w); err != nil {
				t.Errorf("%s, %s works again: got %v", writer.method, breaks, err)
			}
		}
	}
}

// TestStore_Unreadable: a row of the ledger that cannot be read is told as that: what
// it says is neither guessed nor passed over.
func TestStore_Unreadable(t *testing.T) {
	request := func(ctx context.Context, f fixture, w world) error { _, err := f.Request(ctx, w.answered); return err }
	authorizations := func(ctx context.Context, f fixture, w world) error {
		_, err := f.Authorizations(ctx, w.answered)
		return err
	}
	one := func(ctx context.Context, f fixture, w world) error {
		_, err := f.Authorization(ctx, f.profile, w.guide)
		return err
	}
	current := func(ctx context.Context, f fixture, w world) error {
		_, err := f.LedgerAuthorization(ctx, w.guide)
		return err
	}
	ask := func(ctx context.Context, f fixture, w world) error {
		again := f.request(f.mustGuideOf(t, w.answered))
		_, _, err := f.Receive(ctx, again)
		return err
	}
	for _, c := range []struct {
		table, column string
		reads         []func(ctx context.Context, f fixture, w world) error
	}{
		{"request", "document", []func(context.Context, fixture, world) error{request, current, ask}},
		{"decision", "errors", []func(context.Context, fixture, world) error{request, current, ask}},
		{"authorization_entry", "document",
			[]func(context.Context, fixture, world) error{authorizations, one, current}},
	} {
		for i, read := range c.reads {
			f := MustStore(t)
			w := f.mustWorld(t)
			must(t, read(t.Context(), f, w))
			storetest.Unguard(t, f.db)
			f.mustExec(t, `UPDATE `+c.table+` SET `+c.column+` = '7'`)
			if err := read(t.Context(), f, w); problem.CodeOf(err) != problem.Damaged {
				t.Errorf("%s of %s, read %d: got %v, want %s", c.column, c.table, i, err, problem.Damaged)
			}
		}
	}
}

// mustID is the number that a query finds.
func (f fixture) mustID(tb testing.TB, query string) (id int64) {
	tb.Helper()
	must(tb, f.db.Read(tb.Context(), func(tx *engine.Tx) error { return tx.QueryRow(tb.Context(), query).Scan(&id) }))
	return id
}

// mustGuideOf is the guiaPrestador of a request.
func (f fixture) mustGuideOf(tb testing.TB, request uuid.UUID) (guide string) {
	tb.Helper()
	must(tb, f.db.Read(tb.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(tb.Context(), `SELECT provider_guide FROM request WHERE uid = ?`, engine.UID(request)).Scan(&guide)
	}))
	return guide
}

// TestStore_Closed: that nothing can be read is no answer.
func TestStore_Closed(t *testing.T) {
	f := MustStore(t)
	must(t, f.db.Close())
	for name, read := range f.readers(uuid.New()) {
		if err := read(t.Context()); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s: got %v, want %s", name, err, problem.Internal)
		}
	}
}
