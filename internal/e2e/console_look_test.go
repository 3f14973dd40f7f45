package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Console opens the service's console in every state, as TestPages does
// the rest.
func TestPages_Console(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	clerk := p.LogIn(t, apptest.Reception)
	clerk.Submit(clerk.NewDraft())
	for _, card := range []string{"99990100", "99990300", "99990400", "99992400"} {
		clerk.SubmitWith(map[string]string{"numeroCarteira": card, "pacienteNoLocal": "S"})
	}
	b := MustBrowse(t, p, "422")
	b.logIn("administracao")
	b.lookAtConsole()
}

// lookAtConsole pictures the console; administração is logged in, and some requests
// were sent.
func (b *browser) lookAtConsole() {
	b.t.Helper()
	b.open("/servico")
	b.look("servico")
	b.open("/servico/parceiros")
	b.look("servico-parceiros")
	b.open("/servico/parceiros/novo")
	b.look("servico-parceiro-novo")
	b.click("#parceiro .btn-primary")
	b.see("#erros")
	b.look("servico-parceiro-erros")
	b.fill("#nome", "Laboratório Acácia")
	b.click("#parceiro .btn-primary")
	b.see("#chaves")
	for _, slug := range []string{"chaves", "clientes", "usuarios"} {
		switch slug {
		case "clientes":
			b.fill("#cliente", "Faturamento")
		case "usuarios":
			b.fill("#usuario", "laboratorio.acacia")
		}
		b.click("form[action$='/" + slug + "'] button")
		b.waitFor("the secret", "!!document.querySelector('#segredo') && !!document.querySelector('#"+slug+" tbody tr')")
		b.look("servico-parceiro-" + slug)
	}
	b.open("/servico/parceiros")
	b.click("td.cell-name a[href$='000000000001']")
	b.see("#fixo-title")
	b.look("servico-parceiro-proprio")
	b.open("/servico/credenciais")
	b.look("servico-credenciais")
	b.click("td.cell-name a")
	b.see("#credencial")
	b.look("servico-credencial")
	b.fill("#anexosObrigatorios", "40901122\n4.09")
	b.click("#credencial .btn-primary")
	b.see("#anexosObrigatorios-error")
	b.look("servico-credencial-erros")
	for _, register := range []string{"unidades", "profissionais"} {
		b.open("/servico/" + register)
		b.look("servico-" + register + "-do-balcao")
		b.click("td.cell-name a")
		b.see("#partes-title")
		b.look("servico-" + register + "-do-balcao-um")
	}
	b.lookAtLedger()
	b.open("/servico/trafego")
	b.look("servico-trafego")
	b.open("/servico/descricao")
	b.look("servico-descricao")
	b.open("/servico/descricao#autorizar")
	b.see("#autorizar[open]")
	b.look("servico-descricao-aberta")
	b.open("/servico/descricao")
	b.fill("#Busca", "biometr")
	b.submit("form[role=search] button")
	b.look("servico-descricao-busca")
	b.open("/servico/descricao")
	b.fill("#Busca", "xyz")
	b.look("servico-descricao-nada")
}

// lookAtLedger pictures the ledger.
func (b *browser) lookAtLedger() {
	b.t.Helper()
	b.open("/servico/registro")
	b.look("servico-registro")
	b.click("td.cell-name a")
	b.see("#vida-title")
	b.look("servico-registro-um")
	b.open("/servico/registro")
	b.fill("#numero", "nada")
	b.submit("#filtro button")
	b.see("section.empty-state")
	b.look("servico-registro-vazio")
	b.fill("#de", "99")
	b.submit("#filtro button")
	b.see("#erros")
	b.look("servico-registro-erros")
}
