package webui_test

import (
	"net/http"
	"net/url"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestReply_Withdrawn: of a request that was taken back and so has no answer nothing can be
// recorded, which is said above its page.
func TestReply_Withdrawn(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana, celia := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath,
		Fault: faultservice.Answer(http.StatusServiceUnavailable, "", "Retry-After", "600")})
	path := ana.Submit(ana.NewDraft()).Path
	ana.Post(path+"/retirar", nil).Check(t, apptest.Want{Status: http.StatusOK})
	late := celia.Post(path+"/retorno", url.Values{"situacao": {"A"}, "senha": {"1"}, "contato": {"Marta"}})
	late.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#caso": "Este pedido já teve um desfecho.",
		"#veredito .verdict": "Retirado da fila"}, Count: map[string]int{"#retorno": 0}})
}

// TestReply_NoGuide: whoever acts on an authorization that the operator told by telephone reads
// that there is no guide, and who has it; the service's own answer is not spoken of so.
func TestReply_NoGuide(t *testing.T) {
	t.Parallel()
	path, ana, celia := startAnalysed(t, `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"R","guiaId":"g-1"}`)
	const noGuide = "Encaminhe para o atendimento. Não há guia em PDF: peça-a à operadora."
	typed := celia.Get(path + "/retorno").Form("#retorno")
	typed.Set("situacao", "A")
	typed.Set("senha", "482017739")
	typed.Set("contato", "Marta")
	celia.Post(path+"/retorno", typed)
	ana.Get(path).Check(t, apptest.Want{Text: map[string]string{"#veredito": noGuide}})

	told := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"482017739"}`))
	told.Submit(told.NewDraft()).Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Autorizado"},
		Not: map[string]string{"#veredito": "peça-a à operadora"}})
}
