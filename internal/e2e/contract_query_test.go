package e2e_test

import (
	"net/http"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/authorization"
	"guiche/internal/client"

	"github.com/google/go-cmp/cmp"
)

// TestContract_SearchCredentials is 4.1 as the client asks: Busca alone, and JSON
// read although text/plain was asked for.
func TestContract_SearchCredentials(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	found, err := k.SearchCredentials(t.Context(), "JEQUITIBA s")
	if err != nil {
		t.Fatal(err)
	}
	seen := k.wire.last(t)
	if seen.method != http.MethodGet || seen.address != "/api/v2/credenciais?Busca=JEQUITIBA+s" ||
		seen.header.Get("Accept") != "text/plain" || len(seen.request) != 0 {
		t.Errorf("asked %s %s, accept %q", seen.method, seen.address, seen.header.Get("Accept"))
	}
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"total": 1, `+
		`"pagina": 1, "tamanhoPagina": 50, "items": [
		{"id": "<Jequitibá Saúde>", "nome": "Jequitibá Saúde", "codigoPrestador": "004271",
			"credencialElegibilityId": "<elegibilidade de Jequitibá Saúde>", "exigeBiometria": true}]}}`)
	want := []authorization.Credential{{ID: k.id("Jequitibá Saúde").String(), Name: "Jequitibá Saúde", ProviderCode: "004271",
		EligibilityID: k.id("elegibilidade de Jequitibá Saúde").String(), Biometrics: true}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("found (-want, +got):\n%s", diff)
	}
}

// TestContract_SearchCredentialsAll: an empty text lists all, by name; one that
// fits nothing is no error.
func TestContract_SearchCredentialsAll(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	for text, want := range map[string][]string{
		"":      {"Aroeira Planos", "Boa Guarida", "Jequitibá Saúde", "Silverado Assistência", "Vale Sereno"},
		"0044":  {"Silverado Assistência"}, // the provider's code counts
		"% _ '": nil,
	} {
		found, err := k.SearchCredentials(t.Context(), text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got []string
		for _, c := range found {
			got = append(got, c.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want, +got):\n%s", text, diff)
		}
	}
}

// TestContract_Features is row 17: the idempotency key goes out only once the
// service has announced that it honours one.
func TestContract_Features(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	if seen, _ := k.exchange(k.plain("0310004512063345", "1")); seen.header.Get("Idempotency-Key") != "" {
		t.Errorf("key %q before anything was announced", seen.header.Get("Idempotency-Key"))
	}
	got, err := k.Features(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k.sameJSON(t, "answer", k.wire.last(t).answer, `{"sucesso": true, "erros": [], "errosDetalhados": [],
		"data": {"recursos": ["idempotencia", "situacao", "consulta-por-guia", "anexos", "biometria", "cancelamento", `+
		`"elegibilidade", "cadastros"]}}`)
	want := client.Features{Idempotency: true, Status: true, LookUp: true, Attachments: true, Biometrics: true,
		Cancellation: true, Eligibility: true, Directory: true}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	seen, outcome := k.exchange(k.plain("0310004512063345", "2"))
	if seen.header.Get("Idempotency-Key") != "chave-2" || outcome.Kind != authorization.OutcomeAnswered {
		t.Errorf("key %q, outcome %s", seen.header.Get("Idempotency-Key"), outcome.Kind)
	}
}

// TestContract_LookUp is row 18, over plain HTTP: what was sent is found by its
// guiaPrestador, under the other name of the status; what never arrived is not.
func TestContract_LookUp(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	_, outcome := k.exchange(k.plain("9999130001", "26112022305500100042"))
	want := `{"numeroAutorizacao": 1, "sucesso": true, "statusAutorizacao": "H", "guiaId": "<guiaId>", "numeroGuia": ` +
		`"<numeroGuia>", "senha": "",
		"validadeSenha": null, "protocolo": "<protocolo>", "guiaPrestador": "26112022305500100042", "guiaParceiro": "<guiaParceiro>",
		"numeroSolicitacao": "<numeroSolicitacao>", "dataAutorizacao": "2026-11-20T22:30:55", "erros": [], "errosDetalhados": ` +
		`[], "pdfGuiaAutorizacao": "<pdf>",
		"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1, ` +
		`"quantidadeAutorizada": 0, "quantidadeExecutada": 0,
			"senhaAutorizacao": null, "protocoloAtendimento": "<protocoloAtendimento>", "justificativa": null, "mnemonico": null}]}`
	byGuide := k.get("/api/v2/autorizacoes?guiaPrestador=26112022305500100042")
	k.sameJSON(t, "by guiaPrestador", byGuide.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"items": [`+want+`]}}`)
	byID := k.get("/api/v2/autorizacoes/" + outcome.Answer.Authorizations[0].GuideID)
	k.sameJSON(t, "by guiaId", byID.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": `+want+`}`)
	nothing := k.get("/api/v2/autorizacoes?guiaPrestador=nunca")
	k.sameJSON(t, "never sent", nothing.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"items": []}}`)
	if byGuide.status != http.StatusOK || byID.status != http.StatusOK || nothing.status != http.StatusOK {
		t.Errorf("got %d, %d and %d, want 200", byGuide.status, byID.status, nothing.status)
	}
}

// TestContract_Registers is row 13: what the desk's selects offer is what the
// service knows.
func TestContract_Registers(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	k.sameJSON(t, "units", k.get("/api/v2/unidades").answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"items": [
		{"id": "<Centro>", "nome": "Centro", "pontosAtendimento": [{"id": "<Balcão 1>", "nome": "Balcão 1"}, {"id": `+
		`"<Balcão 2>", "nome": "Balcão 2"}]},
		{"id": "<Jardim das Acácias>", "nome": "Jardim das Acácias", "pontosAtendimento": [{"id": "<Recepção>", "nome": "Recepção"}]}]}}`)
	form := k.p.LogIn(t, apptest.Supervision).Get("/nova")
	for name, css := range map[string]string{"Centro": "#unidadeId", "Balcão 2": "#pontoAtendimentoId",
		"Dra. Elisa Monteverde": "#profissionalExecutanteId"} {
		if option := form.Find(css + ` option[value="` + k.id(name).String() + `"]`); option.Text() == "" {
			t.Errorf("%s offers no %s as the service knows it", css, name)
		}
	}
}
