// Package blob is the port to a store of files by their content: attachments, raw
// answers, PDFs of guides. The name of a blob is the SHA-256 of its bytes, so the
// same bytes are stored once, and damage is noticed when a blob is read.
//
// A blob lives as long as a row names it. Between the bytes and the row's commit, and
// again while a row that names them goes, they are held (Hold); what nobody holds and
// no row names is removed by package sweep.
package blob

import (
	"context"
	"errors"
	"io"
	"strings"
)

// Ref names a blob: 64 lower-case hexadecimal digits, the SHA-256 of its bytes.
type Ref string

// Check returns an error when it is no name of a blob.
func (r Ref) Check() error {
	if len(r) != 64 || strings.Trim(string(r), "0123456789abcdef") != "" {
		return errors.New("blob: a name has 64 hexadecimal digits")
	}
	return nil
}

// Path is where a blob lies below the place of its half, with slashes: 256 folders.
func (r Ref) Path() string { return "blobs/" + string(r[:2]) + "/" + string(r) }

// Info says what is stored under a Ref.
type Info struct {
	Ref  Ref
	Size int64 // bytes
}

// Store keeps blobs. When Put has returned, the blob survives a power cut, so that a row
// with its Ref may be committed.
type Store interface {
	Holder
	// Put stores the bytes of r under the hold of ctx; without one they are held as
	// long as the store is open. A blob that is there already gets a new time, so that
	// it is not removed as unused. Without space on the disk the error is
	// problem.NoSpace; see WaitForSpace.
	Put(ctx context.Context, r io.Reader) (Info, error)
	// Room returns a problem.NoSpace error when the disk is too full for what may as well
	// be refused. What must be kept is stored all the same.
	Room() error
	// Open returns the bytes, a problem.NotFound error when there are none. Whoever reads
	// them from start to end learns of damage (ErrDamaged).
	Open(ctx context.Context, ref Ref) (io.ReadSeekCloser, error)
	// Stat returns the size, a problem.NotFound error when there is no such blob.
	Stat(ctx context.Context, ref Ref) (Info, error)
	// Delete removes the blob, ErrHeld when somebody holds it. It is no error when
	// there is none. The caller sees to it that no row names it.
	Delete(ctx context.Context, ref Ref) error
}

// Holder begins holds.
type Holder interface {
	// Hold returns a context under which Put holds what it stores until End. The hold
	// travels in the context because who stores an answer and who commits the row that
	// names it are packages that do not know each other.
	Hold(ctx context.Context) (context.Context, Hold)
}

// Hold keeps blobs from being removed. It is safe for concurrent use.
type Hold interface {
	// Add holds blobs that are there already, before the row that names them goes.
	Add(refs ...Ref)
	// End lets go. Each of the blobs that no row names by then is removed soon, by this
	// process or, if it is killed, by the next.
	End()
}

// ErrDamaged says that the stored bytes are not those that were put. Reading a blob from
// start to end ends with it.
var ErrDamaged = errors.New("blob: the stored bytes are damaged")

// ErrUnreachable says that the place of the blobs did not answer, or not as it should. What is
// there stays, and the same may be tried again: such an error is problem.Busy.
var ErrUnreachable = errors.New("blob: the place of the blobs is out of reach")

// ErrHeld says that a blob is being stored, or that a row may begin to name it.
var ErrHeld = errors.New("blob: held")
