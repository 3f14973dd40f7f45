package form

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// invalid is what a number becomes that cannot be read: no owner of data takes it.
const invalid = -1

// Words returns every value of a field that takes several, such as ticked boxes of one
// name; nil for none.
func Words[T ~string](f *Form, name string) []T {
	var words []T
	for _, word := range f.posted[name] {
		words = append(words, T(word))
	}
	return words
}

// UUIDs returns the identifiers of a field that takes several, and an error when one of
// them is none: it comes from no page of ours.
func (f *Form) UUIDs(name string) ([]uuid.UUID, error) {
	var all []uuid.UUID
	for _, text := range f.posted[name] {
		uid, err := uuid.Parse(text)
		if err != nil {
			return nil, err
		}
		all = append(all, uid)
	}
	return all, nil
}

// Lines returns the lines of a field as they were typed.
func (f *Form) Lines(name string) []string { return strings.Split(f.Raw(name), "\n") }

// Codes returns the codes of a field, one a line or between commas, each once.
func (f *Form) Codes(name string) (codes []string) {
	seen := map[string]bool{}
	for code := range strings.FieldsFuncSeq(f.Raw(name), func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) }) {
		if !seen[code] {
			seen[code] = true
			codes = append(codes, code)
		}
	}
	return codes
}

// Int returns a whole number: 0 where nothing is typed, a negative one for what is no
// number.
func (f *Form) Int(name string) int {
	if f.Text(name) == "" {
		return 0
	}
	n, err := strconv.Atoi(f.Text(name))
	if err != nil {
		return invalid
	}
	return n
}

// Seconds returns a time typed in seconds, with a comma or a point: 0 where nothing is
// typed, a negative one for what is no time from a millisecond to longest.
func (f *Form) Seconds(name string, longest time.Duration) time.Duration {
	if f.Text(name) == "" {
		return 0
	}
	seconds, err := strconv.ParseFloat(strings.Replace(f.Text(name), ",", ".", 1), 64)
	if err == nil && seconds >= 0.001 && seconds <= longest.Seconds() {
		return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
	}
	return invalid
}
