package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Paths of the specification and of rows 13, 17, 18 and 22.
const (
	credentialsPath   = "/api/v2/credenciais"
	authorizePath     = "/api/v2/autorizar/sp-sadt"
	eligibilityPath   = "/api/v1/elegibilidade"
	submissionPath    = "/api/v1/solicitacao"
	refreshPath       = "/api/v1/auth/refresh"
	tokenPath         = "/oauth/token"
	unitsPath         = "/api/v2/unidades"
	professionalsPath = "/api/v2/profissionais-executantes"
	featuresPath      = "/api/v2/recursos"
	lookupPath        = "/api/v2/autorizacoes"
	descriptionPath   = "/api/openapi.yaml"
)

// object is a JSON object whose numbers are json.Number.
type object = map[string]any

// answer is what came back. doc is nil when it is no JSON object.
type answer struct {
	what   string    // method and path, for messages
	asked  time.Time // when the request was sent
	status int
	header http.Header
	text   []byte
	doc    object
}

// ask sends a request with the suite's own authentication unless headers say
// otherwise; they are names and values in turn, and an empty value leaves a header
// out.
func (c *Case) ask(method, path string, body []byte, headers ...string) answer {
	a, err := c.exchange(c.ctx, method, path, body, c.authenticated(headers))
	if err != nil {
		c.fatalf("%v", err)
	}
	return a
}

// authenticated adds the suite's authentication to headers that have none.
func (c *Case) authenticated(headers []string) []string {
	for i := 0; i < len(headers); i += 2 {
		if strings.EqualFold(headers[i], "Authorization") || strings.EqualFold(headers[i], "x-api-key") {
			return headers
		}
	}
	if c.config.APIKey != "" {
		return append([]string{"x-api-key", c.config.APIKey}, headers...)
	}
	return append([]string{"Authorization", "Bearer " + c.token()}, headers...)
}

// exchange is safe for concurrent use. It is as patient as a service asks for.
func (s *Suite) exchange(ctx context.Context, method, path string, body []byte, headers []string) (answer, error) {
	for range maxRepeats {
		a, err := s.send(ctx, method, path, body, headers)
		wait, slowedDown := a.wait()
		if err != nil || !slowedDown {
			return a, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return a, ctx.Err()
		}
	}
	return s.send(ctx, method, path, body, headers)
}

// A service may slow a client down (its rates are not shown, 8), but not for ever.
const (
	maxRepeats = 5
	maxWait    = time.Minute
)

// wait is how long the service asks to wait before the same request is sent again.
func (a answer) wait() (time.Duration, bool) {
	if a.status != http.StatusTooManyRequests {
		return 0, false
	}
	wait, told := retryAfter(a.header)
	return wait, told && wait >= 0 && wait <= maxWait
}

// retryAfter reads seconds or a date, which is counted from that of the answer: clocks differ.
func retryAfter(h http.Header) (wait time.Duration, told bool) {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(value)
	sent, undated := http.ParseTime(h.Get("Date"))
	if err != nil || undated != nil {
		return 0, false
	}
	return max(at.Sub(sent), 0), true
}

func (s *Suite) send(ctx context.Context, method, path string, body []byte, headers []string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	place, _, _ := strings.Cut(path, "?") // cards stand in queries, and messages end up in logs
	a := answer{what: method + " " + place, asked: s.clock()}
	r, err := http.NewRequestWithContext(ctx, method, s.config.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return a, fmt.Errorf("%s: %w", a.what, err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	res, err := s.client.Do(r)
	if err != nil {
		return a, fmt.Errorf("%s: no answer: %w", a.what, cause(err))
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	a.status, a.header = res.StatusCode, res.Header
	if a.text, err = io.ReadAll(res.Body); err != nil {
		return a, errors.New(a.what + ": the answer was cut")
	}
	a.doc = decode(a.text)
	return a, nil
}

// cause is an error without the address, whose query may hold a card.
func cause(err error) error {
	if wrapped := new(url.Error); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

func (c *Case) get(path string, headers ...string) answer {
	return c.ask(http.MethodGet, path, nil, headers...)
}

// post sends JSON: a text as it is, anything else encoded.
func (c *Case) post(path string, body any, headers ...string) answer {
	return c.ask(http.MethodPost, path, c.encode(body),
		append([]string{"Content-Type", "application/json", "accept", "application/json"}, headers...)...)
}

func (c *Case) encode(body any) []byte {
	if text, ok := body.(string); ok {
		return []byte(text)
	}
	text, err := json.Marshal(body)
	if err != nil {
		c.fatalf("the suite's own request cannot be encoded: %v", err)
	}
	return text
}

// decode returns the JSON object of a text, nil when it is none.
func decode(text []byte) (doc object) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&doc) != nil || d.More() {
		return nil
	}
	return doc
}

// at finds a value by a path such as "data.items.0.id".
func at(doc any, path string) (any, bool) {
	for part := range strings.SplitSeq(path, ".") {
		switch v := doc.(type) {
		case object:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

func (a answer) at(path string) any { v, _ := at(a.doc, path); return v }

func (a answer) string(path string) string { s, _ := a.at(path).(string); return s }

// objects returns the objects of a list.
func (a answer) objects(path string) []object {
	list, _ := a.at(path).([]any)
	var all []object
	for _, item := range list {
		if o, ok := item.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func (a answer) success() bool { ok, _ := a.at("sucesso").(bool); return ok }

// entries are the authorizations of an answer.
func (a answer) entries() []object { return a.objects("data.autorizacoes") }

// told is how an answer is quoted in a message: its status and what it says of
// errors.
func (a answer) told() string {
	text := fmt.Sprintf("%s answered %d", a.what, a.status)
	if errors, ok := a.at("erros").([]any); ok && len(errors) > 0 {
		said, _ := json.Marshal(errors)
		text += " with erros " + cut(string(said))
	}
	return text
}

// cut keeps messages short.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 300 {
		return string(runes[:300]) + "…"
	}
	return text
}
