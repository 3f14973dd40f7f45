package desk

import (
	"guiche/internal/audit"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Author is who did something to a case, as the case keeps it; the zero value is
// the program.
type Author struct {
	User uuid.UUID
	Name string // as it was then
}

func authorOf(a permission.Actor) Author { return Author{User: a.User, Name: a.Name} }

// entry is what the audit trail keeps of what somebody did: identifiers only.
func (d *Desk) entry(a permission.Actor, event audit.Event, object string, uid uuid.UUID) audit.Entry {
	return audit.Entry{At: d.now(), Actor: a.User, Event: event, Object: object, ObjectID: uid}
}
