package api

import (
	"context"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
)

// captureRoom is the memory for captures. No partner holds more than half of it: one that sends slowly, however often,
// leaves room for the others.
type captureRoom struct {
	all  *semaphore.Weighted
	most int64 // of one partner, in bytes

	mu sync.Mutex
	of map[uuid.UUID]*semaphore.Weighted // by profile
}

func newCaptureRoom(bytes int64) *captureRoom {
	return &captureRoom{all: semaphore.NewWeighted(bytes), most: max(1, bytes/2), of: map[uuid.UUID]*semaphore.Weighted{}}
}

// enter waits for room until ctx ends.
func (r *captureRoom) enter(ctx context.Context, profile uuid.UUID, size int64) (leave func(), err error) {
	own := r.own(profile)
	size = min(size, r.most)
	if err := own.Acquire(ctx, size); err != nil {
		return nil, err
	}
	if err := r.all.Acquire(ctx, size); err != nil {
		own.Release(size)
		return nil, err
	}
	return func() {
		r.all.Release(size)
		own.Release(size)
	}, nil
}

// own is the half that a partner may hold.
func (r *captureRoom) own(profile uuid.UUID) *semaphore.Weighted {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of[profile] == nil {
		r.of[profile] = semaphore.NewWeighted(r.most)
	}
	return r.of[profile]
}
