package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestForm_OnlyChoice: what leaves nothing to choose is chosen already.
func TestForm_OnlyChoice(t *testing.T) {
	t.Parallel()
	fields := []string{"#unidadeId", "#pontoAtendimentoId", "#profissionalExecutanteId", "#especialidadeExecutanteId"}
	t.Run("One", func(t *testing.T) {
		t.Parallel()
		page := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}}).LogIn(t, apptest.Reception).Get("/nova")
		for _, field := range fields {
			if got := page.Value(field); got == "" || got != page.Attr(field+` option[value!=""]`, "value") {
				t.Errorf("%s: got %q, want the only choice", field, got)
			}
		}
	})
	t.Run("Several", func(t *testing.T) {
		t.Parallel()
		server := apptest.Start(t, apptest.Options{})
		ana, celia := server.LogIn(t, apptest.Reception).Get("/nova"), server.LogIn(t, apptest.Supervision).Get("/nova")
		if got := ana.Value("#unidadeId"); got != ana.Option("#unidadeId", "Centro") || got == "" {
			t.Errorf("her only unit: got %q", got)
		}
		if got := ana.Texts(`#unidadeId option[value!=""]`); !slices.Equal(got, []string{"Centro"}) {
			t.Errorf("she can choose %q, want her unit", got)
		}
		if got := celia.Texts(`#unidadeId option[value!=""]`); !slices.Equal(got, []string{"Centro", "Jardim das Acácias"}) {
			t.Errorf("supervisão can choose %q", got)
		}
		for _, page := range []*apptest.Page{ana, celia} {
			for _, field := range fields[1:] {
				if got := page.Value(field); got != "" {
					t.Errorf("%s: got %q chosen among several", field, got)
				}
			}
		}
		if got := celia.Value("#unidadeId"); got != "" {
			t.Errorf("got %q chosen among two units", got)
		}
		unit := celia.Option("#unidadeId", "Jardim das Acácias")
		if got := celia.Texts(`#pontoAtendimentoId option[data-for-value="` + unit + `"]`); !slices.Equal(got, []string{"Recepção"}) {
			t.Errorf("the other unit has the care points %q", got)
		}
		who := celia.Option("#profissionalExecutanteId", "Dr. Ivo Sampaio")
		if got := celia.Texts(`#especialidadeExecutanteId option[data-for-value="` + who + `"]`); !slices.Equal(got,
			[]string{"Cardiologia", "Clínica médica"}) {
			t.Errorf("the professional has the specialties %q", got)
		}
		if got := celia.Texts(`#especialidadeExecutanteId optgroup[label="Dr. Ivo Sampaio"] option`); !slices.Equal(got,
			[]string{"Cardiologia", "Clínica médica"}) {
			t.Errorf("without scripts nobody sees whose specialties are %q", got)
		}
		if got := celia.Texts(`#pontoAtendimentoId optgroup[label="Jardim das Acácias"] option`); !slices.Equal(got, []string{"Recepção"}) {
			t.Errorf("without scripts nobody sees where the care points %q are", got)
		}
	})
}

// TestForm_Checks: what is still to do stands beside the form as it is saved.
func TestForm_Checks(t *testing.T) {
	t.Parallel()
	_, ana := startAt(t, 2026, time.November, 20, 16, 45)
	address, whole := ana.NewDraft()
	done := func(p *apptest.Page) (ticked, open []string) {
		return p.Texts("#antes li.tone-success b"), p.Texts("#antes li.tone-neutral b")
	}
	t.Run("Empty", func(t *testing.T) {
		page := ana.Get("/nova")
		page.Check(t, apptest.Want{Text: map[string]string{"#rascunho .js-only": "Vira rascunho ao digitar"},
			Value: map[string]string{"#versao": "0"}})
		ticked, open := done(page)
		if want := []string{"Escolha a operadora", "Nome e carteira do beneficiário", "Pelo menos um procedimento",
			"Pedido médico"}; len(ticked) != 0 || !slices.Equal(open, want) {
			t.Errorf("got %q done and %q open, want %q open", ticked, open, want)
		}
		if got := page.Text("#resumo"); got != "" {
			t.Errorf("the summary of nothing is %q", got)
		}
	})
	t.Run("NameWithoutCard", func(t *testing.T) {
		other := ana.DraftPath()
		for _, form := range []url.Values{{"nomeBeneficiario": {"M"}, "versao": {"0"}}, {"numeroCarteira": {"1"}, "versao": {"1"}}} {
			if _, open := done(ana.Post(other, form)); !slices.Contains(open, "Nome e carteira do beneficiário") {
				t.Errorf("%v: open are %q", form, open)
			}
		}
	})
	t.Run("Autosave", func(t *testing.T) {
		saved := ana.PostHTMX(address, whole)
		saved.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"span": "Rascunho salvo às 16:45"},
			Value: map[string]string{"#versao": "1"}, Count: map[string]int{"main": 0, "hx-partial": 6}})
		partials := saved.Find("hx-partial")
		if got := strings.Join(strings.Fields(partials.Eq(1).Text()), " "); got != "Aroeira Planos · 1 procedimento" ||
			partials.Eq(1).AttrOr("hx-target", "") != "#resumo" {
			t.Errorf("the summary is %q", got)
		}
		for _, want := range []string{"Operadora escolhida", "Beneficiário e carteira", "1 procedimento",
			"Carteira válida até 31/12/2027", "Pedido médico"} {
			if got := partials.Eq(0).Text(); !strings.Contains(got, want) {
				t.Errorf("%q is not told: %q", want, got)
			}
		}
	})
	t.Run("OnlyWords", func(t *testing.T) {
		other, form := ana.NewDraft()
		for typed, want := range map[string]string{"hemograma": "Pelo menos um procedimento", "40304361": "1 procedimento"} {
			apptest.SetProcedure(form, "0", typed, "", "1")
			form.Set("acao", "procedimentos")
			page := ana.Post(other, form)
			form.Set("versao", page.Value("#versao"))
			if got := page.Text("#antes li:nth-child(3)"); got != want || strings.Contains(page.Text("#resumo"), want) != (want[0] == '1') {
				t.Errorf("%s: got %q and %q, want %q", typed, got, page.Text("#resumo"), want)
			}
		}
	})
	t.Run("Counted", func(t *testing.T) {
		form := apptest.Clone(whole)
		apptest.SetProcedure(form, "1", "40304361", "Hemograma", "2")
		form.Set("versao", "1")
		page := ana.Upload(address+"/anexos", form, map[string][]byte{"um.pdf": apptest.PDF(100)})
		if got := page.Text("#resumo"); got != "Aroeira Planos · 2 procedimentos · 1 anexo" {
			t.Errorf("the summary is %q", got)
		}
		ana.UploadHTMX(address+"/anexos", "dois.pdf", strings.NewReader(string(apptest.PDF(100))))
		ticked, open := done(ana.Get(address))
		if want := []string{"Operadora escolhida", "Beneficiário e carteira", "2 procedimentos", "2 anexos",
			"Carteira válida até 31/12/2027"}; !slices.Equal(ticked, want) || len(open) != 0 {
			t.Errorf("got %q done, %q open, want %q done", ticked, open, want)
		}
	})
	for typed, want := range map[string]string{"20/11/2026": "Carteira válida até 20/11/2026",
		"19/11/2026": "Carteira vencida em 19/11/2026", "31/02/2027": "", "": ""} {
		t.Run("Validity "+typed, func(t *testing.T) {
			other, form := ana.NewDraft()
			form.Set("validadeCarteira", typed)
			page := ana.Post(other, form)
			got := page.Text("#antes li:nth-child(5)")
			if got != want || strings.Contains(want, "vencida") != page.Has("#antes li.tone-attention") {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestForm_Biometrics: a credential that wants biometrics says so beside the
// operator's name.
func TestForm_Biometrics(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for operator, want := range map[string]string{"aroeira": "Aroeira Planos · código do prestador 550012",
		"jequitiba": "Jequitibá Saúde · código do prestador 004271 · a operadora pede biometria"} {
		address, form := ana.NewDraft()
		form.Set("credencialId", ana.Credential(operator))
		if got := ana.Post(address, form).Text("#credencial-escolhida"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestForm_KnownProcedures: a name from the directory cannot be typed over.
func TestForm_KnownProcedures(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	found := ana.PostHTMX("/busca/procedimentos", url.Values{"Busca": {"tsh"}}).Find("[role=option]").First()
	address, form := ana.NewDraft()
	apptest.SetProcedure(form, "0", found.AttrOr("data-value", ""), found.AttrOr("data-label", ""), "1")
	apptest.SetProcedure(form, "1", found.AttrOr("data-value", ""), "Outro nome", "1")
	apptest.SetProcedure(form, "2", "99999", "Só da clínica", "1")
	page := ana.Post(address, form)
	for row, known := range []bool{true, false, false} {
		field := "#procedimentos-" + string(rune('0'+row)) + "-nomeProcedimento"
		if got := page.Has(field + "[readonly]"); got != known || !page.Has(field) {
			t.Errorf("row %d: got read-only %t, want %t", row, got, known)
		}
	}
}

// TestDraft_Buttons: the buttons that work without a script do what they say and
// keep what was typed.
func TestDraft_Buttons(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for name, tt := range map[string]struct {
		button string
		codes  []string // of the rows afterwards
	}{
		"None": {"", []string{"1", "2", "3"}}, "Remove0": {"remover-0", []string{"2", "3"}}, "Remove1": {"remover-1", []string{"1", "3"}},
		"Remove2": {"remover-2", []string{"1", "2"}}, "RemoveNothing": {"remover-3", []string{"1", "2", "3"}},
		"RemoveNumberless": {"remover-x", []string{"1", "2", "3"}},
		"Choose":           {"escolher", []string{"1", "2", "3"}},
	} {
		t.Run(name, func(t *testing.T) {
			address, form := ana.NewDraft()
			for row, code := range []string{"1", "2", "3"} {
				apptest.SetProcedure(form, string(rune('0'+row)), code, "Procedimento "+code, "1")
			}
			form.Set("acao", tt.button)
			page := ana.Post(address, form)
			page.Check(t, apptest.Want{Status: http.StatusOK, Path: address,
				Value: map[string]string{"#nomeBeneficiario": form.Get("nomeBeneficiario"), "#versao": "1"}})
			var codes []string
			for i := range 4 {
				if code := page.Value("#procedimentos-" + string(rune('0'+i)) + "-codigoProcedimento"); code != "" {
					codes = append(codes, code)
				}
			}
			if !slices.Equal(codes, tt.codes) {
				t.Errorf("got the rows %q, want %q", codes, tt.codes)
			}
		})
	}
	t.Run("Add", func(t *testing.T) {
		address, form := ana.NewDraft()
		form.Set("acao", ana.Get("/nova").Attr("#procedimentos-mais", "value"))
		page := ana.Post(address, form)
		if page.Value("#procedimentos-0-codigoProcedimento") != "40316521" || !page.Has("#procedimentos-1-codigoProcedimento") ||
			page.Value("#procedimentos-1-codigoProcedimento") != "" {
			t.Errorf("after one more row: %q", page.Attrs("#procedimentos [name$=codigoProcedimento]", "value"))
		}
	})
	t.Run("LaterByHTMX", func(t *testing.T) {
		address, form := ana.NewDraft()
		form.Set("acao", "rascunho")
		got := ana.PostHTMX(address, form)
		if got.Status != http.StatusNoContent || got.Header.Get("Hx-Redirect") != "/fila" {
			t.Errorf("got %d to %q, want the queue", got.Status, got.Header.Get("Hx-Redirect"))
		}
		if got := ana.Get("/fila").Text("main [role=status]"); got != "Rascunho salvo. Ele espera por você em Meus rascunhos." {
			t.Errorf("told %q", got)
		}
		if again := ana.Get("/fila"); again.Has("main [role=status]") {
			t.Errorf("told twice: %q", again.Text("main [role=status]"))
		}
	})
	t.Run("DiscardNothing", func(t *testing.T) {
		got := ana.Post(ana.DraftPath()+"/descartar", nil)
		got.Check(t, apptest.Want{Status: http.StatusOK, Path: "/fila", Text: map[string]string{"main [role=status]": "Rascunho descartado."}})
	})
}

// TestDraft_Conflict: what another tab saved is not overwritten; a script gets the
// notice alone, a form the whole page with what was typed.
func TestDraft_Conflict(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(100)})
	typed := apptest.With(form, map[string]string{"nomeBeneficiario": "Segunda Aba"})
	for name, late := range map[string]*apptest.Page{
		"Plain": ana.Post(address, typed), "Review": ana.Post(address+"/revisar", typed), "ReviewScript": ana.PostHTMX(address+"/revisar", typed),
		"Button": ana.PostHTMX(address, apptest.With(typed, map[string]string{"acao": "buscar"})),
		"Upload": ana.Upload(address+"/anexos", typed, map[string][]byte{"outro.pdf": apptest.PDF(100)}),
		"Remove": ana.Post(address+"/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/remover", typed),
	} {
		late.Check(t, apptest.Want{Status: http.StatusConflict, Value: map[string]string{"#nomeBeneficiario": "Segunda Aba", "#versao": "0"},
			Text:  map[string]string{"#anexos": "pedido.pdf", "[data-conflict] a": "Ver a versão mais nova"},
			Count: map[string]int{"#revisao": 0, "[data-conflict]": 1}})
		if got := late.Attr("[data-conflict] a", "href"); got != address {
			t.Errorf("%s: the newer one is at %q", name, got)
		}
	}
	script := ana.PostHTMX(address, typed)
	script.Check(t, apptest.Want{Status: http.StatusConflict, Count: map[string]int{"[data-conflict]": 1, "main": 0,
		"#nomeBeneficiario": 0}})
	if got := ana.Get(address).Value("#nomeBeneficiario"); got != "Beneficiária de Teste" {
		t.Errorf("the draft holds %q", got)
	}
}

// TestDraft_NotFound: an address that names no draft, or another person's.
func TestDraft_NotFound(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, celia := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	address, form := ana.NewDraft()
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(100)})
	file := address + ana.Get(address).AttachmentPath()
	if got := ana.Get(file); got.Status != http.StatusOK || got.Header.Get("Content-Type") != "application/pdf" ||
		!strings.HasPrefix(got.Header.Get("Content-Disposition"), "inline") {
		t.Errorf("one's own file: %d, %s, %s", got.Status, got.Header.Get("Content-Type"), got.Header.Get("Content-Disposition"))
	}
	const unknown = "/nova/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"
	for _, path := range []string{unknown, "/nova/x", "/nova/{01a1fd53-a165-77ef-a4fa-dae39f9cda2f}",
		"/nova/01a1fd53a16577efa4fadae39f9cda2f", address + "/anexos/x",
		address + "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", unknown + "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"} {
		if got := ana.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: got %d, want 404", path, got.Status)
		}
	}
	for _, end := range []string{"", "/revisar", "/enviar", "/anexos", "/descartar",
		"/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/remover"} {
		got := ana.Post("/nova/x"+end, form)
		if end == "/anexos" {
			got = ana.Upload("/nova/x"+end, form, nil)
		}
		if got.Status != http.StatusNotFound {
			t.Errorf("POST /nova/x%s: got %d, want 404", end, got.Status)
		}
	}
	if got := ana.Post(address+"/anexos/x/remover", form); got.Status != http.StatusNotFound {
		t.Errorf("remove x: got %d, want 404", got.Status)
	}
	for path, got := range map[string]*apptest.Page{
		"draft": celia.Get(address), "file": celia.Get(file), "save": celia.Post(address, form),
		"review": celia.Post(address+"/revisar", form), "send": celia.Post(address+"/enviar", nil),
		"upload": celia.Upload(address+"/anexos", form, map[string][]byte{"x.pdf": apptest.PDF(100)}),
		"remove": celia.Post(file+"/remover", form),
	} {
		if got.Status != http.StatusNotFound {
			t.Errorf("another person's %s: got %d, want 404", path, got.Status)
		}
	}
	if got := ana.Get(address); got.Value("#nomeBeneficiario") != "Beneficiária de Teste" || got.Count("#anexos li") != 1 {
		t.Errorf("the draft holds %q and %d files", got.Value("#nomeBeneficiario"), got.Count("#anexos li"))
	}
}

// TestDraft_Missing: where nothing could be sent the form says who has to do what.
func TestDraft_Missing(t *testing.T) {
	t.Parallel()
	t.Run("NoUnitOfOnesOwn", func(t *testing.T) {
		t.Parallel()
		server := apptest.Start(t, apptest.Options{})
		lia := server.Join(t, app.NewPerson{Login: "lia", Name: "Lia", Roles: []string{apptest.Reception}})
		for _, path := range []string{"/fila", "/fila?grupo=vez", "/historico"} {
			lia.Get(path).Check(t, apptest.Want{Text: map[string]string{".empty-state h2": "Seu acesso ainda não tem unidade."},
				Count: map[string]int{".empty-state a": 0}})
		}
		lia.Get("/nova").Check(t, apptest.Want{Text: map[string]string{"main .notice": "Seu acesso ainda não tem unidade."},
			Count: map[string]int{"main .notice a": 0, `#unidadeId option[value!=""]`: 0}})
	})
	t.Run("NoCarePointInOnesUnits", func(t *testing.T) {
		t.Parallel()
		server := apptest.Start(t, apptest.Options{})
		rui, celia := server.LogIn(t, apptest.Administration), server.LogIn(t, apptest.Supervision)
		rui.Post("/cadastros/unidades/nova", url.Values{"nome": {"Anexo"}})
		celia.Get("/nova").Check(t, apptest.Want{Not: map[string]string{"#unidadeId": "Anexo", "main .notice": "Ainda não dá"}})
		lia := server.Join(t, app.NewPerson{Login: "lia", Name: "Lia", Roles: []string{apptest.Reception}, Units: []string{"Anexo"}})
		lia.Get("/nova").Check(t, apptest.Want{Text: map[string]string{"main .notice": "Suas unidades ainda não têm ponto de atendimento."},
			Count: map[string]int{`#unidadeId option[value!=""]`: 0}})
	})
	t.Run("NothingRegistered", func(t *testing.T) {
		t.Parallel()
		server := apptest.Start(t, apptest.Options{Empty: true})
		ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
		ana.Get("/nova").Check(t, apptest.Want{Text: map[string]string{"main .notice": "A administração precisa cadastrar " +
			"unidades e executantes."}, Count: map[string]int{"main .notice a": 0}})
		told := func(when, want string) {
			t.Helper()
			if got := rui.Get("/cadastros").Text("main .notice"); !strings.HasSuffix(got, want) {
				t.Errorf("%s: got %q, want %q", when, got, want)
			}
		}
		unit := url.Values{"nome": {"Sede"}}
		told("at first", "Cadastre unidades e executantes.")
		rui.Post("/cadastros/unidades/nova", unit)
		told("a unit without care points", "Cadastre pontos de atendimento e executantes.")
		unit.Set("pontosAtendimento[0].nome", "Balcão")
		rui.Post(rui.Search("/cadastros/unidades", "sede"), unit)
		told("a unit", "Cadastre executantes.")
		rui.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Ema"}, "especialidades[0].id": {"1"},
			"especialidades[0].nome": {"Clínica"}})
		told("everything", "")
		if got := rui.Get("/cadastros"); got.Has("main .notice") {
			t.Errorf("with everything it says %q", got.Text("main .notice"))
		}
	})
}
