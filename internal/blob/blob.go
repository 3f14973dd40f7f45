// Package blob is the port to a store of files by their content: attachments, raw
// answers, PDFs of guides. The name of a blob is the SHA-256 of its bytes, so the
// same bytes are stored once, and damage is noticed when a blob is read.
package blob

import (
	"context"
	"io"
)

// Ref names a blob: 64 lower-case hexadecimal digits, the SHA-256 of its bytes.
type Ref string

// Info says what is stored under a Ref.
type Info struct {
	Ref  Ref
	Size int64 // bytes
}

// Store keeps blobs. When Put has returned, the blob is on disk (file and folder
// synced), so that a row with its Ref may be committed.
type Store interface {
	// Put stores the bytes of r. A blob that is there already gets a new time, so
	// that it is not removed as unused.
	Put(ctx context.Context, r io.Reader) (Info, error)
	// Open returns the bytes, a problem.NotFound error when there are none.
	Open(ctx context.Context, ref Ref) (io.ReadSeekCloser, error)
	// Stat returns the size, a problem.NotFound error when there is no such blob.
	Stat(ctx context.Context, ref Ref) (Info, error)
	// Delete removes the blob. It is no error when there is none.
	Delete(ctx context.Context, ref Ref) error
}
