package console_test

import (
	"net/http"
	"testing"

	"guiche/internal/apptest"
)

// TestConsole_Changed: of two who change an entry at once the second is told, keeps what was
// typed, and undoes nothing unseen.
func TestConsole_Changed(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	checkChanged(t, rui, "#parceiro", rui.AddPartner("Hospital da Serra"))
	checkChanged(t, rui, "#credencial", rui.Search("/servico/credenciais", "aroeira"))
	alone := apptest.Start(t, apptest.Options{Standalone: true, Empty: true}).LogIn(t, apptest.Administration)
	for list, tt := range lists {
		checkChanged(t, alone, "#cadastro", alone.Post(list+"/"+tt.fresh, tt.form).Path)
	}
}

func checkChanged(t *testing.T, c *apptest.Client, form, address string) {
	t.Helper()
	page := c.Get(address)
	first, second := page.Form(form), page.Form(form)
	first.Set("nome", "Primeiro")
	second.Set("nome", "Segundo")
	c.Post(address, first).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nome": "Primeiro"}})
	told := c.Post(address, second)
	told.Check(t, apptest.Want{Status: http.StatusConflict, Value: map[string]string{"#nome": "Segundo"},
		Text: map[string]string{"#erros": "mudou depois que você abriu"}})
	c.Get(address).Check(t, apptest.Want{Value: map[string]string{"#nome": "Primeiro"}})
	again := told.Form(form)
	again.Set("nome", "")
	again = c.Post(address, again).Form(form)
	again.Set("nome", "Segundo")
	c.Post(address, again).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nome": "Segundo"}})
}
