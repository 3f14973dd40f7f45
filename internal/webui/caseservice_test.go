package webui_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// actsOfG1 is where another service takes what is asked about the authorization g-1.
const actsOfG1 = "/api/v2/autorizacoes/g-1/"

// says is what another service answers.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// startActing starts a desk at another service that announces the features, answers every
// request with the authorization g-1 of a status, and acts on it as handlers say. It returns
// the case of one request.
func startActing(t *testing.T, status string, features []string, handlers map[string]http.HandlerFunc) (path string,
	ana, celia *apptest.Client, other *apptest.OtherService) {
	t.Helper()
	other = apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Features = features
		o.Tokens = handlers
		o.Tokens[sendPath] = says(http.StatusOK, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"`+status+`",
			"guiaId":"g-1","senha":"482017739","numeroGuia":"77"}`))
	})
	server := apptest.Start(t, apptest.Options{})
	server.LogIn(t, apptest.Administration).ConnectTo(t, other, nil)
	apptest.Eventually(t, "the features are known", func() bool { return other.Times("GET /api/v2/recursos") > 0 })
	ana = server.LogIn(t, apptest.Reception).FailOnServerError()
	address, form := ana.NewDraft()
	form.Set("credencialId", ana.Credential("de fora"))
	return ana.Submit(address, form).Path, ana, server.LogIn(t, apptest.Supervision).FailOnServerError(), other
}

// TestCancel_Demo: whoever may cancels at the simulated operator; the case and its timeline
// say so, and nobody is offered it again.
func TestCancel_Demo(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	celia := server.LogIn(t, apptest.Supervision).FailOnServerError()
	path := ana.Submit(ana.NewDraft()).Path
	link := `a[href="` + path + `/cancelar#cancelamento"]`
	ana.Get(path).Check(t, apptest.Want{Count: map[string]int{link: 0}})
	if got := ana.Get(path + "/cancelar"); got.Status != http.StatusForbidden {
		t.Errorf("recepção: %d, want 403", got.Status)
	}
	celia.Get(path).Check(t, apptest.Want{Text: map[string]string{link: "Cancelar na operadora"}})
	page := celia.Get(path + "/cancelar")
	page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"#cancelamento": "deixa de valer"},
		Count: map[string]int{"#cancelamento [name=motivo]": 1}})
	typed := page.Form("#cancelamento")
	typed.Set("motivo", strings.Repeat("x", 501))
	celia.Post(path+"/cancelar", typed).Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#motivo-error": "Use no máximo 500 caracteres."}})
	typed.Set("motivo", "Paciente desistiu")
	celia.Post(path+"/cancelar", typed).Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#veredito .verdict": "Aguardando cancelamento", "#tempo li:nth-child(2)": "Cancelamento pedido à operadora por",
			"#tempo li:nth-child(2) small": "motivo: Paciente desistiu", "#tempo li:first-child": "Aguardando cancelamento"},
		Count: map[string]int{link: 0, "#ato": 0}})
	if got := celia.Get(path + "/cancelar"); got.Path != path {
		t.Errorf("cancelled already: at %s", got.Path)
	}
}

// TestCancel_NotAnnounced: a service that does not offer it is not asked.
func TestCancel_NotAnnounced(t *testing.T) {
	t.Parallel()
	path, _, celia, other := startActing(t, "A", []string{"situacao"}, map[string]http.HandlerFunc{})
	if celia.Get(path).Has(`[href*="/cancelar"]`) {
		t.Error("offered")
	}
	celia.Post(path+"/cancelar", url.Values{"visto": {"1"}})
	if n := other.Times("POST " + actsOfG1 + "cancelamento"); n != 0 {
		t.Errorf("asked %d times", n)
	}
}

// TestCancel_NotDone: a refusal stands on the case in the operator's words, and a doubt as one
// that can be asked again.
func TestCancel_NotDone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		want   string
		event  string
		again  int
	}{
		"Refused": {says(http.StatusConflict, `{"sucesso":false,"erros":["A guia já foi faturada."],"data":null}`),
			"O cancelamento não foi aceito. A guia já foi faturada.", "O cancelamento não foi aceito", 1},
		"Doubtful": {says(http.StatusBadGateway, `{"sucesso":false,"erros":["A operadora falhou."],"data":null}`),
			"O cancelamento ficou em dúvida. A operadora falhou.", "O cancelamento ficou em dúvida", 1},
		"Wait": {says(http.StatusTooManyRequests, `{"sucesso":false,"erros":["Espere."],"data":null}`),
			"O cancelamento não foi feito. Espere.", "O cancelamento não foi feito", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _, celia, other := startActing(t, "A", []string{"idempotencia", "cancelamento"},
				map[string]http.HandlerFunc{actsOfG1 + "cancelamento": tc.answer})
			typed := celia.Get(path + "/cancelar").Form("#cancelamento")
			typed.Set("motivo", "Paciente <desistiu>")
			page := celia.Post(path+"/cancelar", typed)
			page.Check(t, apptest.Want{Status: http.StatusOK,
				Text:  map[string]string{"#veredito .verdict": "Autorizado", "#ato": tc.want, "#tempo li:first-child": tc.event},
				Count: map[string]int{`#ato a[href$="/cancelar#cancelamento"]`: tc.again}})
			if n := other.Times("POST " + actsOfG1 + "cancelamento"); n != 1 {
				t.Errorf("asked %d times, want once", n)
			}
			if name != "Doubtful" {
				return
			}
			again := celia.Get(path + "/cancelar")
			again.Check(t, apptest.Want{Text: map[string]string{"#cancelamento": "Paciente <desistiu>"},
				Count: map[string]int{"#cancelamento textarea": 0}})
			celia.Post(path+"/cancelar", again.Form("#cancelamento"))
			if n := other.Times("POST " + actsOfG1 + "cancelamento"); n != 2 {
				t.Errorf("asked %d times, want twice", n)
			}
		})
	}
}

// TestCancel_UnderWay: while the operator takes its time the page says so and asks whether it
// is over.
func TestCancel_UnderWay(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	path, _, celia, _ := startActing(t, "A", []string{"cancelamento"}, map[string]http.HandlerFunc{
		actsOfG1 + "cancelamento": func(w http.ResponseWriter, r *http.Request) {
			<-release
			says(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"guiaId":"g-1","statusAutorizacao":"C"}}`)(w, r)
		}})
	page := celia.Post(path+"/cancelar", celia.Get(path+"/cancelar").Form("#cancelamento"))
	page.Check(t, apptest.Want{Text: map[string]string{"#ato": "Pedindo o cancelamento à operadora…"},
		Count: map[string]int{`#ato[hx-get="` + path + `/ato"]`: 1, `[href*="/cancelar"]`: 0}})
	if got := celia.GetHTMX(path + "/ato"); got.Header.Get("HX-Refresh") != "" {
		t.Error("over before it was answered")
	}
	close(release)
	apptest.Eventually(t, "the page is told", func() bool { return celia.GetHTMX(path+"/ato").Header.Get("HX-Refresh") == "true" })
	celia.Get(path).Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Cancelado"}, Count: map[string]int{"#ato": 0}})
}
