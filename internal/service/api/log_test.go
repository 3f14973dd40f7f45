package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"
)

// logged is the log's line of an answer.
func (e *env) logged(r reply) string {
	e.tb.Helper()
	for line := range strings.Lines(e.Log.String()) {
		if strings.Contains(line, "msg=request id="+r.Header.Get("X-Request-Id")+" ") {
			return line
		}
	}
	e.tb.Errorf("nothing is logged of %v", r.Header)
	return ""
}

// TestAPI_Log_Stream: an answer that is written as a stream is logged with its status
// and its size.
func TestAPI_Log_Stream(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	r := e.Get(servicetest.GuidePath(id))
	if got, want := e.logged(r), fmt.Sprintf(" status=200 bytes=%d ", len(r.Text)); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAPI_Log_Method: a sender's own words stand nowhere in the log, its methods too.
func TestAPI_Log_Method(t *testing.T) {
	e := MustEnv(t, limits{})
	for method, want := range map[string]string{"CANARIO": "other", "get": "other", http.MethodPatch: "PATCH", http.MethodPut: "PUT"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/api/v2/unidades", nil)
		r.Method = method
		e.API.Handler().ServeHTTP(w, r)
		line := e.logged(reply{Header: w.Header()})
		if !strings.Contains(line, " method="+want+" ") || strings.Contains(line, "CANARIO") ||
			!strings.Contains(line, "code=metodo_nao_aceito") {
			t.Errorf("%s: got %s", method, line)
		}
	}
}

// TestAPI_Log_HungUp: a caller that hung up is a line for whoever looks closer, and not
// a failure of ours.
func TestAPI_Log_HungUp(t *testing.T) {
	e := MustEnv(t, limits{})
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v2/unidades", nil)
	r.Header.Set("X-Api-Key", e.Key)
	e.API.Handler().ServeHTTP(w, r)
	line := e.logged(reply{Header: w.Header()})
	if !strings.Contains(line, "level=DEBUG") || !strings.Contains(line, " hung_up=true") || strings.Contains(line, "cause=") {
		t.Errorf("got %s", line)
	}
	if line := e.logged(e.Get("/api/v2/unidades")); strings.Contains(line, "hung_up") {
		t.Errorf("of one who stayed: got %s", line)
	}
}

var errDisk = errors.New("the disk failed")

// halfRead is a store whose blobs end with an error in their middle.
type halfRead struct{ blob.Store }

func (h halfRead) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	body, err := h.Store.Open(ctx, ref)
	return &halfBody{ReadSeekCloser: body}, err
}

type halfBody struct {
	io.ReadSeekCloser
	again, read bool
}

func (b *halfBody) Seek(offset int64, whence int) (int64, error) {
	b.again = true
	return b.ReadSeekCloser.Seek(offset, whence)
}

func (b *halfBody) Read(p []byte) (int, error) {
	if !b.again {
		return b.ReadSeekCloser.Read(p)
	}
	if b.read {
		return 0, errDisk
	}
	b.read = true
	return b.ReadSeekCloser.Read(p[:min(len(p), 100)])
}

// TestAPI_CutAnswer: a long answer that was read once and of which the rest cannot be read
// again is cut, so that nobody takes what came for the whole, and no refusal is written
// behind it.
func TestAPI_CutAnswer(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{AnswerMemory: 1}})
	sent := twoGuides("g")
	if r := e.Post(sent, nil); r.Status != http.StatusOK {
		t.Fatalf("got %d", r.Status)
	}
	e.WrapBlobs = func(s blob.Store) blob.Store { return halfRead{s} }
	e.Restart()
	w := httptest.NewRecorder()
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler { //nolint:errorlint // the value panicked with
				t.Errorf("got %v, want %v", got, http.ErrAbortHandler)
			}
		}()
		r := httptest.NewRequest(http.MethodPost, authorizePath, strings.NewReader(sent))
		r.Header.Set("X-Api-Key", e.Key)
		r.Header.Set("Content-Type", "application/json")
		e.API.Handler().ServeHTTP(w, r)
	}()
	if got := w.Body.String(); len(got) != 100 || strings.Contains(got, "interno") {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
	if line := e.logged(reply{Header: w.Header()}); !strings.Contains(line, " status=200 bytes=100 ") ||
		!strings.Contains(line, " code=interno") {
		t.Errorf("got %s", line)
	}
}
