package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// readBody reads a body that must be one JSON document within the limits: 415, 413
// and 400 in the order of row 8.
func (a *API) readBody(c *call, sink jsonscan.Sink, o jsonscan.Options) (*jsonscan.Document, error) {
	if err := checkContentType(c.Header); err != nil {
		return nil, err
	}
	if c.ContentLength > o.MaxBody {
		return nil, bodyTooLarge(o.MaxBody)
	}
	doc, err := jsonscan.Read(c.Context(), c.Body, sink, o)
	if err != nil {
		return nil, a.bodyRefused(err, o.MaxBody)
	}
	return doc, nil
}

// smallBody are the options of a body of so many bytes that stays in memory whole.
func smallBody(most int64) jsonscan.Options {
	return jsonscan.Options{MaxBody: most, MaxRest: most + 1, Depth: maxDepth}
}

// checkContentType refuses with 415 anything but JSON in UTF-8.
func checkContentType(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return problem.New(problem.Unsupported, "O corpo deve ser application/json em UTF-8.")
	}
	return checkUncompressed(h)
}

// checkUncompressed refuses compressed bodies with 415: a small one could unpack to any size.
func checkUncompressed(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return problem.New(problem.Unsupported, "O corpo não pode vir comprimido.")
	}
	return nil
}

// bodyTooLarge is the 413 of a whole body; it names no field.
func bodyTooLarge(most int64) *refusal {
	if most < 1<<20 {
		return tooLarge("", fmt.Sprintf("O pedido tem no máximo %d KiB.", most>>10))
	}
	return tooLarge("", fmt.Sprintf("O pedido tem no máximo %d MiB.", most>>20))
}

// unreadableMessages are said of what cannot be read at all (row 9).
var unreadableMessages = map[jsonscan.Kind]string{
	jsonscan.Empty:     "O corpo está vazio.",
	jsonscan.Syntax:    "O corpo não é um JSON válido: erro no byte %d.",
	jsonscan.UTF8:      "O corpo não está em UTF-8.",
	jsonscan.Depth:     "O corpo tem níveis demais.",
	jsonscan.Duplicate: "Uma propriedade aparece duas vezes.",
	jsonscan.Trailing:  "Há algo depois do fim do JSON.",
}

// bodyRefused says what jsonscan found in a body of at most so many bytes; anything
// else is the connection's end or a failure of ours.
func (a *API) bodyRefused(err error, most int64) error {
	var bad *jsonscan.Error
	switch {
	case errors.As(err, &bad):
	case errors.Is(err, errCut):
		return problem.Wrap(problem.Unreadable, "O corpo chegou cortado.", err)
	default:
		return fmt.Errorf("api: read body: %w", err)
	}
	if message, ok := unreadableMessages[bad.Kind]; ok {
		if bad.Kind == jsonscan.Syntax {
			message = fmt.Sprintf(message, bad.Offset)
		}
		refused := unreadable(bad.Path, message)
		refused.cause = err
		return refused
	}
	if bad.Kind != jsonscan.RestTooLarge {
		return bodyTooLarge(most)
	}
	if path, ok := a.excessAttachment(bad.Path); ok {
		return invalid(problem.Field{Path: path, Code: authorization.CodeLimit, Message: a.limits.tooManyAttachments()})
	}
	return tooLarge(bad.Path, "O pedido sem os anexos tem no máximo 1 MiB.")
}

// readTexts reads a small body, a JSON object, and of it the named texts, all of
// which must be given.
func (a *API) readTexts(c *call, names ...string) (map[string]string, error) {
	doc, err := a.readBody(c, nil, smallBody(maxAnonymous))
	if err != nil {
		return nil, err
	}
	var bad []problem.Field
	texts := map[string]string{}
	if o, ok := readObject(doc.Rest(), "", &bad); ok {
		for _, name := range names {
			texts[name] = o.required(name)
		}
	}
	if len(bad) > 0 {
		return nil, invalid(bad...)
	}
	return texts, nil
}

// object reads the properties of one JSON object by name and collects what is wrong
// with each. An absent property leaves its destination alone; null reads as an
// explicit empty value (row 5). Unknown properties are ignored (row 12).
type object struct {
	values   map[string]json.RawMessage
	path     string // "procedimentos[1]." before the names
	problems *[]problem.Field
}

// readObject reads text as an object; at is its path without the final dot.
func readObject(text json.RawMessage, at string, problems *[]problem.Field) (object, bool) {
	o := object{problems: problems}
	if at != "" {
		o.path = at + "."
	}
	if firstByte(text) != '{' || json.Unmarshal(text, &o.values) != nil {
		what := at
		if what == "" {
			what = "O corpo"
		}
		*problems = append(*problems, problem.Field{Path: at, Code: authorization.CodeType, Message: what + " deve ser um objeto."})
		return o, false
	}
	return o, true
}

// firstByte tells the type of a JSON value by its first byte that is no white
// space: { [ " n t f or that of a number.
func firstByte(text json.RawMessage) byte {
	for _, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// add collects a problem under the property's full path, so that the caller can find it.
func (o object) add(name, code, message string) {
	*o.problems = append(*o.problems, problem.Field{Path: o.path + name, Code: code, Message: message})
}

// value returns a property: found and not null, or explicitly null.
func (o object) value(name string) (text json.RawMessage, found, null bool) {
	text, ok := o.values[name]
	null = ok && firstByte(text) == 'n'
	return text, ok && !null, null
}

// text reads a string; it reports whether the property is there, null included.
func (o object) text(name string, dst *string) bool {
	text, found, null := o.value(name)
	switch {
	case null:
		*dst = ""
	case found && firstByte(text) != '"':
		o.add(name, authorization.CodeType, name+" deve ser um texto.")
	case found:
		o.check(name, json.Unmarshal(text, dst))
		o.checkText(name, *dst)
	}
	return found || null
}

// checkText refuses U+0000, which no text of a form or a register has, and which ends a
// text for many programs behind us.
func (o object) checkText(name, text string) {
	if strings.ContainsRune(text, 0) {
		o.add(name, authorization.CodeFormat, name+" tem um caractere nulo (U+0000).")
	}
}

// goodText reads a string, false when there is something wrong with it.
func (o object) goodText(name string, dst *string) bool {
	before := len(*o.problems)
	o.text(name, dst)
	return len(*o.problems) == before
}

// required reads a text that must not be empty.
func (o object) required(name string) (text string) {
	if o.goodText(name, &text) && text == "" {
		o.add(name, authorization.CodeRequired, "Informe "+name+".")
	}
	return text
}

// check notes a value that is JSON and yet cannot be read.
func (o object) check(name string, err error) {
	if err != nil {
		o.add(name, authorization.CodeType, name+" não pode ser lido.")
	}
}

// optional reads a string whose absence counts.
func (o object) optional(name string, dst **string) {
	var text string
	if o.text(name, &text) {
		*dst = &text
	}
}

// nullable reads a string for which null is the same as absent.
func (o object) nullable(name string, dst **string) {
	if _, found, _ := o.value(name); found {
		o.optional(name, dst)
	}
}

// flag reads "S" or "N"; without the property it is "N". Anything else, JSON's true
// included, is a problem.
func (o object) flag(name string, dst *bool) {
	text := "N"
	o.text(name, &text)
	switch text {
	case "S", "N":
		*dst = text == "S"
	default:
		o.add(name, authorization.CodeDomain, name+" deve ser S ou N.")
	}
}

// integer reads a whole number of 32 bits; null is 0. Its value counts: 1.0 is one. A
// fraction, and a number within a text, are problems: guessing here could change a quantity.
func (o object) integer(name string, dst *int) {
	text, found, null := o.value(name)
	if null {
		*dst = 0
	}
	if !found {
		return
	}
	n, ok := wholeNumber(string(text))
	if !ok {
		o.add(name, authorization.CodeType, name+" deve ser um número inteiro.")
		return
	}
	*dst = n
}

// wholeNumber returns the value of a JSON number of 32 bits without a fraction, and false
// for anything else: 10e-1 is one. It is exact, and cheap whatever the exponent.
func wholeNumber(text string) (int, bool) {
	mantissa, power, scaled := strings.Cut(strings.ToLower(text), "e")
	exponent := 0
	if scaled {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return 0, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" || digits == "-" {
		return 0, true
	}
	exponent += len(whole) - len(digits) // of the last digit that counts
	if exponent < 0 || exponent > 10 {
		return 0, false
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", exponent), 10, 32)
	return int(n), err == nil
}

// id reads a UUID in its usual form; an empty text is the same as none.
func (o object) id(name string, dst *uuid.UUID) {
	var text string
	if !o.goodText(name, &text) || text == "" {
		return
	}
	if !isUUID(text) {
		o.add(name, authorization.CodeFormat, name+" deve ser um UUID.")
		return
	}
	*dst = uuid.MustParse(text)
}

// isUUID reports whether a text is a UUID in its one usual form.
func isUUID(text string) bool {
	return len(text) == len(uuid.Nil.String()) && uuid.Validate(text) == nil
}

// date reads an ISO 8601 date; an empty text is the same as none.
func (o object) date(name string, dst *authorization.LocalTime) {
	var text string
	if !o.goodText(name, &text) || text == "" {
		return
	}
	read, err := authorization.ParseLocalTime(text)
	if err != nil {
		o.add(name, authorization.CodeFormat, name+" deve ser uma data ISO 8601, como 2027-12-31T00:00:00.")
		return
	}
	*dst = read
}

// list reads an array into its elements; path(i) is that of element i.
func (o object) list(name string) (elements []json.RawMessage, path func(i int) string) {
	path = func(i int) string { return fmt.Sprintf("%s%s[%d]", o.path, name, i) }
	text, found, _ := o.value(name)
	switch {
	case !found:
	case firstByte(text) != '[':
		o.add(name, authorization.CodeType, name+" deve ser uma lista.")
	default:
		o.check(name, json.Unmarshal(text, &elements))
	}
	return elements, path
}

// first returns the first of the names that the object has, or the first of all.
func (o object) first(names []string) string {
	for _, name := range names {
		if _, ok := o.values[name]; ok {
			return name
		}
	}
	return names[0]
}
