package desk

import (
	"guiche/internal/audit"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// entry tells the audit trail what somebody did: identifiers only.
func (d *Desk) entry(a permission.Actor, event audit.Event, object string, uid uuid.UUID) audit.Entry {
	return audit.Entry{At: d.now(), Actor: a.User, Event: event, Object: object, ObjectID: uid}
}
