package e2e_test

import (
	"net/url"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestPages_Decide opens a request of unknown outcome as those see it who may decide and
// who may not, with what is wrong, and after both decisions.
func TestPages_Decide(t *testing.T) {
	t.Parallel()
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
	b.open(recorded)
	b.click("#reenvio button")
	b.see("#erros")
	b.look("duvida-erros-reenvio")
	celia.Post(recorded+"/retorno", url.Values{"situacao": {"A"}, "senha": {"482017739"}, "validade": {"20122099"}, "guia": {"70012345"},
		"contato": {"Marta, central de atendimento"}, "observacao": {"Vale para o exame do dia 20."}})
	b.open(recorded)
	b.look("duvida-registrada")
	celia.Post(resent+"/reenviar", url.Values{"reenvio-contato": {"Marta"}, "reenvio-protocolo": {"20261122-77"}, "reenvio-confirmo": {"S"}})
	b.open(resent)
	b.look("duvida-reenviada")
	clerk := MustBrowse(t, p, "403")
	clerk.logIn(apptest.Reception)
	remove = p.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Cut(20)})
	open := ana.SubmitWith(map[string]string{"nomeBeneficiario": "Rosângela Teixeira de Albuquerque", "pacienteNoLocal": "S"}).Path
	remove()
	clerk.open(open)
	clerk.look("duvida-recepcao")
	clerk.open("/fila")
	clerk.look("duvida-fila")
	clerk.open("/fila?grupo=sem-resposta")
	clerk.look("duvida-fila-sem-resposta")
	clerk.open("/pessoas")
	clerk.look("erro-403")
	celia.Post(resent+"/retorno", url.Values{"situacao": {"N"}, "contato": {"Rui"}})
	p.Join(t, app.NewPerson{Name: "Otília Freire", Login: "otilia", Roles: []string{"decisao"}, Units: []string{"Centro"}})
	other := MustBrowse(t, p, "403", "409")
	other.enter("otilia", apptest.Password)
	other.open(open)
	other.look("duvida-decisao")
	celia.Post(open+"/retorno", url.Values{"situacao": {"N"}, "contato": {"Marta"}})
	other.choose("#situacao", "R")
	other.fill("#contato", "Joana")
	other.click("#retorno button")
	other.see("#caso .notice.tone-attention")
	other.look("duvida-ja-resolvida")
}

// TestPages_Reply opens an answer that the operator has not decided on as those see it who
// may record what it says and who may not, with the form, with what is wrong, and after it.
func TestPages_Reply(t *testing.T) {
	t.Parallel()
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
