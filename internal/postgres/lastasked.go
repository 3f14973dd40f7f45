package postgres

import (
	"crypto/sha256"
	"slices"
	"sync"
)

// readingID is the hash of what is read and of who reads it, zero for what nobody reads again.
type readingID [sha256.Size]byte

func readingIDOf(name string) readingID {
	if name == "" {
		return readingID{}
	}
	return sha256.Sum256([]byte(name))
}

// mostRemembered is how many readings are remembered, of a few kB each.
const mostRemembered = 1024

// lastAsked is what readings asked the last time. One that asks the same again gets all of it by one way.
type lastAsked struct {
	mu  sync.Mutex
	all map[readingID][]waiting
}

// soon are the queries of a reading, to be asked.
func (l *lastAsked) soon(id readingID) (soon []*ahead) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.all[id] {
		soon = append(soon, &ahead{waiting: w})
	}
	return soon
}

// remember keeps what a reading asked, but for what is planned for its values: those may be words of a search.
func (l *lastAsked) remember(id readingID, asked []waiting) {
	if id == (readingID{}) {
		return
	}
	asked = slices.DeleteFunc(asked, func(w waiting) bool { return w.statement.byValue })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[readingID][]waiting{}
	}
	for other := range l.all {
		if len(l.all) < mostRemembered {
			break
		}
		delete(l.all, other)
	}
	l.all[id] = asked
}

// forget reports whether the reading was remembered.
func (l *lastAsked) forget(id readingID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, found := l.all[id]
	delete(l.all, id)
	return found
}

// notes keeps what is asked in a transaction that goes on.
func (c *conn) notes(s *statement) {
	if c.goesOn && !slices.ContainsFunc(c.asked, func(w waiting) bool { return w.is(s, c.values) }) {
		c.asked = append(c.asked, c.waiting(s))
	}
}
