package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
	"guiche/internal/desk"
)

// TestDraft_SecondTab: a tab that shows a draft and changes nothing does not get in the
// way of the tab where somebody types.
func TestDraft_SecondTab(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for name, tt := range map[string]struct {
		end    string
		button string
	}{"Review": {"/revisar", ""}, "Save": {"", ""}, "Later": {"", "rascunho"}} {
		t.Run(name, func(t *testing.T) {
			address, form := ana.NewDraft()
			form.Set("observacoes", "linha 1\nlinha 2")
			ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#versao": "1"}})
			second := ana.Get(address).Form("#pedido")
			second.Set("observacoes", strings.ReplaceAll(second.Get("observacoes"), "\n", "\r\n"))
			second.Set("acao", tt.button)
			ana.Post(address+tt.end, second)
			form.Set("versao", "1")
			form.Set("nomeBeneficiario", "Primeira aba")
			ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#versao": "2"}})
			if got := ana.Get(address).Value("#nomeBeneficiario"); got != "Primeira aba" {
				t.Errorf("the draft holds %q", got)
			}
		})
	}
	t.Run("Copy", func(t *testing.T) {
		sent := ana.SubmitWith(nil)
		address := ana.Post(sent.Path+"/copiar", nil).Path
		form := ana.Get(address).Form("#pedido")
		ana.Post(address+"/revisar", form)
		ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#versao": form.Get("versao")}})
	})
}

// TestDraft_Quota: what a person's drafts have no room for is not saved, and the page says
// why and keeps what was typed.
func TestDraft_Quota(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.DraftBytes = 3000 }}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	ana.Upload(address+"/anexos", url.Values{}, map[string][]byte{"pedido.pdf": apptest.PDF(100)})
	long := strings.Repeat("a", 4000)
	typed := apptest.With(form, map[string]string{"observacoes": long, "versao": "1"})
	ana.PostHTMX(address, typed).Check(t, apptest.Want{Status: http.StatusRequestEntityTooLarge,
		Text:  map[string]string{"[data-unsaved]": "limite por pessoa", "[data-unsaved] a[href='/fila']": "rascunhos"},
		Value: map[string]string{"#versao": "1"}, Count: map[string]int{"main": 0}})
	for name, refused := range map[string]*apptest.Page{
		"Plain": ana.Post(address, typed), "Review": ana.PostHTMX(address+"/revisar", typed),
		"Later":  ana.PostHTMX(address, apptest.With(typed, map[string]string{"acao": "rascunho"})),
		"Upload": ana.Upload(address+"/anexos", typed, map[string][]byte{"outro.pdf": apptest.PDF(100)}),
		"Remove": ana.Post(address+"/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/remover", typed),
	} {
		t.Run(name, func(t *testing.T) {
			refused.Check(t, apptest.Want{Status: http.StatusRequestEntityTooLarge,
				Value: map[string]string{"#observacoes": long, "#versao": "1"},
				Text:  map[string]string{"#erros": "limite por pessoa", "title": "Erro: ", "#anexos": "pedido.pdf"},
				Count: map[string]int{"#revisao": 0, "#pedido": 1}})
		})
	}
	t.Run("Shorter", func(t *testing.T) {
		ana.PostHTMX(address, apptest.With(typed, map[string]string{"observacoes": "curto"})).Check(t, apptest.Want{Status: http.StatusOK,
			Count: map[string]int{"[data-unsaved]": 0}})
	})
}

// TestDraft_Untouched: a form that nothing was typed into becomes no draft by its
// buttons.
func TestDraft_Untouched(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]apptest.Options{"SeveralChoices": {}, "OneChoice": {Faults: &faultservice.Config{}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ana := apptest.Start(t, options).LogIn(t, apptest.Reception)
			page := ana.Get("/nova")
			address, form := page.Attr("#pedido", "data-page-url"), page.Form("#pedido")
			drafts := func() int { return ana.Get("/fila").Count("aside .item-name") }
			for what, tt := range map[string]struct {
				end, button string
				status      int
			}{
				"Review": {"/revisar", "", http.StatusUnprocessableEntity}, "Search": {"", "buscar", http.StatusOK},
				"Row": {"", "adicionar", http.StatusOK}, "Later": {"", "rascunho", http.StatusOK},
			} {
				form.Set("acao", tt.button)
				if got := ana.Post(address+tt.end, form); got.Status != tt.status || drafts() != 0 {
					t.Errorf("%s: got %d and %d drafts", what, got.Status, drafts())
				}
			}
			got := ana.Post(address+"/revisar", form)
			if got.Text("#rascunho .js-only") != "Vira rascunho ao digitar" || got.Count("#erros li") < 5 {
				t.Errorf("got %q with %d lines", got.Text("#rascunho"), got.Count("#erros li"))
			}
			form.Set("nomeContato", "Lia")
			ana.Post(address+"/revisar", form)
			if got := drafts(); got != 1 {
				t.Errorf("one letter: got %d drafts, want 1", got)
			}
		})
	}
	t.Run("FileFirst", func(t *testing.T) {
		ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
		page := ana.Get("/nova")
		address, form := page.Attr("#pedido", "data-page-url"), page.Form("#pedido")
		ana.UploadHTMX(address+"/anexos", "pedido.pdf", strings.NewReader(string(apptest.PDF(100))))
		if got := ana.Post(address+"/revisar", form); got.Count("#anexos li") != 1 || got.Count("#rascunho .js-only") > 0 {
			t.Errorf("got %d files, %q", got.Count("#anexos li"), got.Text("#rascunho"))
		}
	})
}

// TestDrafts_Discard: each draft of the list can be thrown away there, after a question,
// with a script and without.
func TestDrafts_Discard(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.Post(address, form)
	kept := ana.DraftPath()
	ana.Post(kept, url.Values{"observacoes": {"x"}, "versao": {"0"}})
	list := ana.Get("/fila")
	action := `aside form[action="` + address + `/descartar"]`
	if got := list.Attr(action+" button.js-only", "data-confirm"); got != "Descartar o rascunho de Beneficiária de Teste e os anexos dele?" {
		t.Errorf("the question is %q", got)
	}
	if got := list.Attr(action+" button.js-only", "aria-label"); got != "Descartar o rascunho de Beneficiária de Teste" {
		t.Errorf("the button is called %q", got)
	}
	if got := list.Text(action + " details.no-js p"); got != "Descartar o rascunho de Beneficiária de Teste e os anexos dele?" {
		t.Errorf("without a script the question is %q", got)
	}
	if got := list.Attr(`aside form[action="`+kept+`/descartar"] button.js-only`, "aria-label"); got != "Descartar o rascunho sem nome" {
		t.Errorf("a draft without a name: %q", got)
	}
	list = ana.Post(address+"/descartar", nil)
	if got := list.Attrs("aside .item-name", "href"); list.Path != "/fila" || !slices.Equal(got, []string{kept}) ||
		!strings.Contains(list.Text("main"), "Rascunho descartado.") {
		t.Errorf("%s lists %q", list.Path, got)
	}
}

// TestForm_Rows: an empty row is there where there is no other, and where one is asked
// for; neither review nor copy adds one.
func TestForm_Rows(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	rows := func(p *apptest.Page) int { return p.Count("#procedimentos > [data-row]") }
	address, form := ana.NewDraft()
	apptest.SetProcedure(form, "1", "40304361", "Hemograma", "1")
	if got := rows(ana.Get("/nova")); got != 1 {
		t.Errorf("an empty form has %d rows", got)
	}
	reviewed := ana.Post(address+"/revisar", form)
	if got := rows(reviewed); got != 2 {
		t.Errorf("after the review of two there are %d rows", got)
	}
	more := reviewed.Form("#pedido")
	more.Set("acao", "adicionar")
	if got := rows(ana.Post(address, more)); got != 3 {
		t.Errorf("one more than two is %d rows", got)
	}
	more.Set("acao", "remover-1")
	if got := rows(ana.Post(address, more)); got != 1 {
		t.Errorf("one less than two is %d rows", got)
	}
	other, form := ana.NewDraft()
	apptest.SetProcedure(form, "1", "40304361", "Hemograma", "1")
	sent := ana.Submit(other, form)
	if got := rows(ana.Post(sent.Path+"/copiar", nil)); got != 2 {
		t.Errorf("a copy of two has %d rows", got)
	}
}

// TestReview_Order: what is wrong is listed in the order of the screen.
func TestReview_Order(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	for _, name := range desk.FormFields() {
		form.Set(name, "")
	}
	for name, wrong := range map[string]string{"atendimentoRN": "S", "retorno": "talvez", "tipoAcidente": "x", "regimeAtendimento": "x",
		"tipoAtendimento": "x", "validadeCarteira": "x", "pacienteNoLocal": "talvez"} {
		form.Set(name, wrong)
	}
	apptest.SetProcedure(form, "0", "", "Nome", "0")
	apptest.SetProcedure(form, "1", "1234", "", "1")
	page := ana.Post(address+"/revisar", form)
	var places []int
	fields := page.Find("#pedido input, #pedido select, #pedido textarea")
	for _, target := range page.Attrs("#erros a", "href") {
		places = append(places, fields.IndexOfSelection(page.Find(target)))
	}
	if page.Status != http.StatusUnprocessableEntity || len(places) < 20 || !slices.IsSorted(places) || slices.Contains(places, -1) {
		t.Errorf("got %d with the places %v of %q", page.Status, places, page.Texts("#erros a"))
	}
}

// TestForm_KnownCode: a known code gets its name, also without a script.
func TestForm_KnownCode(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	const name = "Hormônio tireoestimulante (TSH)"
	for what, end := range map[string]string{"Save": "", "Review": "/revisar"} {
		t.Run(what, func(t *testing.T) {
			address, form := ana.NewDraft()
			apptest.SetProcedure(form, "0", " 40316521", " ", "1")
			apptest.SetProcedure(form, "1", "40304361", "Outro nome", "1")
			page := ana.Post(address+end, form)
			if got := page.Value("#procedimentos-0-nomeProcedimento"); got != name {
				t.Errorf("got %q", got)
			}
			if got := page.Value("#procedimentos-1-nomeProcedimento"); got != "Outro nome" {
				t.Errorf("what was typed became %q", got)
			}
			if end != "" && (page.Status != http.StatusOK || !page.Has("#revisao")) {
				t.Errorf("got %d: %s", page.Status, page.Text("#erros"))
			}
		})
	}
	t.Run("Unknown", func(t *testing.T) {
		address, form := ana.NewDraft()
		apptest.SetProcedure(form, "0", "99999999", "", "1")
		page := ana.Post(address+"/revisar", form)
		page.CheckProblems(t, "procedimentos-0-nomeProcedimento")
	})
}

// TestSearch_More: without a script too a search says how many more there are.
func TestSearch_More(t *testing.T) {
	t.Parallel()
	items := make([]string, 15)
	for i := range items {
		items[i] = fmt.Sprintf(`{"id":"01970000-0000-7000-8000-0000000000%02d","nome":"Vale Sereno %d","codigoPrestador":"1"}`, i, i)
	}
	ana := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Credentials: "[" + strings.Join(items, ",") + "]"}}).
		LogIn(t, apptest.Reception)
	page := ana.Post(ana.DraftPath(), url.Values{"Busca": {"sereno"}, "acao": {"buscar"}, "versao": {"0"}})
	if got := page.Text(".search-results p"); got != "E mais 3: escreva mais um pouco e busque de novo." ||
		page.Count(".search-results [type=radio]") != 12 {
		t.Errorf("got %q beside %d", got, page.Count(".search-results [type=radio]"))
	}
}

// TestDraft_Gone: a tab whose draft was discarded or sent elsewhere is told which, and nothing leads to a draft that is not there.
func TestDraft_Gone(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	discarded, form := ana.NewDraft()
	ana.Post(discarded, form)
	ana.Post(discarded+"/descartar", nil)
	sent, other := ana.NewDraft()
	ana.Submit(sent, other)
	for _, tt := range []struct{ address, told, href string }{
		{discarded, "Este rascunho foi descartado; o que você digita aqui não está sendo salvo. Abrir outro em nova aba", "/nova"},
		{sent, "Este rascunho já foi enviado; o que você digita aqui não está sendo salvo. Ver o pedido", sent},
	} {
		form.Set("versao", "1")
		form.Set("observacoes", "depois")
		for name, late := range map[string]*apptest.Page{"Script": ana.PostHTMX(tt.address, form), "Plain": ana.Post(tt.address, form)} {
			if got := late.Text("[data-conflict]"); late.Status != http.StatusConflict || got != tt.told {
				t.Errorf("%s: %d says %q, want %q", name, late.Status, got, tt.told)
			}
			if got := late.Attr("[data-conflict] a", "href"); got != tt.href {
				t.Errorf("%s leads to %q, want %q", name, got, tt.href)
			}
		}
	}
	ana.Get(discarded).Check(t, apptest.Want{Status: http.StatusNotFound,
		Text: map[string]string{"main": "Este rascunho foi descartado, ou é de outra pessoa."}})
}
