package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"iter"
)

// Examination is what a chain was found to be.
type Examination struct {
	Head         Head
	Broken       *BrokenError // the first break that nobody acknowledged
	Acknowledged *Link        // the latest acknowledgement that covers something
	open         acknowledgement
}

// Examine checks a chain from its first link to its last, beyond what is broken: an entry
// that is not the one that was written is followed by what was written after it. An error
// of links is returned as it is.
func (k Key) Examine(links iter.Seq2[Link, error]) (Examination, error) {
	x := examiner{key: k, sum: hmac.New(sha256.New, k[:])}
	for link, err := range links {
		if err != nil {
			return x.end(), err
		}
		x.look(link)
	}
	return x.end(), nil
}

// examiner follows a chain.
type examiner struct {
	key       Key
	head      Head
	sum       hash.Hash    // of all broken entries so far
	entries   *BrokenError // the first of those that are not acknowledged
	some      bool         // there are broken entries
	addresses unaddressed
	latest    *Link
}

// look takes the next link into account.
func (x *examiner) look(link Link) {
	want := x.key.Next(x.head, link.Entry)
	x.head = link.Head
	switch {
	case link.Position != want.Position:
		x.breaks(link, &BrokenError{want.Position, fmt.Sprintf("the entry is missing, number %d follows", link.Position)})
	case !hmac.Equal(link.MAC[:], want.MAC[:]):
		x.breaks(link, &BrokenError{want.Position, "the entry is not the one that was written here"})
	default:
		x.acknowledge(link)
		x.addresses = x.addresses.look(link)
	}
}

// breaks notes a broken entry with all that stands there now.
func (x *examiner) breaks(link Link, broken *BrokenError) {
	x.sum.Write(link.MAC[:])
	x.sum.Write(canonical(link.Position, link.Entry))
	x.some = true
	if x.entries == nil {
		x.entries = broken
	}
}

// acknowledge ends the alarm about the broken entries so far, where they are those that
// were acknowledged.
func (x *examiner) acknowledge(link Link) {
	ack, ok := link.Entry.acknowledges()
	if !ok {
		return
	}
	if ack.entries == x.entriesSum() {
		x.entries = nil
	}
	x.latest = &link
}

// entriesSum stands for all broken entries so far, "" for none.
func (x *examiner) entriesSum() string {
	if !x.some {
		return ""
	}
	return hex.EncodeToString(x.sum.Sum(nil)[:8]) // nobody without the key can look for another set with that sum
}

// end returns what was found.
func (x *examiner) end() Examination {
	found := Examination{Head: x.head, Broken: x.entries, Acknowledged: x.latest}
	found.open = acknowledgement{entries: x.entriesSum(), addresses: x.addresses.ranges()}
	if len(x.addresses) > 0 && (found.Broken == nil || x.addresses[0].position < found.Broken.Position) {
		found.Broken = &BrokenError{x.addresses[0].position, x.addresses[0].reason}
	}
	return found
}
