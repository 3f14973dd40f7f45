package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// jump notes that from a byte of the rest on, the text is at another offset.
type jump struct {
	rest int
	text int64
}

// jump is noted wherever something of the text was left out.
func (s *scanner) jump() {
	j := jump{len(s.doc.rest), s.in.off}
	if n := len(s.jumps); n > 0 && s.jumps[n-1].rest == j.rest {
		s.jumps[n-1] = j
		return
	}
	s.jumps = append(s.jumps, j)
}

// offset returns where in the text a byte of the rest stood.
func (s *scanner) offset(rest int64) int64 {
	text := rest
	for _, j := range s.jumps {
		if int64(j.rest) <= rest {
			text = j.text + rest - int64(j.rest)
		}
	}
	return text
}

// verify reads the rest strictly: scalars and escapes as RFC 8259 spells them,
// no name twice in an object.
func (s *scanner) verify() error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(s.doc.rest))
	for {
		_, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var wrong *jsontext.SyntacticError
		if errors.As(err, &wrong) {
			return &Error{Kind: kindOf(wrong), Path: pathOf(dec, wrong.JSONPointer), Offset: s.offset(wrong.ByteOffset)}
		}
		if err != nil {
			return fmt.Errorf("read JSON: %w", err)
		}
	}
}

func kindOf(err *jsontext.SyntacticError) Kind {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return Duplicate
	}
	return Syntax
}

// pathOf writes the decoder's pointer as a field path; the decoder's stack says
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
