package client_test

import (
	"strings"
	"testing"

	"guiche/internal/authorization"
)

// FuzzClient_Interpret holds that no body makes reading panic, fail or change
// its mind, and that a decided outcome has what it needs.
func FuzzClient_Interpret(f *testing.F) {
	statuses := []int{200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 413, 415, 418, 422, 429, 500, 502, 503, 504}
	for i, body := range []string{
		strings.ReplaceAll(fullAnswer, `"PDF"`, `"`+pdfBase64+`"`), oneEntry, refusal, "", "{}", "[]", "null", "\ufeff{}",
		"<html>", `{"sucesso":"S","data":[[]]}`,
		`{"sucesso":false,"erros":[{"campo":"procedimentos[0]..x","codigo":[1],"mensagem":{"a":null}}]}`,
		"{\"sucesso\":true,\"erros\":[\"\xc7\"],\"data\":{\"autorizacoes\":{\"situacao\":\"\xc7\"}}}",
		`{"sucesso":1e999,"data":{"autorizacoes":[{"numeroAutorizacao":1e999,"validadeSenha":"99/99/9999",` +
			`"procedimentos":{"quantidade":"-0"}}]}}`,
		`{"data":{"pdfGuia":"data:,x","pdfRecibo":"====","autorizacoes":[{"pdfGuiaAutorizacao":"\u00zz"}]}}`, strings.Repeat("[", 100),
	} {
		f.Add(uint8(i), []byte(body), "7")
	}
	p := MustPair(f)
	f.Fuzz(func(t *testing.T, status uint8, body []byte, retryAfter string) {
		x := p.exchange(t, statuses[int(status)%len(statuses)], string(body))
		x.RetryAfter = retryAfter
		o := p.MustInterpret(t, x)
		answered := o.Kind == authorization.OutcomeAnswered
		if o.Kind == "" || o.Reason == "" || answered != (len(o.Answer.Authorizations) > 0) || o.RetryAfter < 0 {
			t.Errorf("outcome of %d: got %+v", x.HTTPStatus, o)
		}
	})
}
