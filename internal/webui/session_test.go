package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// away is longer than a session lasts without anybody.
const away = 31 * time.Minute

// carriedForm is what the entry page would send back with user and password.
func carriedForm(page *apptest.Page, user, password string) url.Values {
	form := url.Values{}
	page.Find("form.login-card input").Each(func(_ int, field *goquery.Selection) {
		name, _ := field.Attr("name")
		value, _ := field.Attr("value")
		form.Add(name, value)
	})
	form.Set("usuario", user)
	form.Set("senha", password)
	return form
}

// TestSession_Post sends a form after its session ended, without a script: the
// entry page carries what was typed, and logging in leads to it.
func TestSession_Post(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"", "/revisar", "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/remover"} {
		t.Run("To"+to, func(t *testing.T) {
			p := apptest.Start(t, apptest.Options{})
			v := p.LogIn(t, apptest.Reception)
			address, form := v.NewDraft()
			form = apptest.EveryField(form)
			p.Clock.Advance(away)
			entry := v.Post(address+to, form)
			if entry.Status != http.StatusUnauthorized || !strings.Contains(entry.Text("[role=alert]"), "Sua sessão terminou") {
				t.Fatalf("%d: %s", entry.Status, entry.Text("main"))
			}
			checkKept(t, comeBack(v, entry), address, form)
		})
	}
	t.Run("WithFiles", func(t *testing.T) {
		p := apptest.Start(t, apptest.Options{})
		v := p.LogIn(t, apptest.Reception)
		address, form := v.NewDraft()
		form = apptest.EveryField(form)
		p.Clock.Advance(away)
		entry := v.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1000)})
		if entry.Status != http.StatusUnauthorized {
			t.Fatalf("%d: %s", entry.Status, entry.Text("main"))
		}
		checkKept(t, comeBack(v, entry), address, form)
	})
	t.Run("Send", func(t *testing.T) {
		p := apptest.Start(t, apptest.Options{})
		v := p.LogIn(t, apptest.Reception)
		address, form := v.NewDraft()
		v.Post(address+"/revisar", form)
		p.Clock.Advance(away)
		entry := v.Post(address+"/enviar", url.Values{"versao": {"1"}})
		if entry.Path != "/entrar" {
			t.Fatalf("at %s with %d", entry.Path, entry.Status)
		}
		if got := comeBack(v, entry); got.Path != address || got.Value("#nomeBeneficiario") != form.Get("nomeBeneficiario") {
			t.Errorf("back at %s with %q", got.Path, got.Value("#nomeBeneficiario"))
		}
		if rows := v.Get("/fila").Count("#fila tbody tr"); rows != 0 {
			t.Errorf("%d cases: an ended session sent something", rows)
		}
	})
}

// comeBack mistypes the password once and then logs in.
func comeBack(v *apptest.Client, entry *apptest.Page) *apptest.Page {
	v.T.Helper()
	user, password := v.Server.Login(apptest.Reception)
	entry = v.Post("/entrar", carriedForm(entry, user, "errada"))
	if entry.Status != http.StatusUnprocessableEntity {
		v.T.Fatalf("a wrong password: %d", entry.Status)
	}
	return v.Post("/entrar", carriedForm(entry, user, password))
}

func checkKept(t *testing.T, got *apptest.Page, address string, form url.Values) {
	t.Helper()
	if got.Path != address || got.Status != http.StatusOK {
		t.Fatalf("back at %s with %d, want %s", got.Path, got.Status, address)
	}
	for name, values := range form {
		if name == "versao" || name == "credencialId" || strings.HasPrefix(name, "procedimentos[") {
			continue
		}
		field := got.Find(`[name="` + name + `"]`)
		if kind, _ := field.Attr("type"); kind == "checkbox" {
			if _, checked := field.Attr("checked"); !checked {
				t.Errorf("%s is no longer ticked", name)
			}
		} else if kept := got.Value(`[name="` + name + `"]`); strings.ReplaceAll(kept, "\r", "") != strings.ReplaceAll(values[0], "\r", "") {
			t.Errorf("%s is %q, want %q", name, kept, values[0])
		}
	}
	if code := got.Value("#procedimentos-1-codigoProcedimento"); code != form.Get("procedimentos[1].codigoProcedimento") {
		t.Errorf("the second procedure is %q", code)
	}
}

// TestSession_SomebodyElse logs another person in over a carried form: the first
// person's draft stays hers.
func TestSession_SomebodyElse(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	v.Post(address, form)
	form.Set("versao", "1")
	form.Set("nomeBeneficiario", "Depois do Fim")
	p.Clock.Advance(away)
	entry := v.Post(address, form)
	for role, start := range map[string]string{"supervisao": "/fila", "administracao": "/pessoas"} {
		user, password := p.Login(role)
		got := p.Client(t).Post("/entrar", carriedForm(entry, user, password))
		if got.Path != start || !strings.Contains(got.Text("main [role=status]"), "de outra pessoa") {
			t.Errorf("%s is at %s: %s", role, got.Path, got.Text("main [role=status]"))
		}
	}
	owner := p.LogIn(t, apptest.Reception)
	if got := owner.Get(address).Value("#nomeBeneficiario"); got != "Beneficiária de Teste" {
		t.Errorf("the draft holds %q", got)
	}
	t.Run("SavedElsewhereMeanwhile", func(t *testing.T) {
		newer := apptest.Clone(form)
		newer.Set("nomeBeneficiario", "Outra Aba")
		owner.Post(address, newer)
		user, password := p.Login(apptest.Reception)
		got := v.Post("/entrar", carriedForm(entry, user, password))
		if got.Status != http.StatusConflict || got.Value("#nomeBeneficiario") != "Depois do Fim" || got.Count("[data-conflict]") != 1 {
			t.Errorf("%d at %s shows %q", got.Status, got.Path, got.Value("#nomeBeneficiario"))
		}
		if kept := owner.Get(address).Value("#nomeBeneficiario"); kept != "Outra Aba" {
			t.Errorf("the draft holds %q, want what the other tab saved", kept)
		}
	})
}

// TestSession_ScriptIsTold: a page that asks by itself is told with 401 and stays;
// one that waits for an answer goes to the entry.
func TestSession_ScriptIsTold(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	sent := v.Submit(address, form)
	address, form = v.NewDraft()
	p.Clock.Advance(away)
	htmx := http.Header{"Hx-Request": {"true"}, "Hx-Current-Url": {p.URL + sent.Path}}
	for path, want := range map[string]int{
		address: http.StatusUnauthorized, address + "/anexos": http.StatusUnauthorized, "/busca/credenciais": http.StatusUnauthorized,
		"/busca/procedimentos": http.StatusUnauthorized, address + "/enviar": http.StatusNoContent,
	} {
		got := v.Send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), htmx)
		if got.Status != want || len(got.Body) != 0 {
			t.Errorf("POST %s: %d with %d bytes, want %d", path, got.Status, len(got.Body), want)
		}
	}
	poll := v.Send(http.MethodGet, sent.Path+"/estado", "", nil, htmx)
	if got := poll.Header.Get("Hx-Redirect"); got != "/entrar?volta="+url.QueryEscape(sent.Path) {
		t.Errorf("a waiting page is sent to %q", got)
	}
}

// TestSession_WayBack leads to a page that opens, whatever was posted.
func TestSession_WayBack(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).Client(t)
	for from, want := range map[string]string{
		"/conta": "/conta", "/conta/senha": "/", "/pessoas/nova": "/pessoas/nova", "/casos/x/retirar": "/", "//evil.example/x": "/", "": "/",
	} {
		got := v.Send(http.MethodPost, "/conta/senha", "application/x-www-form-urlencoded", http.NoBody,
			http.Header{"Referer": {v.Server.URL + from}})
		if back := got.Value("[name=volta]"); got.Path != "/entrar" || back != want {
			t.Errorf("from %q: at %s, back to %q, want %q", from, got.Path, back, want)
		}
	}
}

// TestSession_EndedWithFiles: a form with files whose session has ended comes to the
// entry page with what was typed; the files do not come along, and need not be sent.
func TestSession_EndedWithFiles(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	form.Set("nomeBeneficiario", "Helena Duarte")
	ana.Forget()
	page := ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1 << 20)})
	page.Check(t, apptest.Want{Status: http.StatusUnauthorized,
		Value: map[string]string{`[name="rascunho:nomeBeneficiario"]`: "Helena Duarte"}})
	if !page.Has("#senha") {
		t.Error("nobody is asked to log in")
	}
}
