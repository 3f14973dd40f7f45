package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// agent is a browser by its own words.
type agent string

const (
	windowsChrome = agent("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36")
	androidChrome = agent("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36")
)

// RoundTrip implements http.RoundTripper.
func (a agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", string(a))
	return http.DefaultTransport.RoundTrip(r)
}

// MustVisitWith logs a role in from a browser.
func MustVisitWith(t testing.TB, p *program, role string, a agent) *visitor {
	t.Helper()
	v := MustVisit(t, p, "")
	v.client.Transport = a
	user, password := p.login(t, role)
	if got := v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.status != http.StatusOK {
		t.Fatalf("log in: %d", got.status)
	}
	return v
}

// in reports whether the visitor's session still is one.
func (v *visitor) in() bool { return v.get("/conta").path == "/conta" }

func TestAccount_Password(t *testing.T) {
	t.Parallel()
	const chosen = "capivara no quintal"
	p := MustRun(t)
	ana, other := MustVisit(t, p, "recepcao"), MustVisit(t, p, "recepcao")
	user, current := p.login(t, "recepcao")
	for name, tt := range map[string]struct {
		form  url.Values
		field string
	}{
		"WrongCurrent": {url.Values{"atual": {"outra senha qualquer"}, "senha": {chosen}, "senha2": {chosen}}, "#atual-e"},
		"NoCurrent":    {url.Values{"senha": {chosen}, "senha2": {chosen}}, "#atual-e"},
		"Differ":       {url.Values{"atual": {current}, "senha": {chosen}, "senha2": {chosen + "!"}}, "#senha2-e"},
		"Short":        {url.Values{"atual": {current}, "senha": {"curta"}, "senha2": {"curta"}}, "#senha-e"},
		"Common":       {url.Values{"atual": {current}, "senha": {"123456123456"}, "senha2": {"123456123456"}}, "#senha-e"},
	} {
		got := ana.post("/conta/senha", tt.form)
		if got.status != http.StatusUnprocessableEntity || got.text(tt.field) == "" || got.doc().Find("#erros li").Length() == 0 {
			t.Errorf("%s: got %d, %q beside the field", name, got.status, got.text(tt.field))
		}
	}
	if !ana.in() || !other.in() {
		t.Fatal("a refused change ended a session")
	}
	before := MustAsk(t, ana)
	got := ana.post("/conta/senha", url.Values{"atual": {current}, "senha": {chosen}, "senha2": {chosen}})
	if got.status != http.StatusOK || got.path != "/conta" || !strings.Contains(got.text("main [role=status]"), "Senha trocada") {
		t.Fatalf("got %d at %s, %q", got.status, got.path, got.text("main [role=status]"))
	}
	if !ana.in() || other.in() || before.accepted("/conta") {
		t.Error("this browser stays in with a new session; the other and the old cookie are out")
	}
	for password, want := range map[string]int{current: http.StatusUnprocessableEntity, chosen: http.StatusOK} {
		if got := MustVisit(t, p, "").post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.status != want {
			t.Errorf("logging in: got %d, want %d", got.status, want)
		}
	}
	if log := p.logs.String(); strings.Contains(log, chosen) || strings.Contains(log, current) {
		t.Error("a password stands in the log")
	}
}

func TestAccount_Preferences(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	ana := MustVisit(t, p, "recepcao")
	for _, tt := range []struct{ theme, keys, wantTheme, wantKeys string }{
		{"escuro", "", "dark", "off"}, {"claro", "S", "light", ""}, {"sistema", "S", "", ""},
	} {
		got := ana.post("/conta/preferencias", url.Values{"tema": {tt.theme}, "teclas": {tt.keys}})
		if got.status != http.StatusOK || got.value("#tema") != tt.theme {
			t.Fatalf("%s: got %d, %q chosen", tt.theme, got.status, got.value("#tema"))
		}
		for _, v := range []*visitor{ana, MustVisit(t, p, "recepcao")} { // in any browser
			page := v.get("/fila").doc()
			if theme, keys := page.Find("html").AttrOr("data-bs-theme", ""), page.Find("body").AttrOr("data-shortcuts", ""); theme != tt.wantTheme || keys != tt.wantKeys {
				t.Errorf("%+v: got theme %q, keys %q", tt, theme, keys)
			}
		}
	}
	if got := ana.post("/conta/preferencias", url.Values{"tema": {"roxo"}}); got.status != http.StatusUnprocessableEntity || got.text("#tema-e") == "" {
		t.Errorf("unknown theme: got %d, %q", got.status, got.text("#tema-e"))
	}
}

func TestAccount_Sessions(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	desk, phone := MustVisitWith(t, p, "recepcao", windowsChrome), MustVisitWith(t, p, "recepcao", androidChrome)
	admin := MustVisit(t, p, "administracao")
	page := desk.get("/conta")
	devices := page.doc().Find("tbody .cell-name b").Map(func(_ int, s *selection) string { return s.Text() })
	if want := "Chrome no Android|Chrome no Windows"; strings.Join(devices, "|") != want {
		t.Errorf("got %v, want %s", devices, want)
	}
	if got := page.text("tbody .cell-name .small"); got != "127.0.0.1" {
		t.Errorf("address is %q", got)
	}
	end, _ := page.doc().Find("td form").Attr("action")
	t.Run("OfSomebodyElse", func(t *testing.T) {
		if got := admin.post(end, nil); got.status != http.StatusNotFound || !phone.in() {
			t.Errorf("got %d, want 404 and the session open", got.status)
		}
	})
	t.Run("Own", func(t *testing.T) {
		if got := desk.post(end, nil); got.status != http.StatusOK || phone.in() || !desk.in() {
			t.Errorf("got %d, phone in %t, desk in %t", got.status, phone.in(), desk.in())
		}
	})
	t.Run("Others", func(t *testing.T) {
		second := MustVisitWith(t, p, "recepcao", androidChrome)
		desk.post("/conta/sessoes/encerrar", nil)
		if second.in() || !desk.in() {
			t.Error("want the other out and this one in")
		}
	})
	t.Run("ByAdministration", func(t *testing.T) {
		path, second := admin.personPath("ana"), MustVisitWith(t, p, "recepcao", androidChrome)
		one, _ := admin.get(path).doc().Find("td form").Attr("action")
		if got := admin.post(one, nil); got.status != http.StatusOK || second.in() || !desk.in() {
			t.Errorf("one: got %d, want only the newest out", got.status)
		}
		if got := admin.post(path+"/sessoes/encerrar", nil); got.status != http.StatusOK || desk.in() || !strings.Contains(got.text("main"), "Nenhuma agora") {
			t.Errorf("all: got %d, desk in %t", got.status, desk.in())
		}
	})
}

// With the keys off F2 is the browser's and no hint shows it.
func TestAccount_Keys(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	const hint = "getComputedStyle(document.querySelector('.tabs kbd')).display"
	b.open("/conta")
	b.click("#teclas")
	b.click("form[action='/conta/preferencias'] button")
	b.waitFor("kept", "document.querySelector('main [role=status]') !== null")
	if got := eval[string](b, hint); got != "none" {
		t.Errorf("the hint is shown: %s", got)
	}
	b.pressF2("false")
	b.open("/ajuda")
	if got := eval[string](b, "getComputedStyle(document.querySelector('dt kbd')).display"); got == "none" {
		t.Error("the map of keys lost its keys")
	}
	b.open("/conta")
	b.click("#teclas")
	b.click("form[action='/conta/preferencias'] button")
	b.waitFor("hint back", hint+" !== 'none'")
	b.pressF2("true")
	b.waitFor("the form", "location.pathname.startsWith('/nova')")
}

// pressF2 presses F2 and wants the page to take it from the browser, or not to.
func (b *browser) pressF2(taken string) {
	b.t.Helper()
	eval[bool](b, "sessionStorage.removeItem('taken'), addEventListener('keydown', event => sessionStorage.setItem('taken', event.defaultPrevented)), true")
	b.press(kb.F2)
	b.waitFor("F2 taken: "+taken, "sessionStorage.getItem('taken') === '"+taken+"'")
}
