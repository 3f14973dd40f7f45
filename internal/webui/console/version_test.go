package console_test

import (
	"net/http"
	"testing"

	"guiche/internal/apptest"
)

// TestConsole_Changed: of two who change a partner or a credential at once the second is told,
// keeps what was typed, and undoes nothing unseen.
func TestConsole_Changed(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	credential := rui.Search("/servico/credenciais", "aroeira")
	for form, address := range map[string]string{"#parceiro": rui.AddPartner("Hospital da Serra"), "#credencial": credential} {
		t.Run(form, func(t *testing.T) {
			page := rui.Get(address)
			first, second := page.Form(form), page.Form(form)
			first.Set("nome", "Primeiro")
			second.Set("nome", "Segundo")
			rui.Post(address, first).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nome": "Primeiro"}})
			told := rui.Post(address, second)
			told.Check(t, apptest.Want{Status: http.StatusConflict, Value: map[string]string{"#nome": "Segundo"},
				Text: map[string]string{"#erros": "mudou depois que você abriu"}})
			rui.Get(address).Check(t, apptest.Want{Value: map[string]string{"#nome": "Primeiro"}})
			again := told.Form(form)
			again.Set("nome", "")
			again = rui.Post(address, again).Form(form)
			again.Set("nome", "Segundo")
			rui.Post(address, again).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nome": "Segundo"}})
		})
	}
}
