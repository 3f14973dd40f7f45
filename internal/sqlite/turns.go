package sqlite

import (
	"context"
	"sync"

	"guiche/internal/store/engine"
)

// turns say which job has the writer's connection. One that comes while nobody has it takes
// it at once, on its own goroutine. The others wait in their order until they share the
// transaction of the one that has it, or have it after that one.
type turns struct {
	mu      sync.Mutex
	taken   bool
	closed  bool
	waiting []*job
	free    chan struct{} // closed once it is free for good; nil before close
}

// turn is what a job that waited may do.
type turn struct {
	tx  *engine.Tx // of the transaction that it shares; without one the connection is its own
	err error      // why it may do nothing
}

// take gives a job the connection, now or when its turn comes, or part of a transaction.
func (t *turns) take(ctx context.Context, j *job) (turn, error) {
	waits, err := t.enter(j)
	if !waits {
		return turn{}, err
	}
	select {
	case got := <-j.turn:
		return got, got.err
	case <-ctx.Done():
	}
	if t.withdraw(j) {
		return turn{}, ctx.Err()
	}
	got := <-j.turn // it came at the same moment
	return got, got.err
}

func (t *turns) enter(j *job) (waits bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false, ErrClosed
	}
	if !t.taken {
		t.taken = true
		return false, nil
	}
	j.turn, j.ended, j.done = make(chan turn, 1), make(chan error), make(chan error, 1)
	t.waiting = append(t.waiting, j)
	return true, nil
}

// withdraw has a job wait no longer, unless its turn has come.
func (t *turns) withdraw(j *job) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, other := range t.waiting {
		if other == j {
			t.waiting = append(t.waiting[:i], t.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// next returns who waits first, if that one may share a transaction; nil otherwise.
func (t *turns) next(mayShare func(*job) bool) *job {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 || !mayShare(t.waiting[0]) {
		return nil
	}
	return t.first()
}

func (t *turns) first() *job {
	j := t.waiting[0]
	t.waiting[0] = nil
	t.waiting = t.waiting[1:]
	return j
}

// pass gives the connection to who waits first.
func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.waiting) > 0:
		t.first().turn <- turn{}
	case t.closed:
		close(t.free)
	default:
		t.taken = false
	}
}

// refuse tells all who wait why they wait in vain.
func (t *turns) refuse(cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refuseAll(cause)
}

func (t *turns) refuseAll(cause error) {
	for _, j := range t.waiting {
		j.turn <- turn{err: cause}
	}
	t.waiting = nil
}

// close refuses whoever waits or comes, and waits for who has the connection.
func (t *turns) close() {
	t.mu.Lock()
	t.closed = true
	t.refuseAll(ErrClosed)
	t.free = make(chan struct{})
	if !t.taken {
		close(t.free)
	}
	t.mu.Unlock()
	<-t.free
}
