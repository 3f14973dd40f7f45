package webui_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestDirectory_Home: how much there is of everything, and where it is.
func TestDirectory_Home(t *testing.T) {
	t.Parallel()
	full := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration).Get("/cadastros")
	for path, want := range map[string]string{"/cadastros/unidades": "2 unidades", "/cadastros/executantes": "3 executantes",
		"/cadastros/credenciais": "5 credenciais", "/cadastros/procedimentos": " procedimentos"} {
		card := full.Text(`main a[href="` + path + `"]`)
		if !strings.Contains(full.Text("main"), want) || card == "" {
			t.Errorf("%s: got %q, want %q", path, card, want)
		}
	}
	full.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Cadastros",
		"nav[aria-label=Principal] [aria-current]": "Cadastros"}, Count: map[string]int{"main .notice": 0,
		`main a[href="/cadastros/sincronizar"]`: 1}})
	server := apptest.Start(t, apptest.Options{Empty: true})
	rui := server.LogIn(t, apptest.Administration)
	rui.Post("/cadastros/unidades/nova", url.Values{"nome": {"Sede"}, "pontosAtendimento[0].nome": {"Balcão"}})
	rui.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Ema"}, "especialidades[0].id": {"1"},
		"especialidades[0].nome": {"Clínica"}})
	for _, want := range []string{"1 unidade", "1 executante", "0 credenciais"} {
		if got := rui.Get("/cadastros").Text("main"); !strings.Contains(got, want) || strings.Contains(got, want+"s") {
			t.Errorf("%q is not told: %q", want, got)
		}
	}
}

// TestDirectory_Lists: a list shows what there is in the order of the names; a
// search says what it found and keeps what was typed.
func TestDirectory_Lists(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for path, tt := range map[string]struct{ heading, count, columns, first, fresh string }{
		"/cadastros/unidades": {"Unidades", "2 unidades", "Unidade|Pontos de atendimento|Situação",
			"Centro | Pontos de atendimento: Balcão 1, Balcão 2 | em uso", "/cadastros/unidades/nova"},
		"/cadastros/executantes": {"Executantes", "3 executantes", "Nome|Conselho|Especialidades|Situação",
			"Dr. Ivo Sampaio | Conselho: CRM 97120 SP | Especialidades: Cardiologia, Clínica médica | em uso", "/cadastros/executantes/novo"},
		"/cadastros/credenciais": {"Credenciais", "5 credenciais", "Operadora|Código do prestador|O que exige|Situação",
			"Aroeira Planos | Código do prestador: 550012 |  | em uso", ""},
		"/cadastros/procedimentos": {"Procedimentos", "", "Código|Nome|Outros nomes|Situação", "10101012 | ",
			"/cadastros/procedimentos/novo"},
	} {
		page := rui.Get(path)
		page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"h1": tt.heading, "title": tt.heading,
			"h1 + span": tt.count}, Value: map[string]string{"#Busca": ""}})
		if got := strings.Join(page.Texts("main th"), "|"); got != tt.columns {
			t.Errorf("%s: got the columns %s", path, got)
		}
		if rows := page.Rows("main table"); len(rows) == 0 || !strings.HasPrefix(rows[0], tt.first) && path != "/cadastros/procedimentos" {
			t.Errorf("%s: the first row is %q, want %q", path, rows[0], tt.first)
		}
		if got := page.Attr("main .title a.btn-primary", "href"); got != tt.fresh {
			t.Errorf("%s: a new one is at %q, want %q", path, got, tt.fresh)
		}
		none := rui.Post(path, url.Values{"Busca": {"zzz zzz"}})
		none.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"main h2": "Nada com estas palavras.",
			"h1 + span": "0 "}, Value: map[string]string{"#Busca": "zzz zzz"}, Count: map[string]int{"main table": 0}})
		if got := none.Attrs("main a[href='"+path+"']", "href"); len(got) != 2 {
			t.Errorf("%s: a search that finds nothing has %d ways back to the list", path, len(got))
		}
	}
}

// TestDirectory_Demands: what a credential asks for stands in the list, in words.
func TestDirectory_Demands(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	address := rui.Search("/cadastros/credenciais", "aroeira")
	for want, form := range map[string]url.Values{
		"":                         {},
		"validade da carteira":     {"validadeObrigatoria": {"S"}},
		"formato da carteira":      {"padraoCarteira": {`\d{16}`}},
		"biometria":                {"biometria": {"S"}},
		"indicação clínica padrão": {"indicacaoClinica": {"Rotina"}},
		"validade da carteira, formato da carteira, biometria, indicação clínica padrão": {"validadeObrigatoria": {"S"},
			"padraoCarteira": {`\d+`}, "biometria": {"S"}, "indicacaoClinica": {"Rotina"}},
	} {
		saved := rui.Post(address, form)
		saved.Check(t, apptest.Want{Status: http.StatusOK, Path: "/cadastros/credenciais",
			Text: map[string]string{"main [role=status]": "Guardado. Já vale no formulário."}})
		if got := strings.TrimPrefix(saved.Text("main tbody tr:first-child td:nth-child(3)"), "O que exige: "); got != want {
			t.Errorf("%v: got %q, want %q", form, got, want)
		}
		kept := rui.Get(address)
		for _, box := range []string{"validadeObrigatoria", "biometria"} {
			if got := kept.Has("[name=" + box + "][checked]"); got != (form.Get(box) == "S") {
				t.Errorf("%v: %s is ticked %t", form, box, got)
			}
		}
		kept.Check(t, apptest.Want{Value: map[string]string{"#padraoCarteira": form.Get("padraoCarteira"),
			"#indicacaoClinica": form.Get("indicacaoClinica")},
			Text: map[string]string{"h1": "Aroeira Planos", "h1 + span": "código do prestador 550012"}})
	}
}

// TestDirectory_Entry: the page of an entry says how it stands and what switching
// it does; the list afterwards says what was done.
func TestDirectory_Entry(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for list, tt := range map[string]struct{ search, heading, back string }{
		"/cadastros/unidades": {"centro", "Centro", "Unidades"}, "/cadastros/executantes": {"ivo", "Dr. Ivo Sampaio", "Executantes"},
		"/cadastros/credenciais": {"boa guarida", "Boa Guarida", "Credenciais"}, "/cadastros/procedimentos": {"40316521",
			"Procedimento 40316521", "Procedimentos"},
	} {
		t.Run(tt.back, func(t *testing.T) {
			address := rui.Search(list, tt.search)
			page := rui.Get(address)
			page.Check(t, apptest.Want{Status: http.StatusOK,
				Text: map[string]string{"h1": tt.heading, "title": tt.heading, "main .title a": tt.back,
					"[aria-labelledby=situacao-title]": "Desativar tira do formulário na hora"},
				Count: map[string]int{`form[action="` + address + `/desativar"]`: 1, `form[action="` + address + `/reativar"]`: 0,
					`form#cadastro[action="` + address + `"]`: 1, "#erros": 0}})
			if id := page.Text(".user-select-all"); list != "/cadastros/procedimentos" && id != strings.TrimPrefix(address, list+"/") {
				t.Errorf("the identifier is %q", id)
			}
			rui.Post(address+"/desativar", nil).Check(t, apptest.Want{Path: list,
				Text: map[string]string{"main [role=status]": "Desativado. Saiu do formulário; os pedidos de antes continuam como estão."}})
			off := rui.Get(address)
			const told = "Está fora do formulário. Reativar põe de volta na hora."
			off.Check(t, apptest.Want{Text: map[string]string{"[aria-labelledby=situacao-title]": told},
				Count: map[string]int{`form[action="` + address + `/desativar"]`: 0, `form[action="` + address + `/reativar"]`: 1}})
			if rows := rui.Post(list, url.Values{"Busca": {tt.search}}).Rows("main table"); !strings.HasSuffix(rows[0], "| Fora do formulário") {
				t.Errorf("the list says %q", rows)
			}
			rui.Post(address+"/reativar", nil).Check(t, apptest.Want{Path: list,
				Text: map[string]string{"main [role=status]": "Reativado. Voltou ao formulário."}})
			if rows := rui.Post(list, url.Values{"Busca": {tt.search}}).Rows("main table"); !strings.HasSuffix(rows[0], "| em uso") {
				t.Errorf("the list says %q", rows)
			}
		})
	}
}

// TestDirectory_Kept: an entry is shown as it was typed, and changed as it is typed
// over; a problem keeps what was typed, with the entry's own heading.
func TestDirectory_Kept(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for list, tt := range map[string]struct {
		fresh  string
		typed  url.Values
		search string
		wrong  string // a field that may not be empty
		button string // of the rows
	}{
		"/cadastros/unidades": {"nova", url.Values{"nome": {"Água Verde"}, "pontosAtendimento[0].nome": {"Coleta"},
			"pontosAtendimento[1].nome": {"Laudos"}}, "agua verde", "nome", "adicionar"},
		"/cadastros/executantes": {"novo", url.Values{"nome": {"Dra. Ema"}, "siglaConselho": {"CRM"}, "numeroConselho": {"9"},
			"uf": {"PR"}, "especialidades[0].id": {"8"},
			"especialidades[0].nome": {"Cirurgia"}, "especialidades[0].cbo": {""}, "especialidades[1].id": {"7"},
			"especialidades[1].nome": {"Clínica"}, "especialidades[1].cbo": {"225125"}}, "dra. ema", "nome", "remover-1"},
		"/cadastros/procedimentos": {"novo", url.Values{"codigo": {"98765432"}, "nome": {"Exame próprio"},
			"sinonimos": {"zebra\nOrnitorrinco"}}, "zebra", "nome", ""},
	} {
		t.Run(strings.TrimPrefix(list, "/cadastros/"), func(t *testing.T) {
			fresh := rui.Get(list + "/" + tt.fresh)
			fresh.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"[aria-labelledby=situacao-title]": 0, "#erros": 0,
				"form#cadastro": 1}, Value: map[string]string{"#nome": ""}})
			empty := rui.Post(list+"/"+tt.fresh, apptest.With(tt.typed, map[string]string{tt.wrong: ""}))
			empty.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"h1": fresh.Text("h1"),
				"title": "Erro: " + fresh.Text("h1")}, Count: map[string]int{"#erros a[href='#" + tt.wrong + "']": 1}})
			empty.CheckKept(t, apptest.With(tt.typed, map[string]string{tt.wrong: ""}))
			rui.Post(list+"/"+tt.fresh, tt.typed).Check(t, apptest.Want{Status: http.StatusOK, Path: list,
				Text: map[string]string{"main [role=status]": "Guardado. Já vale no formulário."}})
			address := rui.Search(list, tt.search)
			kept := maps.Clone(tt.typed)
			delete(kept, "codigo")
			page := rui.Get(address)
			page.CheckKept(t, kept)
			if tt.button != "" {
				rows := rui.Post(address, apptest.With(page.Form("#cadastro"), map[string]string{"acao": tt.button, "nome": "Mudado"}))
				rows.Check(t, apptest.Want{Status: http.StatusOK, Path: address, Text: map[string]string{"h1": page.Text("h1")},
					Value: map[string]string{"#nome": "Mudado"}, Count: map[string]int{"#erros": 0}})
				if again := rui.Get(address).Value("#nome"); again != tt.typed.Get("nome") {
					t.Errorf("a button of the rows stored %q", again)
				}
			}
			wrong := rui.Post(address, apptest.With(page.Form("#cadastro"), map[string]string{tt.wrong: " "}))
			wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"h1": page.Text("h1")},
				Count: map[string]int{"#erros a[href='#" + tt.wrong + "']": 1, "[aria-labelledby=situacao-title]": 1}})
			rui.Post(address, apptest.With(page.Form("#cadastro"), map[string]string{"nome": "Outro Nome"})).Check(t,
				apptest.Want{Path: list, Text: map[string]string{"main [role=status]": "Guardado. Já vale no formulário."}})
			if got := rui.Get(address).Value("#nome"); got != "Outro Nome" {
				t.Errorf("kept %q", got)
			}
		})
	}
}

// TestDirectory_RowAdded: the row that was asked for has the focus, and not the name, whose text would be typed over.
func TestDirectory_RowAdded(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for address, rows := range map[string][2]string{
		"/cadastros/unidades/nova":                    {"pontosAtendimento[0].nome", "pontosAtendimento[1].nome"},
		"/cadastros/executantes/novo":                 {"especialidades[0].nome", "especialidades[1].id"},
		rui.Search("/cadastros/unidades", "centro"):   {"pontosAtendimento[2].nome", "pontosAtendimento[3].nome"},
		rui.Search("/cadastros/executantes", "elisa"): {"especialidades[1].nome", "especialidades[2].id"},
	} {
		form := rui.Get(address).Form("#cadastro")
		more := rui.Post(address, apptest.With(form, map[string]string{"nome": "Em obras", rows[0]: "Mais um", "acao": "adicionar"}))
		if got := more.Attrs("#cadastro [autofocus]", "name"); !slices.Equal(got, []string{rows[1]}) {
			t.Errorf("%s: the focus is in %q, want %s", address, got, rows[1])
		}
	}
}

// TestDirectory_CarePoints: a new care point is in use, one that is known is as its
// box says, and a unit without any says so.
func TestDirectory_CarePoints(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui, celia := server.LogIn(t, apptest.Administration), server.LogIn(t, apptest.Supervision)
	address := rui.Search("/cadastros/unidades", "centro")
	form := rui.Get(address).Form("#cadastro")
	if form.Get("pontosAtendimento[0].nome") != "Balcão 1" || form.Get("pontosAtendimento[1].ativo") != "S" {
		t.Fatalf("the form holds %v", form)
	}
	form.Del("pontosAtendimento[0].ativo")
	form.Set("pontosAtendimento[2].nome", "Balcão 3")
	rows := rui.Post(address, apptest.With(form, map[string]string{"acao": "adicionar"}))
	for i, ticked := range []bool{false, true} {
		if got := rows.Has(fmt.Sprintf("[name='pontosAtendimento[%d].ativo'][checked]", i)); got != ticked {
			t.Errorf("after one more row care point %d is in use %t", i, got)
		}
	}
	if rows.Value("[name='pontosAtendimento[2].nome']") != "Balcão 3" || !rows.Has("[name='pontosAtendimento[3].nome']") ||
		rows.Has("[name='pontosAtendimento[2].ativo']") {
		t.Errorf("the rows are %q", rows.Attrs("#cadastro [name$='.nome']", "value"))
	}
	list := rui.Post(address, form)
	if got := list.Rows("main table")[0]; got != "Centro | Pontos de atendimento: Balcão 2, Balcão 3 | em uso" {
		t.Errorf("the list says %q", got)
	}
	unit := celia.Get("/nova").Option("#unidadeId", "Centro")
	if got := celia.Get("/nova").Texts(`#pontoAtendimentoId option[data-for-value="` + unit + `"]`); !slices.Equal(got,
		[]string{"Balcão 2", "Balcão 3"}) {
		t.Errorf("the form offers %q", got)
	}
	rui.Post("/cadastros/unidades/nova", url.Values{"nome": {"Anexo"}})
	const without = "Anexo | Pontos de atendimento: nenhum: a unidade ainda não serve para pedidos | em uso"
	if got := rui.Get("/cadastros/unidades").Rows("main table")[0]; got != without {
		t.Errorf("a unit without care points: %q", got)
	}
}

// TestDirectory_Ask: the credentials of a service that does not answer.
func TestDirectory_Ask(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	if got := rui.Post("/cadastros/credenciais/atualizar", nil).Text("main [role=status]"); got != "O serviço listou 5 credenciais." {
		t.Errorf("told %q", got)
	}
	other := apptest.StartOtherService(t, nil)
	rui.ConnectTo(t, other, nil)
	if got := rui.Post("/cadastros/credenciais/atualizar", nil).Text("main [role=status]"); got != "O serviço listou 1 credencial." {
		t.Errorf("told %q", got)
	}
	rui.ConnectTo(t, other, url.Values{"chaveApi": {"outra"}})
	got := rui.Post("/cadastros/credenciais/atualizar", nil)
	got.Check(t, apptest.Want{Status: http.StatusOK, Path: "/cadastros/credenciais",
		Text: map[string]string{"main [role=status]": "Não deu para atualizar. O serviço"}})
}
