package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

const eligibilityPath = "/api/v1/elegibilidade"

// TestEligibility_Demo: the simulated operators answer beside the card, and the form of the
// button without a script is filled where it was empty.
func TestEligibility_Demo(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	address, form := ana.NewDraft()
	ana.Get("/nova").Check(t, apptest.Want{Count: map[string]int{"#perguntar-elegibilidade[data-shortcut=F7]": 1}})
	ask := func(changes map[string]string) *apptest.Page {
		return ana.PostHTMX("/busca/elegibilidade", apptest.With(form, changes))
	}
	got := ask(map[string]string{"numeroCarteira": "9999010000"})
	got.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"b": "Elegível.", "p": "Ativo · Plano de demonstração"},
		Count: map[string]int{".tone-success[data-card='9999010000']": 1}})
	if fill := got.Attr("[data-fill]", "data-fill"); !strings.Contains(fill, `"planoBeneficiario":"Plano de demonstração (simulação)"`) ||
		strings.Contains(fill, "nomeBeneficiario") {
		t.Errorf("fills in %s", fill)
	}
	ask(map[string]string{"numeroCarteira": "9999160000"}).Check(t, apptest.Want{Text: map[string]string{
		".tone-error b": "Não elegível.", ".tone-error": "Número da carteira inválido (simulação)."}})
	ask(map[string]string{"numeroCarteira": "9999220000"}).Check(t, apptest.Want{Text: map[string]string{
		".tone-attention": "Sem resposta sobre a elegibilidade.", ".tone-attention p": "O pedido pode seguir sem ela."}})
	ask(map[string]string{"numeroCarteira": "", "credencialId": ""}).Check(t, apptest.Want{Text: map[string]string{
		".tone-attention": "Para consultar a elegibilidade: Escolha a operadora.Informe o número da carteira."}})

	form = apptest.With(form, map[string]string{"numeroCarteira": "9999010000", "planoBeneficiario": "", "acao": "elegibilidade"})
	plain := ana.Post(address, form)
	plain.Check(t, apptest.Want{Text: map[string]string{"#elegibilidade b": "Elegível."}})
	if got := plain.Value("#planoBeneficiario"); got != "Plano de demonstração (simulação)" {
		t.Errorf("plan: got %q", got)
	}
	form.Set("planoBeneficiario", "Ouro")
	if got := ana.Post(address, form).Value("#planoBeneficiario"); got != "Ouro" {
		t.Errorf("what was typed became %q", got)
	}
	if name := form.Get("nomeBeneficiario"); name == "" || strings.Contains(server.Log.String(), "9999010000") {
		t.Error("the log holds the card")
	}
}

// TestEligibility_OtherService: what another service says, leaves open or refuses is told; one
// that does not offer it is not asked.
func TestEligibility_OtherService(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		features []string
		answer   http.HandlerFunc
		want     string
	}{
		"Eligible": {[]string{"elegibilidade"}, says(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"elegivel":true,"situacao":"Ativo",
			"nomeBeneficiario":"HELENA DUARTE","planoBeneficiario":"Essencial","validadeCarteira":"2027-12-31T00:00:00",
			"mensagens":["Carência até maio."]}}`),
			"Elegível. Ativo · HELENA DUARTE · Essencial · válida até 31/12/2027Carência até maio."},
		"Unknown": {[]string{"elegibilidade"}, says(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"situacao":"Em carência"}}`),
			"A operadora não disse se a carteira está elegível. Em carência"},
		"Refused": {[]string{"elegibilidade"}, says(http.StatusUnprocessableEntity, `{"sucesso":false,"erros":["Carteira curta."],
			"errosDetalhados":[{"codigo":"formato","campo":"numeroCarteira","mensagem":"Carteira curta."}],"data":null}`),
			"Para consultar a elegibilidade: Carteira curta."},
		"Failing": {[]string{"elegibilidade"}, says(http.StatusBadGateway, `<html>`),
			"Sem resposta sobre a elegibilidade. O serviço de autorização deu uma resposta que o Guichê não entende."},
		"NotAnnounced": {[]string{"situacao"}, says(http.StatusOK, `{}`),
			"Sem resposta sobre a elegibilidade. O serviço de autorização não informa elegibilidade."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, ana, _, other := startActing(t, "A", tc.features, map[string]http.HandlerFunc{eligibilityPath: tc.answer,
				"/api/v2/credenciais": says(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"items":[{
					"id":"01970000-0000-7000-8000-0000000000aa","nome":"Operadora de Fora",
					"credencialElegibilityId":"01970000-0000-7000-8000-0000000000ee"}]}}`)})
			typed := url.Values{"credencialId": {"01970000-0000-7000-8000-0000000000aa"}, "numeroCarteira": {"0310 0045.7782-4821"}}
			got := ana.PostHTMX("/busca/elegibilidade", typed)
			got.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{".notice": tc.want}})
			asked := 1
			if name == "NotAnnounced" {
				asked = 0
			}
			if n := other.Times("GET " + eligibilityPath); n != asked || ana.Get("/nova").Has("#perguntar-elegibilidade") != (asked == 1) {
				t.Errorf("asked %d times, want %d", n, asked)
			}
		})
	}
}
