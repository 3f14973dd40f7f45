package conformance_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// on limits a change to the addresses that begin so.
func on(prefix string, all ...change) change {
	return func(x *traffic) {
		if strings.HasPrefix(x.path, prefix) {
			for _, c := range all {
				c(x)
			}
		}
	}
}

// when limits a change to some requests.
func when(wanted func(*traffic) bool, all ...change) change {
	return func(x *traffic) {
		if wanted(x) {
			for _, c := range all {
				c(x)
			}
		}
	}
}

// has says that the request's body has a property with a value.
func has(name string, value any) func(*traffic) bool {
	return func(x *traffic) bool {
		got, there := x.sent[name]
		return there && same(got, value)
	}
}

func lacks(name string) func(*traffic) bool {
	return func(x *traffic) bool {
		_, there := x.sent[name]
		return x.sent != nil && !there
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// put sets a property of an answer; each part of its path is a name, a number, or * for
// every item of a list.
func put(path string, value any) change {
	return edit(path, func(any) any { return value })
}

// edit changes a property of an answer.
func edit(path string, to func(any) any) change {
	return func(x *traffic) {
		alter(x.doc, strings.Split(path, "."), func(v any) (any, bool) { return to(v), true })
	}
}

// drop takes a property of an answer away.
func drop(path string) change {
	return func(x *traffic) { alter(x.doc, strings.Split(path, "."), func(any) (any, bool) { return nil, false }) }
}

// first leaves only the first item of a list.
func first(v any) any {
	if list, ok := v.([]any); ok && len(list) > 1 {
		return list[:1]
	}
	return v
}

// last leaves only the last item of a list.
func last(v any) any {
	if list, ok := v.([]any); ok && len(list) > 1 {
		return list[len(list)-1:]
	}
	return v
}

// firstTwice repeats the first item of a list in place of the others.
func firstTwice(v any) any {
	if list, ok := v.([]any); ok && len(list) > 1 {
		return slices.Repeat(list[:1], len(list))
	}
	return v
}

// withNull has null behind the items of a list.
func withNull(v any) any {
	if list, ok := v.([]any); ok {
		return append(list, nil)
	}
	return v
}

// half leaves the first half of what is in base64.
func half(v any) any {
	s, _ := v.(string)
	return s[:len(s)/8*4]
}

// alter changes the values at a path; what to returns false for is taken away.
func alter(doc any, path []string, to func(any) (any, bool)) {
	switch v := doc.(type) {
	case map[string]any:
		switch {
		case v == nil:
		case len(path) > 1:
			alter(v[path[0]], path[1:], to)
		default:
			alterIn(v, path[0], to)
		}
	case []any:
		for i := range v {
			if len(path) > 1 && (path[0] == "*" || path[0] == strconv.Itoa(i)) {
				alter(v[i], path[1:], to)
			}
		}
	}
}

func alterIn(o map[string]any, name string, to func(any) (any, bool)) {
	if value, keep := to(o[name]); keep {
		o[name] = value
	} else {
		delete(o, name)
	}
}

// status answers with another status.
func status(code int) change { return func(x *traffic) { x.status = code } }

// header answers with another header; an empty value takes it away.
func header(name, value string) change {
	return func(x *traffic) {
		x.header.Del(name)
		if value != "" {
			x.header.Set(name, value)
		}
	}
}

// refuses answers as a service that does not take the request.
func refuses(x *traffic) {
	x.status = http.StatusUnprocessableEntity
	x.header.Set("Content-Type", "application/json")
	x.doc = map[string]any{"sucesso": false, "erros": []any{"Não."}, "errosDetalhados": []any{map[string]any{"codigo": "dominio",
		"campo": "", "mensagem": "Não."}}, "data": nil}
}

// unknown answers as a service without such a path.
func unknown(x *traffic) {
	refuses(x)
	x.status = http.StatusNotFound
}

// takes answers as a service that takes what it should refuse.
func takes(x *traffic) {
	if x.status >= http.StatusBadRequest {
		x.status = http.StatusOK
		x.doc = map[string]any{"sucesso": true, "erros": []any{}, "errosDetalhados": []any{}, "access_token": "inventado", "data": map[string]any{
			"items": []any{}, "access_token": "inventado", "autorizacoes": []any{map[string]any{"sucesso": true, "situacaoAutorizacao": "A"}}}}
	}
}

// forgets answers as a service that stops at the first problem.
func forgets(x *traffic) {
	for _, name := range []string{"erros", "errosDetalhados"} {
		if all, ok := x.doc[name].([]any); ok && len(all) > 1 {
			x.doc[name] = slices.Clone(all[:1])
		}
	}
}
