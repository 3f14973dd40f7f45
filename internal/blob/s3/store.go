package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/diskspace"
	"guiche/internal/problem"
)

// Options says where the blobs of one half are.
type Options struct {
	Bucket *Bucket // of the half
	Owner  string  // the installation; nothing is removed where the bucket names another
	Dir    string  // parent of the folder "blobs", in which they lie on their way
	Spool  int64   // bytes that may be on their way at once; 0 means 1 GiB
	Clock  func() time.Time
	Disk   *diskspace.Disk
	Logger *slog.Logger // nil means slog.Default
	// Shared is set where other processes store in the bucket as well: all that was put lies there, and
	// what nothing names is removed some hours later.
	Shared bool
	// Unreachable is why the bucket was out of reach when the program started; nil if it was not.
	Unreachable error
}

// Store satisfies blob.Store. What was put lies in the bucket, or in the folder until its
// bytes, which the database holds so long, are brought there by Sync. It is safe for
// concurrent use, by one process that stores and others that hold; with Options.Shared by
// processes that have folders of their own.
type Store struct {
	bucket *Bucket
	owner  string
	local  *files.Store // the folder: what is on its way, and what is held
	log    *slog.Logger
	clock  func() time.Time
	opened time.Time
	shared bool
	spool  spool
	locks  locks

	unsynced chan struct{} // blobs were left to the database
	look     chan struct{} // something failed: see whether the bucket is out of reach
	removing removals      // from the bucket, sooner or later

	mu      sync.Mutex
	trouble error // why the bucket is out of reach; nil while it is not

	failedRefs map[blob.Ref]struct{} // were not published and may lie in the folder
}

// defaultSpool is how many bytes may be on their way at once where nothing else is set.
const defaultSpool = 1 << 30

// Open opens the store. It asks nothing of the bucket.
func Open(o Options) (*Store, error) {
	local, err := files.Open(files.Options{Dir: o.Dir, Clock: o.Clock, Disk: o.Disk})
	if err != nil {
		return nil, err
	}
	s := &Store{
		bucket: o.Bucket, owner: o.Owner, local: local, log: o.Logger, clock: o.Clock, trouble: o.Unreachable, shared: o.Shared,
		unsynced: make(chan struct{}, 1), look: make(chan struct{}, 1), failedRefs: map[blob.Ref]struct{}{},
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	s.opened = s.clock()
	if s.spool.limit = o.Spool; o.Spool == 0 {
		s.spool.limit = defaultSpool
	}
	again, err := s.removing.open(filepath.Join(o.Dir, "blobs", removalsFolder))
	if err != nil {
		return nil, errors.Join(err, local.Close())
	}
	local.AskAgain(again...)
	return s, nil
}

// Close closes the folder; blobs that are open stay readable.
func (s *Store) Close() error { return s.local.Close() }

// Hold implements blob.Holder.
func (s *Store) Hold(ctx context.Context) (context.Context, blob.Hold) { return s.local.Hold(ctx) }

// Room implements blob.Store. A bucket that is out of reach has no room either.
func (s *Store) Room() error {
	if err := s.Trouble(); err != nil {
		return err
	}
	return s.local.Room()
}

// Put implements blob.Store. Small blobs under a batch wait in the folder and in the database
// until Sync; all others are in the bucket when it has returned.
func (s *Store) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	in := s.spool.receive(ctx, r)
	defer in.end()
	batch, left := blob.BatchOf(ctx), new(blob.Batch)
	if batch == nil || s.shared { // no other process reads what is left to the folder
		left = nil
	}
	local := left.In(ctx)
	info, err := s.local.Put(local, in)
	if err != nil {
		return info, err
	}
	if kept := left.Contents(); len(kept) > 0 {
		batch.Add(kept[0])
		s.signalUnsynced()
		return info, nil
	}
	if err := s.publishWaiting(ctx, info.Ref); err != nil {
		return blob.Info{}, fmt.Errorf("blob: put: %w", err)
	}
	return info, nil
}

// publishPause is between two tries to bring something to the bucket that must be kept.
const publishPause = time.Second

// publishWaiting brings a blob to the bucket, again and again while the caller waits for that:
// see blob.WaitForSpace.
func (s *Store) publishWaiting(ctx context.Context, ref blob.Ref) error {
	for {
		err := s.publish(ctx, ref)
		if !problem.Passing(err) {
			return err
		}
		select {
		case <-blob.SpaceDeadline(ctx):
			return err
		default:
		}
		select {
		case <-blob.SpaceDeadline(ctx):
		case <-time.After(publishPause):
		}
	}
}

// publish brings a blob from the folder to the bucket and removes it there. One that is not in
// the folder any more somebody else has published, or it is problem.NotFound.
func (s *Store) publish(ctx context.Context, ref blob.Ref) (err error) {
	defer s.locks.lock(ref)()
	defer func() {
		if problem.Passing(err) {
			s.failedAt(ref)
		}
	}()
	if err := s.Trouble(); err != nil {
		return err
	}
	f, err := s.local.File(ref)
	if problem.Is(err, problem.NotFound) {
		_, err = s.bucket.Stat(ctx, ref)
		return s.seen(err)
	}
	if err != nil {
		return err
	}
	if err = s.removing.cancel(ref, s.clock()); err == nil {
		err = s.send(ctx, ref, f)
	}
	if err == nil && s.shared {
		err = s.seen(s.keep(ctx, ref))
	}
	if err = errors.Join(err, f.Close()); err == nil {
		_ = s.local.Drop(ref) // one that stays is published once more
	}
	return err
}

func (s *Store) send(ctx context.Context, ref blob.Ref, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return s.seen(s.bucket.Put(ctx, ref, f, info.Size()))
}

// wholeLocal is up to what size a blob in the folder is read before it is passed on: it may have
// been cut short when the program was killed.
const wholeLocal = 1 << 20

// Open implements blob.Store. Reading from start to end checks the content.
func (s *Store) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	f, _, err := s.openLocal(ctx, ref)
	if !problem.Is(err, problem.NotFound) {
		return f, err
	}
	if err := s.within(ref); err != nil {
		return nil, err
	}
	object, err := s.bucket.Open(ctx, ref)
	return object, s.seen(err)
}

// openLocal opens a blob that is whole in the folder.
func (s *Store) openLocal(ctx context.Context, ref blob.Ref) (f io.ReadSeekCloser, size int64, err error) {
	f, err = s.local.Open(ctx, ref)
	if errors.Is(err, blob.ErrDamaged) {
		return nil, 0, missing
	}
	if err != nil {
		return nil, 0, err
	}
	size, err = f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil && size <= wholeLocal {
		if _, err = io.Copy(io.Discard, f); errors.Is(err, blob.ErrDamaged) {
			err = missing
		}
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// within returns why the bucket is not asked for a blob: it is about to be removed, or the
// bucket is out of reach.
func (s *Store) within(ref blob.Ref) error {
	if s.removing.has(ref) {
		return missing
	}
	return s.Trouble()
}

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, ref blob.Ref) (blob.Info, error) {
	f, size, err := s.openLocal(ctx, ref)
	if err == nil {
		return blob.Info{Ref: ref, Size: size}, f.Close()
	}
	if !problem.Is(err, problem.NotFound) {
		return blob.Info{}, err
	}
	if err := s.within(ref); err != nil {
		return blob.Info{}, err
	}
	info, err := s.bucket.Stat(ctx, ref)
	return info, s.seen(err)
}

// Delete implements blob.Store. The bucket is told later: whoever deletes keeps others waiting.
func (s *Store) Delete(_ context.Context, ref blob.Ref) error {
	return s.local.DeleteAnd(ref, func() error { return s.removing.add(ref) })
}

// Released, TakeReleased, Settle, AskAgain and Adopt are those of the folder.

// Released returns a channel that is received from when holds have ended.
func (s *Store) Released() <-chan struct{} { return s.local.Released() }

// TakeReleased returns some of the blobs whose last hold has ended.
func (s *Store) TakeReleased(limit int) []blob.Ref { return s.local.TakeReleased(limit) }

// Settle forgets blobs of which it is known that rows name them, or that are gone.
func (s *Store) Settle(refs ...blob.Ref) { s.local.Settle(refs...) }

// AskAgain keeps blobs for a later TakeReleased.
func (s *Store) AskAgain(refs ...blob.Ref) { s.local.AskAgain(refs...) }

// Adopt takes over what processes that are dead held.
func (s *Store) Adopt() error { return s.local.Adopt() }

// Older calls each with the blobs that were last stored before a time, some at a time: those of
// the folder, then those of the bucket.
func (s *Store) Older(ctx context.Context, before time.Time, limit int, each func([]blob.Ref) error) error {
	if err := s.local.Older(ctx, before, limit, each); err != nil {
		return err
	}
	if err := s.Trouble(); err != nil {
		return err
	}
	for shard := range 256 {
		if err := s.olderIn(ctx, fmt.Sprintf("%02x", shard), before, limit, each); err != nil {
			return s.seen(err)
		}
	}
	return s.seen(s.bucket.Abandoned(ctx, before))
}

func (s *Store) olderIn(ctx context.Context, shard string, before time.Time, limit int, each func([]blob.Ref) error) error {
	var old []blob.Ref
	err := s.bucket.List(ctx, shard, func(b Stored) (err error) {
		if b.At.Before(before) && !s.removing.has(b.Ref) {
			old = append(old, b.Ref)
		}
		if len(old) == limit {
			err, old = each(old), nil
		}
		return err
	})
	if err == nil && len(old) > 0 {
		err = each(old)
	}
	return err
}
