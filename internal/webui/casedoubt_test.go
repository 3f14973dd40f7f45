package webui_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/apptest"
)

const (
	sendPath = "/api/v2/autorizar/sp-sadt"
	findPath = "/api/v2/autorizacoes"
)

// answers writes an answer of a service.
func answers(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// TestCase_FoundByNumber: what got no answer is asked for by number, and the page says how
// the answer was found.
func TestCase_FoundByNumber(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	service := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Features = []string{"consulta-por-guia"}
		o.Tokens = map[string]http.HandlerFunc{
			sendPath: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGatewayTimeout) },
			findPath: func(w http.ResponseWriter, r *http.Request) {
				answers(w, http.StatusOK, `{"sucesso":true,"erros":[],"data":{"items":[{"numeroAutorizacao":1,"sucesso":true,
					"statusAutorizacao":"A","senha":"482017739","guiaPrestador":"`+r.FormValue("guiaPrestador")+`"}]}}`)
			},
		}
	})
	server.LogIn(t, apptest.Administration).ConnectTo(t, service, nil)
	page := server.LogIn(t, apptest.Reception).SubmitWith(nil)
	if got := page.Text("#veredito .verdict"); got != "Autorizado" {
		t.Errorf("got %q, want that it is authorized", got)
	}
	if got := page.Text("#tempo"); !strings.Contains(got, "resposta encontrada ao consultar o serviço pelo número da guia") {
		t.Errorf("got %q, want how it was found", got)
	}
}

var keyed = regexp.MustCompile(`^[0-9a-f-]{36}$`)

// TestCase_RepeatedByKey: a service that recognizes a key gets the request again, and the
// page says meanwhile that nothing has to be sent again.
func TestCase_RepeatedByKey(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	var ready atomic.Bool
	keys := make(chan string, 100)
	service := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Features = []string{"idempotencia"}
		o.Tokens = map[string]http.HandlerFunc{sendPath: func(w http.ResponseWriter, r *http.Request) {
			keys <- r.Header.Get("Idempotency-Key")
			if !ready.Load() {
				w.WriteHeader(http.StatusGatewayTimeout)
				return
			}
			answers(w, http.StatusOK, authorized("", `{"sucesso":true,"situacaoAutorizacao":"A"}`))
		}}
	})
	server.LogIn(t, apptest.Administration).ConnectTo(t, service, nil)
	ana := server.LogIn(t, apptest.Reception)
	page := ana.SubmitWith(nil)
	first := <-keys
	apptest.Eventually(t, "it waits in doubt", func() bool {
		page = ana.Get(page.Path)
		return page.Text("#veredito .verdict") == "Conferindo com o serviço"
	})
	if got := page.Text("#tempo"); !strings.Contains(got, "Conferindo. O serviço de autorização não conseguiu responder.") {
		t.Errorf("got %q, want what happened", got)
	}
	ready.Store(true)
	apptest.Eventually(t, "it is answered", func() bool { return ana.Get(page.Path).Text("#veredito .verdict") == "Autorizado" })
	if second := <-keys; first != second || !keyed.MatchString(first) {
		t.Errorf("keys: got %q, then %q, want the same", first, second)
	}
}
