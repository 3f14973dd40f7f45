package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/service/servicetest"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// TestAPI_RequestID: the id that a sender gives its request is answered, logged and
// kept in the ledger; anything but a UUID is replaced.
func TestAPI_RequestID(t *testing.T) {
	const given = "0198a000-0000-4000-8000-00000000000a"
	for name, c := range map[string]struct {
		header []string
		kept   bool
	}{"given": {[]string{given}, true}, "none": {nil, false}, "a word": {[]string{"CANARIO"}, false}, "two": {[]string{given, given}, false}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			r := e.Post(body(nil), http.Header{"X-Request-Id": c.header})
			id := r.Header.Get("X-Request-Id")
			if uuid.Validate(id) != nil || (id == given) != c.kept {
				t.Fatalf("got %q, want the given one: %v", id, c.kept)
			}
			guide := r.Entry()["guiaId"].(string)
			done := e.Act(guide, "cancelamento", someReason, http.Header{"X-Request-Id": c.header})
			want := id + " " + done.Header.Get("X-Request-Id")
			if got := strings.Join(e.Texts(`SELECT x_request_id FROM request UNION ALL SELECT x_request_id FROM act`), " "); got != want {
				t.Errorf("the ledger has %q, want %q", got, want)
			}
			if !strings.Contains(e.Log.String(), "msg=request id="+id+" method=POST") {
				t.Errorf("the log does not say %s: %s", id, e.Log.String())
			}
		})
	}
}

// TestAPI_Internal: what fails inside says nothing of itself, whatever is asked, and
// the log has the cause.
func TestAPI_Internal(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	e.Must(e.DB.Close())
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {p.Client.ID.String()}, "client_secret": {p.Secret}}
	for name, r := range map[string]reply{
		"with a key": e.Get("/api/v2/unidades"), "login": e.Login(p.User.Name, "x"), "refresh": e.Refresh(p.Renewal), "token": e.Token(form, nil),
	} {
		if got, _ := r.Body["erros"].([]any); r.Status != http.StatusInternalServerError || len(got) != 1 ||
			got[0] != "Erro interno do serviço." ||
			r.Fields()[0] != " interno" {
			t.Errorf("%s: got %d %s", name, r.Status, r.Text)
		}
		if word := r.Body["error"]; name == "token" && (word != "server_error" || r.Header.Get("Pragma") != "no-cache") {
			t.Errorf("token: got %v, want server_error", word)
		}
	}
	if log := e.Log.String(); strings.Count(log, "level=ERROR msg=request") != 4 || !strings.Contains(log, "database is closed") {
		t.Errorf("the log says %s", log)
	}
}

// panicking is a store that panics with what may quote a person.
type panicking struct {
	service.Store
	with any
}

func (p panicking) SearchCredentials(context.Context, service.CredentialQuery) (service.CredentialPage, error) {
	panic(p.with)
}

// TestAPI_Panic: a panic is an internal error, and its value stands nowhere.
func TestAPI_Panic(t *testing.T) {
	for _, with := range []any{"CANARIO", errors.New("CANARIO"), 7} {
		e := MustEnv(t, limits{})
		e.WrapStore = func(s service.Store) service.Store { return panicking{s, with} }
		e.Restart()
		r := e.Get("/api/v2/credenciais")
		checkRefusal(t, r, http.StatusInternalServerError)
		if strings.Contains(r.Text+e.Log.String(), "CANARIO") || !strings.Contains(e.Log.String(), fmt.Sprintf("panic of type %T", with)) {
			t.Errorf("%T: got %s and the log %s", with, r.Text, e.Log.String())
		}
	}
}

// TestAPI_Panic_Abort: what the server itself is told to cut is cut.
func TestAPI_Panic_Abort(t *testing.T) {
	e := MustEnv(t, limits{})
	e.WrapStore = func(s service.Store) service.Store { return panicking{s, http.ErrAbortHandler} }
	e.Restart()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler { //nolint:errorlint // the value panicked with
			t.Errorf("got %v, want %v", got, http.ErrAbortHandler)
		}
	}()
	r := httptest.NewRequest(http.MethodGet, "/api/v2/credenciais", nil)
	r.Header.Set("X-Api-Key", e.Key)
	e.API.Handler().ServeHTTP(httptest.NewRecorder(), r)
}

// TestAPI_LostAnswer: an answer whose guide is lost is cut, never taken for a whole
// one.
func TestAPI_LostAnswer(t *testing.T) {
	e := MustEnv(t, limits{})
	e.WrapBlobs = func(s blob.Store) blob.Store { return noGuides{s} }
	id, _ := e.MustAuthorize("0310004512063345")
	e.Restart()
	checkRefusal(t, e.Get(servicetest.GuidePath(id)), http.StatusInternalServerError)
}

// noGuides is a store that has lost everything.
type noGuides struct{ blob.Store }

func (noGuides) Open(context.Context, blob.Ref) (io.ReadSeekCloser, error) {
	return nil, errors.New("the disk failed")
}

// cutOff is a store that is out of reach once a blob has been read to its middle.
type cutOff struct{ blob.Store }

func (c cutOff) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	body, err := c.Store.Open(ctx, ref)
	return &cutBody{ReadSeekCloser: body}, err
}

type cutBody struct {
	io.ReadSeekCloser
	read bool
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.read {
		return 0, problem.NewBusy(errors.New("the connection to the store was cut"))
	}
	b.read = true
	return b.ReadSeekCloser.Read(p[:min(len(p), 100)])
}

// TestAPI_AnswerOutOfReach: where the answer to what was done cannot be read for now, no refusal says that nothing was
// done, or its sender would do it again; that to a question is asked for again.
func TestAPI_AnswerOutOfReach(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	e.Post(twoGuides("g"), nil)
	e.WrapBlobs = func(s blob.Store) blob.Store { return cutOff{s} }
	e.Restart()
	r := e.Post(twoGuides("g"), nil)
	checkRefusal(t, r, http.StatusInternalServerError)
	if r.Header.Get("Retry-After") != "" || strings.Contains(r.Text, "nada foi feito") {
		t.Errorf("got %v %s", r.Header, r.Text)
	}
	checkRefusal(t, e.Get(servicetest.GuidePath(id)), http.StatusServiceUnavailable)
}

// TestAPI_Log: one line for each request, with the same keys as the desk's.
func TestAPI_Log(t *testing.T) {
	e := MustEnv(t, limits{})
	r := e.Get("/api/v2/recursos")
	want := fmt.Sprintf("level=INFO msg=request id=%s method=GET route=/api/v2/recursos status=200 bytes=%d ms=0\n",
		r.Header.Get("X-Request-Id"), len(r.Text))
	if !strings.HasSuffix(e.Log.String(), want) {
		t.Errorf("got %s, want %s", e.Log.String(), want)
	}
	e.Get("/api/v2/nada")
	if !strings.HasSuffix(e.Log.String(), " code=nao_encontrado\n") || !strings.Contains(e.Log.String(), "route=/ status=404") {
		t.Errorf("got %s", e.Log.String())
	}
}
