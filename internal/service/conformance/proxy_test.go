package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
)

// traffic is one request with its answer, on its way through a mutated service.
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

// change is what a mutated service does to a request or to an answer.
type change func(*traffic)

// MustMutate puts a mutation before a good service: everything else passes unchanged.
// Its requests are changed before the service sees them, its answers on their way back.
func MustMutate(t *testing.T, target string, m mutation) string {
	t.Helper()
	road := &http.Transport{MaxIdleConnsPerHost: 32}
	t.Cleanup(road.CloseIdleConnections)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x, err := m.pass(road, target, r)
		if err != nil {
			http.Error(w, "the road to the service broke", http.StatusBadGateway)
			return
		}
		x.header.Del("Content-Length")
		maps.Copy(w.Header(), x.header)
		w.WriteHeader(x.status)
		_, _ = w.Write(x.text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// pass sends a request on and reads its answer, both with the mutation.
func (m mutation) pass(road http.RoundTripper, target string, r *http.Request) (*traffic, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	x := &traffic{method: r.Method, path: r.URL.RequestURI(), asked: r.Header.Clone(), sent: parse(body), form: string(body)}
	if text, is := x.rewrite(m.asks, &x.sent); is {
		body = text
	}
	if err := x.send(r.Context(), road, target, body); err != nil {
		return nil, err
	}
	if text, is := x.rewrite(m.answers, &x.doc); is {
		x.text = text
	}
	return x, nil
}

// rewrite makes a change and returns the text of the document if it became another.
func (x *traffic) rewrite(by change, doc *map[string]any) (text []byte, is bool) {
	if by == nil {
		return nil, false
	}
	before := encode(*doc)
	by(x)
	after := encode(*doc)
	return after, !bytes.Equal(before, after)
}

// send asks the good service.
func (x *traffic) send(ctx context.Context, road http.RoundTripper, target string, body []byte) error {
	on, err := http.NewRequestWithContext(ctx, x.method, target+x.path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	on.Header = x.asked
	res, err := road.RoundTrip(on)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	x.status, x.header = res.StatusCode, res.Header
	if x.text, err = io.ReadAll(res.Body); err != nil {
		return err
	}
	x.doc = parse(x.text)
	return nil
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

// MustAnswer is a service that answers everything in the same way.
func MustAnswer(t *testing.T, text string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
	t.Cleanup(server.Close)
	return server.URL
}
