package webui_test

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// enterAgain logs somebody in at an entry page that brings a form along.
func enterAgain(c *apptest.Client, entry *apptest.Page, role string) *apptest.Page {
	c.T.Helper()
	user, password := c.Server.Login(role)
	return c.Post("/entrar", carriedForm(entry, user, password))
}

// TestSession_OnForm: what is typed into a form of administração after the session ended comes along to the entry page,
// also past a wrong password, and is recorded once the person says so.
func TestSession_OnForm(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	unit := rui.Get("/cadastros/unidades").Attr("td a", "href")
	person := rui.PersonPath("ana")
	for path, typed := range map[string]url.Values{
		"/pessoas/nova":               {"nome": {"Zoé <Nunes>"}, "usuario": {"zoe"}, "papeis": {"supervisao", "administracao"}},
		person:                        {"nome": {"Ana\u00a0Prado"}, "usuario": {"ana"}, "papeis": {"supervisao", "recepcao"}},
		unit:                          rui.Get(unit).Form("main form"),
		"/cadastros/executantes/novo": {"nome": {"Dra. Íris"}},
		"/servico/conexao":            rui.Get("/servico/conexao").Form("#conexao"),
		"/servico/parceiros/novo":     {"nome": {"Totem"}},
	} {
		t.Run(strings.ReplaceAll(path, "/", " "), func(t *testing.T) {
			rui := server.LogIn(t, apptest.Administration)
			rui.Forget()
			posted := url.Values{"confirmacao-da-senha": {"segredo"}}
			for name, all := range typed {
				posted[name] = all
			}
			entry := rui.Post(path, posted)
			if entry.Status != http.StatusUnauthorized || !strings.Contains(entry.Text("[role=alert]"), "o que você digitou volta com você") {
				t.Fatalf("got %d: %s", entry.Status, entry.Text("main"))
			}
			user, _ := server.Login(apptest.Administration)
			entry = rui.Post("/entrar", carriedForm(entry, user, "errada demais"))
			offer := enterAgain(rui, entry, apptest.Administration)
			offer.Check(t, apptest.Want{Status: http.StatusOK,
				Text: map[string]string{"main p": "ainda não foi gravado", "main .btn-primary": "Continuar"}})
			if got := offer.Attr("main form", "action"); got != path {
				t.Errorf("it is sent to %q", got)
			}
			if got := offer.Form("main form"); !reflect.DeepEqual(got, typed) {
				t.Errorf("got %v, want %v", got, typed)
			}
			if back := offer.Attr("main .btn-link", "href"); rui.Get(back).Status != http.StatusOK || back == "/" {
				t.Errorf("without it leads to %q", back)
			}
		})
	}
	t.Run("Recorded", func(t *testing.T) {
		rui.Forget()
		typed := url.Values{"nome": {"Zoé Nunes"}, "usuario": {"zoe"}, "papeis": {"supervisao", "administracao"}}
		offer := enterAgain(rui, rui.Post("/pessoas/nova", typed), apptest.Administration)
		if strings.Contains(rui.Get("/pessoas").Text("main"), "Zoé") {
			t.Error("it is recorded unasked")
		}
		rui.Post(offer.Attr("main form", "action"), offer.Form("main form"))
		if got := rui.Get(rui.PersonPath("zoe")).Form("main form")["papeis"]; !slices.Equal(got, typed["papeis"]) {
			t.Errorf("got the roles %q", got)
		}
	})
}

// TestSession_OnForm_SomebodyElse: whoever may not open the form does not get what was typed into it.
func TestSession_OnForm_SomebodyElse(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	rui.Forget()
	entry := rui.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Íris"}})
	got := enterAgain(rui, entry, apptest.Reception)
	got.Check(t, apptest.Want{Status: http.StatusOK, Path: "/fila", Text: map[string]string{"[role=status]": "não está ao seu alcance"}})
	form := carriedForm(entry, "", "")
	form.Set("formulario", "/sair")
	user, password := rui.Server.Login(apptest.Administration)
	form.Set("usuario", user)
	form.Set("senha", password)
	rui.Forget()
	rui.Post("/entrar", form).Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"main form[action='/sair']": 0}})
}

// TestSession_OnForm_Tested: a test of the connection asked for by a script leaves the page as it was typed.
func TestSession_OnForm_Tested(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	form := rui.Get("/servico/conexao").Form("#conexao")
	rui.Forget()
	got := rui.PostHTMX("/servico/conexao/testar", form)
	if got.Status != http.StatusUnauthorized || got.Header.Get("HX-Redirect") != "" ||
		!strings.Contains(got.Text("[role=alert]"), "Sua sessão terminou") {
		t.Errorf("got %d, leads to %q: %s", got.Status, got.Header.Get("HX-Redirect"), got.Text("body"))
	}
}

// TestSession_OnForm_Standalone: so it is where the service runs without a desk.
func TestSession_OnForm_Standalone(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{Standalone: true}).LogIn(t, apptest.Administration)
	rui.Forget()
	offer := enterAgain(rui, rui.Post("/servico/parceiros/novo", url.Values{"nome": {"Totem"}}), apptest.Administration)
	if got := offer.Form("main form"); got.Get("nome") != "Totem" {
		t.Errorf("got %v at %s", got, offer.Path)
	}
}
