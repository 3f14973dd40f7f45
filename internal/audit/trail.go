package audit

import (
	"time"

	"github.com/google/uuid"
)

// Filter chooses entries; a zero field matches all.
type Filter struct {
	From, To time.Time // From included, To excluded
	Actor    uuid.UUID
	Event    Event
	Denied   bool // only refused acts
	// SameAddress is the position of an entry: only those from its address. None does
	// once it was forgotten.
	SameAddress int64
	Before      int64 // only entries before this position, the last one of the previous page
	Limit       int   // 50 when zero, at most 500
}

// State is what the latest check of a trail found.
type State struct {
	At     time.Time    // zero before the first check
	Head   Head         // the last entry that was checked
	Broken *BrokenError // the first break that nobody acknowledged; nil when there is none
	End    *BrokenError // of the end of the trail, nil when it is the one that was noted
	Mark   string       // the same for as long as nothing else is found broken

	Acknowledged *Link // the latest entry by which somebody ended an alarm, nil for none
}
