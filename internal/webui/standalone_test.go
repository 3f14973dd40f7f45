package webui_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// TestStandalone_Landing: administração starts at the console, and whoever has nothing
// to do here is told so in words.
func TestStandalone_Landing(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	rui := p.LogIn(t, apptest.Administration)
	home := rui.Get("/")
	if home.Status != http.StatusOK || home.Path != "/servico" || home.Text("h1") != "Serviço" ||
		!strings.Contains(home.Text(".notice"), "no ar") {
		t.Errorf("administração starts at %s with %d: %q", home.Path, home.Status, home.Text(".notice"))
	}
	if got, want := tabs(home), "/servico /pessoas /auditoria"; got != want {
		t.Errorf("got tabs %q, want %q", got, want)
	}
	if got, want := menu(home), "/conta /servico /pessoas /auditoria /ajuda"; got != want {
		t.Errorf("got menu %q, want %q", got, want)
	}
	for _, role := range []string{"recepcao", "supervisao"} {
		got := p.LogIn(t, role).Get("/")
		if got.Status != http.StatusOK || got.Path != "/" || !strings.Contains(got.Text("h1"), "não tem balcão") ||
			tabs(got) != "" || menu(got) != "/conta /ajuda" ||
			got.Count("form[role=search]") != 0 {
			t.Errorf("%s: %d at %s, heading %q, tabs %q, menu %q", role, got.Status, got.Path, got.Text("h1"), tabs(got), menu(got))
		}
	}
}

// TestStandalone_Links: no page of the console leads to one that is not there.
func TestStandalone_Links(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	p.Partner(t, p.APIKey()).Authorize()
	rui := p.LogIn(t, apptest.Administration)
	rui.AddPartner("Hospital da Serra")
	seen, next := map[string]bool{"/": true}, []string{"/"}
	for len(next) > 0 {
		path := next[0]
		next = next[1:]
		got := rui.Get(path)
		if got.Status != http.StatusOK {
			t.Errorf("GET %s: %d", path, got.Status)
		}
		got.Find("a[href^='/']").Each(func(_ int, s *goquery.Selection) {
			to, _, _ := strings.Cut(s.AttrOr("href", ""), "#")
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		})
	}
	for _, want := range []string{"/servico/parceiros/novo", "/servico/credenciais/nova", "/servico/registro", "/servico/trafego",
		"/servico/descricao",
		"/pessoas/nova", "/auditoria", "/conta", "/ajuda"} {
		if !seen[want] {
			t.Errorf("nothing leads to %s", want)
		}
	}
}

// TestStandalone_Failures: what is not here is told on the page that every failure has,
// with a way on that opens.
func TestStandalone_Failures(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	for role, home := range map[string]string{"": "/entrar", apptest.Reception: "/", apptest.Administration: "/servico"} {
		v := p.Client(t)
		if role != "" {
			v = p.LogIn(t, role)
		}
		for path, want := range map[string]int{"/fila": 404, "/nova": 404, "/historico": 404, "/cadastros": 404,
			"/servico/conexao": 404, "/nada": 404, "/sair": 405} {
			got := v.Get(path)
			way, _ := got.Find("main a.btn").Attr("href")
			if got.Status != want || got.Text("h1") == "" || way != home || strings.Contains(got.Text("main"), "unidade") {
				t.Errorf("%s at %s: got %d %q, way on to %q, want %d and %q", role, path, got.Status, got.Text("main"), way, want, home)
			}
		}
		if got := v.Get(home); got.Status != http.StatusOK {
			t.Errorf("%s: the way on answers %d", role, got.Status)
		}
	}
}

// TestStandalone_API: the service answers at the same door, in its own words.
func TestStandalone_API(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	v := p.Client(t)
	if got := v.Get("/healthz"); got.Status != http.StatusOK || string(got.Body) != "ok\n" {
		t.Errorf("healthz: %d %q", got.Status, got.Body)
	}
	if got := v.Get("/api/openapi.yaml"); got.Status != http.StatusOK || !strings.HasPrefix(string(got.Body), "openapi: 3.1") {
		t.Errorf("description: %d %.40q", got.Status, got.Body)
	}
	for path, want := range map[string]int{"/api/v2/credenciais": http.StatusUnauthorized, "/api/v9/nada": http.StatusNotFound,
		"/oauth/token": http.StatusMethodNotAllowed} {
		if got := v.Get(path); got.Status != want || !strings.Contains(string(got.Body), `"sucesso":false`) {
			t.Errorf("%s: %d %.200s, want %d in the envelope", path, got.Status, got.Body, want)
		}
	}
	if got := p.Partner(t, p.APIKey()).Authorize(); got != http.StatusOK {
		t.Errorf("authorize: %d", got)
	}
}

// TestStandalone_Trail: the console's acts are in the trail, intent and person, the page
// Auditoria shows them, and the chain has its head outside the database.
func TestStandalone_Trail(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	rui := p.LogIn(t, apptest.Administration)
	rui.Mint(t, rui.AddPartner("Hospital da Serra")+"/chaves", nil, 1)
	rows := rui.Get("/auditoria").Rows("table.audit-table")
	for i, want := range []string{" | Chave criada | Pessoa rui 127.0.0.1 | Parceiro …",
		" | Parceiro criado | Pessoa rui 127.0.0.1 | Parceiro …"} {
		if len(rows) <= i || !strings.Contains(rows[i], want) {
			t.Errorf("entry %d: got %q, want %q", i, rows, want)
		}
	}
	if got := rui.Post("/auditoria/conferir", nil); !strings.Contains(got.Text("[role=status]"), "inteira") {
		t.Errorf("the check says %q", got.Text("[role=status]"))
	}
	p.Stop()
	if info, err := os.Stat(filepath.Join(p.DataDir, "desk", "audit.head")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("audit.head: %v", err)
	}
	if trail := p.Trail(t); count(trail, "servico.chave_criada parceiro") != 1 {
		t.Errorf("got %q", trail)
	}
}

// TestStandalone_Broken: administração is told on every page when the trail was tampered
// with.
func TestStandalone_Broken(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	p.Stop()
	tamper(t, p, `UPDATE audit_entry SET detail = 'outra' WHERE id = 2`)
	p.Restart(nil)
	rui := p.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "the alarm", func() bool { return strings.Contains(rui.Get("/servico").Text(".banner"), "auditoria") })
}

// TestStandalone_Protections: what guards the desk's door guards this one.
func TestStandalone_Protections(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Configure: func(c *app.Config) {
		c.PublicURL,
			c.TrustedProxies = "https://servico.clinica", apptest.Loopback
	}})
	v := p.Client(t)
	v.StayOnRedirect()
	t.Run("Headers", func(t *testing.T) {
		for _, path := range []string{"/entrar", "/servico", "/fila", "/healthz"} {
			h := v.Get(path).Header
			if !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") ||
				h.Get("X-Content-Type-Options") != "nosniff" ||
				h.Get("Cache-Control") != "no-store" || h.Get("Strict-Transport-Security") == "" {
				t.Errorf("%s: got %v", path, h)
			}
		}
	})
	t.Run("Origin", func(t *testing.T) {
		for origin, want := range map[string]int{"https://evil.example": http.StatusForbidden,
			"https://servico.clinica": http.StatusUnprocessableEntity} {
			got := v.Send(http.MethodPost, "/entrar", "application/x-www-form-urlencoded", strings.NewReader("usuario=x&senha=y"),
				http.Header{"Origin": {origin}})
			if got.Status != want {
				t.Errorf("from %s: got %d, want %d", origin, got.Status, want)
			}
		}
	})
	t.Run("Cookie", func(t *testing.T) {
		user, password := p.Login(apptest.Administration)
		cookie := v.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}}).Header.Get("Set-Cookie")
		for _, part := range []string{"__Host-guiche=", "Secure", "HttpOnly", "SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("the cookie lacks %s", part)
			}
		}
	})
	t.Run("Throttle", func(t *testing.T) {
		var last *apptest.Page
		for range 12 {
			last = v.Post("/entrar", url.Values{"usuario": {"celia"}, "senha": {"errada"}})
		}
		if last.Status != http.StatusTooManyRequests {
			t.Errorf("after 12 wrong passwords: %d, want 429", last.Status)
		}
	})
}

// TestStandalone_Insecure: plain http for other machines is told on every screen.
func TestStandalone_Insecure(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Configure: func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true }})
	rui := p.LogIn(t, apptest.Administration)
	for _, path := range []string{"/servico", "/pessoas", "/ajuda", "/fila"} {
		if got := rui.Get(path).Text(".banner"); !strings.Contains(got, "Conexão sem proteção.") {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

// TestStandalone_People: only the role that is of use is offered, and what a person has
// at the desk stays hers.
func TestStandalone_People(t *testing.T) {
	t.Parallel()
	desk := apptest.Start(t, apptest.Options{})
	address := desk.LogIn(t, apptest.Administration).PersonPath("ana")
	desk.Stop()
	p := apptest.Start(t, apptest.Options{Standalone: true, On: desk})
	rui := p.LogIn(t, apptest.Administration)
	t.Run("New", func(t *testing.T) {
		form := rui.Get("/pessoas/nova")
		roles := form.Find("[name=papeis]").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })
		if !slices.Equal(roles, []string{"administracao"}) || form.Count("[name=papeis][checked]") != 1 || form.Count("[name=unidades]") != 0 ||
			strings.Contains(form.Text("main"), "nidades") {
			t.Errorf("offered %q: %s", roles, form.Text("main"))
		}
		made := rui.Post("/pessoas/nova", url.Values{"usuario": {"livia"}, "nome": {"Lívia Prates"}, "papeis": {"administracao"}})
		livia := p.Client(t)
		if got := livia.Activate(made.Invitation()); got.Path != "/servico" {
			t.Errorf("her link leads to %s with %d", got.Path, got.Status)
		}
	})
	t.Run("Change", func(t *testing.T) {
		got := rui.Post(address, url.Values{"nome": {"Ana Prado Lima"}, "papeis": {"recepcao", "administracao"}})
		if got.Status != http.StatusOK || got.Text("h1") != "Ana Prado Lima" || got.Count("[name=papeis][checked]") != 2 {
			t.Errorf("got %d, %q", got.Status, got.Text("main"))
		}
		if list := rui.Get("/pessoas"); strings.Contains(list.Text("main"), "Unidades") || !strings.Contains(list.Text("main"),
			"Ana Prado Lima") {
			t.Errorf("the list says %q", list.Text("main"))
		}
	})
	t.Run("Preferences", func(t *testing.T) {
		ana := p.LogIn(t, apptest.Reception)
		page := ana.Get("/conta")
		if strings.Contains(page.Text("main"), "F2") || strings.Contains(page.Text("main"), "Unidades") {
			t.Errorf("the page speaks of the desk: %q", page.Text("main"))
		}
		if got := ana.Post("/conta/preferencias", url.Values{"tema": {"escuro"},
			"teclas": {page.Value("[name=teclas]")}}); got.Status != http.StatusOK {
			t.Errorf("preferences: %d", got.Status)
		}
	})
	p.Stop()
	desk.Restart(nil)
	ana := desk.LogIn(t, apptest.Reception)
	if got := ana.Get("/conta"); !strings.Contains(got.Text(".facts"), "Centro") || got.Count("[name=teclas][checked]") != 1 {
		t.Errorf("back at the desk: %q, keys %d", got.Text(".facts"), got.Count("[name=teclas][checked]"))
	}
}

// TestStandalone_WithoutOperators says on the first page what is missing.
func TestStandalone_WithoutOperators(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	if got := p.LogIn(t, apptest.Administration).Get("/servico"); got.Status != http.StatusOK ||
		!strings.Contains(got.Text(".notice"), "Nenhuma operadora ligada.") {
		t.Errorf("got %d, %q", got.Status, got.Text(".notice"))
	}
}

// TestStandalone_Carried: a login that brings a desk's form along is a login.
func TestStandalone_Carried(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	user, password := p.Login(apptest.Reception)
	got := p.Client(t).Post("/entrar", url.Values{"usuario": {user}, "senha": {password}, carriedUID: {draftUID}, "rascunho:versao": {"0"}})
	if got.Status != http.StatusOK || got.Path != "/" {
		t.Errorf("got %d at %s", got.Status, got.Path)
	}
}

const (
	carriedUID = "rascunho"
	draftUID   = "01970000-0000-7000-8000-0000000000aa"
)

// requestByKey authorizes something, so that the ledger has an entry.
func (f *fixture) requestByKey() {
	f.t.Helper()
	if got := f.admin.Server.Partner(f.t, f.admin.Server.APIKey()).Authorize(); got != http.StatusOK {
		f.t.Fatalf("authorize: %d", got)
	}
}

// tabs are the addresses of the lintel, in their order.
func tabs(a *apptest.Page) string {
	a.T.Helper()
	return strings.Join(a.Attrs(".tabs a", "href"), " ")
}

// menu are the addresses of the person's menu, in their order.
func menu(a *apptest.Page) string {
	a.T.Helper()
	return strings.Join(a.Attrs(".menu a", "href"), " ")
}

// TestStandalone_Integrity: what is damaged in the service's ledger, and in its files, is
// found at the next start and named to administração.
func TestStandalone_Integrity(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	p.Partner(t, p.APIKey()).Authorize()
	p.Stop()
	db := p.ServiceDatabase(t)
	for _, statement := range []string{`DROP TRIGGER decision_fixed`, `UPDATE decision SET size = size + 1`} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	guides, _ := filepath.Glob(filepath.Join(p.DataDir, "service", "blobs", "??", "*"))
	if len(guides) == 0 {
		t.Fatal("no files")
	}
	if err := os.Truncate(guides[0], 10); err != nil {
		t.Fatal(err)
	}
	p.Restart(nil)
	rui := p.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "the page names both", func() bool {
		words := rui.Get("/integridade").Text("#danos")
		return strings.Contains(words, "decision 1") && strings.Contains(words, filepath.Base(guides[0]))
	})
	if ready := rui.Get("/readyz"); !strings.Contains(string(ready.Body), "damage") {
		t.Errorf("readyz: got %q", ready.Body)
	}
	rui.Get("/servico").Check(t, apptest.Want{Count: map[string]int{".banner a[href='/integridade']": 1}})
}
