package client

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// readErrors reads erros and errosDetalhados of an envelope or of one of its
// authorizations, whatever their shape (row 4). Details come first;
// a plain error that only repeats one is left out.
func readErrors(o map[string]any) []authorization.AnswerError {
	found := few(readErrorList(o["errosDetalhados"]))
	for _, plain := range few(readErrorList(o["erros"])) {
		if !slices.ContainsFunc(found, func(e authorization.AnswerError) bool { return repeats(plain, e) }) {
			found = append(found, plain)
		}
	}
	return found
}

// maxErrors is how many errors of a list are read: nobody reads more, and each is compared with all others.
const maxErrors = 200

func few[T any](list []T) []T { return list[:min(len(list), maxErrors)] }

func repeats(plain, detailed authorization.AnswerError) bool {
	return plain.Code == "" && plain.Field == "" && strings.Contains(plain.Message, detailed.Message)
}

// readErrorList reads errors of any shape: a text, an object, lists of them, and maps of
// fields to messages.
func readErrorList(v any) []authorization.AnswerError {
	var found []authorization.AnswerError
	switch v := v.(type) {
	case []any:
		for _, item := range few(v) {
			found = append(found, readErrorList(item)...)
		}
	case map[string]any:
		if e, ok := readError(v); ok {
			return []authorization.AnswerError{e}
		}
		for _, key := range few(slices.Sorted(maps.Keys(v))) {
			found = append(found, readErrorsOf(key, v[key])...)
		}
	default:
		if message := text(v); message != "" {
			found = append(found, authorization.AnswerError{Message: message})
		}
	}
	return found
}

// readErrorsOf reads what a map says of a key: of a field of the request, or of
// something that the message then names.
func readErrorsOf(key string, v any) []authorization.AnswerError {
	found := readErrorList(v)
	path, isField := requestPath(key)
	for i := range found {
		if isField && found[i].Field == "" {
			found[i].Field = path
		} else if !isField {
			found[i].Message = key + ": " + found[i].Message
		}
	}
	return found
}

// readError reads an object that says in some words what is wrong; false for any other.
func readError(o map[string]any) (authorization.AnswerError, bool) {
	e := authorization.AnswerError{
		Code:    text(member(o, "codigo", "code")),
		Field:   text(member(o, "campo", "field")),
		Message: sentence(member(o, "mensagem", "message", "descricao", "motivo", "erro", "error", "detail", "title")),
	}
	if e == (authorization.AnswerError{}) {
		return e, false
	}
	if path, ok := requestPath(e.Field); ok {
		e.Field = path // or the page would tell of one field by two names
	}
	switch {
	case e.Message == "" && e.Code != "" && e.Field == "":
		e.Message = "Código " + e.Code + "."
	case e.Message == "":
		e.Message = sentence(o)
	}
	return e, true
}

// member returns the first member that is not empty, whatever the case of its name: of several, that in small letters.
func member(o map[string]any, names ...string) any {
	keys := slices.Sorted(maps.Keys(o)) // capital letters come first
	for _, name := range names {
		for _, key := range slices.Backward(keys) {
			if strings.EqualFold(key, name) && sentence(o[key]) != "" {
				return o[key]
			}
		}
	}
	return nil
}

// sentence puts a value of any shape into words: "n: 1; texto: x".
func sentence(v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			parts = append(parts, sentence(item))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if words := sentence(v[key]); words != "" {
				parts = append(parts, key+": "+words)
			}
		}
	default:
		return text(v)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// hasCode reports whether an error says the code, in its place or as its text.
func hasCode(errs []authorization.AnswerError, code string) bool {
	return slices.ContainsFunc(errs, func(e authorization.AnswerError) bool {
		return strings.EqualFold(e.Code, code) || strings.EqualFold(e.Message, code)
	})
}

// fieldProblems returns the errors that name a field of the request.
func fieldProblems(errs []authorization.AnswerError) []problem.Field {
	var found []problem.Field
	for _, e := range errs {
		if path, ok := requestPath(e.Field); ok {
			found = append(found, problem.Field{Path: path, Code: e.Code, Message: e.Message})
		}
	}
	return found
}

var pathSegment = regexp.MustCompile(`[^.\[\]]+`)

// requestPath returns a path as the specification writes it; false when it does
// not begin with a field of the request.
func requestPath(path string) (string, bool) {
	path = strings.TrimPrefix(path, "$.")
	if _, ok := requestNames[strings.ToLower(pathSegment.FindString(path))]; !ok {
		return "", false
	}
	return pathSegment.ReplaceAllStringFunc(path, func(word string) string {
		if name, ok := requestNames[strings.ToLower(word)]; ok {
			return name
		}
		return word
	}), true
}

// requestNames gives the specification's spelling of a name in lower case.
var requestNames = func() map[string]string {
	names := map[string]string{"anexos": "anexos"}
	for _, t := range []reflect.Type{reflect.TypeFor[requestHead](), reflect.TypeFor[requestTail](), reflect.TypeFor[requestProcedure]()} {
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			names[strings.ToLower(name)] = name
		}
	}
	return names
}()
