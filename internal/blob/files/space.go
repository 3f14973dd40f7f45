package files

import (
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"guiche/internal/blob"
	"guiche/internal/diskspace"
	"guiche/internal/problem"
)

// spacePause is the pause between two tries to write what there is no space for.
const spacePause = 100 * time.Millisecond

// Room implements blob.Store.
func (s *Store) Room() error { return s.disk.Files() }

// inSpace takes a step of Put, again and again where there is no space or no descriptor for
// it and the caller waits for that: see blob.WaitForSpace.
func (s *Store) inSpace(ctx context.Context, step func() error) error {
	for {
		err := step()
		refusal := s.passing(err)
		if refusal == nil {
			return err
		}
		select {
		case <-blob.SpaceDeadline(ctx):
			return refusal
		default:
		}
		select {
		case <-blob.SpaceDeadline(ctx):
		case <-time.After(spacePause):
		}
	}
}

// passing returns the error for whoever waits no longer for space or for a descriptor; nil
// for what does not pass by itself.
func (s *Store) passing(err error) error {
	switch {
	case diskspace.IsFull(err):
		return s.disk.Full(err)
	case isExhausted(err):
		return problem.NewBusy(err)
	}
	return nil
}

// isExhausted reports whether the process, or the system, can open no more files.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// spaceWriter writes what it is given piece by piece, as there is space.
type spaceWriter struct {
	ctx   context.Context
	store *Store
	file  io.Writer
}

// Write implements io.Writer.
func (w spaceWriter) Write(p []byte) (written int, err error) {
	err = w.store.inSpace(w.ctx, func() error {
		n, err := w.file.Write(p[written:])
		written += n
		return err
	})
	return written, err
}
