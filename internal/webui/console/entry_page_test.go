package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// lists are the two lists of the console that have entries with parts.
var lists = map[string]struct {
	fresh, heading, one, service string
	form                         url.Values // of a new entry
	part                         string     // the name of its first part
	off, on                      string     // what is said of switching
}{
	"/servico/unidades": {"nova", "Unidades", "Nova unidade", "unidadeId", url.Values{"nome": {"Água Verde"},
		"pontosAtendimento[0].nome": {"Coleta"}, "pontosAtendimento[1].nome": {"Laudos"}},
		"pontosAtendimento", "Unidade desativada. Saiu das listas.", "Unidade reativada."},
	"/servico/profissionais": {"novo", "Profissionais", "Novo profissional", "profissionalExecutanteId",
		url.Values{"nome": {"Dra. Ema"}, "siglaConselho": {"CRM"}, "numeroConselho": {"55 12"}, "uf": {"PR"},
			"especialidades[0].id": {"7"}, "especialidades[0].nome": {"Coleta"}, "especialidades[0].cbo": {"2251-25"},
			"especialidades[1].id": {"8"}, "especialidades[1].nome": {"Laudos"}, "especialidades[1].cbo": {""}},
		"especialidades", "Profissional desativado. Saiu das listas.", "Profissional reativado."},
}

// TestEntry_Life: an entry is added, shown as kept, switched off and on, part by
// part and whole; every step says what was done.
func TestEntry_Life(t *testing.T) {
	t.Parallel()
	for list, tt := range lists {
		t.Run(tt.heading, func(t *testing.T) {
			t.Parallel()
			rui := apptest.Start(t, apptest.Options{Standalone: true, Empty: true}).LogIn(t, apptest.Administration)
			rui.Get(list).Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": tt.heading,
				"main h2": "Nada aqui ainda.", "main section p": "Crie "}, Count: map[string]int{"main table": 0}})
			fresh := rui.Get(list + "/" + tt.fresh)
			fresh.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": tt.one, "h1": tt.one,
				"main .title a": tt.heading}, Value: map[string]string{"#nome": ""},
				Count: map[string]int{"[aria-labelledby=situacao-title]": 0, "#" + tt.part + "-0-nome": 1, "#" + tt.part + "-1-nome": 0,
					"[name$='.ativo']": 0}})
			added := rui.Post(list+"/"+tt.fresh, tt.form)
			added.Check(t, apptest.Want{Status: http.StatusOK,
				Text: map[string]string{"main [role=status]": "Guardado. Vale para o próximo pedido.", "h1": tt.form.Get("nome"),
					"[aria-labelledby=situacao-title] p": tt.service,
					"[aria-labelledby=situacao-title]":   "Desativar tira das listas e recusa pedidos novos"},
				Count: map[string]int{"[name$='.ativo'][checked]": 2, "#" + tt.part + "-2-nome": 1, "#" + tt.part + "-3-nome": 0,
					"form[action$='/desativar'] [data-confirm]": 1}})
			if id := added.Text(".user-select-all"); added.Path != list+"/"+id {
				t.Fatalf("at %s with the identifier %q", added.Path, id)
			}
			row := func() string { return rui.Get(list).Rows("main table")[0] }
			if got := row(); !strings.Contains(got, "Coleta, Laudos | em uso") {
				t.Errorf("the list says %q", got)
			}
			form := added.Form("#cadastro")
			form.Del("versao") // it is sent again and again, over whatever is kept
			form.Del(tt.part + "[0].ativo")
			form.Set("nome", "  Outro   Nome ")
			rui.Post(added.Path, form).Check(t, apptest.Want{Path: added.Path, Text: map[string]string{"h1": "Outro Nome"},
				Count: map[string]int{"[name$='.ativo'][checked]": 1}})
			if got := row(); !strings.HasPrefix(got, "Outro Nome | ") || !strings.Contains(got, ": Laudos | em uso") {
				t.Errorf("with a part off the list says %q", got)
			}
			form.Del(tt.part + "[1].ativo")
			without := rui.Post(added.Path, form)
			if got := row(); without.Status == http.StatusOK && !strings.Contains(got, "nenhum: ainda não serve para pedidos") ||
				without.Status != http.StatusOK && !strings.Contains(without.Text("#erros"), "Deixe pelo menos uma especialidade em uso.") {
				t.Errorf("without parts: %d, and the list says %q", without.Status, got)
			}
			form.Set(tt.part+"[1].ativo", "S")
			rui.Post(added.Path+"/desativar", nil).Check(t, apptest.Want{Path: added.Path,
				Text: map[string]string{"main [role=status]": tt.off,
					"[aria-labelledby=situacao-title]": "Está fora: não aparece nas listas e recusa pedidos novos."}})
			if got := row(); !strings.HasSuffix(got, "| Desativado") {
				t.Errorf("switched off the list says %q", got)
			}
			rui.Post(added.Path, form).Check(t, apptest.Want{Count: map[string]int{"form[action$='/reativar']": 1}})
			rui.Post(added.Path+"/reativar", nil).Check(t, apptest.Want{Path: added.Path, Text: map[string]string{"main [role=status]": tt.on}})
			if got := row(); !strings.HasSuffix(got, "| em uso") {
				t.Errorf("on again the list says %q", got)
			}
		})
	}
}

// TestEntry_Problems: what cannot be stands beside its field; what was typed stays,
// with one empty row below; a button of the rows keeps nothing.
func TestEntry_Problems(t *testing.T) {
	t.Parallel()
	for list, tt := range lists {
		t.Run(tt.heading, func(t *testing.T) {
			t.Parallel()
			rui := apptest.Start(t, apptest.Options{Standalone: true, Empty: true}).LogIn(t, apptest.Administration)
			kept := rui.Post(list+"/"+tt.fresh, tt.form)
			for path, form := range map[string]url.Values{list + "/" + tt.fresh: tt.form, kept.Path: kept.Form("#cadastro")} {
				heading := map[bool]string{true: tt.form.Get("nome"), false: tt.one}[path == kept.Path]
				wrong := rui.Post(path, apptest.With(form, map[string]string{"nome": " ", tt.part + "[1].nome": strings.Repeat("é", 201)}))
				wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Path: path, Text: map[string]string{"h1": heading,
					"title": "Erro: " + heading},
					Count: map[string]int{"#erros li": 2, "#erros a[href='#nome']": 1, "#erros a[href='#" + tt.part + "-1-nome']": 1,
						"#nome[aria-invalid=true]": 1}})
				if got := wrong.Value("#" + tt.part + "-0-nome"); got != "Coleta" {
					t.Errorf("%s: kept %q", path, got)
				}
				more := rui.Post(path, apptest.With(form, map[string]string{"acao": "adicionar", "nome": "Nada Disto"}))
				more.Check(t, apptest.Want{Status: http.StatusOK, Path: path, Text: map[string]string{"h1": heading},
					Value: map[string]string{"#nome": "Nada Disto", "#" + tt.part + "-1-nome": "Laudos"},
					Count: map[string]int{"#erros": 0}})
			}
			if got := rui.Get(list).Names(); got != tt.form.Get("nome") {
				t.Errorf("the list is %q", got)
			}
			for _, path := range []string{list + "/" + nobody, list + "/x"} {
				if got := rui.Get(path); got.Status != http.StatusNotFound {
					t.Errorf("GET %s: got %d, want 404", path, got.Status)
				}
				for _, end := range []string{"", "/desativar", "/reativar"} {
					if got := rui.Post(path+end, tt.form); got.Status != http.StatusNotFound {
						t.Errorf("POST %s%s: got %d, want 404", path, end, got.Status)
					}
				}
			}
		})
	}
}

// TestEntry_Search narrows by name and part, keeps what was typed, and turns pages.
func TestEntry_Search(t *testing.T) {
	t.Parallel()
	for list, tt := range lists {
		t.Run(tt.heading, func(t *testing.T) {
			t.Parallel()
			rui := apptest.Start(t, apptest.Options{Standalone: true, Empty: true}).LogIn(t, apptest.Administration)
			for i := range 52 {
				form := apptest.With(tt.form, map[string]string{"nome": "Entrada " + string(rune('A'+i/26)) + string(rune('A'+i%26))})
				if got := rui.Post(list+"/"+tt.fresh, form); got.Status != http.StatusOK {
					t.Fatalf("add: %d %s", got.Status, got.Text("#erros"))
				}
			}
			first := rui.Get(list)
			next := first.Find("form[aria-label='Páginas'] button[name=pagina]").Last().AttrOr("value", "")
			second := rui.Post(list, url.Values{"Busca": {""}, "pagina": {next}})
			if first.Count("main tbody tr") != 50 || second.Count("main tbody tr") != 2 || next != "2" {
				t.Errorf("got pages of %d and %d, the next is %q", first.Count("main tbody tr"), second.Count("main tbody tr"), next)
			}
			if got := first.Text("main tbody tr:first-child .cell-name"); got != "Entrada AA" {
				t.Errorf("the first is %q", got)
			}
			found := rui.Post(list, url.Values{"Busca": {"ENTRÁDA bz"}})
			found.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#Busca": "ENTRÁDA bz"},
				Count: map[string]int{"main tbody tr": 1, "form[role=search] a": 1}})
			if got := found.Names(); got != "Entrada BZ" {
				t.Errorf("found %q", got)
			}
			rui.Post(list, url.Values{"Busca": {"zzz"}}).Check(t, apptest.Want{Status: http.StatusOK,
				Text: map[string]string{"main h2": "Nada com estas palavras."}, Count: map[string]int{"main table": 0}})
		})
	}
}

// TestEntry_FromTheDesk: with a desk its directory is shown, with the identifiers
// that partners send, and changed there alone.
func TestEntry_FromTheDesk(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	for list, tt := range map[string]struct{ desk, name, heading, columns, row string }{
		"/servico/unidades": {"/cadastros/unidades", "Centro", "Pontos de atendimento", "Ponto|pontoAtendimentoId|Situação",
			"Balcão 1 | pontoAtendimentoId: "},
		"/servico/profissionais": {"/cadastros/executantes", "Dr. Ivo Sampaio", "Especialidades",
			"Especialidade|especialidadeExecutanteId|CBO|Situação", "Cardiologia | especialidadeExecutanteId: 3 | CBO: 225120 | em uso"},
	} {
		shown := rui.Get(list)
		shown.Check(t, apptest.Want{Status: http.StatusOK,
			Text:  map[string]string{"main .notice": "Vem dos cadastros da recepção."},
			Count: map[string]int{"main .notice a[href='" + tt.desk + "']": 1, "main .title .btn-primary": 0}})
		address := rui.Entry(list, tt.name)
		uid := strings.TrimPrefix(address, list+"/")
		entry := rui.Get(address)
		entry.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"h1": tt.name, "title": tt.name,
			"#partes-title": tt.heading, "[aria-labelledby=situacao-title]": uid, "[aria-labelledby=situacao-title] header span": "em uso"},
			Count: map[string]int{"main form": 0, "main .notice a[href='" + tt.desk + "/" + uid + "']": 1}})
		if got := strings.Join(entry.Texts("main th"), "|"); got != tt.columns {
			t.Errorf("%s: the columns are %q", list, got)
		}
		if got := entry.Rows("main table"); len(got) == 0 || !strings.HasPrefix(got[0], tt.row) {
			t.Errorf("%s: got %q, want %q", list, got, tt.row)
		}
		if list == "/servico/profissionais" && !strings.Contains(entry.Text("[aria-labelledby=situacao-title]"), "CRM 97120 SP") {
			t.Errorf("the council is missing: %q", entry.Text("[aria-labelledby=situacao-title]"))
		}
		fresh := lists[list].fresh
		if got := rui.Get(list + "/" + fresh); got.Path != tt.desk {
			t.Errorf("a new one leads to %s", got.Path)
		}
		for _, path := range []string{list + "/" + fresh, address, address + "/desativar", address + "/reativar"} {
			if got := rui.Post(path, lists[list].form); got.Status != http.StatusConflict || !strings.Contains(got.Text("main"),
				"Isto vem dos cadastros da recepção e se altera lá.") {
				t.Errorf("POST %s: got %d, %q", path, got.Status, got.Text("main"))
			}
		}
		rui.Post(tt.desk+"/"+uid+"/desativar", nil)
		if got := rui.Get(address).Text("[aria-labelledby=situacao-title] header span"); got != "Desativado" {
			t.Errorf("%s: switched off at the desk it is %q", list, got)
		}
	}
	rui.Post("/cadastros/unidades/nova", url.Values{"nome": {"Vazia"}})
	if got := rui.Get(rui.Entry("/servico/unidades",
		"Vazia")).Text("[aria-labelledby=partes-title] p"); got != "Nenhum: a unidade ainda não serve para pedidos." {
		t.Errorf("a unit without care points: %q", got)
	}
	empty := apptest.Start(t, apptest.Options{Empty: true}).LogIn(t, apptest.Administration)
	for list := range lists {
		if got := empty.Get(list).Text("main section p"); got != "O que for cadastrado para a recepção aparece aqui." {
			t.Errorf("%s: an empty list says %q", list, got)
		}
	}
}

// TestEntry_OnlyHere: what was registered before there was a desk is not in its directory: it
// is shown as such, and can be changed and turned off here.
func TestEntry_OnlyHere(t *testing.T) {
	t.Parallel()
	alone := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	rui := alone.LogIn(t, apptest.Administration)
	for list, tt := range lists {
		rui.Post(list+"/"+tt.fresh, apptest.With(tt.form, map[string]string{"nome": "De antes"}))
	}
	alone.Stop()
	rui = apptest.Start(t, apptest.Options{On: alone, Empty: true}).LogIn(t, apptest.Administration)
	for list := range lists {
		if got := rui.Get(list).Text("main tbody .cell-state"); got != "Só no serviço" {
			t.Errorf("%s: its state is %q", list, got)
		}
		address := rui.Entry(list, "De antes")
		entry := rui.Get(address)
		entry.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nome": "De antes"},
			Text:  map[string]string{".title .muted": "só no serviço: não está nos cadastros da recepção e se altera aqui"},
			Count: map[string]int{"main a[href^='/cadastros']": 0}})
		changed := rui.Post(address, apptest.With(entry.Form("main form"), map[string]string{"nome": "De hoje"}))
		if changed.Status != http.StatusOK || changed.Text("h1") != "De hoje" {
			t.Errorf("%s: changed: %d, %q", list, changed.Status, changed.Text("h1"))
		}
		rui.Post(address+"/desativar", nil)
		if got := rui.Get(list).Text("main tbody .cell-state"); got != "Desativado" {
			t.Errorf("%s: turned off it is %q", list, got)
		}
	}
}

// TestCredentials_List: what each credential is, by which connector it is asked,
// and what it demands.
func TestCredentials_List(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	list := rui.Get("/servico/credenciais")
	want := []string{
		"Aroeira Planos | Código do prestador: 550012 | Conector: simulada |  | em uso",
		"Boa Guarida | Código do prestador: 771930 | Conector: simulada | O que exige: validade da carteira | em uso",
		"Jequitibá Saúde | Código do prestador: 004271 | Conector: simulada | O que exige: biometria | em uso",
		"Silverado Assistência | Código do prestador: 004417 | Conector: simulada |  | em uso",
		"Vale Sereno | Código do prestador: 031044 | Conector: simulada | O que exige: anexos, indicação clínica padrão | em uso",
	}
	if got := list.Rows("main table"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	list.Check(t, apptest.Want{Text: map[string]string{"title": "Credenciais",
		"main .title a[href='/servico/credenciais/nova']": "Nova credencial"}, Value: map[string]string{"#Busca": ""},
		Count: map[string]int{"form[aria-label='Páginas']": 0}})
	for text, names := range map[string]string{"BOA": "Boa Guarida", "0044": "Silverado Assistência",
		"jequitiba": "Jequitibá Saúde", "zzz": ""} {
		if got := rui.Post("/servico/credenciais", url.Values{"Busca": {text}}); got.Names() != names || got.Value("#Busca") != text {
			t.Errorf("%q: got %q with %q kept", text, got.Names(), got.Value("#Busca"))
		}
	}
	rui.Post("/servico/credenciais/nova", url.Values{"nome": {"Aaa"}, "codigoPrestador": {"1"}, "operadora": {"simulada"},
		"formatoCarteira": {`\d+`}})
	const first = "Aaa | Código do prestador: 1 | Conector: simulada | O que exige: padrão da carteira | em uso"
	if got := rui.Get("/servico/credenciais").Rows("main table")[0]; got != first {
		t.Errorf("got %q", got)
	}
	server.Restart(nil)
	alone := apptest.Start(t, apptest.Options{Standalone: true, Empty: true}).LogIn(t, apptest.Administration)
	alone.Get("/servico/credenciais").Check(t, apptest.Want{Text: map[string]string{"main h2": "Nada aqui ainda."}})
	if got := alone.Get("/servico/credenciais/nova").Texts(`#operadora option[value!=""]`); len(got) != 0 {
		t.Errorf("without operators one can choose %q", got)
	}
}

// TestCredentials_Form: a credential is kept as typed; times are seconds with a
// comma, codes one a line, each once.
func TestCredentials_Form(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	fresh := rui.Get("/servico/credenciais/nova")
	fresh.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Nova credencial"},
		Value: map[string]string{"#operadora": "simulada", "#nome": "", "#tempoLimite": ""},
		Count: map[string]int{"[aria-labelledby=situacao-title]": 0}})
	typed := url.Values{"nome": {" Plano   Ipê "}, "codigoPrestador": {" 77 88 "}, "operadora": {"simulada"}}
	made := rui.Post("/servico/credenciais/nova", typed)
	made.Check(t, apptest.Want{Status: http.StatusOK,
		Text:  map[string]string{"main [role=status]": "Credencial criada. A busca já a encontra.", "h1": "Plano Ipê"},
		Value: map[string]string{"#nome": "Plano Ipê", "#codigoPrestador": "77 88", "#tempoLimite": ""},
		Count: map[string]int{"[name=validadeObrigatoria][checked]": 0, "[name=exigeBiometria][checked]": 0}})
	ids := made.Texts(".user-select-all")
	if len(ids) != 2 || ids[0] == ids[1] || made.Path != "/servico/credenciais/"+ids[0] {
		t.Errorf("at %s the identifiers are %q", made.Path, ids)
	}
	typed.Set("nome", "Plano Ipê")
	for seconds, kept := range map[string]string{"": "", "1": "1", "1,5": "1,5", "0.25": "0,25", "0,001": "0,001", " 30 ": "30",
		"1,2345": "1,235"} {
		typed.Set("tempoLimite", seconds)
		saved := rui.Post(made.Path, typed)
		saved.Check(t, apptest.Want{Status: http.StatusOK, Path: made.Path,
			Text:  map[string]string{"main [role=status]": "Guardado. Vale para o próximo pedido."},
			Value: map[string]string{"#tempoLimite": kept}})
	}
	for _, seconds := range []string{"0", "-1", "x", "NaN", "Inf", "1e9", "0,0001"} {
		typed.Set("tempoLimite", seconds)
		wrong := rui.Post(made.Path, typed)
		wrong.CheckProblems(t, "tempoLimite")
		wrong.Check(t, apptest.Want{Value: map[string]string{"#tempoLimite": seconds}, Text: map[string]string{"h1": "Plano Ipê"}})
	}
	typed.Set("tempoLimite", "")
	for codes, kept := range map[string]string{"40901122": "40901122",
		"40901122, 41*;\n40901122  40316521": "40901122\n41*\n40316521", " \n ": ""} {
		typed.Set("anexosObrigatorios", codes)
		if got := rui.Post(made.Path, typed); got.Value("#anexosObrigatorios") != kept {
			t.Errorf("%q: kept %q, want %q", codes, got.Value("#anexosObrigatorios"), kept)
		}
	}
	typed.Set("validadeObrigatoria", "S")
	typed.Set("exigeBiometria", "S")
	rui.Post(made.Path, typed).Check(t, apptest.Want{Count: map[string]int{"[name=validadeObrigatoria][checked]": 1,
		"[name=exigeBiometria][checked]": 1}})
	rui.Post(made.Path+"/desativar", nil).Check(t, apptest.Want{Path: made.Path,
		Text:  map[string]string{"main [role=status]": "Credencial desativada. Saiu das buscas."},
		Count: map[string]int{"form[action$='/reativar']": 1}})
	rui.Post(made.Path, typed).Check(t, apptest.Want{Count: map[string]int{"form[action$='/reativar']": 1}})
	rui.Post(made.Path+"/reativar", nil).Check(t, apptest.Want{Path: made.Path,
		Text: map[string]string{"main [role=status]": "Credencial reativada."}, Count: map[string]int{"form[action$='/desativar']": 1}})
	if got := rui.Get(made.Path).Texts(".user-select-all"); !slices.Equal(got, ids) {
		t.Errorf("the identifiers became %q", got)
	}
	for _, end := range []string{"/desativar", "/reativar", ""} {
		for _, path := range []string{"/servico/credenciais/" + nobody, "/servico/credenciais/x"} {
			if got := rui.Post(path+end, typed); got.Status != http.StatusNotFound {
				t.Errorf("POST %s%s: got %d, want 404", path, end, got.Status)
			}
		}
	}
}
