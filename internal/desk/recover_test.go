package desk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// dying is a store of a process that ends at one place: it does no more, and
// tells the test that it has come to its end.
type dying struct {
	desk.Store
	place string
	ended chan struct{}
}

func (d *dying) end(place string) {
	if d.place == place {
		d.ended <- struct{}{}
		select {} // a dead process does not return
	}
}

func (d *dying) Claim(ctx context.Context, lease uuid.UUID, to desk.Recipient, slots desk.Slots) ([]desk.Claim, error) {
	d.end("before claim")
	claims, err := d.Store.Claim(ctx, lease, to, slots)
	if len(claims) > 0 {
		d.end("after claim")
	}
	return claims, err
}

func (d *dying) KeepExchange(ctx context.Context, c desk.Claim, x authorization.Exchange) error {
	d.end("before the answer is kept")
	err := d.Store.KeepExchange(ctx, c, x)
	d.end("after the answer is kept")
	return err
}

func (d *dying) Settle(ctx context.Context, c desk.Claim, s desk.Settlement) (queued bool, err error) {
	d.end("before settling")
	queued, err = d.Store.Settle(ctx, c, s)
	d.end("after settling")
	return queued, err
}

// TestDesk_Recover ends a process at each place between two commits and starts
// the next one on the same files: nothing is sent twice, and where something was
// sent and nobody knows, the case says so.
func TestDesk_Recover(t *testing.T) {
	t.Parallel()
	answer := []authorization.Outcome{answered("A")}
	again := outcome(authorization.OutcomeRetry, "conexao")
	again.RetryAfter = time.Nanosecond
	retry := []authorization.Outcome{again, answered("A")}
	for _, tc := range []struct {
		place  string
		script []authorization.Outcome
		sent   int // by both processes together
		state  desk.State
		reason string
	}{
		{"before claim", answer, 1, desk.Answered, ""},
		{"after claim", answer, 0, desk.Unknown, desk.ReasonInterrupted},
		{"on the wire", answer, 1, desk.Unknown, desk.ReasonInterrupted},
		{"before the answer is kept", answer, 1, desk.Unknown, desk.ReasonInterrupted},
		{"after the answer is kept", answer, 1, desk.Answered, ""},
		{"before settling", answer, 1, desk.Answered, ""},
		{"after settling", answer, 1, desk.Answered, ""},
		{"after the answer is kept", retry, 2, desk.Answered, ""},
	} {
		t.Run(tc.place, func(t *testing.T) {
			store := &dying{place: tc.place, ended: make(chan struct{})}
			f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
			f.service.Script(tc.script...)
			f.service.onSend = func(context.Context, authorization.Dispatch) { store.end("on the wire") }
			uid := f.MustSubmit(t, ana, nil)
			ctx, die := context.WithCancel(context.Background())
			go f.Run(ctx) // it never returns
			<-store.ended
			die()

			f.service.onSend = nil
			f.MustOpen(t)
			f.MustRun(t)
			if got := f.MustBecome(t, uid, tc.state); got.Reason != tc.reason {
				t.Errorf("reason: got %q, want %q", got.Reason, tc.reason)
			}
			if got := len(f.service.Sent()); got != tc.sent {
				t.Errorf("sent: got %d, want %d", got, tc.sent)
			}
			if got := f.count(t, `SELECT COUNT(*) FROM answer`); got > 1 {
				t.Errorf("answers: got %d, want one at most", got)
			}
		})
	}
}

// late is a store whose Settle waits, as that of a process that was taken for
// dead.
type late struct {
	desk.Store
	wait, proceed chan struct{}
	result        chan error
}

func (l *late) Settle(ctx context.Context, c desk.Claim, s desk.Settlement) (queued bool, err error) {
	l.wait <- struct{}{}
	<-l.proceed
	queued, err = l.Store.Settle(ctx, c, s)
	l.result <- err
	return queued, err
}

// TestDesk_RecoverAlive starts a second process while the first still lives: what
// the second decided stands.
func TestDesk_RecoverAlive(t *testing.T) {
	t.Parallel()
	store := &late{wait: make(chan struct{}), proceed: make(chan struct{}), result: make(chan error, 1)}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	uid := f.MustSubmit(t, ana, nil)
	stop := f.MustRun(t)
	<-store.wait
	f.MustOpen(t)
	MustDo(t, f.Recover(t.Context()))
	f.MustBecome(t, uid, desk.Answered)
	close(store.proceed)
	if err := <-store.result; err == nil {
		t.Error("settled by both")
	}
	stop()
	if got := f.count(t, `SELECT COUNT(*) FROM answer`); got != 1 {
		t.Errorf("answers: got %d, want 1", got)
	}
}

// full is a store on a disk that is full for a while.
type full struct {
	desk.Store
	left int
}

func (s *full) KeepExchange(ctx context.Context, c desk.Claim, x authorization.Exchange) error {
	if s.left--; s.left >= 0 {
		return context.DeadlineExceeded
	}
	return s.Store.KeepExchange(ctx, c, x)
}

func TestDesk_RunInsists(t *testing.T) {
	t.Parallel()
	store := &full{left: 2}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	if got := len(f.service.Sent()); got != 1 {
		t.Errorf("sent: got %d, want 1: the commit is repeated, not the request", got)
	}
}

// busy is a store that another process holds while this one starts.
type busy struct {
	desk.Store
	left int
}

func (s *busy) TakeOver(ctx context.Context, lease uuid.UUID, only bool) ([]desk.Orphan, error) {
	if s.left--; s.left >= 0 {
		return nil, errors.New("database is locked")
	}
	return s.Store.TakeOver(ctx, lease, only)
}

func TestDesk_RunWaitsForABusyStore(t *testing.T) {
	t.Parallel()
	store := &busy{left: 3}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
}

// busyOnce is a store that is out of reach once, when an answer says that the access is accepted.
type busyOnce struct {
	desk.Store
	was bool
}

func (s *busyOnce) ReleaseAccepted(ctx context.Context, sent bool) (int, error) {
	if !s.was {
		s.was = true
		return 0, problem.NewBusy(errors.New("database is locked"))
	}
	return s.Store.ReleaseAccepted(ctx, sent)
}

// TestDesk_Recover_OneFails: what a process left behind is settled, whatever fails after the first.
func TestDesk_Recover_OneFails(t *testing.T) {
	t.Parallel()
	dead := &dying{place: "after the answer is kept", ended: make(chan struct{})}
	f := MustDesk(t, func(c *desk.Config) { dead.Store = c.Store; c.Store = dead })
	var left []uuid.UUID
	for range 3 {
		left = append(left, f.MustSubmit(t, ana, nil))
	}
	ctx, die := context.WithCancel(context.Background())
	go f.Run(ctx) // it never returns
	for range left {
		<-dead.ended
	}
	die()
	f.MustOpen(t, func(c *desk.Config) { c.Store = &busyOnce{Store: c.Store} })
	left = append(left, f.MustSubmit(t, ana, nil)) // it stands in the queue meanwhile
	f.MustRun(t)
	for _, uid := range left {
		f.MustBecome(t, uid, desk.Answered)
	}
}
