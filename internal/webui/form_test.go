package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

func TestForm_KeepsEverythingTyped(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	form = apptest.EveryField(form)
	form.Set("validadeCarteira", "31/13/2027")
	form.Set("crmSolicitante", "")
	form.Set("procedimentos[1].quantidade", "mil")
	if got := v.Upload(address+"/anexos", nil, map[string][]byte{"pedido médico.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
		t.Fatalf("attach: %d %s", got.Status, got.Text("main"))
	}
	got := v.Post(address+"/revisar", form)
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.Status)
	}
	t.Run("Values", func(t *testing.T) {
		for name, values := range form {
			if name == "versao" || name == "credencialId" || strings.HasPrefix(name, "procedimentos") {
				continue
			}
			field := got.Find(`[name="` + name + `"]`)
			if box, _ := field.Attr("type"); box == "checkbox" {
				if _, checked := field.Attr("checked"); !checked {
					t.Errorf("%s is no longer ticked", name)
				}
				continue
			}
			if kept := strings.ReplaceAll(got.Value(`[name="`+name+`"]`), "\n", "\r\n"); strings.ReplaceAll(kept, "\r\r", "\r") != values[0] {
				t.Errorf("%s is %q, want %q", name, kept, values[0])
			}
		}
		if kept := got.Value(`[name="procedimentos[1].quantidade"]`); kept != "mil" {
			t.Errorf("quantity is %q, want what was typed", kept)
		}
	})
	t.Run("SummaryLeadsToTheFields", func(t *testing.T) {
		var leads []string
		got.Find("#erros a").Each(func(_ int, a *goquery.Selection) {
			href, _ := a.Attr("href")
			leads = append(leads, href)
			if got.Count(href) != 1 {
				t.Errorf("%s leads nowhere", href)
			}
			if !strings.Contains(got.Text(href+"-error"), a.Text()) {
				t.Errorf("beside %s stands %q, want the words of the summary %q", href, got.Text(href+"-error"), a.Text())
			}
		})
		if diff := cmp.Diff([]string{"#validadeCarteira", "#crmSolicitante", "#procedimentos-1-quantidade"}, leads); diff != "" {
			t.Errorf("(-want, +got):\n%s", diff)
		}
		if title := got.Text("title"); !strings.HasPrefix(title, "Erro: ") {
			t.Errorf("title %q", title)
		}
	})
	t.Run("Attachments", func(t *testing.T) {
		if names := got.Text("#anexos"); !strings.Contains(names, "pedido médico.pdf") {
			t.Errorf("attachments: %q", names)
		}
	})
}

func TestForm_WithoutScript(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	credential := form.Get("credencialId")

	t.Run("SearchCredential", func(t *testing.T) {
		form := apptest.Clone(form)
		form.Del("credencialId")
		form.Set("Busca", "JEQUITIBA")
		form.Set("acao", "buscar")
		got := v.Post(address, form)
		if found := got.Count(`input[type=radio][name=credencialId]`); found != 1 ||
			!strings.Contains(got.Text(".search-results"), "Jequitibá Saúde") {
			t.Errorf("found %d: %s", found, got.Text(".search-results"))
		}
	})
	t.Run("Rows", func(t *testing.T) {
		form := apptest.Clone(form)
		form.Set("versao", v.Get(address).Value("#versao"))
		apptest.SetProcedure(form, "1", "40304361", "Hemograma", "2")
		form.Set("acao", "remover-0")
		got := v.Post(address, form)
		if code := got.Value("#procedimentos-0-codigoProcedimento"); code != "40304361" {
			t.Errorf("after removing the first row the first is %q", code)
		}
	})
	t.Run("AttachWithTheForm", func(t *testing.T) {
		form := apptest.Clone(form)
		form.Set("credencialId", credential)
		form.Set("versao", v.Get(address).Value("#versao"))
		got := v.Upload(address+"/anexos", form, map[string][]byte{"laudo.pdf": apptest.PDF(10), "virus.exe": []byte("MZ")})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#anexos"), "laudo.pdf") {
			t.Errorf("%d %s", got.Status, got.Text("#anexos"))
		}
		if reason := got.Text("#anexos .error"); !strings.Contains(got.Text("#anexos"), "virus.exe") || reason == "" {
			t.Errorf("the refused file is told as %q", got.Text("#anexos"))
		}
		if name := got.Value("#nomeBeneficiario"); name != form.Get("nomeBeneficiario") {
			t.Errorf("the name is %q after attaching", name)
		}
	})
	t.Run("Send", func(t *testing.T) {
		form := apptest.Clone(form)
		form.Set("versao", v.Get(address).Value("#versao"))
		if got := v.Submit(address, form); got.Text("#veredito .verdict") != "Autorizado" {
			t.Errorf("%s: %s", got.Path, got.Text("#veredito"))
		}
	})
}

func TestForm_Draft(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, _ := v.NewDraft()
	if got := v.Get(address); got.Status != http.StatusNotFound {
		t.Errorf("opening the form stored a draft: %d", got.Status)
	}
	saved := v.Post(address, url.Values{"nomeBeneficiario": {"M"}, "versao": {"0"}, "acao": {"rascunho"}})
	if saved.Path != "/fila" || !strings.Contains(saved.Text("main [role=status]"), "Rascunho salvo") {
		t.Errorf("at %s: %s", saved.Path, saved.Text("main [role=status]"))
	}
	if got := v.Get("/fila"); strings.Contains(got.Text("main"), "Rascunho salvo.") || got.Count(`aside a[href="`+address+`"]`) != 1 {
		t.Error("the sentence stands twice, or the draft is not listed")
	}
	again := v.Get(address)
	if got := again.Value("#nomeBeneficiario"); got != "M" {
		t.Errorf("the draft holds %q", got)
	}
	t.Run("TwoTabs", func(t *testing.T) {
		version := again.Value("#versao")
		if got := v.Post(address, url.Values{"nomeBeneficiario": {"Tab A"}, "versao": {version}}); got.Status != http.StatusOK {
			t.Fatalf("first tab: %d", got.Status)
		}
		late := v.Post(address, url.Values{"nomeBeneficiario": {"Tab B"}, "versao": {version}})
		if late.Status != http.StatusConflict || late.Value("#nomeBeneficiario") != "Tab B" || late.Count("[data-conflict]") != 1 {
			t.Errorf("second tab: %d, shows %q", late.Status, late.Value("#nomeBeneficiario"))
		}
		if got := v.Get(address).Value("#nomeBeneficiario"); got != "Tab A" {
			t.Errorf("the draft holds %q, want the first tab's", got)
		}
	})
	t.Run("Discard", func(t *testing.T) {
		v.Post(address+"/descartar", nil)
		if got := v.Get(address); got.Status != http.StatusNotFound {
			t.Errorf("a discarded draft answers %d", got.Status)
		}
	})
}

// TestForm_EnterWithoutScript: the browser presses the form's first button, which
// searches while no credential is chosen, and refuses nothing.
func TestForm_EnterWithoutScript(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	credential := form.Get("credencialId")
	for name, tt := range map[string]struct {
		credential, search string
		found              int
	}{
		"Searches":      {"", "JEQUITIBA", 1},
		"NothingTyped":  {"", " ", 0},
		"AlreadyChosen": {credential, "Aroeira Planos", 0},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.With(form, map[string]string{"credencialId": tt.credential, "Busca": tt.search,
				"versao": v.Get(address).Value("#versao")})
			got := v.Post(address, form)
			if found := got.Count("input[type=radio][name=credencialId]"); got.Status != http.StatusOK || found != tt.found ||
				got.Has("#erros") {
				t.Errorf("%d, %d found, want %d; %s", got.Status, found, tt.found, got.Text("#erros"))
			}
			if name := got.Value("#nomeBeneficiario"); name != form.Get("nomeBeneficiario") {
				t.Errorf("the name is %q", name)
			}
		})
	}
}

// TestForm_FilesWithoutScript: the browser's own control is the one that is drawn, and named.
func TestForm_FilesWithoutScript(t *testing.T) {
	t.Parallel()
	got := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception).Get("/nova")
	if got.Count("label[for=arquivo]:not(.js-only)") != 0 || got.Attr("#arquivo", "aria-label") != got.Text("label[for=arquivo]") {
		t.Errorf("the label %q, the name %q", got.Text("label[for=arquivo]"), got.Attr("#arquivo", "aria-label"))
	}
}

// TestForm_SameName: of executants of one name the form says the council, or else the specialties;
// of the others the name alone.
func TestForm_SameName(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	for _, p := range []struct{ number, specialty string }{{"97120", "Cardiologia"}, {"97121", "Cardiologia"},
		{"", "Nutrição"}, {"", "Fisioterapia"}} {
		form := url.Values{"nome": {"Olga Reis"}, "especialidades[0].id": {"1"}, "especialidades[0].nome": {p.specialty},
			"especialidades[0].cbo": {"225335"}}
		if p.number != "" {
			form["siglaConselho"], form["numeroConselho"], form["uf"] = []string{"CRM"}, []string{p.number}, []string{"SP"}
		}
		if got := rui.Post("/cadastros/executantes/novo", form); got.Path != "/cadastros/executantes" {
			t.Fatalf("%d %s", got.Status, got.Text("#erros"))
		}
	}
	offered := ana.Get("/nova").Texts("#profissionalExecutanteId option")
	slices.Sort(offered)
	if want := []string{"Dr. Ivo Sampaio", "Dra. Elisa Monteverde", "Escolha", "Lena Brandão",
		"Olga Reis · CRM 97120 SP", "Olga Reis · CRM 97121 SP",
		"Olga Reis · Fisioterapia", "Olga Reis · Nutrição"}; !slices.Equal(offered, want) {
		t.Errorf("got %q, want %q", offered, want)
	}
}

// TestForm_SameSpecialty: of specialties of one name the form says the CBO, or else the number.
func TestForm_SameSpecialty(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	form := url.Values{"nome": {"Olga Reis"}}
	for i, s := range [][2]string{{"Cardiologia", "225120"}, {"Cardiologia", "225320"}, {"Nutrição", ""}, {"Nutrição", ""},
		{"Fisioterapia", ""}} {
		row := fmt.Sprintf("especialidades[%d].", i)
		form[row+"id"], form[row+"nome"], form[row+"cbo"] = []string{strconv.Itoa(i + 1)}, []string{s[0]}, []string{s[1]}
	}
	if got := rui.Post("/cadastros/executantes/novo", form); got.Path != "/cadastros/executantes" {
		t.Fatalf("%d %s", got.Status, got.Text("#erros"))
	}
	offered := ana.Get("/nova").Texts("#especialidadeExecutanteId option")
	for _, want := range []string{"Cardiologia · CBO 225120", "Cardiologia · CBO 225320", "Nutrição · nº 3", "Nutrição · nº 4",
		"Fisioterapia"} {
		if !slices.Contains(offered, want) {
			t.Errorf("%s is not in %q", want, offered)
		}
	}
}
