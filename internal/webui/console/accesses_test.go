package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

func TestConsole_Keys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address, other := admin.AddPartner("Clínica do Vale"), admin.AddPartner("Clínica do Monte")
	made := admin.Post(address+"/chaves", url.Values{"validade-chave": {"90"}})
	secret := made.Secrets()
	if len(secret) != 1 || made.Find("#segredo [data-copy]").AttrOr("data-copy", "") != secret[0] {
		t.Fatalf("got %d secrets", len(secret))
	}
	key := p.Partner(t, secret[0])
	if got := key.Credentials(); got != http.StatusOK {
		t.Fatalf("the new key: got %d", got)
	}
	page := admin.Get(address)
	if anySecret.Match(page.Body) || !strings.Contains(page.Text("#chaves tbody"), "…"+secret[0][len(secret[0])-4:]) ||
		!strings.Contains(page.Text("#chaves tbody"), "90 dias sem uso") || strings.Contains(page.Text("#chaves tbody"), "nunca") {
		t.Errorf("the page afterwards says %q", page.Text("#chaves tbody"))
	}
	action := page.Find("#chaves form[action$='/revogar']").AttrOr("action", "")
	if got := admin.Post(strings.Replace(action, address, other, 1), nil); got.Status != http.StatusNotFound ||
		key.Credentials() != http.StatusOK {
		t.Errorf("by another partner's address: got %d, the key %d", got.Status, key.Credentials())
	}
	if got := admin.Post(action, nil); got.Status != http.StatusOK || key.Credentials() != http.StatusUnauthorized {
		t.Errorf("revoked: page %d, key %d, want 401", got.Status, key.Credentials())
	}
	if rest := admin.Get(address); rest.Count("#chaves form[action$='/revogar']") != 0 ||
		!strings.Contains(rest.Text("#chaves tbody"), "Revogado") {
		t.Errorf("got %q", rest.Text("#chaves tbody"))
	}
	if got := admin.Post(address+"/chaves", url.Values{"validade-chave": {"7"}}); got.Status != http.StatusUnprocessableEntity ||
		len(got.Secrets()) != 0 {
		t.Errorf("an idle time that is not offered: got %d", got.Status)
	}
	if p.Log.Contains(secret[0]) {
		t.Error("the log holds the key")
	}
}

func TestConsole_Clients(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address := admin.AddPartner("Rede Sul")
	if got := admin.Post(address+"/clientes", url.Values{"cliente": {" "}}); got.Status != http.StatusUnprocessableEntity ||
		got.Text("#cliente-error") == "" {
		t.Errorf("without a name: %d %q", got.Status, got.Text("#erros"))
	}
	made := admin.Mint(t, address+"/clientes", url.Values{"cliente": {"Faturamento"}}, 2)
	token := func() (int, string) {
		form := url.Values{"grant_type": {"client_credentials"}, "client_id": {made[0]}, "client_secret": {made[1]}}
		status, got := p.Partner(t, "").Send(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", form.Encode())
		word, _ := got["access_token"].(string)
		return status, word
	}
	status, word := token()
	caller := p.Bearer(t, word)
	if status != http.StatusOK || caller.Credentials() != http.StatusOK {
		t.Fatalf("token %d, call %d", status, caller.Credentials())
	}
	page := admin.Get(address)
	if anySecret.Match(page.Body) {
		t.Error("the page shows the secret again")
	}
	admin.Post(page.Find("#clientes form[action$='/revogar']").AttrOr("action", ""), nil)
	if status, _ := token(); status != http.StatusUnauthorized || caller.Credentials() != http.StatusUnauthorized {
		t.Errorf("revoked: token %d, call %d, want 401", status, caller.Credentials())
	}
}

func TestConsole_Users(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address := admin.AddPartner("Rede Norte")
	logIn := func(password string) int {
		status, _ := p.Partner(t, "").Send(http.MethodPost, "/api/v1/auth/login", "application/json",
			`{"usuario":"rede.norte","senha":"`+password+`"}`)
		return status
	}
	for name, want := range map[string]string{"x": "usuario", "com espaço": "usuario", "": "usuario", "integracao": "usuario"} {
		if got := admin.Post(address+"/usuarios", url.Values{"usuario": {name}}); got.Status != http.StatusUnprocessableEntity ||
			got.Text("#"+want+"-error") == "" || got.Value("#usuario") != name {
			t.Errorf("%q: got %d %q with %q kept", name, got.Status, got.Text("#erros"), got.Value("#usuario"))
		}
	}
	made := admin.Mint(t, address+"/usuarios", url.Values{"usuario": {" Rede.Norte "}}, 2)
	if made[0] != "rede.norte" || logIn(made[1]) != http.StatusOK {
		t.Fatalf("got user %q, login %d", made[0], logIn(made[1]))
	}
	user := strings.TrimSuffix(admin.Get(address).Find("#usuarios form[action$='/senha']").AttrOr("action", ""), "/senha")
	again := admin.Mint(t, user+"/senha", nil, 2)
	if logIn(made[1]) != http.StatusUnauthorized || logIn(again[1]) != http.StatusOK {
		t.Error("after another password: the old one is in, or the new one is not")
	}
	if admin.Post(user+"/desativar", nil); logIn(again[1]) != http.StatusUnauthorized {
		t.Error("disabled: still in")
	}
	if admin.Post(user+"/reativar", nil); logIn(again[1]) != http.StatusOK {
		t.Error("enabled: not in")
	}
}
