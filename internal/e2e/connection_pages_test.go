package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Connection opens the connection and what is taken from another service,
// in every state, as TestPages does the rest.
func TestPages_Connection(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "409")
	b.logIn("administracao")
	b.lookAtConnection()
	b.open("/cadastros/sincronizar")
	b.look("sincronizar-embutido")
	f := apptest.StartOtherService(t, apptest.WithLists)
	admin := p.LogIn(t, apptest.Administration)
	admin.ConnectTo(t, f, apptest.OwnPaths)
	b.open("/cadastros")
	b.click("a[href='/cadastros/sincronizar']")
	b.see(".stack .tone-success")
	b.look("sincronizar")
	b.click("form[action='/cadastros/sincronizar'] .btn-primary")
	b.waitFor("the registers", "location.pathname === '/cadastros'")
	b.look("sincronizar-feito")
	b.open("/cadastros/unidades")
	b.look("sincronizar-marcadas")
	b.open("/cadastros/sincronizar")
	b.look("sincronizar-igual")
	f.SetList("/cadastro/medicos", "")
	b.open("/cadastros/sincronizar")
	b.see(".tone-error")
	b.look("sincronizar-falhou")
}

// TestConnection_Tested: the answer to a test is on the screen and has the focus; a secret that was typed stays.
func TestConnection_Tested(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}), "422")
	b.logIn("administracao")
	b.open("/servico/conexao")
	b.click("[formaction$='/testar']")
	b.focusedIs("after a test", "#teste ol")
	if !eval[bool](b, `document.querySelector('#teste-title').getBoundingClientRect().top >=
		document.querySelector('.header').getBoundingClientRect().bottom`) {
		t.Error("the heading of the answer is below the header")
	}
	b.click("#servico-outro")
	b.fill("#chaveApi", "chave-de-teste")
	b.click("[formaction$='/testar']")
	b.focusedIs("after one that lacks the address", "#teste p")
	if covered := eval[string](b, coveredBy); covered != "" || b.value("#chaveApi") == "" {
		t.Errorf("%s; the key that was typed is %q", covered, b.value("#chaveApi"))
	}
}
