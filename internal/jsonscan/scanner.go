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
// and extracts long strings. Scalars, escapes and duplicate names are checked by
// verify.
type scanner struct {
	ctx      context.Context
	in       *input
	sink     Sink
	o        Options
	token    string // random part of the placeholders
	doc      *Document
	stack    []frame
	expected want
	values   int // begun so far
	shifts   []shift
}

// run reads the document token by token to its end.
func (s *scanner) run() error {
	if err := s.mark(); err != nil {
		return err
	}
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

// byteOrderMark begins what some programs write as UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// mark skips a byte-order mark before the document, as RFC 8259, 8.1 allows.
func (s *scanner) mark() error {
	b, err := s.in.window(len(byteOrderMark))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(b, []byte(byteOrderMark)) {
		s.in.advance(len(byteOrderMark))
		s.noteShift()
	}
	return nil
}

// atEnd decides what the end of the input means: a complete document, an empty body, or
// one that breaks off.
func (s *scanner) atEnd() error {
	switch {
	case s.expected == wantEnd:
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
	case s.expected == wantEnd:
		return s.fail(Trailing)
	case c == '"' && (s.expected == wantName || s.expected == wantFirstName):
		return s.memberName()
	case c == ':' && s.expected == wantColon:
		s.expected = wantValue
		return s.copy(1)
	case c == ',' && s.expected == wantNext:
		return s.comma()
	case c == '}' || c == ']':
		return s.end(c)
	case s.expected == wantValue || s.expected == wantFirstValue:
		return s.value(c)
	}
	return s.fail(Syntax)
}

// space keeps white space inside the value and drops it around it.
func (s *scanner) space() error {
	if len(s.doc.rest) > 0 && s.expected != wantEnd {
		return s.copy(1)
	}
	b, err := s.in.window(1)
	if err != nil {
		return err
	}
	s.in.advance(len(b) - len(bytes.TrimLeft(b, " \t\n\r")))
	s.noteShift()
	return nil
}

// value goes by the first byte. Numbers and words are only delimited here; Verify checks
// their grammar afterwards, in what remains of the document.
func (s *scanner) value(c byte) error {
	if s.values++; s.o.MaxValues > 0 && s.values > s.o.MaxValues {
		return s.fail(TooManyValues)
	}
	switch {
	case c == '"':
		return s.stringValue()
	case c == '{' || c == '[':
		return s.begin(c)
	case scalarByte(c):
		return s.scalar()
	}
	return s.fail(Syntax)
}

// begin enters an object or an array, down to the allowed depth.
func (s *scanner) begin(c byte) error {
	if len(s.stack) == s.o.Depth {
		return s.fail(Depth)
	}
	s.stack = append(s.stack, frame{array: c == '['})
	s.expected = wantFirstName
	if c == '[' {
		s.expected = wantFirstValue
	}
	return s.copy(1)
}

// end leaves an object or an array, if it is the one that is open and not right after a
// comma.
func (s *scanner) end(c byte) error {
	if len(s.stack) == 0 || s.top().array != (c == ']') {
		return s.fail(Syntax)
	}
	if s.expected != wantNext && s.expected != wantFirstName && s.expected != wantFirstValue {
		return s.fail(Syntax)
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.afterValue()
	return s.copy(1)
}

// comma moves on to the next member or element.
func (s *scanner) comma() error {
	s.expected = wantName
	if top := s.top(); top.array {
		top.index++
		s.expected = wantValue
	} else {
		top.named = false
	}
	return s.copy(1)
}

// top is the innermost open object or array. Only begin adds one; callers have checked
// that there is one.
func (s *scanner) top() *frame { return &s.stack[len(s.stack)-1] }

// afterValue expects a comma or a closing bracket, or nothing more once the outermost
// value is complete.
func (s *scanner) afterValue() {
	s.expected = wantNext
	if len(s.stack) == 0 {
		s.expected = wantEnd
	}
}

// scalar copies a number or a word, however many windows it spans.
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

// memberName reads the name of a member.
func (s *scanner) memberName() error {
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
	s.expected = wantColon
	return nil
}

// stringValue reads a string value, into the rest or into the sink.
func (s *scanner) stringValue() error {
	long, err := s.isLong()
	if err != nil {
		return err
	}
	if long && s.sink != nil {
		if pointer, ok := s.pointer(); ok && (s.o.Extract == nil || s.o.Extract(pointer)) {
			return s.extract()
		}
	}
	if err := s.copyString(); err != nil {
		return err
	}
	s.afterValue()
	return nil
}

// isLong reports whether the string that begins here has more than Inline bytes.
func (s *scanner) isLong() (bool, error) {
	for i, n := 1, 2; ; {
		b, err := s.in.window(n)
		var closed bool
		i, closed = stringEnd(b, i)
		switch {
		case i-1 > s.o.Inline:
			return true, nil
		case closed:
			return false, nil
		case err != nil:
			return false, s.unexpectedEnd(err)
		}
		n = len(b) + 1
	}
}

// stringEnd returns the index of the quote that closes a string, from i on, or
// where b ends without one: at its end, or at an escape that is cut there.
func stringEnd(b []byte, i int) (end int, closed bool) {
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
	start, offset := len(s.doc.rest), s.in.offset
	if err := s.copy(1); err != nil {
		return err
	}
	for closed := false; !closed; {
		b, err := s.in.window(2) // enough for an escape
		var n int
		n, closed = stringEnd(b, 0)
		if n == 0 && !closed {
			return s.unexpectedEnd(err)
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
		return s.unexpectedEnd(err)
	}
	s.doc.rest = append(s.doc.rest, b[:n]...)
	s.in.advance(n)
	return nil
}

// unexpectedEnd turns io.EOF into a Syntax error.
func (s *scanner) unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return s.fail(Syntax)
	}
	return err
}

// fail is an error at the place where the scanner stands.
func (s *scanner) fail(k Kind) error { return &Error{Kind: k, Path: s.path(), Offset: s.in.offset} }
