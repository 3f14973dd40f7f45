package jsonscan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// want says what the grammar allows next.
type want int

const (
	wantValue      want = iota
	wantFirstValue      // a value, or the end of an empty array
	wantName
	wantFirstName // a name, or the end of an empty object
	wantColon
	wantNext // a comma, or the end of the object or array
	wantEnd
)

// scanner follows the structure of the text byte by byte, copies it into rest
// and lifts long strings. Spelling of scalars, escapes and duplicate names are
// left to verify.
type scanner struct {
	ctx   context.Context
	in    *input
	sink  Sink
	o     Options
	token string // random part of the placeholders
	doc   *Document
	stack []frame
	want  want
	jumps []jump
}

func (s *scanner) run() error {
	for {
		b, err := s.in.window(1)
		if errors.Is(err, io.EOF) {
			return s.atEnd()
		}
		if err != nil {
			return err
		}
		if err := s.next(b[0]); err != nil {
			return err
		}
	}
}

func (s *scanner) atEnd() error {
	switch {
	case s.want == wantEnd:
		return nil
	case len(s.doc.rest) == 0:
		return s.fail(Empty)
	}
	return s.fail(Syntax)
}

// next reads the token that begins with c.
func (s *scanner) next(c byte) error {
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		return s.space()
	case s.want == wantEnd:
		return s.fail(Trailing)
	case c == '"' && (s.want == wantName || s.want == wantFirstName):
		return s.name()
	case c == ':' && s.want == wantColon:
		s.want = wantValue
		return s.copy(1)
	case c == ',' && s.want == wantNext:
		return s.comma()
	case c == '}' || c == ']':
		return s.end(c)
	case s.want == wantValue || s.want == wantFirstValue:
		return s.value(c)
	}
	return s.fail(Syntax)
}

// space keeps white space inside the value and drops it around.
func (s *scanner) space() error {
	if len(s.doc.rest) > 0 && s.want != wantEnd {
		return s.copy(1)
	}
	b, err := s.in.window(1)
	if err != nil {
		return err
	}
	s.in.take(len(b) - len(bytes.TrimLeft(b, " \t\n\r")))
	s.jump()
	return nil
}

func (s *scanner) value(c byte) error {
	switch {
	case c == '"':
		return s.text()
	case c == '{' || c == '[':
		return s.begin(c)
	case scalarByte(c):
		return s.scalar()
	}
	return s.fail(Syntax)
}

func (s *scanner) begin(c byte) error {
	if len(s.stack) == s.o.Depth {
		return s.fail(Depth)
	}
	s.stack = append(s.stack, frame{array: c == '['})
	s.want = wantFirstName
	if c == '[' {
		s.want = wantFirstValue
	}
	return s.copy(1)
}

func (s *scanner) end(c byte) error {
	if len(s.stack) == 0 || s.top().array != (c == ']') {
		return s.fail(Syntax)
	}
	if s.want != wantNext && s.want != wantFirstName && s.want != wantFirstValue {
		return s.fail(Syntax)
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.afterValue()
	return s.copy(1)
}

func (s *scanner) comma() error {
	s.want = wantName
	if top := s.top(); top.array {
		top.index++
		s.want = wantValue
	} else {
		top.named = false
	}
	return s.copy(1)
}

func (s *scanner) top() *frame { return &s.stack[len(s.stack)-1] }

func (s *scanner) afterValue() {
	s.want = wantNext
	if len(s.stack) == 0 {
		s.want = wantEnd
	}
}

func (s *scanner) scalar() error {
	for {
		b, err := s.in.window(1)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		n := 0
		for n < len(b) && scalarByte(b[n]) {
			n++
		}
		if err := s.copy(n); err != nil {
			return err
		}
		if n < len(b) || len(b) == 0 {
			s.afterValue()
			return nil
		}
	}
}

// scalarByte reports whether numbers, true, false and null are made of c.
func scalarByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}

// name reads the name of a member.
func (s *scanner) name() error {
	start := len(s.doc.rest)
	if err := s.copyString(); err != nil {
		return err
	}
	name, err := jsontext.AppendUnquote(nil, s.doc.rest[start:])
	if err != nil {
		return s.fail(Syntax)
	}
	top := s.top()
	top.name, top.named = string(name), true
	s.want = wantColon
	return nil
}

// text reads a string value, into the rest or into the sink.
func (s *scanner) text() error {
	long, err := s.long()
	if err != nil {
		return err
	}
	if long && s.sink != nil {
		if pointer, ok := s.pointer(); ok && (s.o.Lift == nil || s.o.Lift(pointer)) {
			return s.lift()
		}
	}
	if err := s.copyString(); err != nil {
		return err
	}
	s.afterValue()
	return nil
}

// long reports whether the string that begins here has more than Inline bytes.
func (s *scanner) long() (bool, error) {
	for i, n := 1, 2; ; {
		b, err := s.in.window(n)
		var closed bool
		i, closed = span(b, i)
		switch {
		case i-1 > s.o.Inline:
			return true, nil
		case closed:
			return false, nil
		case err != nil:
			return false, s.cut(err)
		}
		n = len(b) + 1
	}
}

// span returns the index of the quote that closes a string, looking from i on,
// or how far b could be looked at; an escape cut by the end of b is not passed.
func span(b []byte, i int) (end int, closed bool) {
	for i < len(b) {
		switch {
		case b[i] == '"':
			return i, true
		case b[i] != '\\':
			i++
		case i+1 == len(b):
			return i, false
		default:
			i += 2
		}
	}
	return i, false
}

// copyString copies a string with its quotes into the rest.
func (s *scanner) copyString() error {
	start, offset := len(s.doc.rest), s.in.off
	if err := s.copy(1); err != nil {
		return err
	}
	for closed := false; !closed; {
		b, err := s.in.window(2) // enough for an escape
		var n int
		n, closed = span(b, 0)
		if n == 0 && !closed {
			return s.cut(err)
		}
		if closed {
			n++
		}
		if err := s.copy(n); err != nil {
			return err
		}
	}
	if !utf8.Valid(s.doc.rest[start:]) {
		return &Error{Kind: UTF8, Path: s.path(), Offset: offset}
	}
	return nil
}

// copy moves n bytes of the window into the rest.
func (s *scanner) copy(n int) error {
	if int64(len(s.doc.rest)+n) > s.o.MaxRest {
		return s.fail(RestTooLarge)
	}
	b, err := s.in.window(n)
	if err != nil {
		return s.cut(err)
	}
	s.doc.rest = append(s.doc.rest, b[:n]...)
	s.in.take(n)
	return nil
}

// cut turns the end of the text where more was wanted into a Syntax error.
func (s *scanner) cut(err error) error {
	if errors.Is(err, io.EOF) {
		return s.fail(Syntax)
	}
	return err
}

func (s *scanner) fail(k Kind) error { return &Error{Kind: k, Path: s.path(), Offset: s.in.off} }
