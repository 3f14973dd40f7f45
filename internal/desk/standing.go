package desk

import (
	"time"

	"github.com/google/uuid"
)

// Standing is how many requests stand in one state, and when the oldest was sent off.
type Standing struct {
	Count  int
	Oldest time.Time // zero when there is none
}

// Standings is the queue without who waits in it.
type Standings struct {
	Queued  Standing // on their way, the held ones aside
	Held    Standing // until the service takes the desk's access
	Sending Standing
	Unknown Standing // sent, and nobody knows what became of them
}

// Silence is an Outage by the credential's identifier: nobody's name.
type Silence struct {
	Credential uuid.UUID // zero for the authorization service itself
	Since      time.Time
}

// Slots are the bounds of what is on the wire.
func (d *Desk) Slots() Slots { return *d.slots.Load() }
