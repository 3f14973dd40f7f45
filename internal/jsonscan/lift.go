package jsonscan

import (
	"errors"
	"fmt"
	"io"
)

// lift sends the string that begins here to the sink and puts a placeholder into
// the rest.
func (s *scanner) lift() error {
	start := s.in.off
	s.in.take(1)
	text := &textReader{in: s.in}
	src := newBase64Reader(text, s.o.MaxLifted)
	ref, size, err := s.sink(s.ctx, src)
	if fatal := s.drain(text); fatal != nil {
		return fatal
	}
	found := Lifted{Ref: ref, Size: size}
	switch {
	case src.wrong != "":
		found = Lifted{Err: &Error{Kind: src.wrong, Path: s.path(), Offset: start}}
	case err != nil:
		return fmt.Errorf("store a string of a JSON text: %w", err)
	case !src.ended || size != src.size:
		return fmt.Errorf("store a string of a JSON text: the sink kept %d bytes of %d", size, src.size)
	}
	return s.place(found)
}

// drain reads what a sink left of the string, so that reading can go on after it
// and its end is known to be right.
func (s *scanner) drain(text *textReader) error {
	_, err := io.Copy(io.Discard, text)
	var wrong *Error
	if errors.As(err, &wrong) && wrong.Path == "" && wrong.Kind != TooLarge {
		wrong.Path = s.path()
	}
	return err
}

func (s *scanner) place(found Lifted) error {
	mark := s.placeholder(len(s.doc.lifted))
	if int64(len(s.doc.rest)+len(mark)+2) > s.o.MaxRest {
		return s.fail(RestTooLarge)
	}
	s.doc.rest = append(s.doc.rest, `"`+mark+`"`...)
	s.doc.lifted[mark] = found
	s.jump()
	s.afterValue()
	return nil
}
