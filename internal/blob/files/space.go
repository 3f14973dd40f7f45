package files

import (
	"context"
	"io"
	"time"

	"guiche/internal/blob"
	"guiche/internal/diskspace"
)

// spacePause is the pause between two tries to write what there is no space for.
const spacePause = 100 * time.Millisecond

// Room implements blob.Store.
func (s *Store) Room() error { return s.disk.Files() }

// inSpace takes a step of Put, again and again where there is no space for it and the
// caller waits for that: see blob.WaitForSpace.
func (s *Store) inSpace(ctx context.Context, step func() error) error {
	for {
		err := step()
		if !diskspace.IsFull(err) {
			return err
		}
		full := s.disk.Full(err)
		select {
		case <-blob.SpaceDeadline(ctx):
			return full
		default:
		}
		select {
		case <-blob.SpaceDeadline(ctx):
		case <-time.After(spacePause):
		}
	}
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
