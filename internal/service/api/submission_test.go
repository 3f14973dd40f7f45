package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/service"
)

func TestService_Submission(t *testing.T) {
	e := MustEnv(t, limits{})
	r := e.accept("0310004512063345", nil)
	data := r.data()
	if r.status != http.StatusAccepted || data["situacao"] != "R" || data["protocolo"] == "" || data["guiaPrestador"] != "261120143055" {
		t.Fatalf("got %d %s, want 202 with R", r.status, r.text)
	}
	id, number := data["guiaId"].(string), data["guiaPrestador"].(string)
	if e.operator.authorize.Load() != 0 {
		t.Error("the operator was asked before the answer")
	}
	e.standsAt(id, "R")
	if items := e.get("/api/v2/autorizacoes?guiaPrestador=" + number).entries("items"); len(items) != 1 || items[0]["statusAutorizacao"] != "R" || items[0]["guiaId"] != id {
		t.Errorf("found by number: got %v, want the one in R", items)
	}
	e.runDue()
	if got := e.standsAt(id, "A").data(); got["guiaPrestador"] != number || got["senha"] == "" || got["pdfGuiaAutorizacao"] == "" {
		t.Errorf("decided: got %.300v", got)
	}
	if items := e.get("/api/v2/autorizacoes?guiaPrestador=" + number).entries("items"); len(items) != 1 || items[0]["guiaId"] != id {
		t.Errorf("found by number: got %v, want the one decided", items)
	}
	e.runDue()
	if got := e.operator.authorize.Load(); got != 1 {
		t.Errorf("operator was asked %d times, want once", got)
	}
}

func TestService_SubmissionIsIdempotent(t *testing.T) {
	e := MustEnv(t, limits{})
	request := body(map[string]any{"guiaPrestador": "42"})
	first := e.submit(request, key("s-1"))
	e.runDue()
	for name, again := range map[string]reply{"Key": e.submit(request, key("s-1")), "Number": e.submit(request, nil)} {
		if again.status != http.StatusAccepted || again.text != first.text || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s: got %d %s, want the first answer again", name, again.status, again.text)
		}
	}
	if r := e.submit(body(map[string]any{"guiaPrestador": "42", "nomeContato": "Outro"}), nil); r.status != http.StatusConflict || r.fields()[0] != " corpo_diferente" {
		t.Errorf("another body: got %d %s, want 409", r.status, r.text)
	}
	if r := e.post(request, nil); r.status != http.StatusConflict || r.fields()[0] != " corpo_diferente" {
		t.Errorf("the same to be answered at once: got %d %s, want 409", r.status, r.text)
	}
	if got := e.operator.authorize.Load(); got != 1 {
		t.Errorf("operator was asked %d times, want once", got)
	}
}

// TestService_SubmissionIsNotAskedTwice: once the operator may have been asked,
// it is only looked up, through failures and restarts.
func TestService_SubmissionIsNotAskedTwice(t *testing.T) {
	e := MustEnv(t, limits{})
	e.operator.doBefore(func(context.Context, service.OperatorRequest) error { return errors.New("line cut") })
	id := e.accept("0310004512063345", nil).data()["guiaId"].(string)
	e.runDue()
	e.standsAt(id, "R")
	e.restart()
	e.clock.move(time.Hour)
	e.runDue()
	e.standsAt(id, "A")
	if asked, looked := e.operator.authorize.Load(), e.operator.lookUp.Load(); asked != 1 || looked != 1 {
		t.Errorf("asked %d times and looked up %d times, want once each", asked, looked)
	}
}

func TestService_SubmissionSurvivesRestart(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.accept("0310004512063345", nil).data()["guiaId"].(string)
	e.restart()
	e.standsAt(id, "R")
	e.runDue()
	e.standsAt(id, "A")
}

// TestService_SubmissionRefusedAsAWhole: the guiaId was given away, so it tells
// what the operator said.
func TestService_SubmissionRefusedAsAWhole(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.accept("999921000000", nil).data()["guiaId"].(string)
	e.runDue()
	r := e.standsAt(id, "N")
	if r.data()["sucesso"] != false || !strings.Contains(r.text, "Número da carteira inválido") {
		t.Errorf("got %s, want the operator's errors", r.text)
	}
}

func TestService_SubmissionWithTwoGuides(t *testing.T) {
	e := MustEnv(t, limits{})
	data := e.accept("999919000000", nil).data()
	e.runDue()
	items := e.get("/api/v2/autorizacoes?guiaPrestador=" + data["guiaPrestador"].(string)).entries("items")
	if len(items) != 2 || items[0]["guiaId"] != data["guiaId"] || items[1]["guiaId"] == data["guiaId"] {
		t.Errorf("got %d, the first %v, want two of which the first has the guiaId %v", len(items), items[0]["guiaId"], data["guiaId"])
	}
}

func TestService_SubmissionRefusals(t *testing.T) {
	e := MustEnv(t, limits{})
	send := func(text string) reply {
		return e.send(http.MethodPost, "/api/v1/solicitacao", strings.NewReader(text), nil)
	}
	if r := send(`{"solicitacao":` + body(map[string]any{"numeroCarteira": absent, "procedimentos": []any{map[string]any{"codigoProcedimento": 7}}, "anexos": []any{"%"}}) + `}`); r.status != 422 ||
		strings.Join(r.fields(), ",") != "solicitacao.procedimentos[0].codigoProcedimento tipo,solicitacao.anexos[0] formato,solicitacao.numeroCarteira obrigatorio,"+
			"solicitacao.procedimentos[0].nomeProcedimento obrigatorio,solicitacao.procedimentos[0].quantidade limite" {
		t.Errorf("got %d %v, want 422 with every path", r.status, r.fields())
	}
	if r := send(body(nil)); r.status != 422 || r.fields()[0] != "solicitacao obrigatorio" {
		t.Errorf("without solicitacao: got %d %v", r.status, r.fields())
	}
	if r := send(`{"solicitacao":[]}`); r.status != 422 || r.fields()[0] != "solicitacao tipo" {
		t.Errorf("a list: got %d %v", r.status, r.fields())
	}
	id := e.accept("0310004512063345", nil).data()["guiaId"].(string)
	if r := e.act(id, "cancelamento", `{}`, nil); r.status != http.StatusConflict || r.fields()[0] != " em_processamento" {
		t.Errorf("cancelled before it was decided: got %d %v, want 409", r.status, r.fields())
	}
	if r := e.send(http.MethodGet, guidePath(id), nil, http.Header{"X-Api-Key": {e.otherKey()}}); r.status != http.StatusNotFound {
		t.Errorf("another partner's: got %d, want 404", r.status)
	}
}

func TestService_SubmissionTakesAttachments(t *testing.T) {
	e := MustEnv(t, limits{})
	r := e.submit(body(map[string]any{"anexos": []any{map[string]any{"conteudo": "JVBERi0xLjQK", "nome": "pedido.pdf"}}}), nil)
	if r.status != http.StatusAccepted {
		t.Fatalf("got %d %s", r.status, r.text)
	}
	e.runDue()
	if got := e.operator.told().Request.Attachments; len(got) != 1 || got[0].Size != 9 || got[0].Name != "pedido.pdf" {
		t.Errorf("operator got %+v", got)
	}
}
