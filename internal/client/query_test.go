package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

func TestClient_SearchCredentials(t *testing.T) {
	t.Run("OnTheWire", func(t *testing.T) {
		p := MustPair(t)
		if _, err := p.SearchCredentials(t.Context(), "São & Cia"); err != nil {
			t.Fatal(err)
		}
		e := only(t, p.service, faultservice.Received)
		if got, want := e.Method+" "+e.Path+"?"+e.RawQuery, "GET /api/v2/credenciais?Busca=S%C3%A3o+%26+Cia"; got != want {
			t.Errorf("request: got %s, want %s", got, want)
		}
		for name, want := range map[string]string{"Accept": "text/plain", "X-Api-Key": "chave-1"} {
			if got := e.Header.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	})
	t.Run("EmptyTextIsSent", func(t *testing.T) {
		p := MustPair(t)
		if _, err := p.SearchCredentials(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if got := only(t, p.service, faultservice.Received).RawQuery; got != "Busca=" {
			t.Errorf("query: got %q, want Busca=", got)
		}
	})
	want := []authorization.Credential{
		{ID: "c-1", Name: "Horizonte", ProviderCode: "10001", EligibilityID: "e-1"},
		{ID: "c-2", Name: "Litoral", Biometrics: true},
	}
	items := `[{"id":"c-1","nome":"Horizonte","codigoPrestador":10001,"credencialElegibilityId":"e-1","exigeBiometria":"N"},` +
		`{"id":"c-2","nome":" Litoral ","codigoPrestador":null,"exigeBiometria":true,"novo":1},{"nome":"sem identificador"},null]`
	bodies := map[string]faultservice.Fault{
		"Items":     faultservice.Answer(200, `{"sucesso":true,"erros":[],"data":{"items":`+items+`,"total":2}}`),
		"TextPlain": faultservice.Answer(200, `{"sucesso":true,"data":{"items":`+items+`}}`, "Content-Type", "text/plain"),
		"Array":     faultservice.Answer(200, "\ufeff"+`{"sucesso":1,"data":`+items+`}`),
	}
	for name, fault := range bodies {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t)
			p.service.Add(faultservice.Rule{Fault: fault})
			got, err := p.SearchCredentials(t.Context(), "x")
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v, credentials (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestClient_SearchCredentials_Unavailable(t *testing.T) {
	faults := map[string]faultservice.Fault{
		"Refused":       faultservice.Answer(401, refusal),
		"Forbidden":     faultservice.HTML(403),
		"HTML":          faultservice.HTML(200),
		"ServerError":   faultservice.Answer(500, refusal),
		"NotSuccessful": faultservice.Answer(200, refusal),
		"NoAnswer":      faultservice.HangUp(),
		"Cut":           faultservice.Cut(10),
		"Late":          faultservice.Never(),
		"Huge":          faultservice.Huge(9 << 20),
		"Redirect":      faultservice.Redirect(302, "/api/v2/recursos"),
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := MustPair(t, func(cfg *client.Config) { cfg.QueryTimeout = 500 * time.Millisecond })
			p.service.Add(faultservice.Rule{Path: faultservice.SearchPath, Fault: fault})
			_, err := p.SearchCredentials(t.Context(), "segredo")
			var shown *problem.Error
			if !errors.As(err, &shown) || shown.Code != problem.Unavailable || shown.Message == "" {
				t.Fatalf("error: got %v, want %s with a sentence", err, problem.Unavailable)
			}
			if strings.Contains(err.Error(), "segredo") {
				t.Errorf("error holds the search: %v", err)
			}
		})
	}
	t.Run("InItsOwnWords", func(t *testing.T) {
		const short = `{"sucesso":false,"erros":["Informe pelo menos três letras."],"data":null}`
		for name, c := range map[string]struct {
			fault faultservice.Fault
			want  string
		}{
			"NotSuccessful": {faultservice.Answer(200, short), "Informe pelo menos três letras."},
			"Invalid":       {faultservice.Answer(422, short), "Informe pelo menos três letras."},
			"Later":         {faultservice.Answer(503, short, "Retry-After", "5"), "Informe pelo menos três letras."},
			"Broken":        {faultservice.Answer(500, short), "não entende"},
			"Silent":        {faultservice.Answer(200, `{"sucesso":false,"erros":[],"data":null}`), "não entende"},
		} {
			p := MustPair(t)
			p.service.Add(faultservice.Rule{Path: faultservice.SearchPath, Fault: c.fault})
			_, err := p.SearchCredentials(t.Context(), "x")
			var shown *problem.Error
			if !errors.As(err, &shown) || shown.Code != problem.Unavailable || !strings.Contains(shown.Message, c.want) {
				t.Errorf("%s: got %v, want %s that says %q", name, shown, problem.Unavailable, c.want)
			}
		}
	})
	t.Run("TooMany", func(t *testing.T) {
		for name, fault := range map[string]faultservice.Fault{"Envelope": faultservice.Answer(429, refusal, "Retry-After", "3"),
			"Bare": faultservice.HTML(429)} {
			p := MustPair(t)
			p.service.Add(faultservice.Rule{Path: faultservice.SearchPath, Fault: fault})
			_, err := p.SearchCredentials(t.Context(), "x")
			var shown *problem.Error
			if !errors.As(err, &shown) || shown.Code != problem.Throttled || !strings.Contains(shown.Message, "pedidos demais") {
				t.Errorf("%s: got %v, want %s with a sentence", name, err, problem.Throttled)
			}
		}
	})
	t.Run("Cancelled", func(t *testing.T) {
		p := MustPair(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.SearchCredentials(ctx, "x"); !errors.Is(err, context.Canceled) || problem.Is(err, problem.Unavailable) {
			t.Errorf("error: got %v, want the cancellation itself", err)
		}
	})
	t.Run("RenewedOnce", func(t *testing.T) {
		service := MustService(t, faultservice.Config{Key: "nova"})
		c := MustClient(t, service.URL(), newFolder(t), func(cfg *client.Config) { cfg.Auth = &renewable{keys: []string{"velha", "nova"}} })
		if found, err := c.SearchCredentials(t.Context(), ""); err != nil || len(found) != 2 {
			t.Errorf("got %d credentials, error %v, want 2 after a renewal", len(found), err)
		}
	})
}

func TestClient_Features(t *testing.T) {
	every := []string{"idempotencia", "situacao", "consulta-por-guia", "anexos", "biometria", "cancelamento", "elegibilidade",
		"cadastros", "outro"}
	all := client.Features{Idempotency: true, Status: true, LookUp: true, Attachments: true, Biometrics: true,
		Cancellation: true, Eligibility: true, Directory: true}
	ask := func(t *testing.T, cfg faultservice.Config, rules ...faultservice.Rule) (client.Features, string, error) {
		t.Helper()
		service, blobs := MustService(t, cfg), newFolder(t)
		for _, rule := range rules {
			service.Add(rule)
		}
		c := MustClient(t, service.URL(), blobs)
		f, err := c.Features(t.Context())
		c.Send(t.Context(), dispatch(plainRequest()))
		ledger := service.Ledger()
		return f, ledger[len(ledger)-1].Key, err
	}
	t.Run("Announced", func(t *testing.T) {
		f, key, err := ask(t, faultservice.Config{Features: every})
		if f != all || key == "" || err != nil {
			t.Errorf("got %+v, key %q, error %v, want all, and the key sent", f, key, err)
		}
	})
	t.Run("UnknownPath", func(t *testing.T) {
		f, key, err := ask(t, faultservice.Config{})
		if f != (client.Features{}) || key != "" || err != nil {
			t.Errorf("got %+v, key %q, error %v, want none", f, key, err)
		}
	})
	for _, status := range []int{http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented} {
		t.Run("NoSuchPath"+strconv.Itoa(status), func(t *testing.T) {
			fault := faultservice.HTML(status)
			f, key, err := ask(t, faultservice.Config{Features: every}, faultservice.Rule{Path: faultservice.FeaturesPath, Fault: fault})
			if f != (client.Features{}) || key != "" || err != nil {
				t.Errorf("got %+v, key %q, error %v, want none", f, key, err)
			}
		})
	}
	for name, fault := range map[string]faultservice.Fault{"Failure": faultservice.HTML(500),
		"Refused": faultservice.Answer(401, refusal), "Nonsense": faultservice.Answer(200, `{"sucesso":true,"data":7}`)} {
		t.Run(name, func(t *testing.T) {
			f, key, err := ask(t, faultservice.Config{Features: every}, faultservice.Rule{Path: faultservice.FeaturesPath, Fault: fault})
			if f != (client.Features{}) || key != "" || (err == nil) != (name == "Nonsense") {
				t.Errorf("got %+v, key %q, error %v, want none", f, key, err)
			}
		})
	}
	t.Run("KeptThroughFailure", func(t *testing.T) {
		service, blobs := MustService(t, faultservice.Config{Features: every}), newFolder(t)
		service.Add(faultservice.Rule{Path: faultservice.FeaturesPath, Nth: 2, Fault: faultservice.HTML(500)})
		c := MustClient(t, service.URL(), blobs)
		for asked, failed := range []bool{false, true} {
			f, err := c.Features(t.Context())
			c.Send(t.Context(), dispatch(plainRequest()))
			ledger := service.Ledger()
			if key := ledger[len(ledger)-1].Key; f != all || key == "" || (err != nil) != failed {
				t.Errorf("asked %d: got %+v, key %q, error %v, want what was announced first", asked+1, f, key, err)
			}
		}
	})
	t.Run("AskedBeforeADoubtfulRepetition", func(t *testing.T) {
		service, blobs := MustService(t, faultservice.Config{Features: every}), newFolder(t)
		service.Add(faultservice.Rule{Path: faultservice.FeaturesPath, Nth: 1, Fault: faultservice.HTML(500)})
		c := MustClient(t, service.URL(), blobs) // as after a start, or after a change of the settings
		d := dispatch(plainRequest())
		d.UnknownOutcome = true
		x := c.Send(t.Context(), d)
		if n := service.Count(faultservice.Received, faultservice.SubmitPath); n != 0 || x.SentBytes != 0 || x.HTTPStatus != 0 ||
			x.Failure != authorization.FailureConnect {
			t.Errorf("not known: got %d requests and %+v, want that nothing is sent without its key", n, x)
		}
		x = c.Send(t.Context(), d)
		ledger := service.Ledger()
		if last := ledger[len(ledger)-1]; x.HTTPStatus != 200 || last.Key != d.IdempotencyKey {
			t.Errorf("known: got %+v and key %q, want the key", x, last.Key)
		}
	})
	t.Run("SetByHand", func(t *testing.T) {
		p := MustPair(t, withFeatures(client.Features{LookUp: true}))
		if f, err := p.Features(t.Context()); f != (client.Features{LookUp: true}) || err != nil || len(p.service.Ledger()) != 0 {
			t.Errorf("got %+v, error %v, %d requests, want what was set, without asking", f, err, len(p.service.Ledger()))
		}
	})
}

func TestNew_Refuses(t *testing.T) {
	valid := client.Config{BaseURL: "https://servico.example/porta", Auth: client.APIKey("k"), Blobs: newFolder(t)}
	if _, err := client.New(valid); err != nil {
		t.Fatalf("a valid configuration: %v", err)
	}
	tests := map[string]func(*client.Config){
		"NoURL":        func(c *client.Config) { c.BaseURL = "" },
		"NoScheme":     func(c *client.Config) { c.BaseURL = "servico.example" },
		"OtherScheme":  func(c *client.Config) { c.BaseURL = "ftp://servico.example" },
		"NoHost":       func(c *client.Config) { c.BaseURL = "https://" },
		"User":         func(c *client.Config) { c.BaseURL = "https://ana:segredo@servico.example" },
		"Query":        func(c *client.Config) { c.BaseURL = "https://servico.example?chave=segredo" },
		"Unparsable":   func(c *client.Config) { c.BaseURL = "https://segredo\x7f" },
		"NoAuthorizer": func(c *client.Config) { c.Auth = nil },
		"NoBlobs":      func(c *client.Config) { c.Blobs = nil },
		"Shape":        func(c *client.Config) { c.AttachmentShape = "xml" },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := valid
			spoil(&cfg)
			_, err := client.New(cfg)
			if err == nil || strings.Contains(err.Error(), "segredo") {
				t.Errorf("error: got %v, want one without secrets", err)
			}
		})
	}
}

func TestAPIKey_IsNotShown(t *testing.T) {
	var out bytes.Buffer
	key := client.APIKey("segredo")
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "key", key)
	_, _ = fmt.Fprintf(&out, "%v %s %#v %+v", key, key, key, client.Config{Auth: key})
	if strings.Contains(out.String(), "segredo") {
		t.Errorf("got %s, want no key", out.String())
	}
}

// TestClient_SearchCredentials_Accepted: that an access was accepted is told when it was.
func TestClient_SearchCredentials_Accepted(t *testing.T) {
	for name, c := range map[string]struct {
		fault faultservice.Fault
		want  int
	}{
		"OK":        {faultservice.Answer(200, `{"sucesso":true,"data":{"items":[]}}`), 1},
		"NotFound":  {faultservice.Answer(404, `{}`), 0},
		"Failure":   {faultservice.Answer(500, `{}`), 0},
		"Refused":   {faultservice.Answer(401, `{}`), 0},
		"Redirects": {faultservice.Answer(302, ``), 0},
		"NoAnswer":  {faultservice.HangUp(), 0},
	} {
		t.Run(name, func(t *testing.T) {
			told := 0
			p := MustPair(t, func(cfg *client.Config) { cfg.Accepted = func(context.Context) { told++ } })
			p.service.Add(faultservice.Rule{Fault: c.fault})
			if _, err := p.SearchCredentials(t.Context(), "x"); (err == nil) != (c.want == 1) || told != c.want {
				t.Errorf("told %d times, error %v", told, err)
			}
		})
	}
}

// TestClient_SearchCredentials_NoAccess: without an access nothing is asked, which is said
// as if nobody had answered.
func TestClient_SearchCredentials_NoAccess(t *testing.T) {
	p := MustPair(t, func(cfg *client.Config) { cfg.Auth = &renewable{} })
	_, err := p.SearchCredentials(t.Context(), "x")
	var shown *problem.Error
	if !errors.As(err, &shown) || shown.Code != problem.Unavailable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that it is not available, and why", err)
	}
	if n := len(p.service.Ledger()); n != 0 {
		t.Errorf("asked %d times", n)
	}
}

func TestFeatures_Words(t *testing.T) {
	if got := (client.Features{}).Words(); got != nil {
		t.Errorf("of none: got %q", got)
	}
	words := []string{"idempotencia", "situacao", "consulta-por-guia", "anexos", "biometria", "cancelamento", "elegibilidade", "cadastros"}
	all := everything
	all.Idempotency, all.Directory = true, true
	if got := all.Words(); !slices.Equal(got, words) {
		t.Errorf("of all: got %q, want %q", got, words)
	}
	for _, word := range words {
		if got := client.FeaturesOf([]string{"nada", word}).Words(); !slices.Equal(got, []string{word}) {
			t.Errorf("%s: got %q", word, got)
		}
	}
}
