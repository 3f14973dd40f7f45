package jsonscan

import (
	"errors"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// textReader reads the characters of a JSON string, as UTF-8, from behind its
// opening quote to behind the closing one. It is as strict as verify.
type textReader struct {
	in  *input
	err error
}

// Read needs room for one character: 4 bytes.
func (t *textReader) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	b, err := t.in.window(1)
	if err != nil {
		return 0, t.unexpectedEnd(err)
	}
	n := 0
	for most := min(len(b), len(p)); n < most && plain[b[n]]; n++ {
	}
	if n > 0 {
		copy(p, b[:n])
		t.in.advance(n)
		return n, nil
	}
	return t.nextSpecial(p, b[0])
}

// plain says which bytes are characters by themselves.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// nextSpecial handles what ends a run of plain ASCII: the closing quote, an escape, a
// control character (not allowed) or a character of several bytes, which must be valid
// UTF-8.
func (t *textReader) nextSpecial(p []byte, c byte) (int, error) {
	switch {
	case c == '"':
		t.in.advance(1)
		t.err = io.EOF
		return 0, t.err
	case c == '\\':
		return t.escape(p)
	case c < ' ':
		return 0, t.fail(Syntax)
	}
	b, err := t.in.window(utf8.UTFMax)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, t.unexpectedEnd(err)
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return 0, t.fail(UTF8)
	}
	t.in.advance(n)
	return utf8.EncodeRune(p[:utf8.UTFMax], r), nil
}

// shortEscapes are the escapes of one letter (RFC 8259, section 7).
var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes one escape sequence into p.
func (t *textReader) escape(p []byte) (int, error) {
	b, err := t.in.window(2)
	if err != nil {
		return 0, t.unexpectedEnd(err)
	}
	if b[1] == 'u' {
		return t.unicode(p)
	}
	c, ok := shortEscapes[b[1]]
	if !ok {
		return 0, t.fail(Syntax)
	}
	t.in.advance(2)
	p[0] = c
	return 1, nil
}

// unicode reads \uXXXX, and the second half of a surrogate pair.
func (t *textReader) unicode(p []byte) (int, error) {
	r, err := t.hex()
	if err != nil {
		return 0, err
	}
	if utf16.IsSurrogate(r) {
		low, err := t.hex()
		if err != nil {
			return 0, err
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return 0, t.fail(Syntax)
		}
	}
	return utf8.EncodeRune(p[:utf8.UTFMax], r), nil
}

// hex reads one \uXXXX, which may be half of a surrogate pair.
func (t *textReader) hex() (rune, error) {
	const length = 6
	b, err := t.in.window(length)
	if err != nil {
		return 0, t.unexpectedEnd(err)
	}
	n, err := strconv.ParseUint(string(b[2:length]), 16, 16)
	if err != nil || b[0] != '\\' || b[1] != 'u' {
		return 0, t.fail(Syntax)
	}
	t.in.advance(length)
	return rune(n), nil
}

// unexpectedEnd tells a document that breaks off from a connection that does: only the
// first is the sender's mistake.
func (t *textReader) unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return t.fail(Syntax)
	}
	t.err = err
	return err
}

// fail ends the text for good: a later Read gets the same error.
func (t *textReader) fail(k Kind) error {
	t.err = &Error{Kind: k, Offset: t.in.offset}
	return t.err
}
