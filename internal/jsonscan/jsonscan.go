// Package jsonscan reads JSON strictly and as a stream: strings longer than a
// limit go to a sink while their base64 is decoded, so that a body with hundreds
// of megabytes of attachments is never in memory; the rest is a small document,
// parsed strictly (interface.md, row 12).
package jsonscan

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strconv"
)

// Sink stores the decoded bytes of one extracted string and returns their name in
// the store and how many bytes it stored. It reads r to its end, and must keep
// nothing when r returns an error.
type Sink func(ctx context.Context, r io.Reader) (ref string, size int64, err error)

// Options are the limits of one reading. The zero value is usable.
type Options struct {
	MaxBody      int64 // bytes of the whole document; 0 means no limit
	MaxRest      int64 // bytes of the document without what was extracted; 0 means 1 MiB
	MaxExtracted int64 // decoded bytes of one extracted string; 0 means no limit
	Inline       int   // bytes of the longest string that stays, as written; 0 means 64 KiB, negative extracts all but ""
	Depth        int   // objects and arrays inside one another; 0 means 64
	MaxValues    int   // objects, arrays, strings, numbers and words in all; 0 means no limit

	// Extract says which strings, by RFC 6901 pointer, are expected to be base64;
	// nil means every one longer than Inline. A string that is not extracted stays
	// in the rest, whatever its length, and counts there.
	Extract func(pointer string) bool
}

// Extracted is a string that went to the sink.
type Extracted struct {
	Ref  string // the sink's name for the bytes; "" when Err is set
	Size int64  // decoded bytes
	Err  *Error // Base64 or ExtractedTooLarge: the string was read to its end, and nothing of it kept
}

// Document is a JSON text that was read to its end and found valid.
type Document struct {
	rest      []byte
	extracted map[string]Extracted // by placeholder
}

// Rest returns the document as strictly valid JSON (no duplicate names, valid
// UTF-8) in which each extracted string is replaced by a short placeholder string.
func (d *Document) Rest() []byte { return d.rest }

// Extracted returns the string that a placeholder of Rest stands for, false for any
// other text. A placeholder holds 128 random bits, which no sender can guess.
func (d *Document) Extracted(placeholder string) (Extracted, bool) {
	found, ok := d.extracted[placeholder]
	return found, ok
}

// Read reads one JSON text from r to its end. Memory stays near MaxRest plus
// Inline, however long the text. A text that is not valid, or too large, gives
// an *Error; any other error is that of r, of the sink or of ctx, wrapped. A nil
// sink extracts nothing.
func Read(ctx context.Context, r io.Reader, sink Sink, o Options) (*Document, error) {
	o = o.withDefaults()
	s := &scanner{
		ctx: ctx, in: newInput(ctx, r, o), sink: sink, o: o, token: rand.Text(),
		doc: &Document{extracted: map[string]Extracted{}},
	}
	defer s.in.release()
	if err := s.run(); err != nil {
		return nil, err
	}
	if err := s.verify(); err != nil {
		return nil, err
	}
	return s.doc, nil
}

// withDefaults fills what was left at zero: 1 MiB for all but the files, 64 levels,
// texts of up to 64 KiB kept in the document. A negative Inline keeps none.
func (o Options) withDefaults() Options {
	if o.MaxRest == 0 {
		o.MaxRest = 1 << 20
	}
	if o.Depth == 0 {
		o.Depth = 64
	}
	switch {
	case o.Inline == 0:
		o.Inline = 64 << 10
	case o.Inline < 0:
		o.Inline = 0
	}
	return o
}

// Kind says what is wrong with a text.
type Kind string

// The kinds of Error. Base64 and ExtractedTooLarge come in Extracted.Err.
const (
	Empty             Kind = "empty"               // nothing but white space
	Syntax            Kind = "syntax"              // not JSON
	UTF8              Kind = "utf8"                // a string is not valid UTF-8
	Depth             Kind = "depth"               // nested more deeply than Options.Depth
	Duplicate         Kind = "duplicate"           // an object names a member twice
	Trailing          Kind = "trailing"            // something follows the value
	TooLarge          Kind = "too large"           // longer than Options.MaxBody
	RestTooLarge      Kind = "rest too large"      // the rest exceeds Options.MaxRest
	TooManyValues     Kind = "too many values"     // more than Options.MaxValues
	Base64            Kind = "base64"              // an extracted string is not base64
	ExtractedTooLarge Kind = "extracted too large" // an extracted string exceeds Options.MaxExtracted
)

// Error says what is wrong with a text and where.
type Error struct {
	Kind   Kind
	Path   string // of the field, as "anexos[1].base64"; "" is the text itself; cut at 200 characters
	Offset int64  // bytes of the text before the place
}

// Error names kind and place, not the path: names of members are the sender's.
func (e *Error) Error() string {
	return "json: " + string(e.Kind) + " at byte " + strconv.FormatInt(e.Offset, 10)
}

// placeholder takes the place of the i-th extracted string in the rest.
func (s *scanner) placeholder(i int) string { return fmt.Sprintf("extracted:%s:%d", s.token, i) }
