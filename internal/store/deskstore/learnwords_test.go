package deskstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/desk"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// TestStore_LearnWords: the words of cases that come are written without anybody asking for them, of those
// that came while nobody wrote as well.
func TestStore_LearnWords(t *testing.T) {
	storetest.OfSQLite(t) // which writes them behind the requests
	db, s := MustOpen(t)
	before := MustSubmit(t, s)
	mustEnd := learning(t, s.LearnWords)
	mustHave(t, db, 1)
	claims, err := s.Claim(t.Context(), uuid.New(), desk.Recipient{Name: "embutido"}, wide(1))
	MustDo(t, err)
	MustDo(t, queueAside(s.Settle(t.Context(), claims[0], settlement(desk.Unknown, desk.EventUnknown))))
	again := before
	again.UID, again.Token, again.IdempotencyKey, again.Attachments = uuid.New(), uuid.New(), uuid.NewString(), nil
	MustDo(t, s.Resend(t.Context(), before.UID, again, desk.Decision{By: before.Sender, At: before.At, Resent: again.UID}))
	mustHave(t, db, 2)
	MustSubmit(t, s)
	mustHave(t, db, 3)
	if err := mustEnd(); err != nil {
		t.Errorf("words were late: %v", err)
	}
	mustListAll(t, s)
}

// TestStore_LearnWords_Late: words that cannot be written are told of, and written as soon as they can be, although
// no case comes.
func TestStore_LearnWords_Late(t *testing.T) {
	storetest.OfSQLite(t)
	db, s := MustOpen(t)
	MustSubmit(t, s)
	MustDo(t, exec(db, `ALTER TABLE history RENAME TO hidden`))
	told := make(chan error, 100)
	mustEnd := learning(t, func(ctx context.Context, late func(error)) {
		s.LearnWords(ctx, func(err error) {
			late(err)
			told <- err
		})
	})
	<-told
	MustDo(t, exec(db, `ALTER TABLE hidden RENAME TO history`))
	mustHave(t, db, 1)
	if err := mustEnd(); err == nil {
		t.Error("got no error, want that there is no such table")
	}
}

// learning runs what learns until mustEnd, which returns what it told of.
func learning(t *testing.T, learn func(context.Context, func(error))) (mustEnd func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		var late error
		learn(ctx, func(err error) { late = err })
		ended <- late
	}()
	return func() error {
		cancel()
		return <-ended
	}
}

// mustHave waits until so many cases have words.
func mustHave(t *testing.T, db engine.DB, want int) {
	t.Helper()
	for end := time.After(time.Minute); ; {
		var got int
		MustDo(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM history`).Scan(&got)
		}))
		if got == want {
			return
		}
		select {
		case <-end:
			t.Fatalf("words of %d cases, want %d", got, want)
		case <-time.After(time.Millisecond):
		}
	}
}
