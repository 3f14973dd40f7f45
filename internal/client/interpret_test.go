package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

const (
	oneEntry = `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"situacaoAutorizacao":"A"}]}}`
	refusal  = `{"sucesso":false,"erros":["Carteira inválida."],"errosDetalhados":[{"codigo":"formato",` +
		`"campo":"numeroCarteira","mensagem":"Carteira inválida."}],"data":null}`
)

// entries is an answer with so many authorizations.
func entries(n int) string {
	return `{"sucesso":true,"erros":[],"data":{"autorizacoes":[` + strings.Repeat(`{"situacaoAutorizacao":"A"},`, n-1) + `{}]}}`
}

// values is an answer of n values that has no authorizations.
func values(n int) string {
	return `{"sucesso":true,"data":{"autorizacoes":[],"outros":[` + strings.Repeat(`{},`, n-6) + `{}]}}`
}

// One case for every row of the outcome table.
func TestClient_Interpret_OutcomeTable(t *testing.T) {
	answer := faultservice.Answer
	tests := []struct {
		row    string
		fault  faultservice.Fault
		kind   authorization.OutcomeKind
		reason string
		wait   time.Duration
	}{
		{"2xx with an entry", answer(200, oneEntry), authorization.OutcomeAnswered, "http_200", 0},
		{"2xx, another", answer(201, oneEntry), authorization.OutcomeAnswered, "http_201", 0},
		{"2xx with an entry and sucesso false", answer(200,
			`{"sucesso":false,"erros":["x"],"data":{"autorizacoes":[{"situacaoAutorizacao":"N"}]}}`), authorization.OutcomeAnswered, "http_200", 0},
		{"2xx, sucesso false, no entry", answer(200, refusal), authorization.OutcomeRefused, "http_200", 0},
		{"2xx, sucesso false, empty entries", answer(200, `{"sucesso":false,"erros":["x"],"data":{"autorizacoes":[]}}`),
			authorization.OutcomeRefused, "http_200", 0},
		{"400", answer(400, refusal), authorization.OutcomeRefused, "http_400", 0},
		{"404", answer(404, refusal), authorization.OutcomeRefused, "http_404", 0},
		{"405", answer(405, refusal), authorization.OutcomeRefused, "http_405", 0},
		{"413", answer(413, refusal), authorization.OutcomeRefused, "http_413", 0},
		{"415", answer(415, refusal), authorization.OutcomeRefused, "http_415", 0},
		{"422", answer(422, refusal), authorization.OutcomeRefused, "http_422", 0},
		{"422, whatever the content type", answer(422, refusal, "Content-Type", "text/plain"), authorization.OutcomeRefused, "http_422", 0},
		{"401", answer(401, refusal), authorization.OutcomeHeld, "http_401", 0},
		{"403 without envelope", faultservice.HTML(403), authorization.OutcomeHeld, "http_403", 0},
		{"429 without Retry-After", answer(429, refusal), authorization.OutcomeRetry, "http_429", 0},
		{"429 with Retry-After", answer(429, refusal, "Retry-After", "7"), authorization.OutcomeRetry, "http_429", 7 * time.Second},
		{"503 with Retry-After", answer(503, "", "Retry-After", "120"), authorization.OutcomeRetry, "http_503", 2 * time.Minute},
		{"503 with Retry-After 0", answer(503, "", "Retry-After", "0"), authorization.OutcomeRetry, "http_503", 0},
		{"503 with a wait beyond belief", answer(503, "", "Retry-After", "18446744073709551615"), authorization.OutcomeRetry,
			"http_503", 24 * time.Hour},
		{"503 with a date that has passed", answer(503, "", "Retry-After", "Fri, 20 Nov 2020 10:00:00 GMT"),
			authorization.OutcomeRetry, "http_503", 0},
		{"503 bare", answer(503, refusal), authorization.OutcomeUnknown, "http_503", 0},
		{"503 with an unreadable Retry-After", answer(503, refusal, "Retry-After", "logo"), authorization.OutcomeUnknown, "http_503", 0},
		{"409 em_processamento", answer(409, `{"sucesso":false,"erros":["Aguarde."],`+
			`"errosDetalhados":[{"codigo":"em_processamento","campo":"","mensagem":"Aguarde."}]}`), authorization.OutcomeBusy,
			"em_processamento", 0},
		{"409 corpo_diferente", answer(409, `{"sucesso":false,"erros":[{"code":"corpo_diferente","message":"Outro corpo."}]}`),
			authorization.OutcomeConflict, "corpo_diferente", 0},
		{"409 as plain words", answer(409, `{"sucesso":false,"erros":["em_processamento"]}`), authorization.OutcomeBusy, "em_processamento", 0},
		{"409 of another kind", answer(409, refusal), authorization.OutcomeUnknown, "http_409", 0},
		{"409 without envelope", faultservice.HTML(409), authorization.OutcomeUnknown, "json_invalido", 0},
		{"101, which nobody asked for", switchProtocols, authorization.OutcomeUnknown, "http_101", 0},
		{"3xx", faultservice.Redirect(302, "/entrar"), authorization.OutcomeUnknown, "http_302", 0},
		{"304", answer(304, ""), authorization.OutcomeUnknown, "http_304", 0},
		{"500 with an envelope", answer(500, refusal), authorization.OutcomeUnknown, "http_500", 0},
		{"502", faultservice.HTML(502), authorization.OutcomeUnknown, "http_502", 0},
		{"504", answer(504, refusal), authorization.OutcomeUnknown, "http_504", 0},
		{"418", answer(418, refusal), authorization.OutcomeUnknown, "http_418", 0},
		{"422 without envelope", faultservice.HTML(422), authorization.OutcomeUnknown, "json_invalido", 0},
		{"422 of another machine", answer(422, `{"message":"no"}`), authorization.OutcomeUnknown, "sem_envelope", 0},
		{"422 that says yes", answer(422, oneEntry), authorization.OutcomeUnknown, "contraditorio", 0},
		{"422 that says yes and decides nothing", answer(422, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[]}}`),
			authorization.OutcomeUnknown, "contraditorio", 0},
		{"400 that says yes without data", answer(400, `{"sucesso":"true","erros":["x"]}`), authorization.OutcomeUnknown, "contraditorio", 0},
		{"422 that says no and decides", answer(422, `{"sucesso":false,"erros":["x"],"data":{"autorizacoes":[{"situacaoAutorizacao":"A"}]}}`),
			authorization.OutcomeUnknown, "contraditorio", 0},
		{"422 that says neither", answer(422, `{"erros":["x"],"data":null}`), authorization.OutcomeRefused, "http_422", 0},
		{"413 without a body", answer(413, ""), authorization.OutcomeUnknown, "sem_corpo", 0},
		{"200 HTML", faultservice.HTML(200), authorization.OutcomeUnknown, "json_invalido", 0},
		{"200 empty", answer(200, ""), authorization.OutcomeUnknown, "sem_corpo", 0},
		{"204", answer(204, ""), authorization.OutcomeUnknown, "sem_corpo", 0},
		{"200 without entries", answer(200, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[]}}`),
			authorization.OutcomeUnknown, "sem_autorizacao", 0},
		{"200 with a thousand entries", answer(200, entries(1000)), authorization.OutcomeAnswered, "http_200", 0},
		{"200 with more", answer(200, entries(1001)), authorization.OutcomeUnknown, "tamanho", 0},
		{"200 with as many values as are read", answer(200, values(500_000)), authorization.OutcomeUnknown, "sem_autorizacao", 0},
		{"200 with one more", answer(200, values(500_001)), authorization.OutcomeUnknown, "tamanho", 0},
		{"200 that is too large without its PDFs", answer(200, `{"sucesso":true,"data":{"a":"`+strings.Repeat("a", 16<<20)+`"}}`),
			authorization.OutcomeUnknown, "tamanho", 0},
		{"200 that says neither", answer(200, `{"erros":["x"],"data":null}`), authorization.OutcomeUnknown, "sem_autorizacao", 0},
		{"200 that is no envelope", answer(200, `["A"]`), authorization.OutcomeUnknown, "sem_envelope", 0},
		{"200 with a name twice", answer(200, `{"sucesso":true,"sucesso":false}`), authorization.OutcomeUnknown, "json_invalido", 0},
		{"a cut refusal", cutRefusal, authorization.OutcomeUnknown, "corte", 0},
		{"no answer", faultservice.HangUp(), authorization.OutcomeUnknown, "corte", 0},
	}
	p := MustPair(t)
	for _, tt := range tests {
		t.Run(tt.row, func(t *testing.T) {
			defer p.service.Add(faultservice.Rule{Name: tt.row, Fault: tt.fault})()
			o := p.MustInterpret(t, p.Send(t.Context(), dispatch(plainRequest())))
			if o.Kind != tt.kind || o.Reason != tt.reason || o.RetryAfter != tt.wait {
				t.Errorf("outcome: got %s for %q after %v, want %s for %q after %v", o.Kind, o.Reason, o.RetryAfter, tt.kind, tt.reason, tt.wait)
			}
			if hasEntry := len(o.Answer.Authorizations) > 0; hasEntry != (tt.kind == authorization.OutcomeAnswered) {
				t.Errorf("authorizations: got %d of %s", len(o.Answer.Authorizations), tt.kind)
			}
		})
	}
}

// switchProtocols answers 101 and keeps the connection open until the client goes.
func switchProtocols(c *faultservice.Call) {
	conn, buf, err := http.NewResponseController(c.Writer).Hijack()
	if err != nil {
		panic(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	_, _ = io.Copy(io.Discard, buf)
}

// cutRefusal breaks off in an answer that would have refused.
func cutRefusal(c *faultservice.Call) {
	c.Writer.Header().Set("Content-Length", fmt.Sprint(len(refusal)))
	faultservice.Answer(422, refusal[:40])(c)
}

func TestClient_Interpret_RefusedFields(t *testing.T) {
	p := MustPair(t)
	const body = `{"sucesso":false,"erros":["Carteira inválida.","Só texto."],"errosDetalhados":[
		{"codigo":"formato","campo":"numeroCarteira","mensagem":"Carteira inválida."},
		{"codigo":"limite","campo":"$.Procedimentos[1].Quantidade","mensagem":"Quantidade alta."},
		{"codigo":"x","campo":"usuario","mensagem":"Outro campo."}],"data":null}`
	o := p.interpretBody(t, 422, body)
	wantFields := []problem.Field{
		{Path: "numeroCarteira", Code: "formato", Message: "Carteira inválida."},
		{Path: "procedimentos[1].quantidade", Code: "limite", Message: "Quantidade alta."},
	}
	if diff := cmp.Diff(wantFields, o.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	wantErrors := []authorization.AnswerError{
		{Code: "formato", Field: "numeroCarteira", Message: "Carteira inválida."},
		{Code: "limite", Field: "procedimentos[1].quantidade", Message: "Quantidade alta."},
		{Code: "x", Field: "usuario", Message: "Outro campo."}, {Message: "Só texto."},
	}
	if diff := cmp.Diff(wantErrors, o.Answer.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// interpretBody reads a complete answer that never was on a wire.
func (p pair) interpretBody(tb testing.TB, status int, body string) authorization.Outcome {
	tb.Helper()
	return p.MustInterpret(tb, p.exchange(tb, status, body))
}

func (p pair) exchange(tb testing.TB, status int, body string) authorization.Exchange {
	tb.Helper()
	return authorization.Exchange{SentBytes: 1, HTTPStatus: status, Complete: true, BodySize: int64(len(body)),
		Body: p.blobs.MustPut(tb, []byte(body))}
}

// TestClient_Interpret_ManyErrors: of thousands of errors those are read that a person reads, and no time is lost with
// the others.
func TestClient_Interpret_ManyErrors(t *testing.T) {
	const n = 3000
	body := `{"sucesso":false,"data":null,"erros":["x"` + strings.Repeat(`,"x"`, n) + `],"errosDetalhados":[{"mensagem":"y"}` +
		strings.Repeat(`,{"mensagem":"y"}`, n) + `]}`
	o := MustPair(t).interpretBody(t, 200, body)
	if got := len(o.Answer.Errors); o.Kind != authorization.OutcomeRefused || got != 201 {
		t.Errorf("got %s with %d errors, want 200 and the one that is repeated", o.Kind, got)
	}
}

func TestClient_Interpret_RetryAfterDate(t *testing.T) {
	p := MustPair(t)
	ended := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	x := authorization.Exchange{SentBytes: 1, HTTPStatus: 503, EndedAt: ended, RetryAfter: "Fri, 20 Nov 2026 10:01:30 GMT"}
	if got, want := p.MustInterpret(t, x).RetryAfter, 90*time.Second; got != want {
		t.Errorf("wait: got %v, want %v", got, want)
	}
	t.Run("ClockOfTheService", func(t *testing.T) {
		p.service.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Answer(503, "",
			"Date", "Fri, 20 Nov 1998 10:00:00 GMT", "Retry-After", "Fri, 20 Nov 1998 10:01:30 GMT")})
		o := p.MustInterpret(t, p.Send(t.Context(), dispatch(plainRequest())))
		if o.Kind != authorization.OutcomeRetry || o.RetryAfter != 90*time.Second {
			t.Errorf("got %s after %v, want to wait 90 s by the clock of the service", o.Kind, o.RetryAfter)
		}
	})
}

func TestClient_Interpret_BlobStoreFails(t *testing.T) {
	p := MustPair(t)
	t.Run("RawAnswerIsMissing", func(t *testing.T) {
		_, err := p.Interpret(t.Context(), authorization.Exchange{SentBytes: 1, HTTPStatus: 200, Complete: true, Body: "00", BodySize: 1})
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("error: got %v, want %s", err, problem.NotFound)
		}
	})
	t.Run("PDFCannotBeStored", func(t *testing.T) {
		x := p.exchange(t, 200, `{"sucesso":true,"data":{"pdfGuia":"`+pdfBase64+`","autorizacoes":[{}]}}`)
		p.blobs.putErr = errors.New("disk is full")
		if _, err := p.Interpret(t.Context(), x); !errors.Is(err, p.blobs.putErr) {
			t.Errorf("error: got %v, want the store's", err)
		}
		p.blobs.putErr = nil
		if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeAnswered || o.Answer.GuidePDF == "" {
			t.Errorf("outcome once there is room: got %+v, want answered with its PDF", o)
		}
	})
	t.Run("Cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		x := p.exchange(t, 200, oneEntry)
		cancel()
		if _, err := p.Interpret(ctx, x); !errors.Is(err, context.Canceled) {
			t.Errorf("error: got %v, want %v", err, context.Canceled)
		}
	})
}

// TestClient_Interpret_FromBatch: a raw answer that was just stored is not read from its file.
func TestClient_Interpret_FromBatch(t *testing.T) {
	p := MustPair(t)
	x := p.exchange(t, 200, oneEntry)
	batch := new(blob.Batch)
	batch.Add(blob.NewContent(p.blobs.MustRead(t, x.Body)))
	batch.Written()
	if len(batch.Contents()) != 0 || !bytes.Equal(batch.Content(x.Body), p.blobs.MustRead(t, x.Body)) {
		t.Errorf("to be written still: %d", len(batch.Contents()))
	}
	p.blobs.path = t.TempDir()
	if o, err := p.Interpret(batch.In(t.Context()), x); err != nil || o.Kind != authorization.OutcomeAnswered {
		t.Errorf("got %+v, %v, want answered", o, err)
	}
}
