// Package audit is the trail of who did what, when and from where: entries, the events
// that they are about, and the hash chain that shows whether entries were altered,
// removed or moved. It is pure: an entry is written in the transaction of what it
// is about.
package audit

import (
	"time"

	"github.com/google/uuid"
)

// Entry says who did what to which object. It has identifiers and fixed words only,
// never names, cards, contacts or contents.
type Entry struct {
	At       time.Time // UTC, kept to the microsecond
	Actor    uuid.UUID // the user; the zero value is the program itself
	Event    Event
	Object   string    // kind of the object: see the Object constants
	ObjectID uuid.UUID // zero when there is none
	Detail   string    // fixed words or numbers: "papel=recepcao"
	Origin   Origin    // whoever writes the entry takes it from the context: see WithAddress
}

// Event is what happened, as a fixed word in the trail.
type Event string
