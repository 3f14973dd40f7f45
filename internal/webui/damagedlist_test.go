package webui_test

import (
	"net/http"
	"net/url"
	"testing"

	"guiche/internal/apptest"
)

// unfit has the schema take, in the statements that follow, what it does not allow.
const unfit = `PRAGMA ignore_check_constraints = ON; `

// TestIntegrity_Person: somebody whose row cannot be read is said to be damaged where people are listed, and hinders no
// page about others.
func TestIntegrity_Person(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	server.LogIn(t, apptest.Reception)
	server.Exec(t, unfit+`UPDATE person SET disabled = 7 WHERE login = 'ana'`)

	list := rui.Get("/pessoas")
	list.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{
		"main tbody tr:contains('Pessoa danificada'):contains('Danificado')": 1, "main tbody tr:contains('rui')": 1,
		"main tbody tr:contains('Pessoa danificada') span.d-md-none": 0}}) // nothing is left to be named
	rui.Get("/auditoria").Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"option:contains('Pessoa danificada')": 1}})
	rui.Get(list.Attr("main tbody a:contains('Pessoa danificada')", "href")).Check(t, apptest.Want{
		Status: http.StatusInternalServerError, Text: map[string]string{"main": "ela pode restaurar uma cópia de segurança"},
		Count: map[string]int{"main a[href='/integridade']": 0}})
}

// TestIntegrity_Credential: an operator's credential that cannot be read is said to be damaged where credentials are
// listed, is not offered, and the others are.
func TestIntegrity_Credential(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui, ana := server.LogIn(t, apptest.Administration), server.LogIn(t, apptest.Reception)
	rui.Post("/cadastros/credenciais/atualizar", nil)
	server.Exec(t, unfit+`UPDATE credential SET biometrics = 7 WHERE name LIKE 'Aroeira%'`)

	list := rui.Get("/cadastros/credenciais")
	list.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{
		"main tbody tr:contains('Credencial danificada'):contains('Danificado')": 1}})
	if n := list.Count("main tbody tr"); n < 2 {
		t.Errorf("got %d rows, want the others too", n)
	}
	rui.Get("/cadastros").Check(t, apptest.Want{Status: http.StatusOK})
	rui.Get(list.Attr("main tbody a:contains('Credencial danificada')", "href")).Check(t,
		apptest.Want{Status: http.StatusInternalServerError, Text: map[string]string{"main": "danificado"}})
	if got := len(ana.Post("/busca/credenciais", url.Values{"Busca": {"a"}}).Texts("[role=option]")); got == 0 {
		t.Error("nothing is offered, want the others")
	}
}
