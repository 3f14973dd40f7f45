package directory

import "github.com/google/uuid"

// SyncState is what the authorization service said about an entry when the
// directory was last synchronised with it.
type SyncState int

// The states.
const (
	Local    SyncState = iota // the service never listed it: its identifier is our own
	Listed                    // it was on the service's list
	Unlisted                  // it was once and no longer is, and was switched off for that
)

// SyncStates are the states of entries by their identifiers.
type SyncStates struct{ Units, CarePoints, Professionals map[uuid.UUID]SyncState }

func newSyncStates() SyncStates {
	return SyncStates{map[uuid.UUID]SyncState{}, map[uuid.UUID]SyncState{}, map[uuid.UUID]SyncState{}}
}

// setState notes the state of an entry where it is another one than before.
func setState(all map[uuid.UUID]SyncState, uid uuid.UUID, before, after SyncState) {
	if before != after {
		all[uid] = after
	}
}
