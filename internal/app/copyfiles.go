package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
	"guiche/internal/store/unsynced"

	"golang.org/x/sync/errgroup"
)

// filesAtOnce is how many files are copied at the same time: each waits for a disk or a bucket.
const filesAtOnce = 8

// copyFiles copies the files that rows name and that the target does not have whole.
func (j *copyJob) copyFiles(ctx context.Context) error {
	for _, half := range j.target.halves() {
		j.tell(half + ": arquivos")
		if err := j.copyFilesOf(ctx, half); err != nil {
			return fmt.Errorf("files of %s: %w", half, err)
		}
	}
	return nil
}

func (j *copyJob) copyFilesOf(ctx context.Context, half string) (err error) {
	store, err := j.target.place.open(j.target.config, half)
	if err != nil {
		return ofSide("TO", err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	names := blobNamesOf(half, j.source.dbs[half])
	for shard := range 256 {
		f := fileCopies{job: j, half: half, to: store, source: j.source.dbs[half]}
		if err := f.copyShard(ctx, names, fmt.Sprintf("%02x", shard)); err != nil {
			return err
		}
		j.done.Blobs, j.done.Put = j.done.Blobs+f.whole, j.done.Put+f.put
		for _, ref := range f.lost {
			j.damaged("Arquivo danificado ou ausente: %s/%s", half, ref.Path())
		}
	}
	return nil
}

// fileCopies are files that are copied together.
type fileCopies struct {
	job    *copyJob
	half   string
	to     blobStore
	source engine.DB

	mu         sync.Mutex
	whole, put int
	lost       []blob.Ref // not whole at the source
}

// copyShard copies the files whose names begin so. Rows will name them, so nothing has to ask.
func (f *fileCopies) copyShard(ctx context.Context, names *blobnames.Names, shard string) error {
	refs, err := names.Beginning(ctx, shard)
	if err != nil || len(refs) == 0 {
		return err
	}
	held, hold := f.to.Hold(ctx)
	workers, working := errgroup.WithContext(held)
	workers.SetLimit(filesAtOnce)
	for _, ref := range refs {
		if working.Err() != nil {
			break
		}
		workers.Go(func() error { return f.note(ref, f.copy(working, ref)) })
	}
	err = workers.Wait()
	hold.End()
	f.to.Settle(f.to.TakeReleased(len(refs))...)
	return cmp.Or(err, ctx.Err())
}

// note keeps what came of a file; what the source does not have whole is no error.
func (f *fileCopies) note(ref blob.Ref, err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lost *notWhole
	switch {
	case err == nil:
		f.whole++
	case errors.As(err, &lost):
		f.lost = append(f.lost, ref)
	default:
		return err
	}
	return nil
}

// notWhole says that the source does not have a file as it was stored.
type notWhole struct{ cause error }

// Error implements error.
func (e *notWhole) Error() string { return "not whole at the source: " + e.cause.Error() }

// copy has the target hold a file whole. What it has is read, whoever put it there.
func (f *fileCopies) copy(ctx context.Context, ref blob.Ref) error {
	err := readBack(ctx, f.to, ref)
	if err == nil || !isLost(err) {
		return err
	}
	if f.job.target.same {
		return &notWhole{err}
	}
	if err := f.putFrom(ctx, ref); err != nil {
		return err
	}
	f.mu.Lock()
	f.put++
	f.mu.Unlock()
	return readBack(ctx, f.to, ref)
}

// isLost reports whether bytes are missing or damaged, and not only out of reach.
func isLost(err error) bool {
	return problem.Is(err, problem.NotFound) || isMissing(err) || errors.Is(err, blob.ErrDamaged)
}

// readBack reads a file from start to end, which checks it.
func readBack(ctx context.Context, store blob.Store, ref blob.Ref) error {
	r, err := store.Open(ctx, ref)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r)
	return errors.Join(err, r.Close())
}

// putFrom puts a file that the source has: in its folder, in its bucket, or in its rows for the next start.
func (f *fileCopies) putFrom(ctx context.Context, ref blob.Ref) error {
	var lost error
	for _, open := range []func(context.Context, blob.Ref) (io.ReadCloser, error){f.fromFolder, f.fromBucket, f.fromRows} {
		err := f.putOpened(ctx, ref, open)
		if err == nil || !isLost(err) {
			return err
		}
		lost = err
	}
	return &notWhole{lost}
}

func (f *fileCopies) putOpened(ctx context.Context, ref blob.Ref, open func(context.Context, blob.Ref) (io.ReadCloser, error)) error {
	r, err := open(ctx, ref)
	if err != nil {
		return err
	}
	info, err := f.to.Put(ctx, r)
	if err = errors.Join(err, r.Close()); err == nil && info.Ref != ref {
		err = blob.ErrDamaged
	}
	return err
}

func (f *fileCopies) fromFolder(_ context.Context, ref blob.Ref) (io.ReadCloser, error) {
	file, err := os.Open(localFile(f.job.source.config, f.half, ref.Path()))
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r, err := blob.Checked(file, ref, info.Size())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

func (f *fileCopies) fromBucket(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	bucket := f.job.source.place.bucket
	if bucket == nil {
		return nil, os.ErrNotExist
	}
	return bucket.Of(f.half).Open(ctx, ref)
}

func (f *fileCopies) fromRows(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	content, err := unsynced.Bytes(ctx, f.source, ref)
	if err == nil && content == nil {
		err = os.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}
