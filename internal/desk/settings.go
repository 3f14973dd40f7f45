package desk

import (
	"time"

	"guiche/internal/document"
)

// SetDeadline changes Config.Deadline, for what is submitted from now on. A value of zero
// or less leaves the setting as it is.
func (d *Desk) SetDeadline(deadline time.Duration) {
	if deadline > 0 {
		d.wait.Store(int64(deadline))
	}
}

// SetLimits changes Config.Documents for the next file that is attached. Zero limits
// leave them as they are.
func (d *Desk) SetLimits(l document.Limits) {
	if l != (document.Limits{}) {
		d.limits.Store(&l)
	}
}

// SetSlots changes Config.Slots. Zero slots leave them as they are.
func (d *Desk) SetSlots(s Slots) {
	if s != (Slots{}) {
		d.slots.Store(&s)
		d.wakeUp()
	}
}

// Limits are how much may be attached to one request now.
func (d *Desk) Limits() document.Limits { return *d.limits.Load() }

func (d *Desk) deadline() time.Duration { return time.Duration(d.wait.Load()) }
