package webui_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestWho finds beneficiaries of earlier requests and operators together, with all that fills
// the form.
func TestWho(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Aroldo Antunes", "planoBeneficiario": "Pleno", "validadeCarteira": "01/02/2020"})
	list := ana.PostHTMX("/busca/quem", url.Values{"Busca": {"antunes ARO"}})
	list.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"[role=option][data-value]": 1}})
	option := list.Find("[role=option]").First()
	for _, word := range []string{"Aroldo Antunes", "Aroeira Planos", "0310 …3345", "validade 01/02/2020", "Pleno", "Carteira vencida",
		"Último pedido em", "Tireoestimulante"} {
		if !strings.Contains(option.Text(), word) {
			t.Errorf("%q does not tell of %q", option.Text(), word)
		}
	}
	fields := map[string]string{}
	if err := json.Unmarshal([]byte(option.AttrOr("data-fields", "")), &fields); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"nomeBeneficiario": "Aroldo Antunes", "numeroCarteira": "0310004512063345",
		"planoBeneficiario": "Pleno", "nomeSolicitante": "Solicitante de Teste", "crmSolicitante": "104552", "ufSolicitante": "SP"} {
		if fields[name] != want {
			t.Errorf("%s: got %q, want %q", name, fields[name], want)
		}
	}
	both := ana.PostHTMX("/busca/quem", url.Values{"Busca": {"aro"}})
	both.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"[role=group]": 2, "[data-fields]": 1, "[data-provider-code]": 1}})
	nobody := ana.PostHTMX("/busca/quem", url.Values{"Busca": {"zzz zzz"}})
	nobody.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"[data-value]": 0, "[role=option][aria-disabled=true]": 1}})
	if got := server.LogIn(t, apptest.Supervision).PostHTMX("/busca/quem", url.Values{"Busca": {"antunes"}}).Count("[data-fields]"); got != 1 {
		t.Errorf("supervisão sees %d", got)
	}
}

// TestWho_WithoutScript: the button lists them, and the next one fills the form, with what was
// typed elsewhere kept.
func TestWho_WithoutScript(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Aroldo Antunes", "planoBeneficiario": "Pleno"})
	address := ana.DraftPath()
	found := ana.Post(address, url.Values{"acao": {"quem"}, "Quem": {"aro"}, "versao": {"0"}, "observacoes": {"em jejum"}})
	found.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#Quem": "aro", "#observacoes": "em jejum"},
		Count: map[string]int{"input[type=radio][name=beneficiario]": 2}})
	entered := ana.Post(ana.DraftPath(), url.Values{"Quem": {"aro"}, "versao": {"0"}, "observacoes": {"em jejum"}})
	entered.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"input[type=radio][name=beneficiario]": 2}})
	radios := found.Attrs("input[type=radio][name=beneficiario]", "value")
	filled := ana.Post(address, url.Values{"acao": {"preencher"}, "beneficiario": radios[:1], "versao": {found.Value("#versao")},
		"observacoes": {"em jejum"}})
	filled.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": "Aroldo Antunes",
		"#planoBeneficiario": "Pleno", "#crmSolicitante": "104552", "#Busca": "Aroeira Planos"}})
	other := ana.DraftPath()
	operator := ana.Post(other, url.Values{"acao": {"preencher"}, "beneficiario": radios[1:], "versao": {"0"}})
	operator.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": "", "#Busca": "Aroeira Planos"}})
}

// TestWho_Latest: beside a form with a known card stand its latest cases, and another name that
// it was used under, as a notice.
func TestWho_Latest(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Áurea Lima"})
	address, form := ana.NewDraft()
	for name, notices := range map[string]int{"Áurea Lima": 0, "aurea  LIMA": 0, "": 0, "Bruna Lima": 1} {
		form.Set("nomeBeneficiario", name)
		form.Set("versao", ana.Get(address).Value("#versao"))
		saved := ana.PostHTMX(address, form)
		saved.Check(t, apptest.Want{Status: http.StatusOK})
		page := ana.Get(address)
		page.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#ultimos li": 1, "#carteira-conhecida span": notices}})
		if notices > 0 && !strings.Contains(page.Text("#carteira-conhecida"), "Áurea Lima") {
			t.Errorf("the notice is %q", page.Text("#carteira-conhecida"))
		}
	}
	form.Set("numeroCarteira", "1234567")
	form.Set("versao", ana.Get(address).Value("#versao"))
	ana.PostHTMX(address, form)
	if got := ana.Get(address).Count("#ultimos li"); got != 0 {
		t.Errorf("got %d cases of another card", got)
	}
}

// TestRequester is completed by name or number.
func TestRequester(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	ana.SubmitWith(map[string]string{"nomeSolicitante": "Dr. Caio Leme"})
	for text, want := range map[string]int{"leme": 1, "1045": 1, "zzz": 0, "": 0} {
		list := ana.PostHTMX("/busca/solicitantes", url.Values{"Busca": {text}})
		list.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"[role=option]": want}})
		if want == 1 {
			option := list.Find("[role=option]").First()
			if got := option.AttrOr("data-label", "") + option.AttrOr("data-council", "") + option.AttrOr("data-value", "") +
				option.AttrOr("data-state", ""); got != "Dr. Caio LemeCRM104552SP" {
				t.Errorf("got %q", got)
			}
		}
	}
}

// TestWorkstation: a new form begins with what was chosen last in the browser, or else by the
// person.
func TestWorkstation(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	form.Set("pacienteNoLocal", "S")
	review := ana.Post(address+"/revisar", form)
	if cookie := review.Header.Get("Set-Cookie"); !strings.Contains(cookie, "-estacao=") || !strings.Contains(cookie, "; Path=/;") ||
		!strings.Contains(cookie, "HttpOnly") || strings.Contains(cookie, "Beneficiária") {
		t.Errorf("the browser is given %q", cookie)
	}
	ana.Post(address+"/enviar", nil)
	for name, client := range map[string]*apptest.Client{"same browser": ana, "another": server.LogIn(t, apptest.Reception)} {
		page := client.Get("/nova")
		for _, field := range []string{"unidadeId", "pontoAtendimentoId", "profissionalExecutanteId", "especialidadeExecutanteId"} {
			if got := page.Attr("#"+field+" option[selected]", "value"); got != form.Get(field) {
				t.Errorf("%s, %s: got %q, want %q", name, field, got, form.Get(field))
			}
		}
		if page.Count("#pacienteNoLocal[checked]") != 1 {
			t.Errorf("%s: not at the counter", name)
		}
	}
}

// TestWho_Usual: an operator that is chosen brings who attended where last with it, where
// neither the browser nor the person tells of that.
func TestWho_Usual(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	_, form := server.LogIn(t, apptest.Reception).NewDraft()
	celia := server.LogIn(t, apptest.Supervision)
	parties := func() map[string]string {
		t.Helper()
		fields := map[string]string{}
		list := celia.PostHTMX("/busca/credenciais", url.Values{"Busca": {"aroeira"}})
		if told := list.Attr("[data-provider-code]", "data-parties"); told != "" {
			if err := json.Unmarshal([]byte(told), &fields); err != nil {
				t.Fatal(err)
			}
		}
		return fields
	}
	if got := parties(); len(got) > 0 {
		t.Errorf("before the first request: got %v", got)
	}
	ana := server.LogIn(t, apptest.Reception)
	ana.Submit(ana.DraftPath(), form)
	filled := celia.Post(celia.DraftPath(), url.Values{"acao": {"preencher"}, "versao": {"0"},
		"beneficiario": {"operadora:" + form.Get("credencialId")}})
	got := parties()
	for _, name := range []string{"unidadeId", "pontoAtendimentoId", "profissionalExecutanteId", "especialidadeExecutanteId"} {
		if got[name] != form.Get(name) || filled.Attr("#"+name+" option[selected]", "value") != form.Get(name) {
			t.Errorf("%s: the list brings %q, the form without a script shows %q, want %q", name, got[name],
				filled.Attr("#"+name+" option[selected]", "value"), form.Get(name))
		}
	}
}

// TestWho_LatestRepeat: each of the latest cases beside the form is repeated from there, and
// what was begun for its beneficiary alone is no draft any more.
func TestWho_LatestRepeat(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(map[string]string{"observacoes": "em jejum"})
	begin := func(change map[string]string) (address string, beside *apptest.Page) {
		t.Helper()
		address, form := ana.NewDraft()
		for name := range form {
			if strings.HasPrefix(name, "procedimentos") {
				form.Del(name)
			}
		}
		ana.PostHTMX(address, apptest.With(form, change)).Check(t, apptest.Want{Status: http.StatusOK})
		return address, ana.Get(address)
	}
	for name, tt := range map[string]struct {
		change map[string]string
		status int
	}{
		"OnlyWho": {nil, http.StatusNotFound},
		"More":    {map[string]string{"observacoes": "com pressa"}, http.StatusOK},
	} {
		address, beside := begin(tt.change)
		if got := beside.Attr("#ultimos form", "action"); got != sent.Path+"/copiar" || beside.Text("#ultimos form button") != "Repetir" {
			t.Fatalf("%s: beside the form %q leads to %q", name, beside.Text("#ultimos form button"), got)
		}
		copied := ana.Post(sent.Path+"/copiar", beside.Form("#ultimos form"))
		if copied.Value("#observacoes") != "em jejum" || copied.Text("h1 + span") != "repete um pedido anterior" {
			t.Errorf("%s: it leads to %s, %q", name, copied.Path, copied.Text("h1 + span"))
		}
		ana.Get(address).Check(t, apptest.Want{Status: tt.status})
	}
}
