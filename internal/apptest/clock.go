package apptest

import (
	"sync/atomic"
	"time"
)

// Clock goes on as time does and can be moved. Its zero value says what time it
// is.
type Clock struct{ ahead atomic.Int64 }

// Now returns the clock's time.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock forward.
func (c *Clock) Advance(by time.Duration) { c.ahead.Add(int64(by)) }

// Set moves the clock to a time, from which it goes on.
func (c *Clock) Set(now time.Time) { c.ahead.Store(int64(time.Until(now))) }
