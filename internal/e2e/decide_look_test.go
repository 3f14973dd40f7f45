package e2e_test

import (
	"net/url"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestPages_Decide opens a request of unknown outcome as those see it who may decide and
// who may not, with what is wrong, and after both decisions.
func TestPages_Decide(t *testing.T) {
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}}) // announces nothing: only a person can end a doubt
	b := MustBrowse(t, p, "422")
	ana, celia := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Supervision)
	remove := p.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Cut(20)})
	recorded, resent := ana.Submit(ana.NewDraft()).Path, ana.Submit(ana.NewDraft()).Path
	remove()
	b.open("/entrar")
	b.logIn("supervisao")
	b.open(recorded)
	b.look("duvida")
	b.whole("duvida", "#caso h1, #caso .code, #caso dd, #decidir label, #decidir button")
	b.click("#retorno button")
	b.see("#erros")
	b.look("duvida-erros")
	celia.Post(recorded+"/retorno", url.Values{"situacao": {"A"}, "senha": {"482017739"}, "validade": {"20122099"}, "guia": {"70012345"},
		"contato": {"Marta, central de atendimento"}, "observacao": {"Vale para o exame do dia 20."}})
	b.open(recorded)
	b.look("duvida-registrada")
	celia.Post(resent+"/reenviar", url.Values{"reenvio-contato": {"Marta"}, "reenvio-protocolo": {"20261122-77"}, "reenvio-confirmo": {"S"}})
	b.open(resent)
	b.look("duvida-reenviada")
}

// TestPages_Reply opens an answer that the operator has not decided on as those see it who
// may record what it says and who may not, with the form, with what is wrong, and after it.
func TestPages_Reply(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	ana, celia := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Supervision)
	open := ana.SubmitWith(map[string]string{"numeroCarteira": "99991900001"}).Path
	reader := MustBrowse(t, p)
	reader.open("/entrar")
	reader.logIn("recepcao")
	reader.open(open)
	reader.look("retorno-recepcao")
	b.open("/entrar")
	b.logIn("supervisao")
	b.open(open)
	b.look("retorno-caso")
	b.click(`.btn[href$="/retorno#retorno"]`)
	b.see("#retorno")
	b.look("retorno-formulario")
	b.whole("retorno", "#caso h1, #caso .code, #caso dd, #retorno label, #retorno button")
	b.click("#retorno button")
	b.see("#erros")
	b.look("retorno-erros")
	form := celia.Get(open + "/retorno").Form("#retorno")
	for name, value := range map[string]string{"situacao": "A", "senha": "482017739", "validade": "20122099",
		"contato": "Marta, central de atendimento", "observacao": "Vale para o exame do dia 20."} {
		form.Set(name, value)
	}
	if form.Has("autorizacao") {
		form.Set("autorizacao", "1")
	}
	celia.Post(open+"/retorno", form)
	b.open(open)
	b.look("retorno-registrado")
}
