package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestConsole_Home(t *testing.T) {
	t.Parallel()
	t.Run("Embedded", func(t *testing.T) {
		got := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration).Get("/servico")
		if got.Status != http.StatusOK || !strings.Contains(got.Text(".notice"), "embutido") {
			t.Errorf("got %d, %q", got.Status, got.Text(".notice"))
		}
		for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
			if got.Count("main a[href='"+path+"']") != 1 {
				t.Errorf("no way to %s", path)
			}
		}
		if got.Count(".menu a[href='/servico']") != 1 {
			t.Error("the menu does not lead here")
		}
	})
}

func TestConsole_Partners(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address := admin.AddPartner("Hospital  da Serra")
	t.Run("Listed", func(t *testing.T) {
		if names := admin.Get("/servico/parceiros").Names(); !strings.Contains(names, "Hospital da Serra") || !strings.Contains(names, "Guichê desta instalação") {
			t.Errorf("got %q", names)
		}
	})
	t.Run("ShownAsKept", func(t *testing.T) {
		page := admin.Get(address)
		if page.Value("#nome") != "Hospital da Serra" || page.Value("#limite") != "0" || page.Count("[name=escopos][checked]") != 6 {
			t.Errorf("got %q, %q", page.Value("#nome"), page.Value("#limite"))
		}
	})
	t.Run("ChangeIsInForce", func(t *testing.T) {
		key := p.Partner(t, admin.Mint(t, address+"/chaves", nil, 1)[0])
		if got := key.Credentials(); got != http.StatusOK {
			t.Fatalf("before: got %d", got)
		}
		form := apptest.PartnerForm("Hospital da Serra")
		form["escopos"] = []string{"autorizacoes:ler"}
		if got := admin.Post(address, form); got.Status != http.StatusOK || key.Credentials() != http.StatusForbidden {
			t.Errorf("without the scope: page %d, service %d, want 403", got.Status, key.Credentials())
		}
		form["escopos"], form["metodos"] = apptest.AllScopes, []string{"oauth"}
		if admin.Post(address, form); key.Credentials() != http.StatusForbidden {
			t.Errorf("without the method: got %d, want 403", key.Credentials())
		}
		form["metodos"], form["limite"] = []string{"chave"}, []string{"1"}
		admin.Post(address, form)
		if key.Credentials(); key.Credentials() != http.StatusTooManyRequests {
			t.Error("a second request in the minute was not refused")
		}
		admin.Post(address, apptest.PartnerForm("Hospital da Serra"))
		if admin.Post(address+"/desativar", nil); key.Credentials() != http.StatusUnauthorized {
			t.Errorf("disabled: got %d, want 401", key.Credentials())
		}
		if admin.Post(address+"/reativar", nil); key.Credentials() != http.StatusOK {
			t.Errorf("enabled: got %d, want 200", key.Credentials())
		}
	})
}

func TestConsole_PartnerProblems(t *testing.T) {
	t.Parallel()
	admin := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	address := admin.AddPartner("Laboratório Lua")
	for name, c := range map[string]struct {
		change url.Values
		fields string
	}{
		"Empty":   {url.Values{"nome": {" "}, "metodos": nil, "escopos": nil}, "nome metodos escopos"},
		"Long":    {url.Values{"nome": {strings.Repeat("é", 101)}}, "nome"},
		"Taken":   {url.Values{"nome": {"guichê DESTA instalação"}}, "nome"},
		"Rate":    {url.Values{"limite": {"muitos"}}, "limite"},
		"Less":    {url.Values{"limite": {"-1"}}, "limite"},
		"TooMany": {url.Values{"limite": {"60001"}}, "limite"},
		"Foreign": {url.Values{"metodos": {"palavra"}, "escopos": {"tudo"}}, "metodos escopos"},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.PartnerForm("Outro")
			for k, v := range c.change {
				form[k] = v
			}
			for _, path := range []string{"/servico/parceiros/novo", address} {
				got := admin.Post(path, form)
				if got.Status != http.StatusUnprocessableEntity || got.Value("#limite") != form.Get("limite") {
					t.Fatalf("%s: got %d with %q kept", path, got.Status, got.Value("#limite"))
				}
				for _, field := range strings.Fields(c.fields) {
					if got.Text("#"+field+"-e") == "" || got.Count("#erros a[href='#"+field+"']") != 1 {
						t.Errorf("%s: nothing about %s: %q", path, field, got.Text("#erros"))
					}
				}
			}
			if kept := admin.Get(address).Value("#nome"); kept != "Laboratório Lua" {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// The desk's own profile is shown and refuses every change.
func TestConsole_OwnProfile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	own := admin.Entry("/servico/parceiros", "Guichê desta instalação")
	if page := admin.Get(own); page.Status != http.StatusOK || page.Count("main form") != 0 || page.Count("#chaves tbody tr") == 0 {
		t.Errorf("got %d with %d forms", page.Status, page.Count("main form"))
	}
	for path, form := range map[string]url.Values{
		own: {"nome": {"Outro"}, "metodos": {"oauth"}, "escopos": {"cadastros:ler"}}, own + "/desativar": nil, own + "/reativar": nil,
		own + "/chaves": nil, own + "/clientes": {"cliente": {"x"}}, own + "/usuarios": {"usuario": {"xis"}},
		own + "/chaves/01970000-0000-7000-8000-00000000dead/revogar": nil,
	} {
		if got := admin.Post(path, form); got.Status != http.StatusConflict {
			t.Errorf("POST %s: got %d, want 409", path, got.Status)
		}
	}
	v := p.LogIn(t, apptest.Reception)
	if got := v.Submit(v.NewDraft()); !strings.Contains(got.Text("main"), "Autorizado") {
		t.Errorf("the desk after that: %s", got.Text("main"))
	}
}

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
	if got := admin.Post(strings.Replace(action, address, other, 1), nil); got.Status != http.StatusNotFound || key.Credentials() != http.StatusOK {
		t.Errorf("by another partner's address: got %d, the key %d", got.Status, key.Credentials())
	}
	if got := admin.Post(action, nil); got.Status != http.StatusOK || key.Credentials() != http.StatusUnauthorized {
		t.Errorf("revoked: page %d, key %d, want 401", got.Status, key.Credentials())
	}
	if rest := admin.Get(address); rest.Count("#chaves form[action$='/revogar']") != 0 || !strings.Contains(rest.Text("#chaves tbody"), "Revogado") {
		t.Errorf("got %q", rest.Text("#chaves tbody"))
	}
	if got := admin.Post(address+"/chaves", url.Values{"validade-chave": {"7"}}); got.Status != http.StatusUnprocessableEntity || len(got.Secrets()) != 0 {
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
	if got := admin.Post(address+"/clientes", url.Values{"cliente": {" "}}); got.Status != http.StatusUnprocessableEntity || got.Text("#cliente-e") == "" {
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
		if got := admin.Post(address+"/usuarios", url.Values{"usuario": {name}}); got.Status != http.StatusUnprocessableEntity || got.Text("#"+want+"-e") == "" || got.Value("#usuario") != name {
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

func TestConsole_Credentials(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	form := url.Values{"nome": {"Plano Ipê"}, "codigoPrestador": {"778899"}, "operadora": {"simulada"}, "formatoCarteira": {`\d{4}`}, "tempoLimite": {"1,5"},
		"validadeObrigatoria": {"S"}, "exigeBiometria": {"S"}, "indicacaoClinica": {"Rotina"}, "anexosObrigatorios": {"40901122\n41*"}, "contratado": {"Clínica"}, "cnes": {"1234567"}, "registroANS": {"123456"}}
	added := admin.Post("/servico/credenciais/nova", form)
	if added.Status != http.StatusOK || added.Path == "/servico/credenciais/nova" {
		t.Fatalf("got %d: %s", added.Status, added.Text("#erros"))
	}
	found := func() bool {
		body := clerk.PostHTMX("/busca/credenciais", url.Values{"Busca": {"ipe"}}).Body
		return strings.Contains(string(body), "Plano Ipê")
	}
	t.Run("KeptAndOffered", func(t *testing.T) {
		page := admin.Get(added.Path)
		for name, want := range form {
			field := page.Find("[name='" + name + "']")
			if field.Is("[type=checkbox]") && !field.Is("[checked]") || !field.Is("[type=checkbox]") && page.Value("[name='"+name+"']") != want[0] {
				t.Errorf("%s: got %q, want %q", name, page.Value("[name='"+name+"']"), want[0])
			}
		}
		if !found() {
			t.Error("the desk does not find it")
		}
	})
	t.Run("DisableAndEnable", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		list := admin.Post("/servico/credenciais", url.Values{"Busca": {"IPÊ 7788"}})
		if found() || list.Names() != "Plano Ipê" || !strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("found %t, listed %q", found(), list.Text("tbody"))
		}
		if admin.Post(added.Path+"/reativar", nil); !found() {
			t.Error("enabled again: the desk does not find it")
		}
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "operadora": {"outra"}, "formatoCarteira": {"("}, "tempoLimite": {"NaN"}, "cnes": {"12"}, "registroANS": {"1"},
			"codigoPrestador": {strings.Repeat("1", 21)}, "contratado": {strings.Repeat("x", 71)}, "indicacaoClinica": {strings.Repeat("x", 501)}, "anexosObrigatorios": {"40901122, 4.09"}}
		for _, path := range []string{"/servico/credenciais/nova", added.Path} {
			got := admin.Post(path, wrong)
			if got.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.Status)
			}
			for name := range wrong {
				if got.Text("#"+name+"-e") == "" || got.Value("#"+name) != wrong.Get(name) {
					t.Errorf("%s: %s says %q and holds %q", path, name, got.Text("#"+name+"-e"), got.Value("#"+name))
				}
			}
		}
	})
	t.Run("NotFound", func(t *testing.T) {
		for _, path := range []string{"/servico/credenciais/x", "/servico/credenciais/01970000-0000-7000-8000-00000000dead",
			"/servico/parceiros/01970000-0000-7000-8000-00000000dead", "/servico/registro/01970000-0000-7000-8000-00000000dead"} {
			if got := admin.Get(path); got.Status != http.StatusNotFound {
				t.Errorf("%s: got %d, want 404", path, got.Status)
			}
		}
	})
}

// With another service the console says so and offers nothing.
func TestConsole_OtherService(t *testing.T) {
	t.Parallel()
	far := apptest.Start(t, apptest.Options{})
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Demo, c.Simulated, c.BaseURL, c.APIKey = false, false, far.URL, "gch_x"
	}})
	admin := p.LogIn(t, apptest.Administration)
	home := admin.Get("/servico")
	if home.Status != http.StatusOK || !strings.Contains(home.Text("main"), "127.0.0.1") || home.Count("main a[href^='/servico/parceiros']") != 0 {
		t.Errorf("got %d, %q", home.Status, home.Text("main"))
	}
	for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
		if got := admin.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got.Status)
		}
	}
}
