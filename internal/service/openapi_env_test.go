package service_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"guiche/internal/service"

	"github.com/getkin/kin-openapi/openapi3"
)

// described holds every exchange of this package's tests to the service's
// description: what the service took must be what the description allows, and
// every answer must be one that it describes.
type described struct {
	http.ResponseWriter
	status int
	answer bytes.Buffer
}

func (d *described) WriteHeader(status int) {
	if d.status == 0 {
		d.status = status
	}
	d.ResponseWriter.WriteHeader(status)
}

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

func (r *recorder) Write(p []byte) (int, error) {
	r.Buffer.Write(p[:min(len(p), max(0, maxRecorded-r.Len()))])
	return len(p), nil
}

// teeBody is a body that is recorded as it is read.
type teeBody struct {
	io.Reader
	io.Closer
}

func checkDescribed(tb testing.TB, next http.Handler) http.Handler {
	doc := description(tb)
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

var loaded = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(service.OpenAPI())
	if err != nil {
		return nil, err
	}
	return doc, nil
})

// description is the service's own description, which must be valid.
func description(tb testing.TB) *openapi3.T {
	tb.Helper()
	doc, err := loaded()
	if err != nil {
		tb.Fatalf("openapi.yaml: %v", err)
	}
	return doc
}

// operation finds the described operation of an address, nil for none.
func operation(doc *openapi3.T, method, path string) *openapi3.Operation {
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
	op := operation(doc, method, r.URL.Path)
	if op == nil {
		return checkUndescribed(doc, d)
	}
	if d.status/100 == 2 && r.Method != http.MethodHead {
		if err := checkSent(op, r, sent); err != nil {
			return err
		}
	}
	response := op.Responses.Status(d.status)
	if response == nil {
		response = op.Responses.Default()
	}
	return checkContent(response.Value.Content, d.Header(), d.answer.Bytes(), r.Method == http.MethodHead)
}

// checkUndescribed: what is not described is not served.
func checkUndescribed(doc *openapi3.T, d *described) error {
	if d.status != http.StatusNotFound && d.status != http.StatusMethodNotAllowed {
		return errUndescribed
	}
	refusal := doc.Components.Responses["Recusa"].Value
	return checkContent(refusal.Content, d.Header(), d.answer.Bytes(), false)
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
	return visit(media.Schema, text)
}

func checkSent(op *openapi3.Operation, r *http.Request, sent []byte) error {
	for _, p := range op.Parameters {
		if v := p.Value; v.In == "query" && v.Required && !r.URL.Query().Has(v.Name) {
			return errMissing
		}
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
	return visit(media.Schema, sent)
}

func visit(schema *openapi3.SchemaRef, text []byte) error {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return schema.Value.VisitJSON(value, openapi3.EnableFormatValidation())
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
