package e2e_test

import (
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestPages_Standalone looks at the pages that the service alone shows in its own way,
// from the first login on.
func TestPages_Standalone(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Fresh: true, Configure: func(c *app.Config) { c.Simulated = true }})
	b := MustBrowse(t, p, "404")
	b.open(p.SetupLink()[len(p.URL):])
	b.look("sozinho-primeiro-acesso")
	for field, text := range map[string]string{"#nome": "Rui Barreto", "#usuario": "rui", "#senha": apptest.Password,
		"#senha2": apptest.Password} {
		b.fill(field, text)
	}
	b.press("\r")
	b.waitFor("the console", "location.pathname === '/servico'")
	b.look("sozinho-servico")
	p.Partner(t, p.APIKey()).Authorize()
	for name, path := range map[string]string{
		"parceiros": "/servico/parceiros", "parceiro-proprio": "/servico/parceiros/0198a000-0000-7000-8000-000000000001",
		"credenciais": "/servico/credenciais",
		"registro":    "/servico/registro", "trafego": "/servico/trafego", "pessoas": "/pessoas", "pessoa-nova": "/pessoas/nova",
		"auditoria": "/auditoria",
		"conta":     "/conta", "ajuda": "/ajuda", "erro-404": "/fila",
	} {
		b.open(path)
		b.look("sozinho-" + name)
	}
	b.open("/")
	b.click("details.user-menu summary")
	b.look("sozinho-menu")
	b.click("form[action='/sair'] button")
	b.see("#senha")
	b.look("sozinho-entrar")
	p.Join(t, app.NewPerson{Login: "ana", Name: "Ana Prado", Roles: []string{apptest.Reception}})
	b.enter("ana", apptest.Password)
	b.look("sozinho-sem-balcao")
}
