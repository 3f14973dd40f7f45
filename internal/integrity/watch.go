package integrity

import (
	"context"
	"errors"
	"io"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// Watch returns a store that tells of each file that is found damaged or gone when it is
// read, again each time. What it calls must not wait.
func Watch(store blob.Store, found func(blob.Ref)) blob.Store { return watched{store, found} }

type watched struct {
	blob.Store
	found func(blob.Ref)
}

// Open implements blob.Store.
func (w watched) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	f, err := w.Store.Open(ctx, ref)
	if err != nil {
		if errors.Is(err, blob.ErrDamaged) || problem.Is(err, problem.NotFound) {
			w.found(ref)
		}
		return nil, err
	}
	return watchedFile{f, func() { w.found(ref) }}, nil
}

type watchedFile struct {
	io.ReadSeekCloser
	found func()
}

// Read implements io.Reader.
func (f watchedFile) Read(p []byte) (int, error) {
	n, err := f.ReadSeekCloser.Read(p)
	if errors.Is(err, blob.ErrDamaged) {
		f.found()
	}
	return n, err
}
