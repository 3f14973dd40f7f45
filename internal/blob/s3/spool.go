package s3

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// spool counts the bytes that are on their way to the bucket.
type spool struct {
	limit int64

	mu   sync.Mutex
	used int64
}

var errSpool = errors.New("s3: as much as may be is on its way to the store already (GUICHE_BLOBS_SPOOL_MB)")

// take counts bytes, unless there are too many with them. One alone is never too large.
func (s *spool) take(n, own int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used > own && s.used+n > s.limit {
		return false
	}
	s.used += n
	return true
}

// received is one blob on its way.
type received struct {
	ctx   context.Context // of the caller who reads
	spool *spool
	from  io.Reader
	bytes int64
}

// receive counts what is read of r until end.
func (s *spool) receive(ctx context.Context, r io.Reader) *received {
	return &received{ctx: ctx, spool: s, from: r}
}

// Read implements io.Reader. Whoever waits for space waits here, too: see blob.WaitForSpace.
func (r *received) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	for !r.spool.take(int64(n), r.bytes) {
		select {
		case <-blob.SpaceDeadline(r.ctx):
			return 0, problem.Wrap(problem.Busy, "Muitos arquivos estão chegando ao mesmo tempo."+advice, errSpool)
		case <-time.After(publishPause):
		}
	}
	r.bytes += int64(n)
	return n, err
}

// end takes back what was counted.
func (r *received) end() {
	r.spool.mu.Lock()
	defer r.spool.mu.Unlock()
	r.spool.used -= r.bytes
}

// locks let one at a time publish or remove a blob.
type locks struct {
	mu   sync.Mutex
	held map[blob.Ref]*refLock
}

type refLock struct {
	sync.Mutex
	waiting int
}

// lock waits until nobody else has the blob's lock; what it returns unlocks.
func (l *locks) lock(ref blob.Ref) (unlock func()) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[blob.Ref]*refLock{}
	}
	one := l.held[ref]
	if one == nil {
		one = &refLock{}
		l.held[ref] = one
	}
	one.waiting++
	l.mu.Unlock()
	one.Lock()
	return func() {
		one.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(l.held, ref)
		}
	}
}
