package client

import (
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
	found := readErrorList(o["errosDetalhados"])
	for _, plain := range readErrorList(o["erros"]) {
		if !slices.ContainsFunc(found, func(e authorization.AnswerError) bool { return repeats(plain, e) }) {
			found = append(found, plain)
		}
	}
	return found
}

func repeats(plain, detailed authorization.AnswerError) bool {
	return plain.Code == "" && plain.Field == "" && strings.Contains(plain.Message, detailed.Message)
}

func readErrorList(v any) []authorization.AnswerError {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var found []authorization.AnswerError
	for _, item := range items {
		if e := readError(item); e != (authorization.AnswerError{}) {
			found = append(found, e)
		}
	}
	return found
}

func readError(v any) authorization.AnswerError {
	o := object(v)
	if len(o) == 0 {
		return authorization.AnswerError{Message: plainText(v)}
	}
	e := authorization.AnswerError{
		Code:    firstText(o, "codigo", "code"),
		Field:   firstText(o, "campo", "field"),
		Message: firstText(o, "mensagem", "message", "descricao", "motivo"),
	}
	if e.Message == "" {
		e.Message = text(v)
	}
	return e
}

// plainText is text without the JSON of empty containers.
func plainText(v any) string {
	if s := text(v); s != "{}" && s != "[]" {
		return s
	}
	return ""
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
