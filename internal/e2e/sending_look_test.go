package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"

	"github.com/chromedp/chromedp/kb"
)

// TestPages_Sending opens what keeps a request from coming back: the warnings before it is
// sent, the copy of a denied one with the operator's words beside the fields, and the next one
// of a series.
func TestPages_Sending(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for i := range 6 {
		_, form := v.NewDraft()
		v.Submit(v.DraftPath(), apptest.With(form, map[string]string{"numeroCarteira": fmt.Sprintf("999904%07d", i)}))
	}
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	address, form := v.NewDraft()
	v.PostHTMX(address, apptest.With(form, map[string]string{"numeroCarteira": "9999 0400 0000", "validadeCarteira": "01/02/2026",
		"procedimentos[0].quantidade": "30"})).Check(t, apptest.Want{Status: http.StatusOK})
	b.open(address)
	b.press(kb.F8)
	b.see("#revisao .notice")
	b.look("nova-revisao-avisos")
	if got := eval[int](b, "document.querySelectorAll('#revisao .notice').length"); got < 4 {
		t.Errorf("%d warnings: %s", got, b.text("#revisao"))
	}
	b.scripts(false)
	defer b.scripts(true)
	b.open("/nova")
	b.fill("#Quem", "benefi")
	b.click("button[name=acao][value=quem]")
	b.see("input[name=beneficiario]")
	for name, width := range map[string]int64{"nova-sem-script-1366-light": 1366, "nova-sem-script-390-light": 390} {
		b.size(width, 844)
		b.picture(name)
	}
}

// TestPages_Copies pictures both copies of a case that the operator allowed in part.
func TestPages_Copies(t *testing.T) {
	t.Parallel()
	const answer = `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"Z",
		"senha":"482017739","validadeSenha":"2099-12-31T00:00:00","erros":[],"procedimentos":[{"codigoProcedimento":"40316521",
		"nomeProcedimento":"Tireoestimulante, hormônio (TSH)","quantidade":10,"quantidadeAutorizada":8,"quantidadeExecutada":3,
		"justificativa":"Acima da quantidade permitida no período"}]}]}}`
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{
		Answer: func(faultservice.Entry) (int, []byte) { return http.StatusOK, []byte(answer) },
	}})
	v := p.LogIn(t, apptest.Reception)
	_, form := v.NewDraft()
	sent := v.Submit(v.DraftPath(), apptest.With(form, map[string]string{"procedimentos[0].quantidade": "10"}))
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	for _, tt := range []struct{ path, name, work string }{
		{"/copiar", "nova-correcao", "#procedimentos-0-quantidade"}, {"/repetir", "nova-repeticao", firstCode},
	} {
		b.open(v.Post(sent.Path+tt.path, nil).Path)
		b.see(tt.work + ":focus")
		b.look(tt.name)
	}
}
