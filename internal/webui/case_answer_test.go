package webui_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestCase_WithoutEnvelope: an answer that arrived and is no envelope is shown as far as
// it can be read; nobody says that it did not arrive.
func TestCase_WithoutEnvelope(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status          int
		body            string
		verdict, reason string
	}{
		"ProblemJSON": {http.StatusBadRequest, `{"title":"Bad Request","status":400,"detail":"Carteira desconhecida."}`,
			"Resposta não entendida", "Bad Request: Carteira desconhecida. | Texto da resposta, que não veio no formato combinado (HTTP 400)"},
		"HTML": {http.StatusRequestEntityTooLarge, "<html><body><h1>413 <b>grande</b> demais</h1></body></html>", "Resposta não entendida",
			"413 · grande · demais | Texto da resposta, que não veio no formato combinado (HTTP 413)"},
		"EnvelopeOfAnError": {http.StatusInternalServerError, `{"sucesso":false,"erros":[{"n":7}]}`, "Resposta não entendida",
			"n: 7 | Nas palavras do serviço de autorização"},
		"Gateway": {http.StatusGatewayTimeout, `{"sucesso":false,"erros":["A operadora não respondeu."]}`, "Enviado sem resposta",
			"A operadora não respondeu. | Nas palavras do serviço de autorização"},
		"Nothing": {http.StatusBadGateway, "", "Enviado sem resposta", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
				return tt.status, []byte(tt.body)
			}}})
			ana := server.LogIn(t, apptest.Reception)
			page := ana.Submit(ana.NewDraft())
			page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": tt.verdict},
				Not: map[string]string{"#caso": "a resposta não chegou"}, Count: map[string]int{`form[action$="/copiar"]`: 0}})
			got := append(reasonsOf(page), "")
			if got[0] != tt.reason {
				t.Errorf("got %q, want %q", got[0], tt.reason)
			}
			if badge := ana.Get("/fila").Text("#fila tbody td>b[class]"); badge != tt.verdict {
				t.Errorf("the queue says %q", badge)
			}
			if list := ana.Get("/fila?grupo=sem-resposta"); list.Count("#fila tbody tr") != 1 {
				t.Error("it is not among those to be checked")
			}
		})
	}
}

// TestCase_RefusedWithoutReason: a service that refuses and does not say why is said to be so.
func TestCase_RefusedWithoutReason(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusOK, []byte(`{"sucesso":false,"erros":[],"data":null}`)
	}}})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Não aceito"}})
	if got := reasonsOf(page); !slices.Equal(got, []string{"O serviço de autorização não informou o motivo. | "}) {
		t.Errorf("got %q", got)
	}
}

// TestCase_ErrorsOfAnyShape: a map of fields to messages becomes sentences beside the
// labels of the form, and in the corrected copy they stand beside the fields.
func TestCase_ErrorsOfAnyShape(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusUnprocessableEntity, []byte(`{"sucesso":false,"data":null,
			"erros":{"NumeroCarteira":["Curta demais."],"Procedimentos[0].Quantidade":"Acima do limite.","contrato":{"motivo":"Suspenso."}}}`)
	}}})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	got := strings.Join(reasonsOf(page), "\n")
	for _, want := range []string{"Carteira: Curta demais.", "Procedimento 1: Acima do limite.", "contrato: Suspenso."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told: %q", want, got)
		}
	}
	if strings.ContainsAny(got, `{["`) {
		t.Errorf("it shows JSON: %q", got)
	}
	if beside := ana.Post(page.Path+"/copiar", nil).Text("#numeroCarteira-error"); !strings.Contains(beside, "Curta demais.") {
		t.Errorf("beside the card stands %q", beside)
	}
}
