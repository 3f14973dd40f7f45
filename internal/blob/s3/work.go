package s3

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"

	"golang.org/x/sync/errgroup"
)

const (
	// lookEvery is the pause between two looks at a bucket that answers, lookAgain at one that
	// does not.
	lookEvery = 15 * time.Second
	lookAgain = time.Second
	// leftEvery is the pause between two looks for what lies in the folder that should not.
	leftEvery = time.Hour
	// leftAge is how old that is at least: what is younger is on its way.
	leftAge = time.Minute
	// atOnce is how many blobs are brought to the bucket at the same time.
	atOnce = 8
)

// Trouble returns why the bucket is out of reach, nil while it is not.
func (s *Store) Trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// Run watches whether the bucket can be reached, removes from it what is to be removed, and
// publishes what was left in the folder, until ctx is done.
func (s *Store) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() { s.work(ctx) })
	for ctx.Err() == nil {
		s.watch(ctx)
		pause := lookEvery
		if s.Trouble() != nil {
			pause = lookAgain
		}
		wait(ctx, pause, s.look)
	}
}

// wait waits, or returns earlier when it is woken or ctx is done.
func wait(ctx context.Context, pause time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-woken:
	}
}

// watch looks whether the bucket answers, and whether it is still ours.
func (s *Store) watch(ctx context.Context) {
	owner, err := s.bucket.Owner(ctx)
	if err == nil && owner != s.owner {
		err = taken.err("look whose it is", errOwner)
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	before := s.trouble
	s.trouble = err
	s.mu.Unlock()
	switch {
	case before == nil && err != nil:
		s.log.ErrorContext(ctx, "the store of files is out of reach", "place", s.bucket.location.String(), "error", err)
	case before != nil && err == nil:
		s.log.InfoContext(ctx, "the store of files is within reach again", "place", s.bucket.location.String())
		s.signalUnsynced()
		signal(s.removing.waiting)
	}
}

var errOwner = errors.New("the object installation names another one, or is gone")

// seen passes an error on and has somebody look whether the bucket is out of reach.
func (s *Store) seen(err error) error {
	if errors.Is(err, blob.ErrUnreachable) {
		signal(s.look)
	}
	return err
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // told already
	}
}

// work does what waits for the bucket.
func (s *Store) work(ctx context.Context) {
	for next := s.clock(); ctx.Err() == nil; {
		if s.Trouble() == nil {
			s.removePending(ctx)
			s.publishFailed(ctx)
			if now := s.clock(); !now.Before(next) || next.Sub(now) > leftEvery {
				s.publishLeft(ctx)
				next = now.Add(leftEvery)
			}
		}
		wait(ctx, lookEvery, s.removing.waiting)
	}
}

// removePending removes from the bucket what no row names, one after the other, unless it
// was put again meanwhile.
func (s *Store) removePending(ctx context.Context) {
	for _, ref := range s.removing.all() {
		if ctx.Err() != nil || s.Trouble() != nil {
			return
		}
		if err := s.removeOne(ctx, ref); err != nil {
			s.log.WarnContext(ctx, "a file that nothing names was not removed", "error", err)
		}
	}
}

func (s *Store) removeOne(ctx context.Context, ref blob.Ref) error {
	defer s.locks.lock(ref)()
	if !s.removing.has(ref) {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if s.shared {
		return s.seen(s.removeMarked(ctx, ref))
	}
	return s.seen(s.removeNow(ctx, ref))
}

// failedAt notes what was not published: it stays in the folder, and rows may name it.
func (s *Store) failedAt(ref blob.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failedRefs[ref] = struct{}{}
}

// publishFailed publishes what could not be published before, unless it is gone meanwhile.
func (s *Store) publishFailed(ctx context.Context) {
	s.mu.Lock()
	refs := slices.Collect(maps.Keys(s.failedRefs))
	clear(s.failedRefs)
	s.mu.Unlock()
	if err := s.publishAll(ctx, refs, unlessGone); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "files were not brought to their store yet", "error", err)
	}
}

// unlessGone takes it for no error that a blob was cut short or thrown away: there is nothing
// to be published.
func unlessGone(_ blob.Ref, err error) error {
	if errors.Is(err, blob.ErrDamaged) || problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

// publishLeft publishes what lies in the folder without being on its way: what a killed
// process left, and the files of an installation that kept all of them there.
func (s *Store) publishLeft(ctx context.Context) {
	before := s.clock().Add(-leftAge)
	if before.Before(s.opened) { // a process before this one left it
		before = s.opened
	}
	err := s.local.Older(ctx, before, atOnce, func(refs []blob.Ref) error {
		return s.publishAll(ctx, refs, unlessGone)
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "files were not moved to their store yet", "error", err)
	}
}

// publishAll publishes some blobs at the same time; judge says what becomes of each one's error.
func (s *Store) publishAll(ctx context.Context, refs []blob.Ref, judge func(blob.Ref, error) error) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, ref := range refs {
		group.Go(func() error { return judge(ref, s.publish(ctx, ref)) })
	}
	return group.Wait()
}

// Unsynced is received from when blobs were left to a batch.
func (s *Store) Unsynced() <-chan struct{} { return s.unsynced }

func (s *Store) signalUnsynced() { signal(s.unsynced) }

// syncPause is how long what could not be brought to the bucket waits for the next try.
const syncPause = 2 * time.Second

// Sync brings blobs to the bucket whose bytes the database holds, and names those that are
// nowhere else.
func (s *Store) Sync(refs []blob.Ref) (gone []blob.Ref, err error) {
	var mu sync.Mutex
	err = s.publishAll(context.Background(), refs, func(ref blob.Ref, err error) error {
		if errors.Is(err, blob.ErrDamaged) || problem.Is(err, problem.NotFound) {
			mu.Lock()
			defer mu.Unlock()
			gone, err = append(gone, ref), nil
		}
		return err
	})
	if err != nil {
		time.AfterFunc(syncPause, s.signalUnsynced)
	}
	return gone, err
}
