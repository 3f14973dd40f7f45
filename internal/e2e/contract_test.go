package e2e_test

import (
	"bytes"
	"net/http"
	"strconv"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// ignoreGenerated leaves out of an outcome what is another one in every run.
var ignoreGenerated = []cmp.Option{
	cmpopts.EquateComparable(authorization.LocalTime{}),
	cmpopts.IgnoreFields(authorization.Answer{}, "GuidePDF"),
	cmpopts.IgnoreFields(authorization.Authorization{}, "GuideID", "GuideNumber", "Senha", "Protocol", "PartnerGuide",
		"RequestNumber", "GuidePDF"),
	cmpopts.IgnoreFields(authorization.ProcedureResult{}, "Senha", "Protocol"),
}

// TestContract_EveryField sends each field of 2.3 and 2.4 with a value that is
// not its default, and compares every byte of meaning in both directions.
func TestContract_EveryField(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	notes, indication := "Em jejum.\nSegunda linha: “aspas”, <tag> & acento", "Hipotireoidismo"
	r := k.plain("0310 0045-12.06", "26112022305500100042")
	r.CardValidity, r.BeneficiaryPlan = authorization.DateOf(2027, time.December, 31), "Plano Ouro"
	r.Newborn, r.NewbornName, r.NewbornBirth = true, "RN de Helena",
		authorization.NewLocalTime(time.Date(2026, time.November, 19, 8, 15, 0, 0, time.UTC))
	r.PatientPresent, r.FollowUp, r.Notes, r.ClinicalIndication = true, true, &notes, &indication
	r.AccidentType, r.CareRegime, r.CareType = "1", "U", "23"
	r.ContactName, r.ContactAreaCode, r.ContactPhone, r.ContactEmail = "Rui Ávila", "011", "99999-0000", "rui@example.com"
	r.Attachments = []authorization.Attachment{k.attachment("pedido médico.pdf", "application/pdf", []byte("%PDF-1.4 pedido"))}
	r.Procedures = append(r.Procedures, authorization.Procedure{Code: "40304361", Name: "Hemograma", Quantity: 999})

	seen, outcome := k.exchange(r)
	if seen.method != http.MethodPost || seen.address != "/api/v2/autorizar/sp-sadt" || seen.length != len(seen.request) {
		t.Errorf("%s %s with length %d of %d", seen.method, seen.address, seen.length, len(seen.request))
	}
	if got := [3]string{seen.header.Get("Content-Type"), seen.header.Get("Accept"),
		seen.header.Get("X-Api-Key")}; got != [3]string{"application/json", "application/json", k.key} {
		t.Errorf("request headers: got %q", got[:2])
	}
	k.sameJSON(t, "request", seen.request, `{
		"credencialId": "<Aroeira Planos>", "numeroCarteira": "0310 0045-12.06", "validadeCarteira": "2027-12-31T00:00:00",
		"nomeBeneficiario": "HELENA DUARTE", "planoBeneficiario": "Plano Ouro", "atendimentoRN": "S", "nomeRecemNascido": "RN de Helena",
		"dataNascimentoRecemNascido": "2026-11-19T08:15:00", "pacienteNoLocal": "S", "unidadeId": "<Centro>", "pontoAtendimentoId": "<Balcão 1>",
		"nomeSolicitante": "Caio Leme", "ufSolicitante": "SP", "crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM",
		"profissionalExecutanteId": "<Dra. Elisa Monteverde>", "especialidadeExecutanteId": 2, "tipoAcidente": "1",
		"guiaPrestador": "26112022305500100042", "regimeAtendimento": "U", "tipoAtendimento": "23",
		"observacoes": "Em jejum.\nSegunda linha: “aspas”, <tag> & acento", "indicacaoClinica": "Hipotireoidismo", "retorno": "S",
		"anexos": [{"base64": "JVBERi0xLjQgcGVkaWRv", "name": "pedido médico.pdf", "contentType": "application/pdf"}],
		"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1},
			{"nomeProcedimento": "Hemograma", "codigoProcedimento": "40304361", "quantidade": 999}],
		"nomeContato": "Rui Ávila", "dddContato": "011", "telefoneContato": "99999-0000", "emailContato": "rui@example.com"}`)
	if seen.status != http.StatusOK || seen.answerHeader.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("answer: %d %s", seen.status, seen.answerHeader.Get("Content-Type"))
	}
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"autorizacoes": [{
		"numeroAutorizacao": 1, "sucesso": true, "situacaoAutorizacao": "A", "guiaId": "<guiaId>", "numeroGuia": `+
		`"<numeroGuia>", "senha": "<senha>",
		"validadeSenha": "2026-12-20T00:00:00", "protocolo": "<protocolo>", "guiaPrestador": "26112022305500100042", `+
		`"guiaParceiro": "<guiaParceiro>",
		"numeroSolicitacao": "<numeroSolicitacao>", "dataAutorizacao": "2026-11-20T22:30:55", "erros": [], "errosDetalhados": [],
		"pdfGuiaAutorizacao": "<pdf>", "procedimentos": [
			{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1, "quantidadeAutorizada": 1, "quantidadeExecutada": 0,
				"senhaAutorizacao": "<senhaAutorizacao>", "protocoloAtendimento": "<protocoloAtendimento>", "justificativa": null, "mnemonico": null},
			{"nomeProcedimento": "Hemograma", "codigoProcedimento": "40304361", "quantidade": 999, "quantidadeAutorizada": 999, `+
		`"quantidadeExecutada": 0,
				"senhaAutorizacao": "<senhaAutorizacao>", "protocoloAtendimento": "<protocoloAtendimento>", "justificativa": null, `+
		`"mnemonico": null}]}]}}`)
	checkEveryField(t, k, seen, outcome)
}

func checkEveryField(t *testing.T, k *contract, seen passage, outcome authorization.Outcome) {
	t.Helper()
	want := authorization.Outcome{Kind: authorization.OutcomeAnswered, Reason: "http_200", Answer: authorization.Answer{Success: true,
		Authorizations: []authorization.Authorization{{Number: 1, Success: true, Status: authorization.Authorized,
			ProviderGuide: "26112022305500100042", SenhaValidUntil: authorization.DateOf(2026, time.December, 20),
			AuthorizedAt: authorization.NewLocalTime(time.Date(2026, time.November, 20, 22, 30, 55, 0, time.UTC)),
			Procedures: []authorization.ProcedureResult{{Code: "40316521", Name: "TSH", Quantity: 1, Authorized: 1},
				{Code: "40304361", Name: "Hemograma", Quantity: 999, Authorized: 999}}}}}}
	if diff := cmp.Diff(want, outcome, ignoreGenerated...); diff != "" {
		t.Fatalf("outcome (-want, +got):\n%s", diff)
	}
	a, told := outcome.Answer.Authorizations[0], entriesOf(t, seen)[0]
	for name, got := range map[string]string{"guiaId": a.GuideID, "numeroGuia": a.GuideNumber, "senha": a.Senha, "protocolo": a.Protocol,
		"guiaParceiro": a.PartnerGuide, "numeroSolicitacao": a.RequestNumber} {
		if want := told[name]; got == "" || got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := k.read(a.GuidePDF); !bytes.HasPrefix(got, []byte("%PDF-")) || outcome.Answer.GuidePDF != "" {
		t.Errorf("guide %.8q, aggregated %q, want one PDF alone", got, outcome.Answer.GuidePDF)
	}
}

// entriesOf is data.autorizacoes as it went over the wire.
func entriesOf(t *testing.T, seen passage) []map[string]any {
	t.Helper()
	envelope, _ := literal(t, seen.answer).(map[string]any)
	data, _ := envelope["data"].(map[string]any)
	items, _ := data["autorizacoes"].([]any)
	entries := make([]map[string]any, len(items))
	for i, item := range items {
		entries[i], _ = item.(map[string]any)
	}
	return entries
}

// TestContract_Defaults: what was left alone is written as 2.3 says, but for
// indicacaoClinica and validadeCarteira, which are absent (row 5).
func TestContract_Defaults(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	seen, outcome := k.exchange(k.plain("0310004512063345", "1"))
	k.sameJSON(t, "request", seen.request, `{
		"credencialId": "<Aroeira Planos>", "numeroCarteira": "0310004512063345", "nomeBeneficiario": "HELENA DUARTE", "planoBeneficiario": "",
		"atendimentoRN": "N", "nomeRecemNascido": "", "dataNascimentoRecemNascido": null, "pacienteNoLocal": "N",
		"unidadeId": "<Centro>", "pontoAtendimentoId": "<Balcão 1>", "nomeSolicitante": "Caio Leme", "ufSolicitante": "SP",
		"crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM", "profissionalExecutanteId": "<Dra. Elisa Monteverde>",
		"especialidadeExecutanteId": 2, "tipoAcidente": "9", "guiaPrestador": "1", "regimeAtendimento": "E", "tipoAtendimento": "05",
		"observacoes": null, "retorno": "N", "anexos": [], "procedimentos": [{"nomeProcedimento": "TSH", `+
		`"codigoProcedimento": "40316521", "quantidade": 1}],
		"nomeContato": "", "dddContato": "", "telefoneContato": "", "emailContato": ""}`)
	if outcome.Kind != authorization.OutcomeAnswered || len(outcome.Answer.Authorizations) != 1 {
		t.Errorf("got %+v, want one authorization", outcome)
	}
}

// TestContract_AttachmentString is the other shape of row 2.
func TestContract_AttachmentString(t *testing.T) {
	t.Parallel()
	k := MustContract(t, func(c *client.Config) { c.AttachmentShape = client.AttachmentString })
	r := k.plain("9999250001", "1") // wants an attachment: authorized only if it was understood as one
	r.Attachments = []authorization.Attachment{k.attachment("a.png", "image/png", []byte(pngHead)),
		k.attachment("b.png", "image/png", []byte(pngHead+"2"))}
	seen, outcome := k.exchange(r)
	body, _ := literal(t, seen.request).(map[string]any)
	if diff := cmp.Diff([]any{"iVBORw0KGgo=", "iVBORw0KGgoy"}, body["anexos"]); diff != "" {
		t.Errorf("anexos (-want, +got):\n%s", diff)
	}
	if outcome.Kind != authorization.OutcomeAnswered || outcome.Answer.Authorizations[0].Status != authorization.Authorized {
		t.Errorf("got %+v, want it authorized", outcome)
	}
}

// TestContract_SeveralAuthorizations: two entries with a PDF each, and one of
// both (2.5).
func TestContract_SeveralAuthorizations(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	r := k.plain("9999190001", "7")
	r.Procedures = append(r.Procedures, authorization.Procedure{Code: "40304361", Name: "Hemograma", Quantity: 3})
	seen, outcome := k.exchange(r)
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"pdfGuia": "<pdf>", "autorizacoes": [
		{"numeroAutorizacao": 1, "sucesso": true, "situacaoAutorizacao": "A", "guiaId": "<guiaId>", "numeroGuia": `+
		`"<numeroGuia>", "senha": "<senha>",
			"validadeSenha": "2026-12-20T00:00:00", "protocolo": "<protocolo>", "guiaPrestador": "7", "guiaParceiro": "<guiaParceiro>",
			"numeroSolicitacao": "<numeroSolicitacao>", "dataAutorizacao": "2026-11-20T22:30:55", "erros": [], `+
		`"errosDetalhados": [], "pdfGuiaAutorizacao": "<pdf>",
			"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1, `+
		`"quantidadeAutorizada": 1, "quantidadeExecutada": 0,
				"senhaAutorizacao": "<senhaAutorizacao>", "protocoloAtendimento": "<protocoloAtendimento>", "justificativa": null, "mnemonico": null}]},
		{"numeroAutorizacao": 2, "sucesso": true, "situacaoAutorizacao": "R", "guiaId": "<guiaId>", "numeroGuia": "<numeroGuia>", "senha": "",
			"validadeSenha": null, "protocolo": "<protocolo>", "guiaPrestador": "7", "guiaParceiro": "<guiaParceiro>",
			"numeroSolicitacao": "<numeroSolicitacao>", "dataAutorizacao": "2026-11-20T22:30:55", "erros": [], `+
		`"errosDetalhados": [], "pdfGuiaAutorizacao": "<pdf>",
			"procedimentos": [{"nomeProcedimento": "Hemograma", "codigoProcedimento": "40304361", "quantidade": 3, `+
		`"quantidadeAutorizada": 0, "quantidadeExecutada": 0,
				"senhaAutorizacao": null, "protocoloAtendimento": "<protocoloAtendimento>", "justificativa": null, "mnemonico": null}]}]}}`)
	want := []authorization.Status{authorization.Authorized, authorization.UnderAnalysis}
	var got []authorization.Status
	pdfs := map[string]bool{string(outcome.Answer.GuidePDF): true}
	for _, a := range outcome.Answer.Authorizations {
		got, pdfs[string(a.GuidePDF)] = append(got, a.Status), true
		if !bytes.HasPrefix(k.read(a.GuidePDF), []byte("%PDF-")) {
			t.Errorf("guide %d is no PDF", a.Number)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || outcome.Kind != authorization.OutcomeAnswered {
		t.Errorf("outcome %s, statuses (-want, +got):\n%s", outcome.Kind, diff)
	}
	if pages := bytes.Count(k.read(outcome.Answer.GuidePDF), []byte("/Type /Page ")); pages != 2 || len(pdfs) != 3 {
		t.Errorf("%d pages in pdfGuia, %d different PDFs, want 2 and 3", pages, len(pdfs))
	}
}

// TestContract_AllStatuses: the 18 codes of section 3 leave the service and reach
// the desk's words.
func TestContract_AllStatuses(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	cards := map[authorization.Status]string{"A": "01", "Z": "02", "R": "03", "N": "04", "K": "05", "C": "06", "P": "07", "E": "08", "S": "09",
		"M": "10", "I": "11", "Ç": "12", "H": "13", "T": "14", "X": "15", "V": "16", "W": "17", "-": "18"}
	for i, want := range authorization.Statuses() {
		card, ok := cards[want.Code]
		if !ok {
			t.Fatalf("no card for status %q", want.Code)
		}
		seen, outcome := k.exchange(k.plain("9999"+card+"0001", "s"+strconv.Itoa(i)))
		entries := entriesOf(t, seen)
		if len(entries) != 1 || entries[0]["situacaoAutorizacao"] != string(want.Code) {
			t.Errorf("%s: the wire says %v", want.Code, entries)
		}
		if outcome.Kind != authorization.OutcomeAnswered || len(outcome.Answer.Authorizations) != 1 ||
			outcome.Answer.Authorizations[0].Status.Info() != want {
			t.Errorf("%s: got %+v", want.Code, outcome)
		}
	}
	if len(cards) != 18 || len(authorization.Statuses()) != 18 {
		t.Errorf("%d cards and %d statuses, want 18", len(cards), len(authorization.Statuses()))
	}
}
