package e2e_test

import (
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Attacked: what administração sees while passwords are being guessed, of people
// and of partners' users.
func TestPages_Attacked(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	stranger := p.Client(t)
	user, _ := p.Login(apptest.Reception)
	for range 25 {
		stranger.Post("/entrar", url.Values{"usuario": {user}, "senha": {"errada"}})
		stranger.Send("POST", "/api/v1/auth/login", "application/json", strings.NewReader(`{"usuario":"integracao","senha":"errada"}`), nil)
	}
	b := MustBrowse(t, p)
	b.logIn("administracao")
	for name, path := range map[string]string{"pessoas-adivinhadas": "/pessoas", "servico-adivinhadas": "/servico"} {
		b.open(path)
		b.see("main .notice.tone-attention")
		b.look(name)
	}
}
