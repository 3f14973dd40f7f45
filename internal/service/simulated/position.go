package simulated

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place is where a value of a document begins, and its path in it:
// "then.authorizations[0].status".
type place struct {
	path   string
	offset int64
}

// places lists the values of a JSON document in their order, the names of
// properties standing for the values. A name that comes twice is an error.
func places(text []byte) ([]place, error) {
	w := walk{text: text, dec: json.NewDecoder(strings.NewReader(string(text)))}
	w.value("")
	return w.all, w.err
}

// placeOf is the offset of a path, or of the nearest one around it that is there.
func placeOf(all []place, path string) int64 {
	for ; path != ""; path = path[:max(0, strings.LastIndexAny(path, ".["))] {
		if i := slices.IndexFunc(all, func(p place) bool { return p.path == path }); i >= 0 {
			return all[i].offset
		}
	}
	return 0
}

// placeNamed is the offset of the first property with a name.
func placeNamed(all []place, name string) int64 {
	if i := slices.IndexFunc(all, func(p place) bool { return p.path == name || strings.HasSuffix(p.path, "."+name) }); i >= 0 {
		return all[i].offset
	}
	return 0
}

// walk goes through a document that is JSON.
type walk struct {
	text []byte
	dec  *json.Decoder
	all  []place
	err  error
}

func (w *walk) value(path string) {
	token, err := w.dec.Token()
	switch {
	case err != nil:
		w.err = err
	case token == json.Delim('{'):
		w.object(path)
	case token == json.Delim('['):
		for i := 0; w.err == nil && w.dec.More(); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			w.note(element)
			w.value(element)
		}
		w.end()
	}
}

func (w *walk) object(path string) {
	seen := map[string]bool{}
	for w.err == nil && w.dec.More() {
		offset := skipSpace(w.text, w.dec.InputOffset())
		token, err := w.dec.Token()
		name, _ := token.(string)
		if err == nil && seen[name] {
			err = &placedError{offset, errors.New(strconv.Quote(name) + " appears twice")}
		}
		if err != nil {
			w.err = err
			return
		}
		seen[name] = true
		inner := strings.TrimPrefix(path+"."+name, ".")
		w.all = append(w.all, place{inner, offset})
		w.value(inner)
	}
	w.end()
}

func (w *walk) note(path string) {
	w.all = append(w.all, place{path, skipSpace(w.text, w.dec.InputOffset())})
}

// end reads the end of an object or array.
func (w *walk) end() {
	if w.err == nil {
		_, w.err = w.dec.Token()
	}
}

// placedError is what is wrong at an offset of a rule.
type placedError struct {
	offset int64
	cause  error
}

func (e *placedError) Error() string { return e.cause.Error() }

func (e *placedError) Unwrap() error { return e.cause }
