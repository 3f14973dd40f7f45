package blob

import (
	"io"
	"sync"

	"github.com/google/uuid"
)

// Intake counts what is being received for each owner, so that many files at once do not
// pass a quota that each of them keeps. The zero value is ready; it is safe for
// concurrent use.
type Intake struct {
	mu        sync.Mutex
	receiving map[uuid.UUID]int64 // bytes
}

// Receiving is one part of an Intake, from its first byte until a row names it or it was
// refused.
type Receiving struct {
	intake *Intake
	owner  uuid.UUID
	quota  int64
	kept   int64
	full   func() error
	bytes  int64
}

// Begin counts what is received for an owner who keeps so many bytes already. Beyond the
// quota reading fails with the error of full.
func (i *Intake) Begin(owner uuid.UUID, kept, quota int64, full func() error) *Receiving {
	return &Receiving{intake: i, owner: owner, kept: kept, quota: quota, full: full}
}

// Reader returns the bytes of r and counts them. The readers of one Receiving are read
// one after the other.
func (r *Receiving) Reader(from io.Reader) io.Reader { return countedReader{r, from} }

// End takes back what was counted.
func (r *Receiving) End() {
	r.intake.mu.Lock()
	defer r.intake.mu.Unlock()
	if left := r.intake.receiving[r.owner] - r.bytes; left > 0 {
		r.intake.receiving[r.owner] = left
	} else {
		delete(r.intake.receiving, r.owner)
	}
	r.bytes = 0
}

// add counts bytes that were read, or fails.
func (r *Receiving) add(n int) error {
	r.intake.mu.Lock()
	defer r.intake.mu.Unlock()
	if r.intake.receiving == nil {
		r.intake.receiving = map[uuid.UUID]int64{}
	}
	r.bytes += int64(n)
	r.intake.receiving[r.owner] += int64(n)
	if r.kept+r.intake.receiving[r.owner] > r.quota {
		return r.full()
	}
	return nil
}

type countedReader struct {
	receiving *Receiving
	from      io.Reader
}

// Read implements io.Reader.
func (c countedReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if full := c.receiving.add(n); full != nil {
		return n, full
	}
	return n, err
}
