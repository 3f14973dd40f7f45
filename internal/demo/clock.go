package demo

import (
	"sync/atomic"
	"time"
)

// Clock goes on as time does, from where it was set: the past is made by it. It is safe
// for concurrent use.
type Clock struct {
	present func() time.Time
	ahead   atomic.Int64 // nanoseconds; in the past it is negative
}

// NewClock returns a clock that shows the present.
func NewClock(present func() time.Time) *Clock { return &Clock{present: present} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time { return c.present().Add(time.Duration(c.ahead.Load())) }

// Set makes the clock go on from t.
func (c *Clock) Set(t time.Time) { c.ahead.Store(int64(t.Sub(c.present()))) }

// Advance moves the clock forward.
func (c *Clock) Advance(by time.Duration) { c.ahead.Add(int64(by)) }

// Elsewhere reports whether the clock shows another time than the present.
func (c *Clock) Elsewhere() bool { return c.ahead.Load() != 0 }

// Return makes the clock show the present.
func (c *Clock) Return() { c.ahead.Store(0) }
