package document

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// The values of a PDF (ISO 32000-1, 7.3) that a check needs: a name, a reference
// to an object by its number, int, dict, []any. All others are opaque.
type (
	pdfName string
	pdfRef  int
	dict    map[string]any
	opaque  struct{}
)

// keyword is a bare word: obj, stream, true, null.
type keyword string

var errMalformed = errors.New("malformed PDF")

// maxNesting is how deep arrays and dictionaries may be nested.
const maxNesting = 32

// tokens reads values from the bytes of a file.
type tokens struct {
	b        []byte
	i        int
	comments int // bytes of those that were skipped, each time that they were
}

const (
	pdfSpace     = "\x00\t\n\f\r "
	pdfDelimiter = pdfSpace + "()<>[]{}/%"
)

// skipSpace skips white space and comments and returns the next byte, 0 at the end.
func (t *tokens) skipSpace() byte {
	for t.i < len(t.b) {
		switch c := t.b[t.i]; {
		case bytes.IndexByte([]byte(pdfSpace), c) >= 0:
			t.i++
		case c == '%':
			n := lineLength(t.b[t.i:])
			t.i, t.comments = t.i+n, t.comments+n
		default:
			return c
		}
	}
	return 0
}

// lineLength is the length of the line without its end.
func lineLength(b []byte) int {
	if n := bytes.IndexAny(b, "\r\n"); n >= 0 {
		return n
	}
	return len(b)
}

// word returns the bytes up to the next delimiter.
func (t *tokens) word() string {
	n := bytes.IndexAny(t.b[t.i:], pdfDelimiter)
	if n < 0 {
		n = len(t.b) - t.i
	}
	t.i += n
	return string(t.b[t.i-n : t.i])
}

// value reads one value.
func (t *tokens) value(depth int) (any, error) {
	if depth > maxNesting {
		return nil, errMalformed
	}
	switch c := t.skipSpace(); {
	case c == 0:
		return nil, errMalformed
	case c == '/':
		t.i++
		return pdfName(unescapeName(t.word())), nil
	case c == '[':
		t.i++
		return t.array(depth)
	case bytes.HasPrefix(t.b[t.i:], []byte("<<")):
		t.i += 2
		return t.dict(depth)
	case c == '<':
		return t.skipPast('>')
	case c == '(':
		return t.skipString()
	case bytes.IndexByte([]byte(pdfDelimiter), c) >= 0:
		return nil, errMalformed
	}
	return t.number(), nil
}

// number reads a number, a reference ("12 0 R") or a keyword.
func (t *tokens) number() any {
	word := t.word()
	n, err := strconv.Atoi(word)
	if err != nil {
		if _, err := strconv.ParseFloat(word, 64); err == nil {
			return opaque{}
		}
		return keyword(word)
	}
	back := t.i
	t.skipSpace()
	if _, err := strconv.Atoi(t.word()); err == nil {
		t.skipSpace()
		if t.word() == "R" {
			return pdfRef(n)
		}
	}
	t.i = back
	return n
}

// array reads up to the closing bracket; depth bounds how far a crafted file makes it
// recurse.
func (t *tokens) array(depth int) (any, error) {
	var all []any
	for t.skipSpace() != ']' {
		v, err := t.value(depth + 1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	t.i++
	return all, nil
}

// dict reads up to the closing brackets; of a repeated key the last value holds.
func (t *tokens) dict(depth int) (any, error) {
	d := dict{}
	for {
		t.skipSpace()
		if bytes.HasPrefix(t.b[t.i:], []byte(">>")) {
			t.i += 2
			return d, nil
		}
		key, err := t.value(depth + 1)
		if err != nil {
			return nil, err
		}
		name, ok := key.(pdfName)
		if !ok {
			return nil, errMalformed
		}
		if d[string(name)], err = t.value(depth + 1); err != nil {
			return nil, err
		}
	}
}

// skipPast skips everything up to and with a byte.
func (t *tokens) skipPast(end byte) (any, error) {
	n := bytes.IndexByte(t.b[t.i:], end)
	if n < 0 {
		return nil, errMalformed
	}
	t.i += n + 1
	return opaque{}, nil
}

// skipString skips a string in parentheses, which may hold balanced ones.
func (t *tokens) skipString() (any, error) {
	for open := 0; t.i < len(t.b); t.i++ {
		switch t.b[t.i] {
		case '\\':
			t.i++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				t.i++
				return opaque{}, nil
			}
		}
	}
	return nil, errMalformed
}

// unescapeName reads #xx in a name, so that /Encr#79pt is /Encrypt.
func unescapeName(s string) string {
	var plain strings.Builder
	for {
		before, after, some := strings.Cut(s, "#")
		plain.WriteString(before)
		if !some {
			return plain.String()
		}
		c, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8)
		if s = after; err != nil || len(after) < 2 {
			plain.WriteByte('#')
			continue
		}
		plain.WriteByte(byte(c))
		s = after[2:]
	}
}
