package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"time"
)

// Key authenticates the chain. It is kept outside the database, so that write access
// to the database is not enough to forge the trail.
type Key [32]byte

// MAC authenticates an entry together with all entries before it.
type MAC [sha256.Size]byte

// Head is the end of a chain. The zero Head is that of an empty one.
type Head struct {
	Position int64 // of the last entry, counted from 1 without gaps
	MAC      MAC
}

// Link is an entry in its place in the chain.
type Link struct {
	Head
	Entry Entry
}

// BrokenError names the first position at which a chain is not as it was written;
// position 0 is the head that is kept in a file.
type BrokenError struct {
	Position int64
	Reason   string
}

// Error implements error.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("audit: chain broken at entry %d: %s", e.Position, e.Reason)
}

// Next returns the link that e becomes after head: its MAC is HMAC-SHA256 over
// the MAC before it, its position and the entry.
func (k Key) Next(head Head, e Entry) Link {
	link := Link{Head: Head{Position: head.Position + 1}, Entry: e}
	mac := hmac.New(sha256.New, k[:])
	mac.Write(head.MAC[:])
	mac.Write(canonical(link.Position, e))
	mac.Sum(link.MAC[:0])
	return link
}

// Seal authenticates an entry that has no place in the chain yet, and since when the same keeps it out
// of the chain (the zero time: never).
func (k Key) Seal(e Entry, since time.Time) MAC {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte("unlinked"))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(since.UnixMicro())))
	mac.Write(canonical(0, e))
	return MAC(mac.Sum(nil))
}

// Verify checks a chain from its first link and returns its head, or a BrokenError
// for the first position that was altered, removed or moved, or whose address was, and
// that nobody acknowledged. It cannot see that the end is missing: compare the head with
// one that is kept elsewhere for that. An error of links is returned as it is.
func (k Key) Verify(links iter.Seq2[Link, error]) (Head, error) {
	x, err := k.Examine(links)
	if err == nil && x.Broken != nil {
		err = x.Broken
	}
	return x.Head, err
}

// canonical returns the bytes of an entry that its MAC is made of: fixed widths
// first, then each text with its length, so that no two entries have the same. The
// first byte is the version of this form: 2 ends with the digest of the address, and 1
// is that of entries without one, as all were at first.
func canonical(position int64, e Entry) []byte {
	b := []byte{1}
	if e.Origin.recorded() {
		b[0] = 2
	}
	b = binary.BigEndian.AppendUint64(b, uint64(position))
	b = binary.BigEndian.AppendUint64(b, uint64(e.At.UnixMicro()))
	b = append(b, e.Actor[:]...)
	b = append(b, e.ObjectID[:]...)
	for _, text := range []string{string(e.Event), e.Object, e.Detail} {
		b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	if e.Origin.recorded() {
		b = append(b, e.Origin.Digest[:]...)
	}
	return b
}
