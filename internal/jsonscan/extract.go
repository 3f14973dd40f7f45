package jsonscan

import (
	"errors"
	"fmt"
	"io"
)

// extract sends the string that begins here to the sink and puts a placeholder into
// the rest.
func (s *scanner) extract() error {
	start := s.in.offset
	s.in.advance(1)
	text := &textReader{in: s.in}
	src := newBase64Reader(text, s.o.MaxExtracted)
	ref, size, err := s.sink(s.ctx, src)
	if fatal := s.drain(text); fatal != nil {
		return fatal
	}
	found := Extracted{Ref: ref, Size: size}
	switch {
	case src.failure != "":
		found = Extracted{Err: &Error{Kind: src.failure, Path: s.path(), Offset: start}}
	case err != nil:
		return fmt.Errorf("store a string of a JSON text: %w", err)
	case !src.ended || size != src.size:
		return fmt.Errorf("store a string of a JSON text: the sink kept %d bytes of %d", size, src.size)
	}
	return s.addPlaceholder(found)
}

// drain reads the part of the string that a sink did not read: the text goes on
// after it, and its end must be valid too.
func (s *scanner) drain(text *textReader) error {
	_, err := io.Copy(io.Discard, text)
	var invalid *Error
	if errors.As(err, &invalid) && invalid.Path == "" && invalid.Kind != TooLarge {
		invalid.Path = s.path()
	}
	return err
}

// addPlaceholder appends a placeholder for a string to the rest.
func (s *scanner) addPlaceholder(found Extracted) error {
	mark := s.placeholder(len(s.doc.extracted))
	if int64(len(s.doc.rest)+len(mark)+2) > s.o.MaxRest {
		return s.fail(RestTooLarge)
	}
	s.doc.rest = append(s.doc.rest, `"`+mark+`"`...)
	s.doc.extracted[mark] = found
	s.noteShift()
	s.afterValue()
	return nil
}
