package simulated

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

//go:embed rules.json
var rulesFile []byte

// embedded are the rules that the program brings along; a test reads them, so
// they are right.
var embedded = sync.OnceValue(func() []Rule {
	rules, err := Load(rulesFile)
	if err != nil {
		panic(err)
	}
	return rules
})

// LoadFile reads the rules of a file. An error names the file, the line and the
// reason.
func LoadFile(name string) ([]Rule, error) {
	text, err := os.ReadFile(name) // the administrator names it
	if err != nil {
		return nil, err
	}
	rules, err := Load(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rules, nil
}

// Load reads a file of rules strictly: a JSON array without unknown properties.
// An error names the line and the reason.
func Load(text []byte) ([]Rule, error) {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, at(text, syntax.Offset, err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if token, err := dec.Token(); err != nil || token != json.Delim('[') {
		return nil, at(text, 0, errors.Join(errors.New("want an array of rules"), err))
	}
	rules := []Rule{} // not nil, which stands for the embedded ones
	for dec.More() {
		start := skipSpace(text, dec.InputOffset())
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, at(text, start, err)
		}
		rule, err := read(raw)
		var placed *placedError
		if errors.As(err, &placed) {
			return nil, at(text, start+placed.offset, placed.cause)
		}
		if err != nil {
			return nil, at(text, start, err)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// read reads one rule; what is wrong with it is a placedError.
func read(raw json.RawMessage) (rule Rule, err error) {
	all, err := places(raw)
	if err != nil {
		return rule, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err = dec.Decode(&rule); err != nil {
		return rule, &placedError{decodeOffset(all, err), err}
	}
	if path, reason := rule.check(); reason != "" {
		return rule, &placedError{placeOf(all, path), errors.New(reason)}
	}
	return rule, nil
}

// decodeOffset is where encoding/json found something of another type, or a
// property that no rule has.
func decodeOffset(all []place, err error) int64 {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return kind.Offset
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return placeNamed(all, strings.Trim(name, `"`))
	}
	return 0
}

// skipSpace returns where the next rule begins.
func skipSpace(text []byte, from int64) int64 {
	rest := text[from:]
	return from + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}

func at(text []byte, offset int64, err error) error {
	line := 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
	return fmt.Errorf("simulated: line %d: %w", line, err)
}

// Example is a card that a person can type to see something happen.
type Example struct {
	Card string // how the number begins; any digits may follow
	What string // what happens, in Portuguese
}

// Catalogue lists the cards of the rules in force.
func (o *Operator) Catalogue() []Example {
	var examples []Example
	for _, rule := range o.rules {
		if rule.What != "" {
			examples = append(examples, Example{Card: strings.TrimSuffix(rule.When.Card, "*"), What: rule.What})
		}
	}
	return examples
}
