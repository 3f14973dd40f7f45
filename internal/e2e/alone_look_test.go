package e2e_test

import (
	"testing"

	"guiche/internal/app"
)

// TestPages_Alone looks at the pages that the service alone shows in its own way,
// from the first login on.
func TestPages_Alone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustOpenAlone(t, func(c *app.Config) { c.DataDir = folder })
	b := MustBrowse(t, p, "404")
	b.open(p.app.SetupLink()[len(p.url):])
	b.look("sozinho-primeiro-acesso")
	for field, text := range map[string]string{"#nome": "Rui Barreto", "#usuario": "rui", "#senha": travelPassword, "#senha2": travelPassword} {
		b.fill(field, text)
	}
	b.press("\r")
	b.waitFor("the console", "location.pathname === '/servico'")
	b.look("sozinho-servico")
	MustCall(t, p, "x-api-key", MustReadKey(t, folder)).authorize()
	for name, path := range map[string]string{
		"parceiros": "/servico/parceiros", "parceiro-proprio": "/servico/parceiros/0198a000-0000-7000-8000-000000000001", "credenciais": "/servico/credenciais",
		"registro": "/servico/registro", "trafego": "/servico/trafego", "pessoas": "/pessoas", "pessoa-nova": "/pessoas/nova", "auditoria": "/auditoria",
		"conta": "/conta", "ajuda": "/ajuda", "erro-404": "/fila",
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
	p.join(t, app.Config{DataDir: folder}, app.Login{Role: "recepcao", User: "ana", Password: travelPassword})
	b.logIn("recepcao")
	b.look("sozinho-sem-balcao")
}
