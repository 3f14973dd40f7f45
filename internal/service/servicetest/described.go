package servicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"guiche/internal/service/api"

	"github.com/getkin/kin-openapi/openapi3"
)

// described holds every exchange to the service's
// description: what the service took must be what the description allows, and
// every answer must be one that it describes.
type described struct {
	http.ResponseWriter
	status int
	answer bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (d *described) WriteHeader(status int) {
	if d.status == 0 {
		d.status = status
	}
	d.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (d *described) Write(p []byte) (int, error) {
	if d.status == 0 {
		d.status = http.StatusOK
	}
	n, err := d.ResponseWriter.Write(p)
	d.answer.Write(p[:n])
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (d *described) Unwrap() http.ResponseWriter { return d.ResponseWriter }

// maxRecorded is how much of a body is looked at: tests of limits send more.
const maxRecorded = 4 << 20

// recorder keeps the beginning of a body.
type recorder struct{ bytes.Buffer }

// Write implements io.Writer.
func (r *recorder) Write(p []byte) (int, error) {
	r.Buffer.Write(p[:min(len(p), max(0, maxRecorded-r.Len()))])
	return len(p), nil
}

// teeBody is a body that is recorded as it is read.
type teeBody struct {
	io.Reader
	io.Closer
}

// HoldToDescription fails the test of tb at every exchange of a handler that is not
// as the description has it.
func HoldToDescription(tb testing.TB, next http.Handler) http.Handler {
	doc := Description(tb)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, sent := &described{ResponseWriter: w}, &recorder{}
		watched := r.WithContext(r.Context())
		watched.Body = teeBody{io.TeeReader(r.Body, sent), r.Body}
		next.ServeHTTP(d, watched)
		if err := checkExchange(doc, r, sent.Bytes(), d); err != nil {
			tb.Errorf("%s %s answered %d: not as described: %v", r.Method, r.URL.Path, d.status, err)
		}
	})
}

var (
	errUndescribed = errors.New("the description does not know it")
	errMissing     = errors.New("what is described as always there is missing")
)

var loaded = sync.OnceValues(func() (*openapi3.T, error) {
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`))
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	return doc, nil
})

// Description is the service's own description, which must be valid.
func Description(tb testing.TB) *openapi3.T {
	tb.Helper()
	doc, err := loaded()
	if err != nil {
		tb.Fatalf("openapi.yaml: %v", err)
	}
	return doc
}

// Described finds the described operation of an address, nil for none.
func Described(doc *openapi3.T, method, path string) *openapi3.Operation {
	given := strings.Split(path, "/")
	for template, item := range doc.Paths.Map() {
		parts := strings.Split(template, "/")
		fits := len(parts) == len(given)
		for i := 0; fits && i < len(parts); i++ {
			fits = parts[i] == given[i] || strings.HasPrefix(parts[i], "{") && given[i] != ""
		}
		if fits {
			return item.GetOperation(method)
		}
	}
	return nil
}

func checkExchange(doc *openapi3.T, r *http.Request, sent []byte, d *described) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op := Described(doc, method, r.URL.Path)
	if op == nil {
		return checkUndescribed(doc, d)
	}
	if d.status/100 == 2 && r.Method != http.MethodHead {
		if err := checkSent(op, r, sent); err != nil {
			return err
		}
	}
	response := op.Responses.Status(d.status)
	if response == nil && (d.status == http.StatusMethodNotAllowed || d.status == http.StatusInternalServerError) {
		response = op.Responses.Default()
	}
	if response == nil {
		return errUndescribed
	}
	return checkAnswer(response.Value, d, r.Method == http.MethodHead)
}

func checkAnswer(response *openapi3.Response, d *described, noBody bool) error {
	if err := checkHeader(response.Headers, d.Header()); err != nil {
		return err
	}
	return checkContent(response.Content, d.Header(), d.answer.Bytes(), noBody)
}

// telling are the headers that a program acts on: where they come, the description
// must say so.
var telling = []string{"X-Request-Id", "Www-Authenticate", "Retry-After", "Allow", "Idempotency-Replayed", "Location"}

func checkHeader(described openapi3.Headers, given http.Header) error {
	known := map[string]bool{}
	for name, header := range described {
		known[http.CanonicalHeaderKey(name)] = true
		values := given.Values(name)
		if header.Value.Required && len(values) == 0 {
			return fmt.Errorf("%w: header %s", errMissing, name)
		}
		for _, value := range values {
			if err := header.Value.Schema.Value.VisitJSON(value, openapi3.EnableFormatValidation()); err != nil {
				return fmt.Errorf("header %s: %w", name, err)
			}
		}
	}
	for _, name := range telling {
		if len(given.Values(name)) > 0 && !known[name] {
			return fmt.Errorf("%w: header %s", errUndescribed, name)
		}
	}
	return nil
}

// checkUndescribed: what is not described is not served.
func checkUndescribed(doc *openapi3.T, d *described) error {
	if d.status != http.StatusNotFound && d.status != http.StatusMethodNotAllowed {
		return errUndescribed
	}
	return checkAnswer(doc.Components.Responses["Recusa"].Value, d, false)
}

func checkContent(content openapi3.Content, header http.Header, text []byte, noBody bool) error {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return err
	}
	media := content[kind]
	switch {
	case media == nil:
		return errUndescribed
	case noBody || len(text) == 0 || kind == "application/yaml":
		return nil
	}
	return Visit(media.Schema, text)
}

func checkSent(op *openapi3.Operation, r *http.Request, sent []byte) error {
	if err := checkParameters(op.Parameters, r); err != nil {
		return err
	}
	if op.RequestBody == nil || len(sent) >= maxRecorded {
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	media := op.RequestBody.Value.Content[kind]
	switch {
	case media == nil:
		return errUndescribed
	case kind == "application/x-www-form-urlencoded":
		return visitForm(media.Schema, string(sent))
	}
	return Visit(media.Schema, bytes.TrimPrefix(sent, []byte("\ufeff"))) // a mark is skipped: row 12
}

func checkParameters(parameters openapi3.Parameters, r *http.Request) error {
	for _, p := range parameters {
		given := map[string][]string{"query": r.URL.Query()[p.Value.Name], "header": r.Header.Values(p.Value.Name)}[p.Value.In]
		if p.Value.In == "path" {
			given = []string{strings.Split(r.URL.Path, "/")[4]}
		}
		if p.Value.Required && len(given) == 0 {
			return fmt.Errorf("%w: %s", errMissing, p.Value.Name)
		}
		for _, text := range given {
			var value any = text
			if p.Value.Schema.Value.Type.Is("integer") {
				value, _ = strconv.ParseFloat(text, 64)
			}
			if err := p.Value.Schema.Value.VisitJSON(value, openapi3.EnableFormatValidation()); err != nil {
				return fmt.Errorf("parameter %s: %w", p.Value.Name, err)
			}
		}
	}
	return nil
}

// Visit holds a JSON text to a schema.
func Visit(schema *openapi3.SchemaRef, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	options := []openapi3.SchemaValidationOption{openapi3.EnableFormatValidation()}
	if schema.Value.If != nil { // what looks at if compiles the schema anew each time
		options = append(options, openapi3.EnableJSONSchema2020())
	}
	return schema.Value.VisitJSON(value, options...)
}

func visitForm(schema *openapi3.SchemaRef, text string) error {
	values, err := url.ParseQuery(text)
	if err != nil {
		return err
	}
	value := map[string]any{}
	for name := range values {
		value[name] = values.Get(name)
	}
	return schema.Value.VisitJSON(value)
}
