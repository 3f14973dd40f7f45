package webui_test

import (
	"encoding/base64"
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

// startAnswering starts a desk at a service that answers every request for an
// authorization with 200 and those words, and logs the receptionist in.
func startAnswering(t *testing.T, answer string) *apptest.Client {
	t.Helper()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{
		Answer: func(faultservice.Entry) (int, []byte) { return http.StatusOK, []byte(answer) },
	}})
	return server.LogIn(t, apptest.Reception).FailOnServerError()
}

// authorized is an answer with those authorizations; more goes beside them.
func authorized(more string, authorizations ...string) string {
	return `{"sucesso":true,"erros":[],"data":{` + more + `"autorizacoes":[` + strings.Join(authorizations, ",") + `]}}`
}

// TestCase_OneAuthorization: senha, guide and protocol stand once, in groups to
// read and whole to copy, and beside a procedure only where they differ.
func TestCase_OneAuthorization(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"Z","senha":"482017739",
		"numeroGuia":"70012345",
		"protocolo":"PR991","validadeSenha":"2099-12-31T00:00:00",
		"erros":[{"codigo":"1423","campo":"numeroCarteira","mensagem":"Confirme em 48 horas."}],
		"procedimentos":[
			{"codigoProcedimento":"40316521","nomeProcedimento":"TSH","quantidade":4,"quantidadeAutorizada":3,"quantidadeExecutada":1,
				"senhaAutorizacao":"482017739","protocoloAtendimento":"PR991","justificativa":"Acima do permitido.","mnemonico":null},
			{"codigoProcedimento":"40304361","nomeProcedimento":"Hemograma","quantidade":2,"quantidadeAutorizada":2,"quantidadeExecutada":0,
				"senhaAutorizacao":"55","protocoloAtendimento":"PR7","justificativa":null,"mnemonico":"HMG"}]}`))
	address, form := ana.NewDraft()
	apptest.SetProcedure(form, "0", "40316521", "TSH", "4")
	apptest.SetProcedure(form, "1", "40304361", "Hemograma", "2")
	form.Set("planoBeneficiario", "Essencial")
	page := ana.Submit(address, form)
	page.Check(t, apptest.Want{
		Status: http.StatusOK,
		Text: map[string]string{
			"#veredito .verdict": "Autorizado em parte", "h1": "Beneficiária de Teste", "title": "Autorizado em parte: Beneficiária de Teste",
			"#veredito": "Resposta da operadora: hoje, ", `[aria-label="Situação"]`: "Carteira: Confirme em 48 horas.",
		},
		Count: map[string]int{
			`[data-copy="482017739"]`: 1, `[data-copy="70012345"]`: 1, `[data-copy="PR991"]`: 1, "#guia-quadro": 0,
			`form[action$="/copiar"]`: 1, `form[action$="/retirar"]`: 0, `#caso[hx-trigger]`: 0,
		},
	})
	for term, want := range map[string]string{"Senha": "482 017 739", "Protocolo": "PR991", "Validade da senha": "31/12/2099"} {
		if got := page.Fact("dl", term); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", term, got, want)
		}
	}
	if got := page.Text(`[aria-label="Situação"]`); !strings.Contains(got, "Confirme em 48 horas.") ||
		!strings.Contains(got, "Motivo 1423") {
		t.Errorf("the error of the authorization is not shown with its code: %q", got)
	}
	want := []string{
		"40316521 TSH Acima do permitido. | 4 | 3 | 1",
		"40304361 Hemograma senha 55 · protocolo PR7 · HMG | 2 | 2 | 0",
	}
	if got := page.Rows("table"); !slices.Equal(got, want) {
		t.Errorf("got the procedures\n%q, want\n%q", got, want)
	}
	if reduced := page.Count("td.tone-error"); reduced != 1 {
		t.Errorf("%d quantities are marked as reduced, want the first", reduced)
	}
	if got := page.Text("h1 + span"); !strings.HasPrefix(got, "Operadora Horizonte · Essencial · hoje, ") {
		t.Errorf("below the name stands %q", got)
	}
	if got := page.Text(`form[action$="/copiar"] button`); got != "Corrigir e reenviar" ||
		page.Text("#caso .btn-primary") != "Conferir itens" {
		t.Errorf("a partial authorization can be %q", got)
	}
}

// TestCase_SeveralAuthorizations: each has its own sheet and PDF, numbered as the
// service did or else by its place; the PDF of all comes first.
func TestCase_SeveralAuthorizations(t *testing.T) {
	t.Parallel()
	pdf := base64.StdEncoding.EncodeToString(apptest.PDF(100))
	ana := startAnswering(t, authorized(`"pdfGuia":"`+pdf+`","pdfRecibo":"`+pdf+`",`,
		`{"numeroAutorizacao":7,"sucesso":true,"situacaoAutorizacao":"A","senha":"11","numeroGuia":"901","pdfGuiaAutorizacao":"`+pdf+`",
			"procedimentos":[{"codigoProcedimento":"1","nomeProcedimento":"Um","quantidade":1,"quantidadeAutorizada":1,
				"quantidadeExecutada":0,"justificativa":"Ok"}]}`,
		`{"sucesso":true,"situacaoAutorizacao":"N","erros":["Sem cobertura"],"pdfGuiaAutorizacao":"`+pdf+`"}`))
	page := ana.Submit(ana.NewDraft())
	page.Check(t, apptest.Want{
		Text: map[string]string{
			"#veredito .verdict": "Negado", `[aria-label="Autorização 7"] h2`: "Autorização 7", `[aria-label="Autorização 7"]`: "Autorizado",
			`[aria-label="Autorização 2"]`: "Negado", `[aria-label="Situação"] .notice`: "Autorização 2: Sem cobertura",
		},
		Count: map[string]int{`[aria-label="Autorização 7"] table`: 1, `[aria-label="Autorização 2"] table`: 0,
			`[aria-label="Situação"] dl`: 0, "td.tone-error": 0},
	})
	if got, want := page.Rows(`[aria-label="Autorização 7"] table`), []string{"1 Um Ok | 1 | 1 | 0"}; !slices.Equal(got, want) {
		t.Errorf("got the procedures %q, want %q", got, want)
	}
	if got, want := page.Texts(`nav[aria-label="Guias"] a`), []string{"Todas (2)", "Guia 7", "Guia 2", "Recibo"}; !slices.Equal(got, want) {
		t.Errorf("got the guides %q, want %q", got, want)
	}
	for asked, want := range map[string][3]string{ // current, what it is, address
		"": {"Todas (2)", "Todas as guias num só arquivo", "/guias/0"}, "?guia=1": {"Guia 7", "Guia nº 901", "/guias/1"},
		"?guia=2": {"Guia 2", "Guia SP/SADT", "/guias/2"}, "?guia=3": {"Recibo", "Recibo do serviço", "/guias/3"},
		"?guia=4": {"Todas (2)", "Todas as guias num só arquivo", "/guias/0"}, "?guia=-1": {"Todas (2)", "Todas", "/guias/0"},
		"?guia=x": {"Todas (2)", "Todas", "/guias/0"},
	} {
		got := ana.Get(page.Path + asked)
		current, viewer := got.Texts(`nav[aria-label="Guias"] [aria-current=true]`), got.Text(`[aria-label="Guias em PDF"]`)
		if !slices.Equal(current, []string{want[0]}) || !strings.Contains(viewer, want[1]) ||
			!strings.HasPrefix(got.Attr("#guia-quadro", "src"), page.Path+want[2]+"?tela=1#") || got.Attr("#guia-quadro",
			"title") != "Guia em PDF: "+want[0] {
			t.Errorf("%s: got %q, %q, %q", asked, current, viewer, got.Attr("#guia-quadro", "src"))
		}
	}
	for address, name := range map[string]string{"/guias/0": "guias-", "/guias/1": "guia-", "/guias/3": "recibo-"} {
		got := ana.Get(page.Path + address + "?baixar")
		if got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment; filename="+name) {
			t.Errorf("%s: got %d, %q", address, got.Status, got.Header.Get("Content-Disposition"))
		}
	}
	if got := ana.Get(page.Path + "/guias/2?baixar").Header.Get("Content-Disposition"); !strings.HasSuffix(got, "-2.pdf") {
		t.Errorf("the guide without a number is saved as %q, want its place", got)
	}
	if got := page.Text(`form[action$="/copiar"] button`); got != "Corrigir e reenviar" {
		t.Errorf("what was denied can be %q", got)
	}
}

// TestCase_GuideOfAllAlone: a PDF of all guides beside which none came by itself says no number.
func TestCase_GuideOfAllAlone(t *testing.T) {
	t.Parallel()
	pdf := base64.StdEncoding.EncodeToString(apptest.PDF(100))
	ana := startAnswering(t, authorized(`"pdfGuia":"`+pdf+`","pdfRecibo":"`+pdf+`",`,
		`{"situacaoAutorizacao":"A","senha":"11"}`, `{"situacaoAutorizacao":"A","senha":"12"}`))
	page := ana.Submit(ana.NewDraft())
	if got, want := page.Texts(`nav[aria-label="Guias"] a`), []string{"Todas", "Recibo"}; !slices.Equal(got, want) {
		t.Errorf("got the guides %q, want %q", got, want)
	}
	if got := page.Attr("#guia-quadro", "title"); got != "Guia em PDF: Todas" {
		t.Errorf("the guide on the screen is %q", got)
	}
}

// TestCase_RefusedFields: a reason stands beside the words that the form has for its
// field.
func TestCase_RefusedFields(t *testing.T) {
	t.Parallel()
	labels := map[string]string{
		"credencialId": "Operadora", "numeroCarteira": "Carteira", "validadeCarteira": "Validade",
		"nomeBeneficiario": "Nome do beneficiário", "planoBeneficiario": "Plano", "nomeRecemNascido": "Recém-nascido",
		"dataNascimentoRecemNascido": "Nascimento", "unidadeId": "Unidade", "pontoAtendimentoId": "Ponto de atendimento",
		"nomeSolicitante": "Solicitante", "ufSolicitante": "UF", "crmSolicitante": "Número no conselho",
		"siglaConselhoSolicitante": "Conselho", "profissionalExecutanteId": "Executante", "especialidadeExecutanteId": "Especialidade",
		"tipoAcidente": "Indicação de acidente", "regimeAtendimento": "Caráter do atendimento", "tipoAtendimento": "Tipo de atendimento",
		"observacoes": "Observações", "indicacaoClinica": "Indicação clínica", "anexos": "Anexos", "procedimentos": "Procedimentos",
		"guiaPrestador": "Guia do prestador", "procedimentos[0].codigoProcedimento": "Procedimento 1", "anexos[9]": "Anexo 10",
	}
	var details []string
	for field := range labels {
		details = append(details, `{"codigo":"x","campo":"`+field+`","mensagem":"Motivo de `+field+`."}`)
	}
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusUnprocessableEntity, []byte(`{"sucesso":false,"erros":["x"],"data":null,"errosDetalhados":[` +
			strings.Join(details, ",") + `]}`)
	}}})
	ana := server.LogIn(t, apptest.Reception)
	told := ana.Submit(ana.NewDraft()).Text(`[aria-label="Situação"]`)
	for field, label := range labels {
		if want := label + ": Motivo de " + field + "."; !strings.Contains(told, want) {
			t.Errorf("%q is not told: %q", want, told)
		}
	}
}

// TestCase_Refused: what the service did not take says why, each reason once and
// with the words of the form.
func TestCase_Refused(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusUnprocessableEntity, []byte(`{"sucesso":false,"erros":["Carteira inválida.","Outra coisa."],"data":null,
			"errosDetalhados":[
			{"codigo":"formato","campo":"numeroCarteira","mensagem":"Carteira inválida."},
			{"codigo":"x","campo":"$.Procedimentos[1].Quantidade","mensagem":"Quantidade demais."},
			{"codigo":"x","campo":"anexos[0]","mensagem":"Anexo ilegível."},
			{"codigo":"x","campo":"campoNovo","mensagem":"Campo que ninguém conhece."}]}`)
	}}})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	page.Check(t, apptest.Want{
		Text: map[string]string{"#veredito .verdict": "Não aceito", "#veredito": "Resposta do serviço de autorização: hoje, ",
			"#tempo": "O serviço não aceitou o pedido."},
		Count: map[string]int{`form[action$="/copiar"] .btn-primary`: 1, "#guia-quadro": 0, "table tbody tr": 1},
	})
	told := page.Text(`[aria-label="Situação"]`)
	for _, want := range []string{"Carteira: Carteira", "Procedimento 2: Quantidade", "Anexo 1: Anexo", "campoNovo: Campo", "Outra coisa."} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told: %q", want, told)
		}
	}
	for _, reason := range []string{"Carteira inválida.", "Quantidade demais."} {
		if n := strings.Count(told, reason); n != 1 {
			t.Errorf("%q is told %d times: %q", reason, n, told)
		}
	}
	if got := page.Rows("table"); len(got) != 1 || !strings.HasSuffix(got[0], " | 1 | – | –") {
		t.Errorf("without an answer the procedures are %q", got)
	}
}

// TestCase_Statuses: every code of the operators has its badge, its next step in
// the queue and its group there.
func TestCase_Statuses(t *testing.T) {
	t.Parallel()
	status := "A"
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusOK, []byte(authorized("",
			`{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"`+status+`","procedimentos":[]}`))
	}}})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	for _, tt := range []struct{ code, label, step, group, copied string }{
		{"A", "Autorizado", "Marcar atendido", "ok", "Repetir"}, {"W", "Aguardando execução", "Marcar atendido", "ok", "Repetir"},
		{"P", "Executado em parte", "Marcar atendido", "ok", "Repetir"},
		{"Z", "Autorizado em parte", "Conferir itens", "vez", "Corrigir e reenviar"},
		{"S", "Falta anexo", "Reenviar com anexo", "vez", "Reenviar com anexo"}, {"H", "Falta biometria", "Reenviar com biometria", "vez",
			"Reenviar com biometria"},
		{"T", "Biometria inválida", "Reenviar com biometria", "vez", "Reenviar com biometria"}, {"V", "Beneficiário inválido",
			"Corrigir e reenviar", "cor", "Corrigir e reenviar"},
		{"I", "Inconsistência na operadora", "Corrigir e reenviar", "cor", "Corrigir e reenviar"}, {"Ç", "Inconsistência na operadora",
			"Corrigir e reenviar", "cor", "Corrigir e reenviar"},
		{"M", "Não processado", "Corrigir e reenviar", "cor", "Corrigir e reenviar"},
		{"N", "Negado", "Corrigir e reenviar", "neg", "Corrigir e reenviar"},
		{"R", "Em análise", "Acompanhar", "esp", "Repetir"}, {"K", "Pendente de envio", "Acompanhar", "esp", "Repetir"},
		{"X", "Aguardando cancelamento", "Acompanhar", "esp", "Repetir"}, {"E", "Executado", "Ver", "fim", "Repetir"},
		{"C", "Cancelado", "Ver", "fim", "Repetir"}, {"-", "Não se aplica", "Ver", "fim", "Repetir"},
		{"QQ", "Situação QQ", "Conferir", "", "Repetir"},
	} {
		status = tt.code
		form.Set("nomeBeneficiario", "Situação "+tt.code)
		page := ana.Submit(address, form)
		address = ana.DraftPath()
		if got := page.Text("#veredito .verdict"); got != tt.label {
			t.Errorf("%s: the case says %q, want %q", tt.code, got, tt.label)
		}
		if got := page.Text(`form[action$="/copiar"] button`); got != tt.copied {
			t.Errorf("%s: the case can be %q, want %q", tt.code, got, tt.copied)
		}
		list := ana.Get(map[bool]string{true: "/fila?grupo=fim", false: "/fila"}[tt.group == "fim"])
		row := "#fila tr:has([href='" + page.Path + "']) td:nth-child(6) > *"
		if step := list.Text(row); step != tt.step {
			t.Errorf("%s: the next step is %q, want %q", tt.code, step, tt.step)
		}
		urgent := list.Has(strings.Replace(row, "*", "b", 1))
		if calm := slices.Contains([]string{"Marcar atendido", "Acompanhar", "Ver"}, tt.step); urgent == calm {
			t.Errorf("%s: the step presses %t", tt.code, urgent)
		}
		if tt.group != "" {
			if got := ana.Get("/fila?grupo=" + tt.group); !slices.Contains(got.Texts("#fila tbody td:nth-child(2) a"), "Situação "+tt.code) {
				t.Errorf("%s is not in the group %s", tt.code, tt.group)
			}
		}
	}
}

// TestCase_Request: the case shows all that was asked; what is as usual is left
// out.
func TestCase_Request(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","procedimentos":[]}`))
	const list = "#pedido-enviado dl"
	t.Run("Everything", func(t *testing.T) {
		address, form := ana.NewDraft()
		form = apptest.EveryField(form)
		ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(2000)})
		form.Set("versao", "1")
		page := ana.Submit(address, form)
		for term, want := range map[string]string{
			"Nome": "Beneficiária de Teste", "Carteira": "0310 0045 1206 3345", "Validade": "31/12/2027",
			"Plano":         "Essencial “Enfermaria” & cia",
			"Recém-nascido": "RN d'Ávila 😀, 12/11/2026", "No balcão": "Sim", "Solicitante": "Solicitante de Teste, CRM 104552 SP",
			"Executante": "Dra. Elisa Monteverde", "Especialidade": "Patologia clínica", "Unidade": "Centro · Balcão", "Caráter": "Urgência",
			"Observações": "linha 1 linha 2 <b>", "Indicação clínica": "NEAR( dor", "Retorno": "Sim",
			"Contato":     "Contato · 11 90000-0000 · contato@example.org",
			"Enviado por": "Pessoa ana", "Anexos": "pedido.pdf 2 kB",
		} {
			if got := page.Fact(list, term); !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q", term, got, want)
			}
		}
		if !strings.Contains(string(page.Body), "11\u00a090000-0000") {
			t.Error("the telephone may be broken between two lines")
		}
		for _, term := range []string{"Tipo de atendimento", "Acidente", "Guia do prestador"} {
			if page.Fact(list, term) == "" {
				t.Errorf("%s is not shown", term)
			}
		}
	})
	t.Run("Usual", func(t *testing.T) {
		page := ana.Submit(ana.NewDraft())
		for _, term := range []string{"Plano", "Recém-nascido", "No balcão", "Tipo de atendimento", "Acidente", "Caráter",
			"Observações", "Indicação", "Retorno", "Contato",
			"Anexos", "Corrige", "Repete", "Substituído por", "Repetido em"} {
			if got := page.Fact(list, term); got != "" {
				t.Errorf("%s is shown as %q", term, got)
			}
		}
	})
	t.Run("Links", func(t *testing.T) {
		first := ana.Submit(ana.NewDraft())
		copied := ana.Post(first.Path+"/copiar", nil)
		if got := copied.Text("h1 + span"); got != "repete um pedido anterior" || copied.Attr("h1 + span a", "href") != first.Path {
			t.Errorf("the copy says %q and leads to %q, want %s", got, copied.Attr("h1 + span a", "href"), first.Path)
		}
		second := ana.Submit(copied.Path, copied.Form("#pedido"))
		if got := second.Attr(list+` dt:contains("Repete") + dd a`, "href"); got != first.Path {
			t.Errorf("the later request leads to %q, want %s", got, first.Path)
		}
		if got := ana.Get(first.Path).Attr(list+` dt:contains("Repetido em") + dd a`, "href"); got != second.Path {
			t.Errorf("the earlier request leads to %q, want %s", got, second.Path)
		}
	})
}

// TestCase_Validity: how far the senha's last day is, in words, and whether it
// presses: on the case and in the queue.
func TestCase_Validity(t *testing.T) {
	t.Parallel()
	var until time.Time
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusOK, []byte(authorized("",
			`{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"1","validadeSenha":"`+
				until.Format("2006-01-02T00:00:00")+`","procedimentos":[]}`))
	}}})
	ana := server.LogIn(t, apptest.Reception)
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Now().In(zone)
	noon = time.Date(noon.Year(), noon.Month(), noon.Day(), 12, 0, 0, 0, zone)
	server.Clock.Set(noon)
	ana.LogInAgain()
	for days, want := range map[int]string{
		-30: "venceu há 30 dias", -2: "venceu há 2 dias", -1: "venceu ontem", 0: "vence hoje", 1: "vence amanhã",
		2: "vence em 2 dias", 7: "vence em 7 dias",
		8: "em 8 dias", 59: "em 59 dias", 365: "em 12 meses", 800: "em 2 anos", -800: "venceu há 2 anos",
	} {
		until = noon.AddDate(0, 0, days)
		page := ana.Submit(ana.NewDraft())
		cell := ana.Get("/fila").Find("#fila tbody tr:first-child td:nth-child(5)")
		presses := days <= 7
		if got := page.Text(`dt:contains("Validade da senha") + dd + dd`); got != want || page.Has("dd.tone-attention") != presses {
			t.Errorf("%d days: the case says %q, want %q, pressing %t", days, got, want, presses)
		}
		if got := strings.Join(strings.Fields(cell.Text()), " "); got != until.Format("02/01/2006")+" "+want ||
			cell.Find(".tone-attention").Length() == 1 != presses {
			t.Errorf("%d days: the queue says %q, want %q, pressing %t", days, got, want, presses)
		}
	}
}

// TestCase_Pending: while nothing is answered the page asks by itself whether the
// case has moved, and what has not left can be taken back.
func TestCase_Pending(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	remove := server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath,
		Fault: faultservice.Answer(http.StatusServiceUnavailable, "", "Retry-After", "600")})
	page := ana.Submit(ana.NewDraft())
	page.Check(t, apptest.Want{
		Text: map[string]string{"#veredito .verdict": "Na fila de envio", "#veredito": "Informado pelo Guichê: hoje, ",
			"#tempo li:first-child b": "Envio adiado."},
		Count: map[string]int{`form[action$="/retirar"] [data-confirm]`: 1, `form[action$="/copiar"]`: 0},
	})
	if got := page.Text("#tempo li:first-child"); !strings.Contains(got, "O serviço está ocupado e pediu para esperar.") ||
		!strings.Contains(got, "tentativa 1") {
		t.Errorf("the timeline says %q", got)
	}
	asks := page.Attr("#caso", "hx-get")
	if asks != page.Path+"/estado?de=queued" {
		t.Fatalf("the page asks at %q", asks)
	}
	for address, refresh := range map[string]string{asks: "", page.Path + "/estado?de=sending": "true", page.Path + "/estado": "true"} {
		if got := ana.GetHTMX(address); got.Status != http.StatusNoContent || got.Header.Get("Hx-Refresh") != refresh {
			t.Errorf("%s: got %d, refresh %q, want 204, %q", address, got.Status, got.Header.Get("Hx-Refresh"), refresh)
		}
	}
	list := ana.Get("/fila")
	if got := list.Text("#fila tbody td:nth-child(6)"); !strings.HasPrefix(got, "Acompanhar") {
		t.Errorf("the next step is %q", got)
	}
	taken := ana.Post(page.Path+"/retirar", nil)
	taken.Check(t, apptest.Want{
		Path: page.Path,
		Text: map[string]string{"main [role=status]": "Pedido retirado da fila. Nada foi enviado.",
			"#veredito .verdict": "Retirado da fila", "#tempo li:first-child": "Retirado da fila por Pessoa ana"},
		Count: map[string]int{`form[action$="/retirar"]`: 0, `form[action$="/copiar"]`: 1, "#caso[hx-get]": 0},
	})
	if got := ana.Post(page.Path+"/retirar", nil); got.Status != http.StatusConflict {
		t.Errorf("taken back twice: got %d, want 409", got.Status)
	}
	if got := ana.Get("/fila?grupo=fim").Text("#fila tbody td:nth-child(6)"); got != "Ver" {
		t.Errorf("the next step is %q", got)
	}
	remove()
}

// TestCase_Delays: why nothing left yet, in words.
func TestCase_Delays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fault faultservice.Fault
		told  string
	}{
		"Slower": {faultservice.Answer(http.StatusTooManyRequests, `{"sucesso":false,"erros":["devagar"],"data":null}`, "Retry-After",
			"600"), "O serviço pediu para esperar."},
		"Busy": {faultservice.Answer(http.StatusServiceUnavailable, "", "Retry-After", "600"),
			"O serviço está ocupado e pediu para esperar."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
			ana := server.LogIn(t, apptest.Reception)
			server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: tt.fault})
			page := ana.Submit(ana.NewDraft())
			if got := page.Text("#tempo li:first-child"); !strings.Contains(got, tt.told) {
				t.Errorf("got %q, want %q", got, tt.told)
			}
		})
	}
}

// TestCase_Held: a request that the service takes no access for is told in the
// case, and to administração as a number.
func TestCase_Held(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	_, form := ana.NewDraft()
	server.Restart(func(c *app.Config) { c.APIKey = "outra" })
	for i, want := range []string{"1 pedido com envio suspenso.", "2 pedidos com envio suspenso."} {
		page := ana.Submit(ana.DraftPath(), form)
		page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Envio suspenso",
			"#tempo li:first-child": "O serviço não aceitou nosso acesso"}})
		if got := page.Attr("#caso", "hx-get"); got != page.Path+"/estado?de=queued-retido" {
			t.Errorf("request %d: the page asks at %q", i+1, got)
		}
		if got := rui.Get("/conta").Text("body"); !strings.Contains(got, want) {
			t.Errorf("request %d: administração is told %q, want %q", i+1, got, want)
		}
		if strings.Contains(ana.Get("/conta").Text("body"), "envio suspenso") {
			t.Error("recepção is told too")
		}
	}
}

// TestCase_Unknown: what was sent without an answer is shown with its number to
// ask by, cannot be repeated blindly, and is counted above the queue.
func TestCase_Unknown(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	for name, tt := range map[string]struct {
		fault         faultservice.Fault
		verdict, told string
	}{
		"Cut": {faultservice.Cut(20), "Enviado sem resposta", "A conexão caiu antes do fim da resposta."},
		"NumberTaken": {faultservice.Answer(http.StatusConflict, `{"sucesso":false,"errosDetalhados":[{"codigo":"corpo_diferente"}]}`),
			"Número já usado", "Número já usado. O serviço já tem outro pedido com este número."},
		"Unreadable": {faultservice.Answer(http.StatusOK, "<html>"), "Resposta não entendida", "A resposta não veio no formato combinado."},
	} {
		remove := server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: tt.fault})
		page := ana.Submit(ana.NewDraft())
		remove()
		page.Check(t, apptest.Want{
			Text: map[string]string{"#veredito .verdict": tt.verdict, "#pedido-enviado h2": "O que foi enviado",
				"#tempo li:first-child":   tt.told,
				`[aria-label="Situação"]`: "Não reenvie antes de falar com a operadora"},
			Count: map[string]int{`form[action$="/copiar"]`: 0, `form[action$="/retirar"]`: 0},
		})
		number := page.Attr(`[aria-label="Situação"] [data-copy]`, "data-copy")
		if len(number) != 20 || page.Fact("#pedido-enviado dl", "Guia do prestador") != number ||
			!slices.Contains(page.Texts("#pedido-enviado dl .code"), number) {
			t.Errorf("%s: the number to ask by is %q", name, number)
		}
		if got := page.Text("#pedido-enviado header span"); !strings.HasPrefix(got, "hoje, ") {
			t.Errorf("%s: sent at %q", name, got)
		}
		if !strings.Contains(page.Text("#tempo li:first-child small"), "bytes tinham saído daqui") {
			t.Errorf("%s: the timeline does not say how much had left: %q", name, page.Text("#tempo li:first-child"))
		}
	}
	list := ana.Get("/fila")
	list.Check(t, apptest.Want{Text: map[string]string{`[aria-label="Resultado desconhecido"]`: "3 pedidos enviados sem resposta clara.",
		"#fila tbody td:nth-child(6)": "Conferir"}})
	only := ana.Get(list.Attr(`[aria-label="Resultado desconhecido"] a`, "href"))
	if only.Status != http.StatusOK || only.Count("#fila tbody tr") != 3 {
		t.Errorf("the notice leads to %d with %d cases", only.Status, only.Count("#fila tbody tr"))
	}
	only.Check(t, apptest.Want{Text: map[string]string{"#fila-lista": "Enviado sem resposta · Ver a fila toda"},
		Count: map[string]int{`#fila-lista a[href="/fila"][data-shortcut=Escape]`: 1, `[aria-label="Resultado desconhecido"] a`: 0}})
}

// TestCase_NotFound: neither others nor nobody are told that a case exists.
func TestCase_NotFound(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	const unknown, broken = "/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", "/casos/x"
	own := ana.Submit(ana.NewDraft()).Path
	for _, path := range []string{unknown, broken, "/casos/{01a1fd53-a165-77ef-a4fa-dae39f9cda2f}", unknown + "/estado",
		broken + "/estado", unknown + "/guias/0",
		unknown + "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", own + "/anexos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f",
		own + "/anexos/x", own + "/guias/9", own + "/guias/um"} {
		if got := ana.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: got %d, want 404", path, got.Status)
		}
	}
	for _, path := range []string{unknown + "/retirar", broken + "/retirar", unknown + "/copiar", broken + "/copiar"} {
		if got := ana.Post(path, url.Values{}); got.Status != http.StatusNotFound {
			t.Errorf("POST %s: got %d, want 404", path, got.Status)
		}
	}
}
