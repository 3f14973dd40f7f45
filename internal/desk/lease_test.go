package desk_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// suspended is the store of a process that renews nothing for a while.
type suspended struct {
	desk.Store
	now atomic.Bool
}

func (s *suspended) HoldLease(ctx context.Context, lease uuid.UUID, until time.Time) error {
	if s.now.Load() {
		return errors.New("suspended")
	}
	return s.Store.HoldLease(ctx, lease, until)
}

// TestDesk_LeaseLost: a process that was suspended beyond its lease begins nothing: its
// request is the other's to decide about, and no byte of it leaves.
func TestDesk_LeaseLost(t *testing.T) {
	t.Parallel()
	several := func(c *desk.Config) { c.OnlyProcess, c.LeaseTime = false, 10*time.Second }
	store := &suspended{}
	f := MustDesk(t, several, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	first := f.service
	ready, resumed := make(chan struct{}), make(chan struct{})
	var began bool
	first.onSend = func(_ context.Context, d authorization.Dispatch) {
		store.now.Store(true)
		close(ready)
		<-resumed
		store.now.Store(false)
		began = d.Ready() == nil
	}
	uid := f.MustSubmit(t, ana, nil)
	stop := f.MustRun(t)
	<-ready
	f.clock.Advance(10 * time.Second)
	f.MustOpen(t, several, func(c *desk.Config) { c.Service = &service{name: first.name, outcomes: first.outcomes} })
	f.MustRun(t)
	if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != desk.ReasonInterrupted {
		t.Errorf("reason: got %q, want that it was interrupted", got.Reason)
	}
	close(resumed)
	stop()
	if began {
		t.Error("the first process began to send what the second had taken over")
	}
	f.MustBecome(t, uid, desk.Unknown)
}

// counted is a store that counts how often the lease is written.
type counted struct {
	desk.Store
	holds atomic.Int64
}

func (c *counted) HoldLease(ctx context.Context, lease uuid.UUID, until time.Time) error {
	c.holds.Add(1)
	return c.Store.HoldLease(ctx, lease, until)
}

// TestDesk_LeaseRenewed: a lease is written once until half of its time is over, however
// much is sent.
func TestDesk_LeaseRenewed(t *testing.T) {
	t.Parallel()
	store := &counted{}
	f := MustDesk(t, func(c *desk.Config) { store.Store, c.LeaseTime = c.Store, time.Minute; c.Store = store })
	f.MustRun(t)
	for _, tt := range []struct {
		after time.Duration
		want  int64
	}{{0, 1}, {29 * time.Second, 1}, {time.Second, 2}, {0, 2}, {30 * time.Second, 3}} {
		f.clock.Advance(tt.after)
		f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Answered)
		eventually(t, func() string { // a request leaves under what is left of the lease, and the queue's next look renews it
			if got := store.holds.Load(); got < tt.want {
				return fmt.Sprintf("after %s more: written %d times, want %d", tt.after, got, tt.want)
			}
			return ""
		})
		if got := store.holds.Load(); got != tt.want {
			t.Errorf("after %s more: written %d times, want %d", tt.after, got, tt.want)
		}
	}
}

// TestDesk_ClockPutBack: a clock that was wrong leaves nothing in the queue for long.
func TestDesk_ClockPutBack(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"Running": false, "Started": true} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(outcome(authorization.OutcomeRetry, "conexao"), answered("A"))
			f.clock.Advance(2 * 365 * 24 * time.Hour)
			uid := f.MustSubmit(t, ana, nil)
			stop := f.MustRun(t)
			eventually(t, func() string {
				if n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(desk.EventDelayed)); n != 1 {
					return "the attempt is not settled"
				}
				return ""
			})
			if restart {
				stop()
			}
			f.clock.Advance(-2 * 365 * 24 * time.Hour)
			if restart {
				f.MustOpen(t)
				f.MustRun(t)
			}
			f.MustBecome(t, uid, desk.Answered)
		})
	}
}

// TestDesk_RunContent: an answer that storage does not take is kept as it came, and the
// case says that it could not be read; nothing is repeated for ever.
func TestDesk_RunContent(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	wrong := answered(authorization.Authorized)
	wrong.Answer.Authorizations[0].Procedures = []authorization.ProcedureResult{{Quantity: 1}, {Quantity: 1}}
	f.service.Script(wrong)
	storetest.Break(t, f.db, "INSERT ON authorization_procedure")
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != desk.ReasonUnreadable {
		t.Errorf("reason: got %q, want that it could not be read", got.Reason)
	}
	if n := f.count(t, `SELECT COUNT(*) FROM exchange`); n != 1 {
		t.Errorf("raw answers: got %d, want 1", n)
	}
}

// TestDesk_WaitSent_OtherProcess: who waits at one process learns what another one made of the case.
func TestDesk_WaitSent_OtherProcess(t *testing.T) {
	t.Parallel()
	several := func(c *desk.Config) { c.OnlyProcess = false }
	f := MustDesk(t, several)
	uid := f.MustSubmit(t, ana, nil)
	waiting, other := f.Desk, f.service
	ended := make(chan error, 1)
	go func() { ended <- waiting.WaitSent(t.Context(), ana, uid, time.Minute) }()
	f.MustOpen(t, several, func(c *desk.Config) { c.Service = &service{name: other.name, outcomes: other.outcomes} })
	f.MustRun(t)
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("nobody told who waited")
	}
	f.MustBecome(t, uid, desk.Answered)
}
