package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// movable is a clock that a test sets forward.
type movable struct{ ahead atomic.Int64 }

func (m *movable) now() time.Time           { return time.Now().Add(time.Duration(m.ahead.Load())) }
func (m *movable) forward(by time.Duration) { m.ahead.Add(int64(by)) }
func (m *movable) set(c *app.Config)        { c.Clock = m.now }

// away is longer than a session lasts without anybody.
const away = 31 * time.Minute

// carriedForm is what the entry page would send back with user and password.
func carriedForm(page answer, user, password string) url.Values {
	form := url.Values{}
	page.doc().Find("form.login-card input").Each(func(_ int, field *selection) {
		name, _ := field.Attr("name")
		value, _ := field.Attr("value")
		form.Add(name, value)
	})
	form.Set("usuario", user)
	form.Set("senha", password)
	return form
}

// TestExpiry_Post sends a form after its session ended, without a script: the
// entry page carries what was typed, and logging in leads to it.
func TestExpiry_Post(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"", "/revisar", "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/remover"} {
		t.Run("To"+to, func(t *testing.T) {
			clock := &movable{}
			p := MustRun(t, clock.set)
			v := MustVisit(t, p, "recepcao")
			address, form := v.newDraft()
			form = everyField(form)
			clock.forward(away)
			entry := v.post(address+to, form)
			if entry.status != http.StatusUnauthorized || !strings.Contains(entry.text("[role=alert]"), "Sua sessão terminou") {
				t.Fatalf("%d: %s", entry.status, entry.text("main"))
			}
			checkKept(t, v.comeBack(entry), address, form)
		})
	}
	t.Run("WithFiles", func(t *testing.T) {
		clock := &movable{}
		p := MustRun(t, clock.set)
		v := MustVisit(t, p, "recepcao")
		address, form := v.newDraft()
		form = everyField(form)
		clock.forward(away)
		entry := v.upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": pdfBytes(1000)})
		if entry.status != http.StatusUnauthorized {
			t.Fatalf("%d: %s", entry.status, entry.text("main"))
		}
		checkKept(t, v.comeBack(entry), address, form)
	})
	t.Run("Send", func(t *testing.T) {
		clock := &movable{}
		p := MustRun(t, clock.set)
		v := MustVisit(t, p, "recepcao")
		address, form := v.newDraft()
		v.post(address+"/revisar", form)
		clock.forward(away)
		entry := v.post(address+"/enviar", url.Values{"versao": {"1"}})
		if entry.path != "/entrar" {
			t.Fatalf("at %s with %d", entry.path, entry.status)
		}
		if got := v.comeBack(entry); got.path != address || got.value("#nomeBeneficiario") != form.Get("nomeBeneficiario") {
			t.Errorf("back at %s with %q", got.path, got.value("#nomeBeneficiario"))
		}
		if rows := v.get("/fila").doc().Find("#fila tbody tr").Length(); rows != 0 {
			t.Errorf("%d cases: an ended session sent something", rows)
		}
	})
}

// comeBack mistypes the password once and then logs in.
func (v *visitor) comeBack(entry answer) answer {
	v.t.Helper()
	user, password := v.p.login(v.t, "recepcao")
	entry = v.post("/entrar", carriedForm(entry, user, "errada"))
	if entry.status != http.StatusUnprocessableEntity {
		v.t.Fatalf("a wrong password: %d", entry.status)
	}
	return v.post("/entrar", carriedForm(entry, user, password))
}

func checkKept(t *testing.T, got answer, address string, form url.Values) {
	t.Helper()
	if got.path != address || got.status != http.StatusOK {
		t.Fatalf("back at %s with %d, want %s", got.path, got.status, address)
	}
	for name, values := range form {
		if name == "versao" || name == "credencialId" || strings.HasPrefix(name, "procedimentos[") {
			continue
		}
		field := got.doc().Find(`[name="` + name + `"]`)
		if kind, _ := field.Attr("type"); kind == "checkbox" {
			if _, checked := field.Attr("checked"); !checked {
				t.Errorf("%s is no longer ticked", name)
			}
		} else if kept := got.value(`[name="` + name + `"]`); strings.ReplaceAll(kept, "\r", "") != strings.ReplaceAll(values[0], "\r", "") {
			t.Errorf("%s is %q, want %q", name, kept, values[0])
		}
	}
	if code := got.value("#procedimentos-1-codigoProcedimento"); code != form.Get("procedimentos[1].codigoProcedimento") {
		t.Errorf("the second procedure is %q", code)
	}
}

// TestExpiry_SomebodyElse logs another person in over a carried form: the first
// person's draft stays hers.
func TestExpiry_SomebodyElse(t *testing.T) {
	t.Parallel()
	clock := &movable{}
	p := MustRun(t, clock.set)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	v.post(address, form)
	form.Set("versao", "1")
	form.Set("nomeBeneficiario", "Depois do Fim")
	clock.forward(away)
	entry := v.post(address, form)
	for role, start := range map[string]string{"supervisao": "/fila", "administracao": "/pessoas"} {
		user, password := p.login(t, role)
		got := MustVisit(t, p, "").post("/entrar", carriedForm(entry, user, password))
		if got.path != start || !strings.Contains(got.text("main [role=status]"), "de outra pessoa") {
			t.Errorf("%s is at %s: %s", role, got.path, got.text("main [role=status]"))
		}
	}
	owner := MustVisit(t, p, "recepcao")
	if got := owner.get(address).value("#nomeBeneficiario"); got != "Beneficiária de Teste" {
		t.Errorf("the draft holds %q", got)
	}
	t.Run("SavedElsewhereMeanwhile", func(t *testing.T) {
		newer := cloneValues(form)
		newer.Set("nomeBeneficiario", "Outra Aba")
		owner.post(address, newer)
		user, password := p.login(t, "recepcao")
		got := v.post("/entrar", carriedForm(entry, user, password))
		if got.status != http.StatusConflict || got.value("#nomeBeneficiario") != "Depois do Fim" || got.doc().Find("[data-conflict]").Length() != 1 {
			t.Errorf("%d at %s shows %q", got.status, got.path, got.value("#nomeBeneficiario"))
		}
		if kept := owner.get(address).value("#nomeBeneficiario"); kept != "Outra Aba" {
			t.Errorf("the draft holds %q, want what the other tab saved", kept)
		}
	})
}

// TestExpiry_ScriptIsTold: a page that asks by itself is told with 401 and stays;
// one that waits for an answer goes to the entry.
func TestExpiry_ScriptIsTold(t *testing.T) {
	t.Parallel()
	clock := &movable{}
	p := MustRun(t, clock.set)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	sent := v.submit(address, form)
	address, form = v.newDraft()
	clock.forward(away)
	htmx := http.Header{"Hx-Request": {"true"}, "Hx-Current-Url": {p.url + sent.path}}
	for path, want := range map[string]int{
		address: http.StatusUnauthorized, address + "/anexos": http.StatusUnauthorized, "/busca/credenciais": http.StatusUnauthorized,
		"/busca/procedimentos": http.StatusUnauthorized, address + "/enviar": http.StatusNoContent,
	} {
		got := v.send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), htmx)
		if got.status != want || len(got.body) != 0 {
			t.Errorf("POST %s: %d with %d bytes, want %d", path, got.status, len(got.body), want)
		}
	}
	poll := v.send(http.MethodGet, sent.path+"/estado", "", nil, htmx)
	if got := poll.header.Get("Hx-Redirect"); got != "/entrar?volta="+url.QueryEscape(sent.path) {
		t.Errorf("a waiting page is sent to %q", got)
	}
}

// TestExpiry_WayBack leads to a page that opens, whatever was posted.
func TestExpiry_WayBack(t *testing.T) {
	t.Parallel()
	v := MustVisit(t, MustRun(t), "")
	for from, want := range map[string]string{
		"/conta": "/conta", "/conta/senha": "/", "/pessoas/nova": "/pessoas/nova", "/casos/x/retirar": "/", "//evil.example/x": "/", "": "/",
	} {
		got := v.send(http.MethodPost, "/conta/senha", "application/x-www-form-urlencoded", http.NoBody, http.Header{"Referer": {v.p.url + from}})
		if back := got.value("[name=volta]"); got.path != "/entrar" || back != want {
			t.Errorf("from %q: at %s, back to %q, want %q", from, got.path, back, want)
		}
	}
}

// TestExpiry_Browser types on after the session ended, logs in in another tab and
// finds everything saved.
func TestExpiry_Browser(t *testing.T) {
	t.Parallel()
	clock := &movable{}
	p := MustRun(t, clock.set)
	b := MustBrowse(t, p, "401", "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Antes")
	b.saved()
	clock.forward(away)
	b.fill("#nomeBeneficiario", "Antes e depois")
	b.fill("#planoBeneficiario", "Também")
	b.see("#sessao")
	b.look("nova-sessao-terminada")
	if got := b.text("#sessao"); !strings.Contains(got, "Sua sessão terminou") {
		t.Errorf("the page says %q", got)
	}
	t.Run("SearchAndFiles", func(t *testing.T) {
		b.fill("#Busca", "aroeira")
		b.waitFor("the list says so", "document.querySelector('#credenciais').innerText.includes('Sua sessão terminou')")
		b.upload(pngFile(t, "pedido.png"))
		b.waitFor("the row says so", "document.querySelector('#anexos .error')?.innerText.includes('sua sessão terminou')")
	})
	t.Run("LogInElsewhere", func(t *testing.T) {
		b.logInElsewhere("recepcao")
		b.waitFor("the notice goes", "document.querySelector('#sessao').hidden")
		v := MustVisit(t, p, "recepcao")
		draft := v.get(b.path())
		if name, plan := draft.value("#nomeBeneficiario"), draft.value("#planoBeneficiario"); name != "Antes e depois" || plan != "Também" {
			t.Errorf("the draft holds %q and %q", name, plan)
		}
	})
	t.Run("ReviewAfterTheEnd", func(t *testing.T) {
		address := b.path()
		clock.forward(away)
		b.fill("#nomeSolicitante", "Dr. Caio Leme")
		b.press(kb.F8)
		b.see("#senha")
		b.look("entrar-sessao-terminada")
		user, password := p.login(t, "recepcao")
		b.fill("#usuario", user)
		b.fill("#senha", password)
		b.press("\r")
		b.waitFor("back on the draft", "location.pathname === '"+address+"' && document.querySelector('#nomeSolicitante')?.value === 'Dr. Caio Leme'")
	})
}

// saved waits until autosave says so.
func (b *browser) saved() {
	b.t.Helper()
	b.waitFor("saved", "document.querySelector('#rascunho')?.innerText.includes('salvo às')")
}

// logInElsewhere logs in as a second tab of the same browser does: by the same
// cookies, without leaving the page.
func (b *browser) logInElsewhere(role string) {
	b.t.Helper()
	user, password := b.p.login(b.t, role)
	body := url.Values{"usuario": {user}, "senha": {password}}.Encode()
	if at := eval[string](b, `fetch('/entrar', {method: 'POST', body: new URLSearchParams('`+body+`')}).then(r => new URL(r.url).pathname)`); at != "/fila" {
		b.t.Fatalf("logged in elsewhere and at %s", at)
	}
}

// upload chooses files without waiting for what becomes of them.
func (b *browser) upload(paths ...string) {
	b.t.Helper()
	b.do("choose files", cd.SetUploadFiles(cd.CSS("#arquivo"), paths))
}
