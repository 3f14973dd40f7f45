package service

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// flights are the requests whose operator this process is asking right now, so
// that equal requests can wait for the one answer. What must survive the process
// is in the ledger.
type flights struct {
	mu   sync.Mutex
	ends map[uuid.UUID]chan struct{}
}

// begin notes a request before it is committed: whoever finds it in the ledger
// finds it here too. Its id is new, so that no other can be under way.
func (f *flights) begin(id uuid.UUID) { f.try(id) }

// enter begins a flight once no other with the same id is under way, false when
// limit or ctx ended first. A limit of 0 does not wait.
func (f *flights) enter(ctx context.Context, id uuid.UUID, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !f.try(id) {
		if !f.wait(ctx, id, 0) {
			return false
		}
	}
	return true
}

// try begins a flight unless one with the same id is under way.
func (f *flights) try(id uuid.UUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, busy := f.ends[id]; busy {
		return false
	}
	if f.ends == nil {
		f.ends = map[uuid.UUID]chan struct{}{}
	}
	f.ends[id] = make(chan struct{})
	return true
}

// end lets the waiting go on.
func (f *flights) end(id uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ended, ok := f.ends[id]; ok {
		close(ended)
		delete(f.ends, id)
	}
}

// active reports whether the request is in flight here.
func (f *flights) active(id uuid.UUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.ends[id]
	return ok
}

// wait returns once the request is no longer in flight here, false when limit or
// ctx ended first. No limit is 0.
func (f *flights) wait(ctx context.Context, id uuid.UUID, limit time.Duration) bool {
	f.mu.Lock()
	ended, ok := f.ends[id]
	f.mu.Unlock()
	if !ok {
		return true
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	select {
	case <-ended:
		return true
	case <-ctx.Done():
		return false
	}
}
