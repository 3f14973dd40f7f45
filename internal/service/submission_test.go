package service_test

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
	r := e.Accept("0310004512063345", nil)
	data := r.Data()
	if r.Status != http.StatusAccepted || data["situacao"] != "R" || data["protocolo"] == "" || data["guiaPrestador"] != "261120143055" {
		t.Fatalf("got %d %s, want 202 with R", r.Status, r.Text)
	}
	id, number := data["guiaId"].(string), data["guiaPrestador"].(string)
	if e.Operator.Authorized.Load() != 0 {
		t.Error("the operator was asked before the answer")
	}
	e.StandsAt(id, "R")
	if items := e.Get("/api/v2/autorizacoes?guiaPrestador=" + number).Entries("items"); len(items) != 1 ||
		items[0]["statusAutorizacao"] != "R" || items[0]["guiaId"] != id {
		t.Errorf("found by number: got %v, want the one in R", items)
	}
	e.RunDue()
	if got := e.StandsAt(id, "A").Data(); got["guiaPrestador"] != number || got["senha"] == "" || got["pdfGuiaAutorizacao"] == "" {
		t.Errorf("decided: got %.300v", got)
	}
	if items := e.Get("/api/v2/autorizacoes?guiaPrestador=" + number).Entries("items"); len(items) != 1 || items[0]["guiaId"] != id {
		t.Errorf("found by number: got %v, want the one decided", items)
	}
	e.RunDue()
	if got := e.Operator.Authorized.Load(); got != 1 {
		t.Errorf("operator was asked %d times, want once", got)
	}
}

func TestService_SubmissionIsIdempotent(t *testing.T) {
	e := MustEnv(t, limits{})
	request := body(map[string]any{"guiaPrestador": "42"})
	first := e.Submit(request, key("s-1"))
	e.RunDue()
	for name, again := range map[string]reply{"Key": e.Submit(request, key("s-1")), "Number": e.Submit(request, nil)} {
		if again.Status != http.StatusAccepted || again.Text != first.Text || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s: got %d %s, want the first answer again", name, again.Status, again.Text)
		}
	}
	if r := e.Submit(body(map[string]any{"guiaPrestador": "42", "nomeContato": "Outro"}), nil); r.Status != http.StatusConflict ||
		r.Fields()[0] != " corpo_diferente" {
		t.Errorf("another body: got %d %s, want 409", r.Status, r.Text)
	}
	if r := e.Post(request, nil); r.Status != http.StatusConflict || r.Fields()[0] != " corpo_diferente" {
		t.Errorf("the same to be answered at once: got %d %s, want 409", r.Status, r.Text)
	}
	if got := e.Operator.Authorized.Load(); got != 1 {
		t.Errorf("operator was asked %d times, want once", got)
	}
}

// TestService_SubmissionIsNotAskedTwice: once the operator may have been asked,
// it is only looked up, through failures and restarts.
func TestService_SubmissionIsNotAskedTwice(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { return errors.New("line cut") })
	id := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	e.RunDue()
	e.StandsAt(id, "R")
	e.Restart()
	e.Clock.Move(time.Hour)
	e.RunDue()
	e.StandsAt(id, "A")
	if asked, looked := e.Operator.Authorized.Load(), e.Operator.LookedUp.Load(); asked != 1 || looked != 1 {
		t.Errorf("asked %d times and looked up %d times, want once each", asked, looked)
	}
}

func TestService_SubmissionSurvivesRestart(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	e.Restart()
	e.StandsAt(id, "R")
	e.RunDue()
	e.StandsAt(id, "A")
}

// TestService_SubmissionRefusedAsAWhole: the guiaId was given away, so it tells
// what the operator said.
func TestService_SubmissionRefusedAsAWhole(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.Accept("999921000000", nil).Data()["guiaId"].(string)
	e.RunDue()
	r := e.StandsAt(id, "N")
	if r.Data()["sucesso"] != false || !strings.Contains(r.Text, "Número da carteira inválido") {
		t.Errorf("got %s, want the operator's errors", r.Text)
	}
}

func TestService_SubmissionWithTwoGuides(t *testing.T) {
	e := MustEnv(t, limits{})
	data := e.Accept("999919000000", nil).Data()
	e.RunDue()
	items := e.Get("/api/v2/autorizacoes?guiaPrestador=" + data["guiaPrestador"].(string)).Entries("items")
	if len(items) != 2 || items[0]["guiaId"] != data["guiaId"] || items[1]["guiaId"] == data["guiaId"] {
		t.Errorf("got %d, the first %v, want two of which the first has the guiaId %v", len(items), items[0]["guiaId"], data["guiaId"])
	}
}

func TestService_SubmissionRefusals(t *testing.T) {
	e := MustEnv(t, limits{})
	send := func(text string) reply {
		return e.Send(http.MethodPost, "/api/v1/solicitacao", strings.NewReader(text), nil)
	}
	if r := send(`{"solicitacao":` + body(map[string]any{"numeroCarteira": absent,
		"procedimentos": []any{map[string]any{"codigoProcedimento": 7}}, "anexos": []any{"%"}}) + `}`); r.Status != 422 ||
		strings.Join(r.Fields(), ",") != "solicitacao.procedimentos[0].codigoProcedimento tipo,solicitacao.anexos[0] formato,"+
			"solicitacao.numeroCarteira obrigatorio,"+
			"solicitacao.procedimentos[0].nomeProcedimento obrigatorio,solicitacao.procedimentos[0].quantidade limite" {
		t.Errorf("got %d %v, want 422 with every path", r.Status, r.Fields())
	}
	if r := send(body(nil)); r.Status != 422 || r.Fields()[0] != "solicitacao obrigatorio" {
		t.Errorf("without solicitacao: got %d %v", r.Status, r.Fields())
	}
	if r := send(`{"solicitacao":[]}`); r.Status != 422 || r.Fields()[0] != "solicitacao tipo" {
		t.Errorf("a list: got %d %v", r.Status, r.Fields())
	}
	id := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	if r := e.Act(id, "cancelamento", `{}`, nil); r.Status != http.StatusConflict || r.Fields()[0] != " em_processamento" {
		t.Errorf("cancelled before it was decided: got %d %v, want 409", r.Status, r.Fields())
	}
	if r := e.Send(http.MethodGet, guidePath(id), nil, http.Header{"X-Api-Key": {e.OtherKey()}}); r.Status != http.StatusNotFound {
		t.Errorf("another partner's: got %d, want 404", r.Status)
	}
}

func TestService_SubmissionTakesAttachments(t *testing.T) {
	e := MustEnv(t, limits{})
	r := e.Submit(body(map[string]any{"anexos": []any{map[string]any{"conteudo": "JVBERi0xLjQK", "nome": "pedido.pdf"}}}), nil)
	if r.Status != http.StatusAccepted {
		t.Fatalf("got %d %s", r.Status, r.Text)
	}
	e.RunDue()
	if got := e.Operator.Told().Request.Attachments; len(got) != 1 || got[0].Size != 9 || got[0].Name != "pedido.pdf" {
		t.Errorf("operator got %+v", got)
	}
}
