package desk

import (
	"sync"

	"github.com/google/uuid"
)

// Start is how the first attempt of a submission may begin in the commit of the
// submission itself, so that the disk is waited for once.
type Start struct {
	Lease uuid.UUID
	To    Recipient
	Slots Slots
}

// firstAttempts hands attempts that began with their submission to Run. The zero value
// is of a desk that does not run: nothing begins.
type firstAttempts struct {
	mu       sync.Mutex
	attempt  func(Claim)     // nil while the desk does not run
	stopped  <-chan struct{} // closed when it is told to stop
	underWay sync.WaitGroup
}

// open lets attempts begin until stopped is closed; each is handed to attempt.
func (f *firstAttempts) open(stopped <-chan struct{}, attempt func(Claim)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.attempt, f.stopped = attempt, stopped
}

// close lets none begin any more, and waits for the submissions that may still begin one.
func (f *firstAttempts) close() {
	f.mu.Lock()
	f.attempt = nil
	f.mu.Unlock()
	f.underWay.Wait()
}

// enter returns what makes an attempt, nil while none may begin. The caller calls leave
// when its submission is committed and its attempt, if it began, was handed over.
func (f *firstAttempts) enter() (attempt func(Claim), leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.stopped:
		return nil, func() {}
	default:
	}
	if f.attempt == nil {
		return nil, func() {}
	}
	f.underWay.Add(1)
	return f.attempt, f.underWay.Done
}

// start is how attempts may begin now, if this process holds the lease.
func (d *Desk) start() (s Start, holds bool) {
	lease := d.lease.current()
	return Start{Lease: lease, To: d.recipient(), Slots: *d.slots.Load()}, d.lease.holds(lease, d.config.Clock())
}
