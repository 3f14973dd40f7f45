package apptest

import (
	"sync"
	"time"
)

// Clock goes on as time does until it is set; then it stands still but for being
// moved. Its zero value says what time it is.
type Clock struct {
	mu      sync.Mutex
	ahead   time.Duration
	stopped time.Time // the zero value: it goes on
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped.IsZero() {
		return time.Now().Add(c.ahead)
	}
	return c.stopped.Add(c.ahead)
}

// Advance moves the clock forward.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
}

// Set moves the clock to a time, at which it stands still.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped, c.ahead = now, 0
}
