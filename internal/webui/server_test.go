package webui_test

import (
	"bytes"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestServer_Headers(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	v.StayOnRedirect()
	for _, path := range []string{"/entrar", "/fila", "/nova", "/ajuda", "/nada", "/casos/x", "/healthz"} {
		got := v.Get(path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
				"connect-src 'self'; font-src 'self'; " +
				"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("GET %s: %s is %q, want %q", path, name, got.Header.Get(name), want)
			}
		}
	}
}

// TestServer_Camera: only pages that take pictures may use the camera.
func TestServer_Camera(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	plain, collecting := ana.Submit(ana.NewDraft()).Path, ana.SubmitWith(map[string]string{"numeroCarteira": "9999300000"}).Path
	attaching := ana.SubmitWith(map[string]string{"numeroCarteira": "9999250000"}).Path
	for path, want := range map[string]string{"/nova": "(self)", collecting: "(self)", attaching: "(self)",
		plain: "()", "/fila": "()", "/entrar": "()",
		"/celular": "()", "/casos/x": "()"} {
		if got := ana.Get(path).Header.Get("Permissions-Policy"); got != "camera="+want+", microphone=(), geolocation=()" {
			t.Errorf("GET %s: %q, want the camera for %s", path, got, want)
		}
	}
}

// TestServer_ServiceAddresses: whatever lies under the service's addresses is answered
// by the service, in its envelope and never by a redirect, for a client follows
// none; everything else is a page.
func TestServer_ServiceAddresses(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for address, want := range map[string]string{
		"/api": "application/json", "/api/": "application/json", "/api/nada": "application/json", "//api/v2/credenciais": "application/json",
		"/api//v2/credenciais": "application/json", "/api/v2/../v2/credenciais": "application/json",
		"/x/../api/v2/credenciais": "application/json",
		"/oauth":                   "application/json", "/oauth//token": "application/json", "/apis": "text/html",
		"/API/v2/credenciais": "application/json",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, p.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.URL.Path = address
			res, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusNotFound || !strings.HasPrefix(got, want) {
				t.Errorf("%s %s: got %d %s, want 404 %s", method, address, res.StatusCode, got, want)
			}
		}
	}
}

func TestServer_OriginCheck(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}},
	} {
		got := v.Send(http.MethodPost, address, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), header)
		if got.Status != http.StatusForbidden {
			t.Errorf("%v: %d, want 403", header, got.Status)
		}
	}
	if got := v.Get(address); got.Status != http.StatusNotFound {
		t.Errorf("a foreign form saved a draft: %d", got.Status)
	}
}

func TestServer_Failures(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/nada", http.StatusNotFound},
		{http.MethodGet, "/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", http.StatusNotFound},
		{http.MethodGet, "/casos/nao-e-um-numero", http.StatusNotFound},
		{http.MethodGet, "/fila?grupo=inexistente", http.StatusNotFound},
		{http.MethodGet, "/nova/x/revisar", http.StatusMethodNotAllowed},
		{http.MethodPost, "/fila", http.StatusMethodNotAllowed},
		{http.MethodDelete, "/fila", http.StatusMethodNotAllowed},
	} {
		got := v.Send(tt.method, tt.path, "", nil, nil)
		if got.Status != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, got.Status, tt.want)
		}
		if got.Text("h1") == "" || got.Count("main a.btn") == 0 {
			t.Errorf("%s %s: the page has no heading or no way on", tt.method, tt.path)
		}
	}
	t.Run("TooLarge", func(t *testing.T) {
		address, _ := v.NewDraft()
		got := v.Upload(address+"/anexos", nil, map[string][]byte{"enorme.pdf": make([]byte, 70<<20)})
		if got.Status != http.StatusRequestEntityTooLarge && got.Status != http.StatusUnprocessableEntity {
			t.Errorf("70 MiB: %d", got.Status)
		}
	})
	t.Run("Head", func(t *testing.T) {
		if got := v.Send(http.MethodHead, "/healthz", "", nil, nil); got.Status != http.StatusOK {
			t.Errorf("HEAD /healthz: %d", got.Status)
		}
	})
}

// TestServer_FailurePages: every refusal is a page in the same voice, with a heading, a
// sentence and a way on, and none of the browser's or the framework's own.
func TestServer_FailurePages(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v, stranger := p.LogIn(t, apptest.Reception), p.Client(t)
	address, _ := v.NewDraft()
	for _, tt := range []struct {
		who          *apptest.Client
		method, path string
		body         string
		want         int
	}{
		{v, http.MethodGet, "/pessoas", "", http.StatusForbidden},
		{v, http.MethodGet, "/%00", "", http.StatusNotFound},
		{v, http.MethodGet, "/casos/%ff", "", http.StatusNotFound},
		{v, http.MethodGet, "/nova/" + strings.Repeat("a", 2000), "", http.StatusNotFound},
		{stranger, http.MethodGet, "/nada", "", http.StatusNotFound},
		{v, http.MethodGet, "/sair", "", http.StatusMethodNotAllowed},
		{v, http.MethodPut, address, "", http.StatusMethodNotAllowed},
		{v, http.MethodPost, address, "nomeBeneficiario=" + strings.Repeat("a", 3<<20), http.StatusRequestEntityTooLarge},
		{v, http.MethodPost, address, "nomeBeneficiario=%zz", http.StatusBadRequest},
		{v, http.MethodPost, address, "nomeBeneficiario=%ed%a0%80", http.StatusBadRequest},
	} {
		got := tt.who.Send(tt.method, tt.path, "application/x-www-form-urlencoded", strings.NewReader(tt.body), nil)
		if got.Status != tt.want {
			t.Errorf("%s %.40s: %d, want %d", tt.method, tt.path, got.Status, tt.want)
		}
		way, _ := got.Find("main a.btn").Attr("href")
		if got.Text("h1") == "" || len(got.Text("main p.muted")) < 20 || !strings.HasPrefix(way, "/") {
			t.Errorf("%s %.40s: heading %q, text %q, way on %q", tt.method, tt.path, got.Text("h1"), got.Text("main p.muted"), way)
		}
		if next := tt.who.Get(way); next.Status != http.StatusOK {
			t.Errorf("%s %.40s: the way on to %s answers %d", tt.method, tt.path, way, next.Status)
		}
	}
}

// TestServer_UnreadableForms: whatever takes a form refuses one that cannot be read, and
// one without end, before it does anything.
func TestServer_UnreadableForms(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana, rui := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	draft, _ := ana.NewDraft()
	unit, professional := rui.Search("/cadastros/unidades", "a"), rui.Search("/cadastros/executantes", "a")
	procedure, credential := rui.Search("/cadastros/procedimentos", "a"), rui.Search("/cadastros/credenciais", "a")
	before := p.Trail(t)
	for who, paths := range map[*apptest.Client][]string{
		ana: {"/entrar", "/conta/senha", "/conta/preferencias", "/historico", "/busca/credenciais", "/busca/procedimentos",
			draft, draft + "/revisar", draft + "/enviar"},
		rui: {"/pessoas", "/pessoas/nova", rui.Get("/pessoas").Attr("td a", "href"), "/auditoria", "/servico/conexao",
			"/servico/conexao/testar", "/cadastros/sincronizar", "/cadastros/unidades", "/cadastros/unidades/nova", unit,
			"/cadastros/executantes", "/cadastros/executantes/novo", professional, "/cadastros/procedimentos",
			"/cadastros/procedimentos/novo", procedure, "/cadastros/credenciais", credential},
	} {
		for _, path := range paths {
			for body, want := range map[string]int{"nome=%zz": http.StatusBadRequest, "nome=" + strings.Repeat("a", 5<<20): 0} {
				got := who.Send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(body), nil)
				if want != 0 && got.Status != want || got.Status < 400 || got.Status >= 500 {
					t.Errorf("POST %s: got %d of %d bytes", path, got.Status, len(body))
				}
			}
		}
	}
	if after := p.Trail(t); len(after) != len(before) {
		t.Errorf("something was done: %v", after[len(before):])
	}
}

// TestServer_ErrorTitle: the title says that a form was refused, and only then, because
// screen readers begin with it.
func TestServer_ErrorTitle(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	rui := p.LogIn(t, apptest.Administration)
	person := rui.Get("/pessoas").Attr("td a", "href")
	for path, post := range map[string]string{"/pessoas/nova": "", person: "", "/conta": "/conta/senha", "/servico/conexao": "",
		"/cadastros/unidades/nova": "", "/cadastros/executantes/novo": "", "/cadastros/procedimentos/novo": "",
		"/servico/parceiros/novo": "", "/servico/credenciais/nova": ""} {
		shown := rui.Get(path)
		if title := shown.Text("title"); shown.Status != http.StatusOK || strings.HasPrefix(title, "Erro: ") {
			t.Errorf("GET %s: %d with the title %q", path, shown.Status, title)
		}
		if post == "" {
			post = path
		}
		refused := rui.Post(post, url.Values{"senha": {"a"}})
		if title := refused.Text("title"); refused.Status != http.StatusUnprocessableEntity || !strings.HasPrefix(title, "Erro: ") {
			t.Errorf("POST %s: %d with the title %q", post, refused.Status, title)
		}
	}
}

// TestServer_ForeignForm: a form of another site is refused in words that a person
// can follow.
func TestServer_ForeignForm(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	got := v.Send(http.MethodPost, "/entrar", "application/x-www-form-urlencoded",
		strings.NewReader(url.Values{"usuario": {"ana"}}.Encode()),
		http.Header{"Sec-Fetch-Site": {"cross-site"}})
	if got.Status != http.StatusForbidden || !strings.Contains(string(got.Body), "outro endereço") {
		t.Errorf("%d: %s", got.Status, got.Body)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Content-Security-Policy": v.Get("/ajuda").Header.Get("Content-Security-Policy")} {
		if got := got.Header.Get(name); got != want || got == "" {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestServer_Panic: a handler that panics gives the page of 500 with an id, its
// stack is in the log alone, and the process goes on.
func TestServer_Panic(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	const secret = "Segredo do Paciente"
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Clock = func() time.Time {
			// Below the handlers' own guard, and only there.
			if armed.Load() && bytes.Contains(debug.Stack(), []byte("(*server).guarded")) && armed.CompareAndSwap(true, false) {
				panic(secret)
			}
			return time.Now()
		}
	}})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	armed.Store(true)
	got := v.Post(address, form)
	if got.Status != http.StatusInternalServerError {
		t.Fatalf("got %d, want 500", got.Status)
	}
	id := got.Text("main .code")
	if id == "" || id != got.Header.Get("X-Request-Id") {
		t.Errorf("the page shows the id %q, the header says %q", id, got.Header.Get("X-Request-Id"))
	}
	for _, inner := range []string{secret, "panic", "goroutine", ".go:"} {
		if bytes.Contains(got.Body, []byte(inner)) {
			t.Errorf("the page shows %q", inner)
		}
	}
	logs := p.Log.String()
	if !strings.Contains(logs, id) || !strings.Contains(logs, `"stack":"goroutine`) || !strings.Contains(logs, `"route":"/nova/:uid"`) {
		t.Error("the log lacks the id, the route or the stack")
	}
	if strings.Contains(logs, secret) {
		t.Error("the log quotes what was panicked with")
	}
	if again := v.Post(address, form); again.Status != http.StatusOK {
		t.Errorf("the next request: %d", again.Status)
	}
}
