package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
)

func TestConsole_Home(t *testing.T) {
	t.Parallel()
	t.Run("Embedded", func(t *testing.T) {
		got := MustVisit(t, MustRun(t), "administracao").get("/servico")
		if got.status != http.StatusOK || !strings.Contains(got.text(".notice"), "embutido") {
			t.Errorf("got %d, %q", got.status, got.text(".notice"))
		}
		for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
			if got.doc().Find("main a[href='"+path+"']").Length() != 1 {
				t.Errorf("no way to %s", path)
			}
		}
		if got.doc().Find(".menu a[href='/servico']").Length() != 1 {
			t.Error("the menu does not lead here")
		}
	})
}

func TestConsole_Partners(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	address := admin.addPartner("Hospital  da Serra")
	t.Run("Listed", func(t *testing.T) {
		if names := admin.get("/servico/parceiros").rowNames(); !strings.Contains(names, "Hospital da Serra") || !strings.Contains(names, "Guichê desta instalação") {
			t.Errorf("got %q", names)
		}
	})
	t.Run("ShownAsKept", func(t *testing.T) {
		page := admin.get(address)
		if page.value("#nome") != "Hospital da Serra" || page.value("#limite") != "0" || page.doc().Find("[name=escopos][checked]").Length() != 6 {
			t.Errorf("got %q, %q", page.value("#nome"), page.value("#limite"))
		}
	})
	t.Run("ChangeIsInForce", func(t *testing.T) {
		key := MustCall(t, p, "x-api-key", admin.mint(t, address+"/chaves", nil, 1)[0])
		if got := key.credentials(); got != http.StatusOK {
			t.Fatalf("before: got %d", got)
		}
		form := partnerForm("Hospital da Serra")
		form["escopos"] = []string{"autorizacoes:ler"}
		if got := admin.post(address, form); got.status != http.StatusOK || key.credentials() != http.StatusForbidden {
			t.Errorf("without the scope: page %d, service %d, want 403", got.status, key.credentials())
		}
		form["escopos"], form["metodos"] = allScopes, []string{"oauth"}
		if admin.post(address, form); key.credentials() != http.StatusForbidden {
			t.Errorf("without the method: got %d, want 403", key.credentials())
		}
		form["metodos"], form["limite"] = []string{"chave"}, []string{"1"}
		admin.post(address, form)
		if key.credentials(); key.credentials() != http.StatusTooManyRequests {
			t.Error("a second request in the minute was not refused")
		}
		admin.post(address, partnerForm("Hospital da Serra"))
		if admin.post(address+"/desativar", nil); key.credentials() != http.StatusUnauthorized {
			t.Errorf("disabled: got %d, want 401", key.credentials())
		}
		if admin.post(address+"/reativar", nil); key.credentials() != http.StatusOK {
			t.Errorf("enabled: got %d, want 200", key.credentials())
		}
	})
}

func TestConsole_PartnerProblems(t *testing.T) {
	t.Parallel()
	admin := MustVisit(t, MustRun(t), "administracao")
	address := admin.addPartner("Laboratório Lua")
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
			form := partnerForm("Outro")
			for k, v := range c.change {
				form[k] = v
			}
			for _, path := range []string{"/servico/parceiros/novo", address} {
				got := admin.post(path, form)
				if got.status != http.StatusUnprocessableEntity || got.value("#limite") != form.Get("limite") {
					t.Fatalf("%s: got %d with %q kept", path, got.status, got.value("#limite"))
				}
				for _, field := range strings.Fields(c.fields) {
					if got.text("#"+field+"-e") == "" || got.doc().Find("#erros a[href='#"+field+"']").Length() != 1 {
						t.Errorf("%s: nothing about %s: %q", path, field, got.text("#erros"))
					}
				}
			}
			if kept := admin.get(address).value("#nome"); kept != "Laboratório Lua" {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// The desk's own profile is shown and refuses every change.
func TestConsole_OwnProfile(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	own := admin.entryOf("/servico/parceiros", "Guichê desta instalação")
	if page := admin.get(own); page.status != http.StatusOK || page.doc().Find("main form").Length() != 0 || page.doc().Find("#chaves tbody tr").Length() == 0 {
		t.Errorf("got %d with %d forms", page.status, page.doc().Find("main form").Length())
	}
	for path, form := range map[string]url.Values{
		own: {"nome": {"Outro"}, "metodos": {"oauth"}, "escopos": {"cadastros:ler"}}, own + "/desativar": nil, own + "/reativar": nil,
		own + "/chaves": nil, own + "/clientes": {"cliente": {"x"}}, own + "/usuarios": {"usuario": {"xis"}},
		own + "/chaves/01970000-0000-7000-8000-00000000dead/revogar": nil,
	} {
		if got := admin.post(path, form); got.status != http.StatusConflict {
			t.Errorf("POST %s: got %d, want 409", path, got.status)
		}
	}
	v := MustVisit(t, p, "recepcao")
	if got := v.submit(v.newDraft()); !strings.Contains(got.text("main"), "Autorizado") {
		t.Errorf("the desk after that: %s", got.text("main"))
	}
}

func TestConsole_Keys(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	address, other := admin.addPartner("Clínica do Vale"), admin.addPartner("Clínica do Monte")
	made := admin.post(address+"/chaves", url.Values{"validade-chave": {"90"}})
	secret := made.secrets()
	if len(secret) != 1 || made.doc().Find("#segredo [data-copy]").AttrOr("data-copy", "") != secret[0] {
		t.Fatalf("got %d secrets", len(secret))
	}
	key := MustCall(t, p, "x-api-key", secret[0])
	if got := key.credentials(); got != http.StatusOK {
		t.Fatalf("the new key: got %d", got)
	}
	page := admin.get(address)
	if anySecret.Match(page.body) || !strings.Contains(page.text("#chaves tbody"), "…"+secret[0][len(secret[0])-4:]) ||
		!strings.Contains(page.text("#chaves tbody"), "90 dias sem uso") || strings.Contains(page.text("#chaves tbody"), "nunca") {
		t.Errorf("the page afterwards says %q", page.text("#chaves tbody"))
	}
	action := page.doc().Find("#chaves form[action$='/revogar']").AttrOr("action", "")
	if got := admin.post(strings.Replace(action, address, other, 1), nil); got.status != http.StatusNotFound || key.credentials() != http.StatusOK {
		t.Errorf("by another partner's address: got %d, the key %d", got.status, key.credentials())
	}
	if got := admin.post(action, nil); got.status != http.StatusOK || key.credentials() != http.StatusUnauthorized {
		t.Errorf("revoked: page %d, key %d, want 401", got.status, key.credentials())
	}
	if rest := admin.get(address); rest.doc().Find("#chaves form[action$='/revogar']").Length() != 0 || !strings.Contains(rest.text("#chaves tbody"), "Revogado") {
		t.Errorf("got %q", rest.text("#chaves tbody"))
	}
	if got := admin.post(address+"/chaves", url.Values{"validade-chave": {"7"}}); got.status != http.StatusUnprocessableEntity || len(got.secrets()) != 0 {
		t.Errorf("an idle time that is not offered: got %d", got.status)
	}
	if strings.Contains(p.logs.String(), secret[0]) {
		t.Error("the log holds the key")
	}
}

func TestConsole_Clients(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	address := admin.addPartner("Rede Sul")
	if got := admin.post(address+"/clientes", url.Values{"cliente": {" "}}); got.status != http.StatusUnprocessableEntity || got.text("#cliente-e") == "" {
		t.Errorf("without a name: %d %q", got.status, got.text("#erros"))
	}
	made := admin.mint(t, address+"/clientes", url.Values{"cliente": {"Faturamento"}}, 2)
	token := func() (int, string) {
		form := url.Values{"grant_type": {"client_credentials"}, "client_id": {made[0]}, "client_secret": {made[1]}}
		status, got := MustCall(t, p, "Accept", "application/json").send(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", form.Encode())
		word, _ := got["access_token"].(string)
		return status, word
	}
	status, word := token()
	caller := MustCall(t, p, "Authorization", "Bearer "+word)
	if status != http.StatusOK || caller.credentials() != http.StatusOK {
		t.Fatalf("token %d, call %d", status, caller.credentials())
	}
	page := admin.get(address)
	if anySecret.Match(page.body) {
		t.Error("the page shows the secret again")
	}
	admin.post(page.doc().Find("#clientes form[action$='/revogar']").AttrOr("action", ""), nil)
	if status, _ := token(); status != http.StatusUnauthorized || caller.credentials() != http.StatusUnauthorized {
		t.Errorf("revoked: token %d, call %d, want 401", status, caller.credentials())
	}
}

func TestConsole_Users(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	address := admin.addPartner("Rede Norte")
	logIn := func(password string) int {
		status, _ := MustCall(t, p, "Accept", "application/json").send(http.MethodPost, "/api/v1/auth/login", "application/json",
			`{"usuario":"rede.norte","senha":"`+password+`"}`)
		return status
	}
	for name, want := range map[string]string{"x": "usuario", "com espaço": "usuario", "": "usuario", "integracao": "usuario"} {
		if got := admin.post(address+"/usuarios", url.Values{"usuario": {name}}); got.status != http.StatusUnprocessableEntity || got.text("#"+want+"-e") == "" || got.value("#usuario") != name {
			t.Errorf("%q: got %d %q with %q kept", name, got.status, got.text("#erros"), got.value("#usuario"))
		}
	}
	made := admin.mint(t, address+"/usuarios", url.Values{"usuario": {" Rede.Norte "}}, 2)
	if made[0] != "rede.norte" || logIn(made[1]) != http.StatusOK {
		t.Fatalf("got user %q, login %d", made[0], logIn(made[1]))
	}
	user := strings.TrimSuffix(admin.get(address).doc().Find("#usuarios form[action$='/senha']").AttrOr("action", ""), "/senha")
	again := admin.mint(t, user+"/senha", nil, 2)
	if logIn(made[1]) != http.StatusUnauthorized || logIn(again[1]) != http.StatusOK {
		t.Error("after another password: the old one is in, or the new one is not")
	}
	if admin.post(user+"/desativar", nil); logIn(again[1]) != http.StatusUnauthorized {
		t.Error("disabled: still in")
	}
	if admin.post(user+"/reativar", nil); logIn(again[1]) != http.StatusOK {
		t.Error("enabled: not in")
	}
}

func TestConsole_Credentials(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	form := url.Values{"nome": {"Plano Ipê"}, "codigoPrestador": {"778899"}, "operadora": {"simulada"}, "formatoCarteira": {`\d{4}`}, "tempoLimite": {"1,5"},
		"validadeObrigatoria": {"S"}, "exigeBiometria": {"S"}, "indicacaoClinica": {"Rotina"}, "anexosObrigatorios": {"40901122\n41*"}, "contratado": {"Clínica"}, "cnes": {"1234567"}, "registroANS": {"123456"}}
	added := admin.post("/servico/credenciais/nova", form)
	if added.status != http.StatusOK || added.path == "/servico/credenciais/nova" {
		t.Fatalf("got %d: %s", added.status, added.text("#erros"))
	}
	found := func() bool {
		body := clerk.send(http.MethodPost, "/busca/credenciais", "application/x-www-form-urlencoded", strings.NewReader("Busca=ipe"), http.Header{"Hx-Request": {"true"}}).body
		return strings.Contains(string(body), "Plano Ipê")
	}
	t.Run("KeptAndOffered", func(t *testing.T) {
		page := admin.get(added.path)
		for name, want := range form {
			field := page.doc().Find("[name='" + name + "']")
			if field.Is("[type=checkbox]") && !field.Is("[checked]") || !field.Is("[type=checkbox]") && page.value("[name='"+name+"']") != want[0] {
				t.Errorf("%s: got %q, want %q", name, page.value("[name='"+name+"']"), want[0])
			}
		}
		if !found() {
			t.Error("the desk does not find it")
		}
	})
	t.Run("DisableAndEnable", func(t *testing.T) {
		admin.post(added.path+"/desativar", nil)
		list := admin.post("/servico/credenciais", url.Values{"Busca": {"IPÊ 7788"}})
		if found() || list.rowNames() != "Plano Ipê" || !strings.Contains(list.text("tbody"), "Desativado") {
			t.Errorf("found %t, listed %q", found(), list.text("tbody"))
		}
		if admin.post(added.path+"/reativar", nil); !found() {
			t.Error("enabled again: the desk does not find it")
		}
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "operadora": {"outra"}, "formatoCarteira": {"("}, "tempoLimite": {"NaN"}, "cnes": {"12"}, "registroANS": {"1"},
			"codigoPrestador": {strings.Repeat("1", 21)}, "contratado": {strings.Repeat("x", 71)}, "indicacaoClinica": {strings.Repeat("x", 501)}, "anexosObrigatorios": {"40901122, 4.09"}}
		for _, path := range []string{"/servico/credenciais/nova", added.path} {
			got := admin.post(path, wrong)
			if got.status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.status)
			}
			for name := range wrong {
				if got.text("#"+name+"-e") == "" || got.value("#"+name) != wrong.Get(name) {
					t.Errorf("%s: %s says %q and holds %q", path, name, got.text("#"+name+"-e"), got.value("#"+name))
				}
			}
		}
	})
	t.Run("NotFound", func(t *testing.T) {
		for _, path := range []string{"/servico/credenciais/x", "/servico/credenciais/01970000-0000-7000-8000-00000000dead",
			"/servico/parceiros/01970000-0000-7000-8000-00000000dead", "/servico/registro/01970000-0000-7000-8000-00000000dead"} {
			if got := admin.get(path); got.status != http.StatusNotFound {
				t.Errorf("%s: got %d, want 404", path, got.status)
			}
		}
	})
}

// With another service the console says so and offers nothing.
func TestConsole_OtherService(t *testing.T) {
	t.Parallel()
	far := MustRun(t)
	folder := t.TempDir()
	near := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	user, password := near.login(t, "administracao")
	near.get(t, "/healthz") // it has started wholly
	near.stop()
	p := MustRun(t, func(c *app.Config) {
		c.DataDir, c.Demo, c.Simulated, c.BaseURL, c.APIKey = folder, false, false, far.url, "gch_x"
	})
	admin := MustVisit(t, p, "")
	admin.post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
	home := admin.get("/servico")
	if home.status != http.StatusOK || !strings.Contains(home.text("main"), "127.0.0.1") || home.doc().Find("main a[href^='/servico/parceiros']").Length() != 0 {
		t.Errorf("got %d, %q", home.status, home.text("main"))
	}
	for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
		if got := admin.get(path); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got.status)
		}
	}
}
