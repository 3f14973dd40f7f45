package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
)

// TestAlone_Landing: administração starts at the console, and whoever has nothing
// to do here is told so in words.
func TestAlone_Landing(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t)
	rui := MustVisit(t, p, "administracao")
	home := rui.get("/")
	if home.status != http.StatusOK || home.path != "/servico" || home.text("h1") != "Serviço" || !strings.Contains(home.text(".notice"), "no ar") {
		t.Errorf("administração starts at %s with %d: %q", home.path, home.status, home.text(".notice"))
	}
	if got, want := home.tabs(), "/servico /pessoas /auditoria"; got != want {
		t.Errorf("got tabs %q, want %q", got, want)
	}
	if got, want := home.menu(), "/conta /servico /pessoas /auditoria /ajuda"; got != want {
		t.Errorf("got menu %q, want %q", got, want)
	}
	for _, role := range []string{"recepcao", "supervisao"} {
		got := MustVisit(t, p, role).get("/")
		if got.status != http.StatusOK || got.path != "/" || !strings.Contains(got.text("h1"), "não tem balcão") || got.tabs() != "" || got.menu() != "/conta /ajuda" ||
			got.doc().Find("form[role=search]").Length() != 0 {
			t.Errorf("%s: %d at %s, heading %q, tabs %q, menu %q", role, got.status, got.path, got.text("h1"), got.tabs(), got.menu())
		}
	}
}

// TestAlone_Links: no page of the console leads to one that is not there.
func TestAlone_Links(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir = folder })
	MustCall(t, p, "x-api-key", MustReadKey(t, folder)).authorize()
	rui := MustVisit(t, p, "administracao")
	rui.addPartner("Hospital da Serra")
	seen, next := map[string]bool{"/": true}, []string{"/"}
	for len(next) > 0 {
		path := next[0]
		next = next[1:]
		got := rui.get(path)
		if got.status != http.StatusOK {
			t.Errorf("GET %s: %d", path, got.status)
		}
		got.doc().Find("a[href^='/']").Each(func(_ int, s *selection) {
			to, _, _ := strings.Cut(s.AttrOr("href", ""), "#")
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		})
	}
	for _, want := range []string{"/servico/parceiros/novo", "/servico/credenciais/nova", "/servico/registro", "/servico/trafego", "/servico/descricao",
		"/pessoas/nova", "/auditoria", "/conta", "/ajuda"} {
		if !seen[want] {
			t.Errorf("nothing leads to %s", want)
		}
	}
}

// TestAlone_Failures: what is not here is told on the page that every failure has,
// with a way on that opens.
func TestAlone_Failures(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t)
	for role, home := range map[string]string{"": "/entrar", "recepcao": "/", "administracao": "/servico"} {
		v := MustVisit(t, p, role)
		for path, want := range map[string]int{"/fila": 404, "/nova": 404, "/historico": 404, "/cadastros": 404, "/servico/conexao": 404, "/nada": 404, "/sair": 405} {
			got := v.get(path)
			way, _ := got.doc().Find("main a.btn").Attr("href")
			if got.status != want || got.text("h1") == "" || way != home || strings.Contains(got.text("main"), "unidade") {
				t.Errorf("%s at %s: got %d %q, way on to %q, want %d and %q", role, path, got.status, got.text("main"), way, want, home)
			}
		}
		if got := v.get(home); got.status != http.StatusOK {
			t.Errorf("%s: the way on answers %d", role, got.status)
		}
	}
}

// TestAlone_API: the service answers at the same door, in its own words.
func TestAlone_API(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir = folder })
	if status, body := p.get(t, "/healthz"); status != http.StatusOK || body != "ok\n" {
		t.Errorf("healthz: %d %q", status, body)
	}
	if status, body := p.get(t, "/api/openapi.yaml"); status != http.StatusOK || !strings.HasPrefix(body, "openapi: 3.1") {
		t.Errorf("description: %d %.40q", status, body)
	}
	for path, want := range map[string]int{"/api/v2/credenciais": http.StatusUnauthorized, "/api/v9/nada": http.StatusNotFound, "/oauth/token": http.StatusMethodNotAllowed} {
		if status, body := p.get(t, path); status != want || !strings.Contains(body, `"sucesso":false`) {
			t.Errorf("%s: %d %.200s, want %d in the envelope", path, status, body, want)
		}
	}
	if got := MustCall(t, p, "x-api-key", MustReadKey(t, folder)).authorize(); got != http.StatusOK {
		t.Errorf("authorize: %d", got)
	}
}

// TestAlone_Trail: the console's acts are in the trail, intent and person, the page
// Auditoria shows them, and the chain has its head outside the database.
func TestAlone_Trail(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir = folder })
	rui := MustVisit(t, p, "administracao")
	rui.mint(t, rui.addPartner("Hospital da Serra")+"/chaves", nil, 1)
	rows := rui.get("/auditoria").entries()
	for i, want := range []string{" | Chave criada | Pessoa rui | Parceiro …", " | Parceiro criado | Pessoa rui | Parceiro …"} {
		if len(rows) <= i || !strings.Contains(rows[i], want) {
			t.Errorf("entry %d: got %q, want %q", i, rows, want)
		}
	}
	if got := rui.post("/auditoria/conferir", nil); !strings.Contains(got.text("[role=status]"), "inteira") {
		t.Errorf("the check says %q", got.text("[role=status]"))
	}
	p.stop()
	if info, err := os.Stat(filepath.Join(folder, "desk", "audit.head")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("audit.head: %v", err)
	}
	if trail := trailOf(t, folder); count(trail, "servico.chave_criada parceiro") != 1 {
		t.Errorf("got %q", trail)
	}
}

// TestAlone_Broken: administração is told on every page when the trail was tampered
// with.
func TestAlone_Broken(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir = folder })
	p.stop()
	MustTamper(t, folder, `UPDATE audit_entry SET detail = 'outra' WHERE id = 2`)
	again := MustOpenAlone(t, func(c *app.Config) { c.DataDir = folder })
	again.logins = p.logins
	rui := MustVisit(t, again, "administracao")
	eventually(t, "the alarm", func() bool { return strings.Contains(rui.get("/servico").text(".banner"), "auditoria") })
}

// TestAlone_Protections: what guards the desk's door guards this one.
func TestAlone_Protections(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t, func(c *app.Config) { c.PublicURL, c.TrustedProxies = "https://servico.clinica", loopback })
	v := MustVisit(t, p, "")
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Run("Headers", func(t *testing.T) {
		for _, path := range []string{"/entrar", "/servico", "/fila", "/healthz"} {
			h := v.get(path).header
			if !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") || h.Get("X-Content-Type-Options") != "nosniff" ||
				h.Get("Cache-Control") != "no-store" || h.Get("Strict-Transport-Security") == "" {
				t.Errorf("%s: got %v", path, h)
			}
		}
	})
	t.Run("Origin", func(t *testing.T) {
		for origin, want := range map[string]int{"https://evil.example": http.StatusForbidden, "https://servico.clinica": http.StatusUnprocessableEntity} {
			got := v.send(http.MethodPost, "/entrar", "application/x-www-form-urlencoded", strings.NewReader("usuario=x&senha=y"), http.Header{"Origin": {origin}})
			if got.status != want {
				t.Errorf("from %s: got %d, want %d", origin, got.status, want)
			}
		}
	})
	t.Run("Cookie", func(t *testing.T) {
		user, password := p.login(t, "administracao")
		cookie := v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}}).header.Get("Set-Cookie")
		for _, part := range []string{"__Host-guiche=", "Secure", "HttpOnly", "SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("the cookie lacks %s", part)
			}
		}
	})
	t.Run("Throttle", func(t *testing.T) {
		var last answer
		for range 12 {
			last = v.post("/entrar", url.Values{"usuario": {"celia"}, "senha": {"errada"}})
		}
		if last.status != http.StatusTooManyRequests {
			t.Errorf("after 12 wrong passwords: %d, want 429", last.status)
		}
	})
}

// TestAlone_Insecure: plain http for other machines is told on every screen.
func TestAlone_Insecure(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t, func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true })
	rui := MustVisit(t, p, "administracao")
	for _, path := range []string{"/servico", "/pessoas", "/ajuda", "/fila"} {
		if got := rui.get(path).text(".banner"); !strings.Contains(got, "Conexão sem proteção.") {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

// TestAlone_People: only the role that is of use is offered, and what a person has
// at the desk stays hers.
func TestAlone_People(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	desk := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	address := MustVisit(t, desk, "administracao").personPath("ana")
	desk.stop()
	p := MustOpenAlone(t, func(c *app.Config) { c.DataDir = folder })
	p.logins = desk.logins
	rui := MustVisit(t, p, "administracao")
	t.Run("New", func(t *testing.T) {
		form := rui.get("/pessoas/nova")
		roles := form.doc().Find("[name=papeis]").Map(func(_ int, s *selection) string { return s.AttrOr("value", "") })
		if !slices.Equal(roles, []string{"administracao"}) || form.doc().Find("[name=papeis][checked]").Length() != 1 || form.doc().Find("[name=unidades]").Length() != 0 ||
			strings.Contains(form.text("main"), "nidades") {
			t.Errorf("offered %q: %s", roles, form.text("main"))
		}
		made := rui.post("/pessoas/nova", url.Values{"usuario": {"livia"}, "nome": {"Lívia Prates"}, "papeis": {"administracao"}})
		livia := MustVisit(t, p, "")
		if got := livia.post(made.invitation(), url.Values{"senha": {travelPassword}, "senha2": {travelPassword}}); got.path != "/servico" {
			t.Errorf("her link leads to %s with %d", got.path, got.status)
		}
	})
	t.Run("Change", func(t *testing.T) {
		got := rui.post(address, url.Values{"nome": {"Ana Prado Lima"}, "papeis": {"recepcao", "administracao"}})
		if got.status != http.StatusOK || got.text("h1") != "Ana Prado Lima" || got.doc().Find("[name=papeis][checked]").Length() != 2 {
			t.Errorf("got %d, %q", got.status, got.text("main"))
		}
		if list := rui.get("/pessoas"); strings.Contains(list.text("main"), "Unidades") || !strings.Contains(list.text("main"), "Ana Prado Lima") {
			t.Errorf("the list says %q", list.text("main"))
		}
	})
	t.Run("Preferences", func(t *testing.T) {
		ana := MustVisit(t, p, "recepcao")
		page := ana.get("/conta")
		if strings.Contains(page.text("main"), "F2") || strings.Contains(page.text("main"), "Unidades") {
			t.Errorf("the page speaks of the desk: %q", page.text("main"))
		}
		if got := ana.post("/conta/preferencias", url.Values{"tema": {"escuro"}, "teclas": {page.value("[name=teclas]")}}); got.status != http.StatusOK {
			t.Errorf("preferences: %d", got.status)
		}
	})
	p.stop()
	desk = MustRun(t, func(c *app.Config) { c.DataDir = folder })
	ana := MustVisit(t, desk, "recepcao")
	if got := ana.get("/conta"); !strings.Contains(got.text(".facts"), "Centro") || got.doc().Find("[name=teclas][checked]").Length() != 1 {
		t.Errorf("back at the desk: %q, keys %d", got.text(".facts"), got.doc().Find("[name=teclas][checked]").Length())
	}
}

// TestAlone_WithoutOperators says on the first page what is missing.
func TestAlone_WithoutOperators(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t, func(c *app.Config) { c.Simulated = false })
	if got := MustVisit(t, p, "administracao").get("/servico"); got.status != http.StatusOK || !strings.Contains(got.text(".notice"), "Nenhuma operadora ligada.") {
		t.Errorf("got %d, %q", got.status, got.text(".notice"))
	}
}

// TestAlone_Carried: a login that brings a desk's form along is a login.
func TestAlone_Carried(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t)
	user, password := p.login(t, "recepcao")
	got := MustVisit(t, p, "").post("/entrar", url.Values{"usuario": {user}, "senha": {password}, carriedUID: {draftUID}, "rascunho:versao": {"0"}})
	if got.status != http.StatusOK || got.path != "/" {
		t.Errorf("got %d at %s", got.status, got.path)
	}
}

const (
	carriedUID = "rascunho"
	draftUID   = "01970000-0000-7000-8000-0000000000aa"
)
