package jsonscan

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strconv"
)

// Sink stores the decoded bytes of one lifted string and returns the name under
// which it can be found again and how many bytes it stored. It reads r to its
// end; an error of r means that nothing is to be kept.
type Sink func(ctx context.Context, r io.Reader) (ref string, size int64, err error)

// Options are the limits of one reading. The zero value is usable.
type Options struct {
	MaxBody   int64 // bytes of the whole document; 0 means no limit
	MaxRest   int64 // bytes of what is left after lifting; 0 means 1 MiB
	MaxLifted int64 // decoded bytes of one lifted string; 0 means no limit
	Inline    int   // bytes of the longest string that is kept, as written; 0 means 64 KiB, negative lifts all but ""
	Depth     int   // objects and arrays inside one another; 0 means 64

	// Lift says which strings, by RFC 6901 pointer, are expected to be base64;
	// nil means every one longer than Inline. A string that is not lifted stays
	// in the rest, whatever its length, and counts there.
	Lift func(pointer string) bool
}

// Lifted is a string that went to the sink.
type Lifted struct {
	Ref  string // the sink's name for the bytes; "" when Err is set
	Size int64  // decoded bytes
	Err  *Error // Base64 or LiftedTooLarge: the string was read to its end, but nothing is kept of it
}

// Document is a JSON text that was read to its end and found valid.
type Document struct {
	rest   []byte
	lifted map[string]Lifted // by placeholder
}

// Rest returns the document as strictly valid JSON (no duplicate names, valid
// UTF-8) in which each lifted string is replaced by a short placeholder string.
func (d *Document) Rest() []byte { return d.rest }

// Placeholder returns the string for which a text of Rest stands, false for any
// other text. A placeholder holds 128 random bits: no sender can write one.
func (d *Document) Placeholder(text string) (Lifted, bool) {
	found, ok := d.lifted[text]
	return found, ok
}

// Read reads one JSON text from r to its end. Memory stays near MaxRest plus
// Inline, however long the text. A text that is not valid, or too large, gives
// an *Error; a failure of r, of the sink or of ctx gives that, wrapped. A nil
// sink lifts nothing.
func Read(ctx context.Context, r io.Reader, sink Sink, o Options) (*Document, error) {
	o = o.withDefaults()
	s := &scanner{
		ctx: ctx, in: newInput(ctx, r, o), sink: sink, o: o, token: rand.Text(),
		doc: &Document{lifted: map[string]Lifted{}},
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	if err := s.verify(); err != nil {
		return nil, err
	}
	return s.doc, nil
}

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

// The kinds of Error. Base64 and LiftedTooLarge are told by Lifted.Err.
const (
	Empty          Kind = "empty"            // nothing but white space
	Syntax         Kind = "syntax"           // not JSON
	UTF8           Kind = "utf8"             // a string is not valid UTF-8
	Depth          Kind = "depth"            // nested more deeply than Options.Depth
	Duplicate      Kind = "duplicate"        // an object names a member twice
	Trailing       Kind = "trailing"         // something follows the value
	TooLarge       Kind = "too large"        // longer than Options.MaxBody
	RestTooLarge   Kind = "rest too large"   // what is left passes Options.MaxRest
	Base64         Kind = "base64"           // a lifted string is not base64
	LiftedTooLarge Kind = "lifted too large" // a lifted string passes Options.MaxLifted
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

// placeholder stands in the rest for the i-th lifted string.
func (s *scanner) placeholder(i int) string { return fmt.Sprintf("lifted:%s:%d", s.token, i) }
