package desk

import (
	"context"
	"sync"
	"time"

	"guiche/internal/permission"

	"github.com/google/uuid"
)

// caseWatchers are the pages that wait for a case to move on. The zero value is
// ready.
type caseWatchers struct {
	mu       sync.Mutex
	waiting  map[uuid.UUID]map[chan bool]struct{}
	underWay map[uuid.UUID]struct{} // attempts of this process of which nobody was told yet
	others   func(uuid.UUID)        // tells other processes; nil where there are none
}

// begin notes an attempt: there will be something to tell of the case.
func (w *caseWatchers) begin(uid uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.underWay == nil {
		w.underWay = map[uuid.UUID]struct{}{}
	}
	w.underWay[uid] = struct{}{}
}

// end tells of an attempt that ended, if nobody was told yet.
func (w *caseWatchers) end(uid uuid.UUID) {
	if w.isUnderWay(uid) {
		w.changed(uid)
	}
}

func (w *caseWatchers) isUnderWay(uid uuid.UUID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, is := w.underWay[uid]
	return is
}

// watch returns a channel that gets a value when the case changes, whether its answer is there,
// and the function that ends watching.
func (w *caseWatchers) watch(uid uuid.UUID) (<-chan bool, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[uuid.UUID]map[chan bool]struct{}{}
	}
	if w.waiting[uid] == nil {
		w.waiting[uid] = map[chan bool]struct{}{}
	}
	c := make(chan bool, 1)
	w.waiting[uid][c] = struct{}{}
	return c, func() { w.forget(uid, c) }
}

func (w *caseWatchers) forget(uid uuid.UUID, c chan bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waiting[uid], c)
	if len(w.waiting[uid]) == 0 {
		delete(w.waiting, uid)
	}
}

// changed tells everybody who waits for the case to look at it.
func (w *caseWatchers) changed(uid uuid.UUID) { w.tell(uid, false) }

// tell tells everybody who waits for the case, and whether no answer of it is to be awaited
// any more.
func (w *caseWatchers) tell(uid uuid.UUID, ended bool) {
	w.mu.Lock()
	delete(w.underWay, uid)
	w.mu.Unlock()
	w.wake(uid, ended)
	if w.others != nil {
		w.others(uid)
	}
}

// wake tells those who wait here.
func (w *caseWatchers) wake(uid uuid.UUID, ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.waiting[uid] {
		select {
		case c <- ended:
		default: // told already
		}
	}
}

// MovedElsewhere has the pages look that wait for a case: another process said that it moved on.
func (d *Desk) MovedElsewhere(uid uuid.UUID) { d.watch.wake(uid, false) }

// Wait returns the state of a case as soon as no answer is to be awaited any
// more, at the latest when the time is over or ctx is done.
func (d *Desk) Wait(ctx context.Context, a permission.Actor, uid uuid.UUID, atMost time.Duration) (CaseState, error) {
	changed, stop := d.watch.watch(uid)
	defer stop()
	over, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	return d.awaitAnswer(ctx, over, a, uid, changed)
}

// WaitSent waits as Wait does, for what the person has just sent: while this process makes its
// attempt nobody needs to look, and who is told that it ended need not look either.
func (d *Desk) WaitSent(ctx context.Context, a permission.Actor, uid uuid.UUID, atMost time.Duration) error {
	changed, stop := d.watch.watch(uid)
	defer stop()
	over, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	if d.watch.isUnderWay(uid) { // changed will tell
		select {
		case ended := <-changed:
			if ended {
				return nil
			}
		case <-over.Done():
		case <-ctx.Done():
		}
	}
	_, err := d.awaitAnswer(ctx, over, a, uid, changed)
	return err
}

func (d *Desk) awaitAnswer(ctx, over context.Context, a permission.Actor, uid uuid.UUID, changed <-chan bool) (CaseState, error) {
	for {
		state, err := d.CaseState(ctx, a, uid)
		if err != nil || !state.State.Pending() || state.Held() {
			return state, err
		}
		select {
		case <-changed:
		case <-d.lookAgain():
		case <-over.Done():
			return state, nil
		case <-ctx.Done():
			return state, ctx.Err()
		}
	}
}

// otherProcesses is how soon a page that waits shows what another process did, of which it was not told.
const otherProcesses = time.Second

// lookAgain is received from when another process may have moved a case; never where there is none.
func (d *Desk) lookAgain() <-chan time.Time {
	if d.config.OnlyProcess {
		return nil
	}
	return time.After(otherProcesses)
}
