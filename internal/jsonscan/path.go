package jsonscan

import (
	"strconv"
	"strings"
)

// frame is an open object or array and the current place in it.
type frame struct {
	array bool
	index int    // of the element, in an array
	name  string // of the member, in an object
	named bool   // name is known
}

// maxPath is the length of Error.Path in characters (interface.md, row 12).
const maxPath = 200

// maxPointer bounds the pointers that Options.Extract is asked about, in bytes: names of
// members are the sender's, and no field of the specification is so deep.
const maxPointer = 1024

// path returns the place as people write it: anexos[1].base64.
func (s *scanner) path() string { return fieldPath(s.stack) }

// fieldPath writes a place as `a.b[2].c`, cut at maxPath characters: the names come from
// whoever sent the document and may be of any length.
func fieldPath(stack []frame) string {
	var b strings.Builder
	for _, f := range stack {
		switch {
		case f.array:
			b.WriteString("[" + strconv.Itoa(f.index) + "]")
		case !f.named:
		case b.Len() > 0:
			b.WriteString("." + f.name)
		default:
			b.WriteString(f.name)
		}
		if b.Len() > maxPath*4 {
			break
		}
	}
	path := []rune(b.String())
	return string(path[:min(len(path), maxPath)])
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the place as RFC 6901 writes it, false when it is too long.
func (s *scanner) pointer() (string, bool) {
	var b strings.Builder
	for _, f := range s.stack {
		token := f.name
		if f.array {
			token = strconv.Itoa(f.index)
		}
		if b.Len()+len(token) >= maxPointer {
			return "", false
		}
		b.WriteString("/" + pointerEscapes.Replace(token))
	}
	return b.String(), true
}
