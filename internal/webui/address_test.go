package webui_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestLogin_Return: after the login people land on a page of ours, whatever a link said.
func TestLogin_Return(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	user, password := p.Login(apptest.Reception)
	for back, want := range map[string]string{
		"/historico": "/historico", "/historico?a=b": "/historico?a=b", "": "/fila",
		"/\t/evil.example": "/fila", "/\n/evil.example": "/fila", "/\x01/evil.example": "/fila", "/\x7f/evil.example": "/fila",
		"/\u0085/evil.example": "/fila", "/\x00": "/fila", "/a\tb": "/fila", "\t//evil.example": "/fila", " //evil.example": "/fila",
		"//evil.example": "/fila", "///evil.example": "/fila", `/\evil.example`: "/fila", `\\evil.example`: "/fila", `/a\b`: "/fila",
		"https://evil.example": "/fila", "javascript:alert(1)": "/fila", "evil.example": "/fila", "/\xff/evil.example": "/fila",
	} {
		got := p.Client(t).StayOnRedirect().Post("/entrar", url.Values{"usuario": {user}, "senha": {password}, "volta": {back}})
		if got.Status == http.StatusBadRequest && back == "/\xff/evil.example" {
			continue // no text
		}
		if to := got.Header.Get("Location"); got.Status != http.StatusSeeOther || to != want {
			t.Errorf("%q: %d to %q, want %q", back, got.Status, to, want)
		}
	}
}

// TestSearch_Budget_Routes: whatever searches counts, wherever it stands.
func TestSearch_Budget_Routes(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)})
	rui := p.LogIn(t, apptest.Administration)
	for range 300 {
		rui.Post("/pessoas", url.Values{"texto": {"x"}})
	}
	for _, path := range []string{"/pessoas", "/auditoria", "/cadastros/unidades", "/cadastros/executantes", "/cadastros/procedimentos",
		"/cadastros/credenciais", "/servico/credenciais", "/servico/unidades", "/servico/profissionais", "/servico/registro",
		"/servico/descricao"} {
		if got := rui.Post(path, url.Values{"texto": {"x"}}); got.Status != http.StatusTooManyRequests {
			t.Errorf("%s: got %d, want that it is a search too many", path, got.Status)
		}
	}
	for _, path := range []string{"/pessoas", "/auditoria", "/servico/registro"} {
		rui.Get(path).Check(t, apptest.Want{Status: http.StatusOK})
	}
}

// TestSearch_Budget: whoever searches like a program has to wait, and nobody else.
func TestSearch_Budget(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)})
	ana, celia := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Supervision)
	var last *apptest.Page
	for range 301 {
		last = ana.PostHTMX("/busca/procedimentos", url.Values{"Busca": {"zzz"}})
	}
	last.Check(t, apptest.Want{Status: http.StatusTooManyRequests})
	for _, path := range []string{"/historico", "/busca/credenciais", "/busca/quem", "/busca/solicitantes"} {
		got := ana.Post(path, url.Values{"texto": {"x"}})
		got.Check(t, apptest.Want{Status: http.StatusTooManyRequests, Text: map[string]string{
			"main p": "Muitas buscas em pouco tempo. Espere alguns segundos e tente de novo."}})
	}
	ana.Get("/fila").Check(t, apptest.Want{Status: http.StatusOK})
	// the form's own button is a search too, and what was typed is saved all the same
	draft := ana.DraftPath()
	ana.Post(draft, url.Values{"acao": {"buscar"}, "Busca": {"aroeira"}, "versao": {"0"}, "nomeBeneficiario": {"Helena"}}).Check(t,
		apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": "Helena"}, Text: map[string]string{
			"main": "Muitas buscas em pouco tempo."}, Count: map[string]int{"main [name=credencialId][type=radio]": 0}})
	ana.Get(draft).Check(t, apptest.Want{Value: map[string]string{"#nomeBeneficiario": "Helena"}})
	celia.Post("/historico", url.Values{"texto": {"x"}}).Check(t, apptest.Want{Status: http.StatusOK})
	p.Clock.Advance(2 * time.Second)
	ana.Post("/historico", url.Values{"texto": {"x"}}).Check(t, apptest.Want{Status: http.StatusOK})
}
