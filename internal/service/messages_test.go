package service_test

import (
	"slices"
	"strings"
	"testing"
)

// TestService_SaysWhatToSend: a refusal tells a program's author the property and
// what it may hold; what speaks of lists and typed dates is for forms.
func TestService_SaysWhatToSend(t *testing.T) {
	e := MustEnv(t, limits{})
	wrong := map[string]any{"atendimentoRN": "S", "tipoAcidente": "3", "regimeAtendimento": "X", "tipoAtendimento": "12",
		"ufSolicitante": "XX", "anexos": []any{5}}
	strict := map[string]any{"credencialId": strictID, "numeroCarteira": "12345678901234567"}
	var said []string
	for _, text := range []string{`{}`, body(wrong), body(strict)} {
		for _, sentence := range e.Post(text, nil).Body["erros"].([]any) {
			said = append(said, sentence.(string))
		}
	}
	for _, sentence := range said {
		for _, never := range []string{"Escolha", "na lista", "DD/MM/AAAA"} {
			if strings.Contains(sentence, never) {
				t.Errorf("%q speaks to a person at a form", sentence)
			}
		}
	}
	for _, want := range []string{
		"Informe credencialId, que vem da busca de credenciais.", "Informe dataNascimentoRecemNascido, como 2027-12-31T00:00:00.",
		"Esta credencial exige validadeCarteira, como 2027-12-31T00:00:00.", "tipoAcidente deve ser um destes: 9, 0, 1, 2.",
		"regimeAtendimento deve ser um destes: E, U, 01, 02, 03, 04, 05.", "ufSolicitante deve ser a sigla de um estado, como SP.",
		"tipoAtendimento deve ser um destes: 05, 01, 02, 03, 04, 06, 07, 08, 09, 10, 11, 13, 23.",
		"anexos[0] deve ser um texto em base64 ou um objeto.",
	} {
		if !slices.Contains(said, want) {
			t.Errorf("not said: %q in %q", want, said)
		}
	}
	r := e.Get("/api/v1/elegibilidade")
	if got := r.Body["erros"].([]any)[0]; got != "Informe credencialId, com o credencialElegibilityId da credencial." {
		t.Errorf("eligibility: got %q", got)
	}
}

// TestService_SaysWhere: what is no JSON is named by its byte, for a request of
// thousands of them.
func TestService_SaysWhere(t *testing.T) {
	e := MustEnv(t, limits{})
	for text, want := range map[string]string{
		`{"a":1,}`:                 "O corpo não é um JSON válido: erro no byte 7.",
		"\xef\xbb\xbf{x":           "O corpo não é um JSON válido: erro no byte 4.",
		`{"anexos":["QUJD" "QUI"`:  "O corpo não é um JSON válido: erro no byte 18.",
		`{"nomeBeneficiario":"\x"`: "O corpo não é um JSON válido: erro no byte 24.",
	} {
		if got := e.Post(text, nil).Body["erros"].([]any)[0]; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
