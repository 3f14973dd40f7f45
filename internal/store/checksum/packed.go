package checksum

import (
	"crypto/sha256"
	"encoding/binary"

	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Pack returns a row as one value: what its sum is made of, and the sum.
func (t Table) Pack(values []any) ([]byte, error) {
	packed, err := t.encode(make([]byte, 0, 512), engine.Texts(values))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(packed)
	return append(packed, sum[:Size]...), nil
}

// Unpack reads what Pack returned into targets, as Read shows a row in them, and reports whether it is as it
// was packed. Where it is not, the targets hold nothing to rely on.
func (r *Reader) Unpack(packed []byte, targets []any) (whole bool) {
	length := len(packed) - Size
	if length < 0 {
		return false
	}
	encoded := packed[:length]
	if sum := sha256.Sum256(encoded); string(sum[:Size]) != string(packed[length:]) {
		return false
	}
	u := unpacking{bytes: encoded, text: string(encoded)}
	if u.tag() != version || u.tag() != tagText || u.part() != r.table.Name {
		return false
	}
	for i, target := range targets {
		if u.number() != uint64(i) || !u.value(target) { //nolint:gosec // a place
			return false
		}
	}
	return !u.short && u.at == length
}

// unpacking is a packed row, read up to a place. Its texts are parts of one.
type unpacking struct {
	bytes []byte
	text  string
	at    int
	short bool // it ended before what was asked of it
}

// value reads the value of a column.
func (u *unpacking) value(target any) bool {
	tag := u.tag()
	switch t := target.(type) {
	case *string:
		*t = u.part()
		return tag == tagText
	case *int64:
		*t = u.integer()
		return tag == tagInteger
	case *bool:
		*t = u.integer() != 0
		return tag == tagInteger
	case *uuid.UUID:
		return tag == tagBlob && copy(t[:], u.part()) == len(t)
	}
	return false
}

func (u *unpacking) tag() byte {
	if !u.has(1) {
		return 0
	}
	u.at++
	return u.bytes[u.at-1]
}

func (u *unpacking) number() uint64 {
	n, length := binary.Uvarint(u.bytes[u.at:])
	u.short = u.short || length <= 0
	u.at += max(length, 0)
	return n
}

func (u *unpacking) integer() int64 {
	if !u.has(8) {
		return 0
	}
	u.at += 8
	return int64(binary.BigEndian.Uint64(u.bytes[u.at-8:])) //nolint:gosec // the bits
}

// part reads bytes that stand behind their number.
func (u *unpacking) part() string {
	n := u.number()
	if n > uint64(len(u.bytes)) || !u.has(int(n)) { //nolint:gosec // no longer than what there is
		u.short = true
		return ""
	}
	u.at += int(n)                    //nolint:gosec // the same
	return u.text[u.at-int(n) : u.at] //nolint:gosec // the same
}

func (u *unpacking) has(n int) bool {
	u.short = u.short || len(u.bytes)-u.at < n
	return !u.short
}
