package e2e_test

import (
	"bytes"
	"net/http"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

// checkOutcome compares an outcome but for what is another one in every run.
func checkOutcome(t *testing.T, got, want authorization.Outcome) {
	t.Helper()
	if diff := cmp.Diff(want, got, ignoreGenerated...); diff != "" {
		t.Errorf("outcome (-want, +got):\n%s", diff)
	}
}

// refusedFor is the outcome of a refusal; of field errors if they name fields.
func refusedFor(reason string, errors ...authorization.AnswerError) authorization.Outcome {
	o := authorization.Outcome{Kind: authorization.OutcomeRefused, Reason: reason, Answer: authorization.Answer{Errors: errors}}
	for _, e := range errors {
		if e.Field != "" {
			o.Fields = append(o.Fields, problem.Field{Path: e.Field, Code: e.Code, Message: e.Message})
		}
	}
	return o
}

// TestContract_ErrorsInside: errors of one authorization stand in its entry and
// the answer counts (7.1, 7.2).
func TestContract_ErrorsInside(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	seen, outcome := k.exchange(k.plain("9999160001", "1"))
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"autorizacoes": [{
		"numeroAutorizacao": 1, "sucesso": false, "situacaoAutorizacao": "V", "guiaId": "<guiaId>", "numeroGuia": "", `+
		`"senha": "", "validadeSenha": null,
		"protocolo": "<protocolo>", "guiaPrestador": "1", "guiaParceiro": "", "numeroSolicitacao": "<numeroSolicitacao>", `+
		`"dataAutorizacao": "2026-11-20T22:30:55",
		"erros": ["Número da carteira inválido (simulação)."],
		"errosDetalhados": [{"codigo": "1001", "campo": "numeroCarteira", "mensagem": "Número da carteira inválido (simulação)."}],
		"pdfGuiaAutorizacao": "", "procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1,
			"quantidadeAutorizada": 0, "quantidadeExecutada": 0, "senhaAutorizacao": null, "protocoloAtendimento": "<protocoloAtendimento>",
			"justificativa": null, "mnemonico": null}]}]}}`)
	if outcome.Kind != authorization.OutcomeAnswered || len(outcome.Answer.Authorizations) != 1 {
		t.Fatalf("got %+v, want one authorization", outcome)
	}
	want := []authorization.AnswerError{{Code: "1001", Field: "numeroCarteira", Message: "Número da carteira inválido (simulação)."}}
	if a := outcome.Answer.Authorizations[0]; a.Success || len(outcome.Answer.Errors) != 0 || !cmp.Equal(a.Errors, want) {
		t.Errorf("got success %v, errors %v outside and %v inside", a.Success, outcome.Answer.Errors, a.Errors)
	}
}

// TestContract_ErrorsOutside: the operator refuses without any authorization.
func TestContract_ErrorsOutside(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	seen, outcome := k.exchange(k.plain("9999210001", "1"))
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": false, "erros": ["Número da carteira inválido (simulação).", "O `+
		`plano não está vigente (simulação)."],
		"errosDetalhados": [{"codigo": "1001", "campo": "numeroCarteira", "mensagem": "Número da carteira inválido (simulação)."},
			{"codigo": "1012", "campo": "", "mensagem": "O plano não está vigente (simulação)."}], "data": {"autorizacoes": []}}`)
	if seen.status != http.StatusOK {
		t.Errorf("got %d, want 200: the operator was asked", seen.status)
	}
	checkOutcome(t, outcome, refusedFor("http_200",
		authorization.AnswerError{Code: "1001", Field: "numeroCarteira", Message: "Número da carteira inválido (simulação)."},
		authorization.AnswerError{Code: "1012", Message: "O plano não está vigente (simulação)."}))
}

// TestContract_Invalid is 422: all problems at once, each with the path of its
// field (row 1 and specification 7.3).
func TestContract_Invalid(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	r := k.plain("1", "1")
	r.Newborn, r.RequesterState, r.AccidentType = true, "XX", "7"
	r.Procedures = append(r.Procedures, authorization.Procedure{Code: "40304361", Name: "Hemograma", Quantity: 0})
	seen, outcome := k.exchange(r)
	if seen.status != http.StatusUnprocessableEntity {
		t.Errorf("got %d, want 422", seen.status)
	}
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": false, "data": null,
		"erros": ["Informe o nome do recém-nascido.", "Informe dataNascimentoRecemNascido, como 2027-12-31T00:00:00.", `+
		`"ufSolicitante deve ser a sigla de um estado, como SP.",
			"tipoAcidente deve ser um destes: 9, 0, 1, 2.", "A quantidade vai de 1 a 999."],
		"errosDetalhados": [
			{"codigo": "obrigatorio", "campo": "nomeRecemNascido", "mensagem": "Informe o nome do recém-nascido."},
			{"codigo": "obrigatorio", "campo": "dataNascimentoRecemNascido", "mensagem": "Informe dataNascimentoRecemNascido, `+
		`como 2027-12-31T00:00:00."},
			{"codigo": "dominio", "campo": "ufSolicitante", "mensagem": "ufSolicitante deve ser a sigla de um estado, como SP."},
			{"codigo": "dominio", "campo": "tipoAcidente", "mensagem": "tipoAcidente deve ser um destes: 9, 0, 1, 2."},
			{"codigo": "limite", "campo": "procedimentos[1].quantidade", "mensagem": "A quantidade vai de 1 a 999."}]}`)
	checkOutcome(t, outcome, refusedFor("http_422",
		authorization.AnswerError{Code: "obrigatorio", Field: "nomeRecemNascido", Message: "Informe o nome do recém-nascido."},
		authorization.AnswerError{Code: "obrigatorio", Field: "dataNascimentoRecemNascido",
			Message: "Informe dataNascimentoRecemNascido, como 2027-12-31T00:00:00."},
		authorization.AnswerError{Code: "dominio", Field: "ufSolicitante", Message: "ufSolicitante deve ser a sigla de um estado, como SP."},
		authorization.AnswerError{Code: "dominio", Field: "tipoAcidente", Message: "tipoAcidente deve ser um destes: 9, 0, 1, 2."},
		authorization.AnswerError{Code: "limite", Field: "procedimentos[1].quantidade", Message: "A quantidade vai de 1 a 999."}))
}

// TestContract_Newborn: with both fields the same request is fine (2.3).
func TestContract_Newborn(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	r := k.plain("0310004512063345", "1")
	r.Newborn, r.NewbornName, r.NewbornBirth = true, "RN de Helena", authorization.DateOf(2026, 11, 19)
	seen, outcome := k.exchange(r)
	body, _ := literal(t, seen.request).(map[string]any)
	got := map[string]any{}
	for _, name := range []string{"atendimentoRN", "nomeRecemNascido", "dataNascimentoRecemNascido"} {
		got[name] = body[name]
	}
	want := map[string]any{"atendimentoRN": "S", "nomeRecemNascido": "RN de Helena", "dataNascimentoRecemNascido": "2026-11-19T00:00:00"}
	if diff := cmp.Diff(want, got); diff != "" || outcome.Kind != authorization.OutcomeAnswered {
		t.Errorf("%s, request (-want, +got):\n%s", outcome.Kind, diff)
	}
}

// TestContract_WrongKey is 401: the desk asks once more, for the key may have been
// changed meanwhile, and then holds the request.
func TestContract_WrongKey(t *testing.T) {
	t.Parallel()
	k := MustContract(t, func(c *client.Config) { c.Auth = client.APIKey("gch_ninguem") })
	before := k.wire.last(t).moved
	seen, outcome := k.exchange(k.plain("0310004512063345", "1"))
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": false, "erros": ["A chave de acesso não vale."],
		"errosDetalhados": [{"codigo": "nao_autenticado", "campo": "", "mensagem": "A chave de acesso não vale."}], "data": null}`)
	if seen.status != http.StatusUnauthorized || seen.answerHeader.Get("WWW-Authenticate") == "" || seen.moved != before+2 {
		t.Errorf("got %d %q after %d requests, want 401 after 2", seen.status, seen.answerHeader.Get("WWW-Authenticate"), seen.moved-before)
	}
	checkOutcome(t, outcome, authorization.Outcome{Kind: authorization.OutcomeHeld, Reason: "http_401"})
}

// TestContract_TooLarge is 413, which names the attachment and is not lost while
// the client still sends.
func TestContract_TooLarge(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	r := k.plain("0310004512063345", "1")
	r.Attachments = []authorization.Attachment{k.attachment("a.png", "image/png", []byte("a")),
		k.attachment("grande.pdf", "application/pdf", bytes.Repeat([]byte("%PDF-1.4\n"), (20<<20)/9+1))}
	seen, outcome := k.exchange(r)
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": false, "erros": ["Um anexo tem no máximo 20 MiB."],
		"errosDetalhados": [{"codigo": "grande_demais", "campo": "anexos[1].base64", "mensagem": "Um anexo tem no máximo 20 `+
		`MiB."}], "data": null}`)
	checkOutcome(t, outcome, refusedFor("http_413",
		authorization.AnswerError{Code: "grande_demais", Field: "anexos[1].base64", Message: "Um anexo tem no máximo 20 MiB."}))
}

// TestContract_SameGuide: the same request again is answered byte for byte, and
// another one under its guiaPrestador is a conflict (row 11).
func TestContract_SameGuide(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	r := k.plain("0310004512063345", "1")
	first, _ := k.exchange(r)
	again, outcome := k.exchange(r)
	if !bytes.Equal(first.answer, again.answer) || again.answerHeader.Get("Idempotency-Replayed") != "true" ||
		first.answerHeader.Get("Idempotency-Replayed") != "" {
		t.Errorf("repeated: %q, %d bytes, want the same %d", again.answerHeader.Get("Idempotency-Replayed"), len(again.answer), len(first.answer))
	}
	if outcome.Kind != authorization.OutcomeAnswered {
		t.Errorf("repeated: got %+v", outcome)
	}
	r.BeneficiaryName = "OUTRA PESSOA"
	seen, outcome := k.exchange(r)
	k.sameJSON(t, "conflict", seen.answer, `{"sucesso": false, "erros": ["Já existe outro pedido com esta chave ou esta guia do prestador."],
		"errosDetalhados": [{"codigo": "corpo_diferente", "campo": "", "mensagem": "Já existe outro pedido com esta chave ou `+
		`esta guia do prestador."}], "data": null}`)
	checkOutcome(t, outcome, authorization.Outcome{Kind: authorization.OutcomeConflict, Reason: "corpo_diferente"})
}

// TestContract_OperatorFails is 502: nobody knows, so the desk must not repeat.
func TestContract_OperatorFails(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	seen, outcome := k.exchange(k.plain("9999220001", "1"))
	k.sameJSON(t, "answer", seen.answer, `{"sucesso": false, "data": null,
		"erros": ["Houve uma falha na comunicação com a operadora. Não se sabe se o pedido foi processado."],
		"errosDetalhados": [{"codigo": "falha_operadora", "campo": "",
			"mensagem": "Houve uma falha na comunicação com a operadora. Não se sabe se o pedido foi processado."}]}`)
	if seen.status != http.StatusBadGateway {
		t.Errorf("got %d, want 502", seen.status)
	}
	message := "Houve uma falha na comunicação com a operadora. Não se sabe se o pedido foi processado."
	checkOutcome(t, outcome, authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: "http_502",
		Answer: authorization.Answer{Errors: []authorization.AnswerError{{Code: "falha_operadora", Message: message}}}})
}
