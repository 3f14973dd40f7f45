package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// startDoubt starts a desk with one case of which nobody knows what became, and returns
// its path with the receptionist who sent it and a supervisor.
func startDoubt(t *testing.T) (path string, ana, celia *apptest.Client) {
	t.Helper()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana, celia = server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	remove := server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Cut(20)})
	path = ana.Submit(ana.NewDraft()).Path
	remove()
	return path, ana.FailOnServerError(), celia.FailOnServerError()
}

// TestDecide_Page: whoever may decide has both ways out beside the number to quote;
// whoever may not reads who does.
func TestDecide_Page(t *testing.T) {
	t.Parallel()
	path, ana, celia := startDoubt(t)
	may := celia.Get(path)
	may.Check(t, apptest.Want{
		Text: map[string]string{"#decidir h2": "O que a operadora disse?", "#retorno button": "Registrar retorno",
			"#reenvio button": "Reenviar pedido", `label[for="reenvio-confirmo"]`: may.Text(`[aria-label="Situação"] b.code`),
			"#veredito": "Enviado à Operadora Horizonte em "},
		Count: map[string]int{"#retorno [name]": 6, "#reenvio [name]": 3},
	})
	statuses := []string{"Escolha", "Autorizado", "Autorizado em parte", "Em análise", "Negado",
		"Falta anexo", "Falta biometria", "Cancelado"}
	if got := may.Fact("#pedido-enviado dl", "Procedimento"); got != "40316521 Tireoestimulante, hormônio (TSH), 1" || may.Has("#itens") {
		t.Errorf("what was asked: %q, and a table of what was authorized: %t", got, may.Has("#itens"))
	}
	if got := may.Texts("#situacao option"); !slices.Equal(got, statuses) {
		t.Errorf("got the situations %q, want %q", got, statuses)
	}
	ana.Get(path).Check(t, apptest.Want{Text: map[string]string{"#caso .notice": "A supervisão confirma com a operadora."},
		Count: map[string]int{"#retorno": 0, "#reenvio": 0}})
	for _, act := range []string{"/retorno", "/reenviar"} {
		if got := ana.Post(path+act, url.Values{}); got.Status != http.StatusForbidden {
			t.Errorf("recepção at %s: got %d, want 403", act, got.Status)
		}
	}
}

// TestDecide_Right: administração gives the right to one person, for their units.
func TestDecide_Right(t *testing.T) {
	t.Parallel()
	path, ana, _ := startDoubt(t)
	rui := ana.Server.LogIn(t, apptest.Administration)
	person := rui.Get(rui.PersonPath("ana"))
	form := person.Form("form.sheet")
	form.Add("papeis", "decisao")
	if got := rui.Post(person.Path, form); got.Status != http.StatusOK {
		t.Fatalf("got %d", got.Status)
	}
	if !ana.Get(path).Has("#retorno") {
		t.Error("whoever was given the right cannot decide")
	}
}

// TestDecide_Reply: the operator's word to a person answers the case, with who recorded
// it and when, and what is wrong with it loses nothing that was typed.
func TestDecide_Reply(t *testing.T) {
	t.Parallel()
	path, ana, celia := startDoubt(t)
	typed := url.Values{"situacao": {"A"}, "validade": {"31/02/2027"}, "guia": {"70012345"}, "contato": {" "}, "observacao": {"vale <hoje>"}}
	wrong := celia.Post(path+"/retorno", typed)
	wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#erros": "Confira os campos indicados", "#senha-error": "Informe a senha",
			"#validade-error": "Validade: esta data não existe.", "#contato-error": "com quem falou"},
		Count: map[string]int{"#erros li": 3}})
	if got := wrong.Form("#retorno"); got.Encode() != typedAgain(typed).Encode() {
		t.Errorf("kept %v, want %v", got, typed)
	}
	typed.Set("senha", "482017739")
	typed.Set("contato", "Marta")
	typed.Set("validade", "01/11/2026")
	if got := celia.Post(path+"/retorno", typed).Text("#validade-error"); !strings.Contains(got, "antes do envio") {
		t.Errorf("valid until before it was sent: %q", got)
	}
	typed.Set("validade", "20122099")
	page := celia.Post(path+"/retorno", typed)
	page.Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#veredito .verdict": "Autorizado", "#veredito": "Não há guia em PDF",
			"#veredito .small":                 "Registro manual de ",
			"#tempo li:first-child":            "registrado por ",
			"#tempo li:first-child .note-text": "vale <hoje>", ".toast, [role=status]": "Retorno registrado."},
		Count: map[string]int{`[data-copy="482017739"]`: 1, `[data-copy="70012345"]`: 1, "#decidir": 0, "#guia-quadro": 0}})
	if got := page.Fact("dl", "Validade da senha"); !strings.HasPrefix(got, "20/12/") {
		t.Errorf("valid until %q", got)
	}
	if queue := ana.Get("/fila"); queue.Has(`[aria-label="Resultado desconhecido"]`) ||
		queue.Text("#fila tbody td>b[class]") != "Autorizado" {
		t.Errorf("the queue says %q", queue.Text("#fila tbody"))
	}
	late := celia.Post(path+"/retorno", url.Values{"situacao": {"N"}, "contato": {"Rui"}})
	late.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#veredito .verdict": "Autorizado",
		"#caso .notice": "Enquanto isso este pedido teve outra resposta."},
		Count: map[string]int{`#contato[value="Rui"]`: 1}})
}

// typedAgain is a form as the page has it: fields that were left empty are there too.
func typedAgain(typed url.Values) url.Values {
	again := url.Values{"senha": {""}}
	for name, values := range typed {
		again[name] = values
	}
	return again
}

// TestDecide_Resend: what never arrived is sent again as a case of its own, linked both
// ways, and only once.
func TestDecide_Resend(t *testing.T) {
	t.Parallel()
	path, _, celia := startDoubt(t)
	wrong := celia.Post(path+"/reenviar", url.Values{"reenvio-contato": {"Marta"}})
	wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"#reenvio-confirmo-error": "Marque que"},
		Count: map[string]int{`#reenvio-contato[value="Marta"]`: 1}})
	word := url.Values{"reenvio-contato": {"Marta"}, "reenvio-protocolo": {"77"}, "reenvio-confirmo": {"S"}}
	again := celia.Post(path+"/reenviar", word)
	if again.Status != http.StatusOK || again.Path == path || !strings.HasPrefix(again.Path, "/casos/") {
		t.Fatalf("got %d at %s", again.Status, again.Path)
	}
	if got := again.Attr(`#pedido-enviado dd a[href^="/casos/"]`, "href"); got != path {
		t.Errorf("the new case leads to %q, want %q", got, path)
	}
	first := celia.Get(path)
	first.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Reenviado", "#tempo li:first-child": "Enviado de novo",
		"#tempo li:first-child small": "contato: Marta, protocolo 77", "#caso .btn-primary": "Ver o pedido reenviado"},
		Count: map[string]int{"#decidir": 0, `form[action$="/copiar"]`: 0}})
	if got := first.Attr(`#pedido-enviado dd a[href^="/casos/"]`, "href"); got != again.Path {
		t.Errorf("the first leads to %q, want %q", got, again.Path)
	}
	if first.Fact("#pedido-enviado dl", "Guia do prestador") == again.Fact("#pedido-enviado dl", "Guia do prestador") {
		t.Error("both have the same number")
	}
	if late := celia.Post(path+"/reenviar", word); late.Status != http.StatusConflict {
		t.Errorf("again: got %d, want 409", late.Status)
	}
	if queue := celia.Get("/fila"); queue.Count("#fila tbody tr") != 1 || queue.Has(`#fila a[href="`+path+`"]`) {
		t.Error("what was sent again still stands in the queue, or is not alone in it")
	}
}
