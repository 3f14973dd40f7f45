package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// shift says that from a byte of the rest on, the text is at another offset.
type shift struct {
	rest int
	text int64
}

// noteShift is called wherever the rest leaves out something of the text.
func (s *scanner) noteShift() {
	j := shift{len(s.doc.rest), s.in.offset}
	if n := len(s.shifts); n > 0 && s.shifts[n-1].rest == j.rest {
		s.shifts[n-1] = j
		return
	}
	s.shifts = append(s.shifts, j)
}

// offset returns where a byte of the rest was in the text.
func (s *scanner) offset(rest int64) int64 {
	text := rest
	for _, j := range s.shifts {
		if int64(j.rest) <= rest {
			text = j.text + rest - int64(j.rest)
		}
	}
	return text
}

// verify reads the rest strictly: scalars and escapes as in RFC 8259, and no name
// twice in an object.
func (s *scanner) verify() error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(s.doc.rest))
	for {
		_, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var invalid *jsontext.SyntacticError
		if errors.As(err, &invalid) {
			return &Error{Kind: kindOf(invalid), Path: pathOf(dec, invalid.JSONPointer), Offset: s.offset(invalid.ByteOffset)}
		}
		if err != nil {
			return fmt.Errorf("read JSON: %w", err)
		}
	}
}

// kindOf tells a repeated name, which has its own code, from any other mistake of
// syntax.
func kindOf(err *jsontext.SyntacticError) Kind {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return Duplicate
	}
	return Syntax
}

// pathOf turns the decoder's pointer into a field path; the decoder's stack says
// which tokens are indices.
func pathOf(dec *jsontext.Decoder, pointer jsontext.Pointer) string {
	var stack []frame
	for token := range pointer.Tokens() {
		f := frame{name: token, named: true}
		if level := len(stack) + 1; level <= dec.StackDepth() {
			kind, length := dec.StackIndex(level)
			f.array = kind == '['
			f.index = max(0, int(length)-1)
			if f.array {
				_, _ = fmt.Sscan(token, &f.index)
			}
		}
		stack = append(stack, f)
	}
	return fieldPath(stack)
}
