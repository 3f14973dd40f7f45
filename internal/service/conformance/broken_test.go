package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// traffic is one request with its answer, on its way through a broken service.
type traffic struct {
	method, path string
	asked        http.Header
	sent         map[string]any // the request's body; nil when it is no JSON object
	form         string         // the body as it came

	status int
	header http.Header
	text   []byte
	doc    map[string]any // the answer's body; nil when it is no JSON object
}

// change is what a broken service does to an answer.
type change func(*traffic)

// MustBreak puts a fault before a good service: everything else passes unchanged.
func MustBreak(t *testing.T, target string, fault change) string {
	t.Helper()
	road := &http.Transport{MaxIdleConnsPerHost: 32}
	t.Cleanup(road.CloseIdleConnections)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, err := pass(road, target, r)
		if err != nil {
			http.Error(w, "the road to the service broke", http.StatusBadGateway)
			return
		}
		before := encode(x.doc)
		fault(x)
		if after := encode(x.doc); !bytes.Equal(before, after) {
			x.text = after
		}
		x.header.Del("Content-Length")
		maps.Copy(w.Header(), x.header)
		w.WriteHeader(x.status)
		_, _ = w.Write(x.text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// pass sends a request on and reads its answer.
func pass(road *http.Transport, target string, r *http.Request) (*traffic, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	on, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	on.Header = r.Header.Clone()
	res, err := road.RoundTrip(on)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return &traffic{method: r.Method, path: r.URL.RequestURI(), asked: r.Header, sent: parse(body), form: string(body),
		status: res.StatusCode, header: res.Header, text: text, doc: parse(text)}, err
}

func parse(text []byte) (doc map[string]any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&doc) != nil {
		return nil
	}
	return doc
}

func encode(doc map[string]any) []byte {
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return text
}

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

// put sets a property; each part of its path is a name, a number, or * for every
// item of a list.
func put(path string, value any) change {
	return func(x *traffic) { alter(x.doc, strings.Split(path, "."), func(any) (any, bool) { return value, true }) }
}

// drop takes a property away.
func drop(path string) change {
	return func(x *traffic) { alter(x.doc, strings.Split(path, "."), func(any) (any, bool) { return nil, false }) }
}

func alter(doc any, path []string, to func(any) (any, bool)) {
	switch v := doc.(type) {
	case map[string]any:
		if len(path) > 1 {
			alter(v[path[0]], path[1:], to)
			return
		}
		if value, keep := to(v[path[0]]); keep {
			v[path[0]] = value
		} else {
			delete(v, path[0])
		}
	case []any:
		for i := range v {
			if len(path) > 1 && (path[0] == "*" || path[0] == strconv.Itoa(i)) {
				alter(v[i], path[1:], to)
			}
		}
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
