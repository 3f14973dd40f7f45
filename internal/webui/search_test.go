package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestSearch_Credentials: what the service finds can be chosen, the first twelve
// of it; the rest is a number.
func TestSearch_Credentials(t *testing.T) {
	t.Parallel()
	credentials := func(n int) string {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf(`{"id":"01970000-0000-7000-8000-0000000000%02d","nome":"Operadora %02d",`+
				`"codigoPrestador":"77%02d","exigeBiometria":%t}`, i, i, i, i == 1))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	for n, more := range map[int]string{0: "", 1: "", 12: "", 13: "e mais 1; escreva mais um pouco",
		40: "e mais 28; escreva mais um pouco"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Credentials: credentials(n)}})
			ana := server.LogIn(t, apptest.Reception)
			list := ana.PostHTMX("/busca/credenciais", url.Values{"Busca": {"opera"}})
			if got := list.Count("[role=option][data-value]"); list.Status != http.StatusOK || got != min(n, 12) {
				t.Errorf("%d: got %d to choose from, want %d", list.Status, got, min(n, 12))
			}
			said := list.Text("[role=option][aria-disabled=true]")
			if n == 0 {
				more = "Nenhuma credencial com “opera”"
			}
			if said != more {
				t.Errorf("said %q, want %q", said, more)
			}
			if n == 0 {
				return
			}
			first := list.Find("[role=option]").First()
			if first.AttrOr("data-label", "") != "Operadora 00" || first.AttrOr("data-provider-code", "") != "7700" ||
				first.AttrOr("data-value", "") != "01970000-0000-7000-8000-000000000000" {
				t.Errorf("the first is %q", list.Text("[role=option]"))
			}
			if got := list.Texts("mark"); !slices.Contains(got, "Opera") {
				t.Errorf("what was typed is not marked: %q", got)
			}
			if n > 1 && (list.Count("[data-biometrics]") != 1 || !list.Has("#credenciais-1[data-biometrics]")) {
				t.Errorf("%d want biometrics, want the second", list.Count("[data-biometrics]"))
			}
			plain := ana.Post(ana.DraftPath(), url.Values{"acao": {"buscar"}, "Busca": {"opera"}, "versao": {"0"}, "nomeBeneficiario": {"Helena"}})
			plain.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#Busca": "opera", "#nomeBeneficiario": "Helena"},
				Count: map[string]int{"input[type=radio][name=credencialId]": min(n, 12), "input[type=radio][checked]": 0,
					"input[type=hidden][name=credencialId]": 0}})
		})
	}
}

// TestSearch_Chosen: a search without a script keeps what was chosen before,
// ticked and once.
func TestSearch_Chosen(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	form.Set("acao", "buscar")
	for text, want := range map[string]int{"a": 5, "jequitiba": 2, "zzz": 1} {
		form.Set("Busca", text)
		form.Set("versao", ana.Get(address).Value("#versao"))
		page := ana.Post(address, form)
		page.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"input[type=radio][name=credencialId]": want,
			"input[type=radio][checked]": 1}})
		if got := page.Attr("input[type=radio][checked]", "value"); got != form.Get("credencialId") {
			t.Errorf("%q: ticked is %q", text, got)
		}
	}
}

// TestSearch_Procedures finds by code, name and other names, at most twelve.
func TestSearch_Procedures(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for text, want := range map[string]string{"40316521": "40316521", "tsh": "40316521", "TIREOESTIMULANTE hormonio": "40316521"} {
		list := ana.PostHTMX("/busca/procedimentos", url.Values{"Busca": {text}})
		found := list.Find("[role=option]").First()
		if found.AttrOr("data-value", "") != want || !strings.Contains(found.AttrOr("data-label", ""), "TSH") ||
			list.Attr("[role=option]", "id") != "procedimento-0" {
			t.Errorf("%q: got %q", text, list.Text("[role=option]"))
		}
	}
	if got := ana.PostHTMX("/busca/procedimentos", url.Values{"Busca": {"4"}}).Count("[role=option][data-value]"); got != 12 {
		t.Errorf("a digit finds %d, want 12", got)
	}
	if got := ana.PostHTMX("/busca/procedimentos",
		url.Values{"Busca": {"zzz"}}).Text("[role=option][aria-disabled=true]"); !strings.HasPrefix(got, "Nada no cadastro com “zzz”.") {
		t.Errorf("nothing found says %q", got)
	}
}

// TestSearch_ProceduresWithoutScript: words in a row bring choices, and the one that is chosen takes
// their place, with all else kept.
func TestSearch_ProceduresWithoutScript(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	const radio = "input[type=radio][name='procedimentos[1].escolha']"
	address, form := ana.NewDraft()
	form.Set("versao", "0")
	apptest.SetProcedure(form, "1", "tireoestimulante horm", "", "3")
	press := func(button string, form url.Values) *apptest.Page {
		t.Helper()
		got := ana.Post(address, apptest.With(form, map[string]string{"acao": button}))
		form.Set("versao", got.Value("#versao"))
		got.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": form.Get("nomeBeneficiario"),
			"#procedimentos-1-quantidade": "3"}, Count: map[string]int{"button.no-js[value=procedimentos]": 1}})
		return got
	}
	for _, button := range []string{"procedimentos", ""} { // the button, and Enter in a field
		found := press(button, form)
		found.Check(t, apptest.Want{Value: map[string]string{"#procedimentos-1-codigoProcedimento": "tireoestimulante horm"},
			Count: map[string]int{".search-results": 1, "[autofocus]": 1, radio + "[autofocus]": 1, radio + "[checked]": 0}})
		if got := found.Attr(radio, "value"); got != "40316521" {
			t.Fatalf("%q found %q first: %s", button, got, found.Text(".search-results"))
		}
	}
	form.Set("procedimentos[1].buscado", "tireoestimulante horm")
	form.Set("procedimentos[1].escolha", "40316521")
	chosen := press("escolher", form)
	chosen.Check(t, apptest.Want{Value: map[string]string{"#procedimentos-1-codigoProcedimento": "40316521"},
		Count: map[string]int{".search-results": 0, "#procedimentos-1-nomeProcedimento[readonly]": 1}})
	form.Set("procedimentos[1].codigoProcedimento", "40304361")
	press("escolher", form).Check(t, apptest.Want{Value: map[string]string{"#procedimentos-1-codigoProcedimento": "40304361"}})
	apptest.SetProcedure(form, "1", "", "zzz zzz", "3")
	press("procedimentos", form).Check(t, apptest.Want{
		Text:  map[string]string{".search-results legend": "Nada no cadastro com “zzz zzz”."},
		Count: map[string]int{".search-results button": 0}, Value: map[string]string{"#procedimentos-1-nomeProcedimento": "zzz zzz"}})
	apptest.SetProcedure(form, "1", "99999999", "Exame fora do cadastro", "3")
	press("procedimentos", form).Check(t, apptest.Want{Count: map[string]int{".search-results": 0}})
}

// TestSearch_Known: what the service finds is known from then on, and what
// administração took out of the form is not offered.
func TestSearch_Known(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	offered := func() []string {
		return ana.PostHTMX("/busca/credenciais", url.Values{"Busca": {"o"}}).Attrs("[role=option][data-value]", "data-label")
	}
	if got := offered(); !slices.Equal(got, []string{"Operadora Horizonte", "Saúde Litoral"}) {
		t.Fatalf("offered are %q", got)
	}
	if got := rui.Get("/cadastros/credenciais").Names(); got != "Operadora Horizonte, Saúde Litoral" {
		t.Errorf("known are %q", got)
	}
	entry := rui.Search("/cadastros/credenciais", "horizonte")
	rui.Post(entry+"/desativar", nil)
	if got := offered(); !slices.Equal(got, []string{"Saúde Litoral"}) {
		t.Errorf("with one out of the form offered are %q", got)
	}
	rui.Post(entry+"/reativar", nil)
	if got := offered(); len(got) != 2 {
		t.Errorf("put back: offered are %q", got)
	}
}
