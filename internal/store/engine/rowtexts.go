package engine

import "strings"

// RowTexts makes strings of the texts that a query returns, many with one allocation. Whoever keeps
// one of them keeps the texts beside it. The zero value is ready.
type RowTexts struct {
	made strings.Builder // what it has handed out; it only grows within its room
	room int             // bytes of the latest allocation for many
}

// Bytes that many texts share: a query for one row takes the fewest.
const (
	leastRoom = 64
	mostRoom  = 4 << 10
)

// String returns the text of some bytes, which may change afterwards.
func (t *RowTexts) String(text []byte) string {
	if len(text) > mostRoom/8 {
		return string(text) // would leave much of the room unused
	}
	if t.made.Cap()-t.made.Len() < len(text) {
		t.room = min(max(2*t.room, leastRoom), mostRoom)
		t.made.Reset()
		t.made.Grow(max(t.room, len(text)))
	}
	from := t.made.Len()
	_, _ = t.made.Write(text) // never fails
	return t.made.String()[from:]
}
