package jsonscan

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// base64Reader decodes base64 characters.
type base64Reader struct {
	text    *bufio.Reader
	limit   int64  // decoded bytes, 0 means no limit
	size    int64  // decoded bytes so far
	bits    uint32 // of an incomplete group of four characters
	held    int    // characters in bits
	padding int    // "=" seen
	begun   bool
	ended   bool   // io.EOF was returned
	failure Kind   // Base64 or ExtractedTooLarge
	out     []byte // decoded, not yet returned
	err     error
	buffer  [24 << 10]byte
}

// newBase64Reader decodes text, standard alphabet with padding, and fails beyond limit
// decoded bytes; 0 is no limit.
func newBase64Reader(text io.Reader, limit int64) *base64Reader {
	return &base64Reader{text: bufio.NewReaderSize(text, 32<<10), limit: limit}
}

// Read returns io.EOF only after the closing quote and complete padding: a truncated
// file is an error, never a short file.
func (r *base64Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			r.ended = errors.Is(r.err, io.EOF)
			return 0, r.err
		}
		r.err = r.fill()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill decodes the next characters into out.
func (r *base64Reader) fill() error {
	if !r.begun {
		r.begun = true
		if err := r.skipPrefix(); err != nil {
			return err
		}
	}
	_, err := r.text.Peek(1)
	if errors.Is(err, io.EOF) {
		return r.finish()
	}
	if err != nil {
		return err
	}
	window, _ := r.text.Peek(min(r.text.Buffered(), len(r.buffer)))
	out, ok := r.decode(r.buffer[:0], window)
	_, _ = r.text.Discard(len(window))
	if !ok {
		return r.fail(Base64)
	}
	return r.emit(out)
}

// maxPrefix is the longest data: prefix that is recognized, in characters.
const maxPrefix = 256

// skipPrefix skips "data:application/pdf;base64,".
func (r *base64Reader) skipPrefix() error {
	const scheme, encoding = "data:", ";base64"
	head, _ := r.text.Peek(len(scheme))
	if !strings.EqualFold(string(head), scheme) {
		return nil
	}
	head, err := r.text.Peek(maxPrefix)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	prefix, _, found := bytes.Cut(head, []byte(","))
	if !found || !strings.HasSuffix(strings.ToLower(string(prefix)), encoding) {
		return r.fail(Base64)
	}
	_, err = r.text.Discard(len(prefix) + 1)
	return err
}

const (
	noSextet   = 0xFF
	lineEnd    = 0xFE
	padSextet  = 0xFD
	maxPadding = 2
)

// sextets gives the six bits of a character, in either alphabet.
var sextets = func() (t [256]byte) {
	for i := range t {
		t[i] = noSextet
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for i, c := range []byte(letters) {
		t[c] = byte(i)
	}
	t['+'], t['-'], t['/'], t['_'] = 62, 62, 63, 63
	t['\r'], t['\n'], t['='] = lineEnd, lineEnd, padSextet
	return t
}()

// decode appends the bytes of chars to out and tells whether all of them belong to
// base64. Whole groups take a faster way; the bits of an unfinished group wait in r.bits
// for the next call.
func (r *base64Reader) decode(out, chars []byte) ([]byte, bool) {
	for i := 0; i < len(chars); i++ {
		if r.held == 0 && r.padding == 0 {
			out, i = decodeGroups(out, chars, i)
			if i == len(chars) {
				break
			}
		}
		v := sextets[chars[i]]
		switch {
		case v < 64 && r.padding == 0:
			r.bits, r.held = r.bits<<6|uint32(v), r.held+1
			if r.held == 4 {
				out = append(out, byte(r.bits>>16), byte(r.bits>>8), byte(r.bits))
				r.held = 0
			}
		case v == padSextet && r.held >= 2 && r.held+r.padding < 4:
			r.padding++
		case v == lineEnd:
		default:
			return out, false
		}
	}
	return out, true
}

// decodeGroups decodes whole groups of four characters from i on, up to the first
// that is not plain.
func decodeGroups(out, chars []byte, i int) ([]byte, int) {
	for ; i+4 <= len(chars); i += 4 {
		a, b, c, d := sextets[chars[i]], sextets[chars[i+1]], sextets[chars[i+2]], sextets[chars[i+3]]
		if a|b|c|d >= 64 {
			break
		}
		out = append(out, a<<2|b>>4, b<<4|c>>2, c<<6|d)
	}
	return out, i
}

// finish decodes the characters of an incomplete last group.
func (r *base64Reader) finish() error {
	if r.held == 1 || r.padding > 0 && r.held+r.padding != 4 {
		return r.fail(Base64)
	}
	tail := r.bits << (6 * (4 - r.held))
	out := [maxPadding]byte{byte(tail >> 16), byte(tail >> 8)}
	n := max(0, r.held-1)
	r.held = 0
	if err := r.emit(out[:n]); err != nil {
		return err
	}
	return io.EOF
}

// emit hands decoded bytes to Read, or refuses them once the file is larger than
// allowed.
func (r *base64Reader) emit(out []byte) error {
	r.size += int64(len(out))
	if r.limit > 0 && r.size > r.limit {
		return r.fail(ExtractedTooLarge)
	}
	r.out = out
	return nil
}

// fail notes the kind for the scanner, which adds the path and the offset.
func (r *base64Reader) fail(k Kind) error {
	r.failure = k
	return &Error{Kind: k}
}
