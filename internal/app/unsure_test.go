package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"
)

// TestDatabase_Unsure: of a form of which nobody knows whether it was kept, because the server ended while it was, the
// page says so and leads to where it would be. A request that is sent again is the same case.
func TestDatabase_Unsure(t *testing.T) {
	t.Parallel()
	ways := postgrestest.Counted(t)
	p := apptest.Start(t, apptest.Options{Database: ways.Through(postgrestest.Database(t))})
	ana, rui := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	address, form := ana.NewDraft()
	reviewed := ana.Post(address+"/revisar", form)
	person := url.Values{"nome": {"Bia"}, "usuario": {"bia"}, "papeis": {"administracao"}}
	for name, tc := range map[string]struct {
		statement string
		send      func() *apptest.Page
		next      string
	}{
		"request": {`INSERT INTO "submission" `, func() *apptest.Page { return ana.Post(address+"/enviar", reviewed.Form("#enviar")) }, address},
		"person":  {"INSERT INTO person ", func() *apptest.Page { return rui.Post("/pessoas/nova", person) }, "/pessoas"},
	} {
		ways.CutAnswer(tc.statement)
		page := tc.send()
		page.Check(t, apptest.Want{Status: http.StatusServiceUnavailable, Text: map[string]string{"main h1": "Não sabemos se isto foi gravado"}})
		if next := page.Attr("main a.btn-primary", "href"); next != tc.next {
			t.Errorf("%s leads to %q", name, next)
		}
	}
	if people := rui.Get("/pessoas"); people.Count("main a:contains(Bia)") != 1 {
		t.Errorf("the person afterwards: %s", people.Text("main"))
	}
	sent := ana.Get(address)
	if again := ana.Post(address+"/enviar", reviewed.Form("#enviar")); again.Path != sent.Path || again.Status != http.StatusOK {
		t.Errorf("sent again: %d at %s, first at %s", again.Status, again.Path, sent.Path)
	}
}
