package directory

import "github.com/google/uuid"

// Standing is what the authorization service said about an entry when the directory
// was synchronised. Identifiers of entries that it never listed are nobody's but
// ours.
type Standing int

// The standings.
const (
	Local    Standing = iota // the service never listed it
	Listed                   // it did, the last time
	Unlisted                 // it did once and no longer does: it was switched off for that
)

// Standings are the standings of entries by their identifiers.
type Standings struct{ Units, CarePoints, Professionals map[uuid.UUID]Standing }

func newStandings() Standings {
	return Standings{map[uuid.UUID]Standing{}, map[uuid.UUID]Standing{}, map[uuid.UUID]Standing{}}
}
