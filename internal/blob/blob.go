// Package blob keeps the bytes of files by their content: an attachment, a raw
// answer, a guide's PDF. The name of a blob is the SHA-256 of its bytes, so the
// same bytes are stored once and a damaged blob is noticed when it is read.
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

// Store keeps blobs. A Put that returned is on disk (file and folder synced), so
// a row that names the blob may be committed after it.
type Store interface {
	// Put stores what r yields. Bytes that are there already renew their grace.
	Put(ctx context.Context, r io.Reader) (Info, error)
	// Open returns the bytes, a problem.NotFound error when there are none.
	Open(ctx context.Context, ref Ref) (io.ReadSeekCloser, error)
	// Stat returns the size, a problem.NotFound error when there is no such blob.
	Stat(ctx context.Context, ref Ref) (Info, error)
	// Delete removes the blob; one that is not there is no error.
	Delete(ctx context.Context, ref Ref) error
}
