package service

import (
	"encoding/json"
	"fmt"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// members reads the properties of one JSON object by name and collects what is
// wrong with each. An absent property leaves its destination alone; null reads
// as an explicit empty value (row 5). Unknown properties are ignored (row 12).
type members struct {
	values map[string]json.RawMessage
	path   string // "procedimentos[1]." before the names
	wrong  *[]problem.Field
}

// object reads text as an object; at is its path without the final dot.
func object(text json.RawMessage, at string, wrong *[]problem.Field) (members, bool) {
	m := members{wrong: wrong}
	if at != "" {
		m.path = at + "."
	}
	if kindOf(text) != '{' || json.Unmarshal(text, &m.values) != nil {
		what := at
		if what == "" {
			what = "O corpo"
		}
		*wrong = append(*wrong, problem.Field{Path: at, Code: authorization.CodeType, Message: what + " deve ser um objeto."})
		return m, false
	}
	return m, true
}

// kindOf is the first byte of a JSON value without white space around: { [ " n t f
// or that of a number.
func kindOf(text json.RawMessage) byte {
	for _, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (m members) add(name, code, message string) {
	*m.wrong = append(*m.wrong, problem.Field{Path: m.path + name, Code: code, Message: message})
}

// value returns a property: found and not null, or explicitly null.
func (m members) value(name string) (text json.RawMessage, found, null bool) {
	text, ok := m.values[name]
	null = ok && kindOf(text) == 'n'
	return text, ok && !null, null
}

// text reads a string; it reports whether the property is there, null included.
func (m members) text(name string, dst *string) bool {
	text, found, null := m.value(name)
	switch {
	case null:
		*dst = ""
	case found && kindOf(text) != '"':
		m.add(name, authorization.CodeType, name+" deve ser um texto.")
	case found:
		m.must(name, json.Unmarshal(text, dst))
	}
	return found || null
}

// must tells of a value that is JSON and yet cannot be read.
func (m members) must(name string, err error) {
	if err != nil {
		m.add(name, authorization.CodeType, name+" não pode ser lido.")
	}
}

// optional reads a string whose absence counts.
func (m members) optional(name string, dst **string) {
	var text string
	if m.text(name, &text) {
		*dst = &text
	}
}

// nullable reads a string for which null is the same as absent.
func (m members) nullable(name string, dst **string) {
	if _, found, _ := m.value(name); found {
		m.optional(name, dst)
	}
}

func (m members) flag(name string, dst *bool) {
	text := "N"
	m.text(name, &text)
	switch text {
	case "S", "N":
		*dst = text == "S"
	default:
		m.add(name, authorization.CodeDomain, name+" deve ser S ou N.")
	}
}

func (m members) integer(name string, dst *int) {
	text, found, null := m.value(name)
	if null {
		*dst = 0
	}
	if !found {
		return
	}
	n, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil {
		m.add(name, authorization.CodeType, name+" deve ser um número inteiro.")
		return
	}
	*dst = int(n)
}

func (m members) id(name string, dst *uuid.UUID) {
	var text string
	before := len(*m.wrong)
	if m.text(name, &text); text == "" || len(*m.wrong) > before {
		return
	}
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		m.add(name, authorization.CodeFormat, name+" deve ser um UUID.")
		return
	}
	*dst = id
}

func (m members) date(name string, dst *authorization.LocalTime) {
	var text string
	before := len(*m.wrong)
	if m.text(name, &text); text == "" || len(*m.wrong) > before {
		return
	}
	read, err := authorization.ParseLocalTime(text)
	if err != nil {
		m.add(name, authorization.CodeFormat, name+" deve ser uma data ISO 8601, como 2027-12-31T00:00:00.")
		return
	}
	*dst = read
}

// list reads an array into its elements; paths[i] is that of element i.
func (m members) list(name string) (elements []json.RawMessage, path func(i int) string) {
	path = func(i int) string { return fmt.Sprintf("%s%s[%d]", m.path, name, i) }
	text, found, _ := m.value(name)
	switch {
	case !found:
	case kindOf(text) != '[':
		m.add(name, authorization.CodeType, name+" deve ser uma lista.")
	default:
		m.must(name, json.Unmarshal(text, &elements))
	}
	return elements, path
}
