package desk

import (
	"sync/atomic"
	"time"

	"guiche/internal/document"
)

// timeouts are settings of Config that may change while the desk works.
type timeouts struct{ deadline, answer atomic.Int64 }

// SetTimes changes Config.Deadline, for what is submitted from now on, and
// Config.AnswerTime. A value of zero or less leaves the setting as it is.
func (d *Desk) SetTimes(deadline, answer time.Duration) {
	if deadline > 0 {
		d.times.deadline.Store(int64(deadline))
	}
	if answer > 0 {
		d.times.answer.Store(int64(answer))
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

func (d *Desk) deadline() time.Duration   { return time.Duration(d.times.deadline.Load()) }
func (d *Desk) answerTime() time.Duration { return time.Duration(d.times.answer.Load()) }
