package e2e_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"guiche/internal/app"
	fs "guiche/internal/client/faultservice"
)

// TestTrouble_Search: a credential search that cannot be answered is a line of
// the list, with a script and without one, and loses nothing that was typed.
func TestTrouble_Search(t *testing.T) {
	t.Parallel()
	const silent, strange, locked = "O serviço de autorização não respondeu. Tente de novo em instantes.",
		"O serviço de autorização deu uma resposta que o Guichê não entende. Avise a administração.",
		"O serviço de autorização recusou o acesso do Guichê. Avise a administração."
	const elsewhere = "O serviço mandou procurar em outro endereço, e o Guichê não segue. A administração deve " +
		"conferir o endereço e o caminho."
	c := MustClinic(t, fs.Config{}, func(c *app.Config) { c.Connection.Query = 400 * time.Millisecond })
	for name, tt := range map[string]struct {
		fault fs.Fault
		want  string
	}{
		"HangUp":    {fs.HangUp(), silent},
		"Reset":     {fs.Reset(), silent},
		"NoAnswer":  {fs.Never(), silent},
		"NoEnd":     {fs.Endless(), silent},
		"Error":     {fs.Answer(http.StatusInternalServerError, envelopeOf("x")), strange},
		"Page":      {fs.HTML(http.StatusOK), strange},
		"Redirect":  {fs.Redirect(http.StatusFound, "/"), elsewhere},
		"Forbidden": {fs.Answer(http.StatusForbidden, envelopeOf("escopo")), locked},
	} {
		t.Run(name, func(t *testing.T) {
			defer c.Faults.Add(fs.Rule{Path: fs.SearchPath, Fault: tt.fault})()
			c.checkSearch(t, tt.want)
		})
	}
	t.Run("ServiceDown", func(t *testing.T) {
		c.serviceEnds()
		c.checkSearch(t, silent)
	})
}

func (c *clinic) checkSearch(t *testing.T, want string) {
	t.Helper()
	list := c.v.PostHTMX("/busca/credenciais", url.Values{"Busca": {"horizonte"}})
	if got := list.Text("[role=option][aria-disabled=true]"); list.Status != http.StatusOK || got != want {
		t.Errorf("list: %d %q, want %q", list.Status, got, want)
	}
	draft := c.v.DraftPath()
	plain := c.v.Post(draft, url.Values{"acao": {"buscar"}, "Busca": {"horizonte"}, "nomeBeneficiario": {"Helena"}, "versao": {"0"}})
	if got := plain.Text(".search-results legend"); plain.Status != http.StatusOK || got != want {
		t.Errorf("page: %d %q, want %q", plain.Status, got, want)
	}
	if got := plain.Value("#nomeBeneficiario"); got != "Helena" {
		t.Errorf("the name is %q after the search, want it kept", got)
	}
}
