package checksum

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Pack returns a row as one value, with a sum at its end: integers, and texts and bytes behind their lengths, in few
// bytes and without their types, which Unpack is told.
func (t Table) Pack(values []any) ([]byte, error) {
	packed := make([]byte, 0, 256)
	for i, value := range engine.Texts(values) {
		value, err := plain(value)
		if err != nil {
			return nil, fmt.Errorf("checksum: %s.%s: %w", t.Name, t.column(i), err)
		}
		switch v := value.(type) {
		case int64:
			packed = binary.AppendVarint(packed, v)
		case string:
			packed = append(binary.AppendUvarint(packed, uint64(len(v))), v...)
		case []byte:
			packed = append(binary.AppendUvarint(packed, uint64(len(v))), v...)
		default:
			return nil, fmt.Errorf("checksum: %s.%s: a %T is not packed", t.Name, t.column(i), value)
		}
	}
	sum := t.sumPacked(packed)
	return append(packed, sum[:Size]...), nil
}

// sumPacked is a sum of a packed row, which is no other table's.
func (t Table) sumPacked(packed []byte) [sha256.Size]byte {
	var room [512]byte // not on the heap: it is asked for each row of a list
	return sha256.Sum256(append(append(room[:0], packed...), t.Name...))
}

// Unpack reads what Pack returned into targets, as Read shows a row in them, and reports whether it is as it
// was packed. Where it is not, the targets hold nothing to rely on.
func (r *Reader) Unpack(packed []byte, targets []any) (whole bool) {
	length := len(packed) - Size
	if length < 0 {
		return false
	}
	u := unpacking{bytes: packed[:length:length], text: string(packed[:length])}
	if sum := r.table.sumPacked(u.bytes); string(sum[:Size]) != string(packed[length:]) {
		return false
	}
	for _, target := range targets {
		u.read(target)
	}
	return !u.short && u.at == length
}

// unpacking is a packed row, read up to a place. Its texts are parts of one.
type unpacking struct {
	bytes []byte
	text  string
	at    int
	short bool // it ended before what was asked of it, or held something else
}

// read reads the value of a column.
func (u *unpacking) read(target any) {
	switch t := target.(type) {
	case *string:
		*t = u.part()
	case *int64:
		*t = u.integer()
	case *bool:
		*t = u.integer() != 0
	case *uuid.UUID:
		u.short = copy(t[:], u.part()) < len(t) || u.short
	default:
		u.short = true
	}
}

func (u *unpacking) integer() int64 {
	n, length := binary.Varint(u.bytes[u.at:])
	u.pass(length)
	return n
}

// part reads bytes that stand behind their number.
func (u *unpacking) part() string {
	n, length := binary.Uvarint(u.bytes[u.at:])
	u.pass(length)
	if rest := u.text[u.at:]; n > uint64(len(rest)) {
		u.short = true
		return ""
	}
	u.at += int(n) // no longer than the rest
	return u.text[u.at-int(n) : u.at]
}

func (u *unpacking) pass(length int) {
	u.short = u.short || length <= 0
	u.at += max(length, 0)
}
