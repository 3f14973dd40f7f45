package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestServer_Titles: the title of each page begins with what the page is about, for tabs and
// screen readers tell pages apart by it.
func TestServer_Titles(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Backups.Folder = t.TempDir() }})
	for role, titles := range map[string]map[string]string{
		apptest.Reception: {"/fila": "Fila", "/nova": "Nova autorização", "/historico": "Histórico", "/ajuda": "Ajuda",
			"/conta": "Minha conta"},
		apptest.Administration: {"/pessoas": "Pessoas", "/pessoas/nova": "Nova pessoa", "/auditoria": "Auditoria",
			"/copias": "Cópias de segurança", "/integridade": "Integridade", "/cadastros": "Cadastros",
			"/servico/conexao": "Conexão com o serviço"},
	} {
		client := server.LogIn(t, role)
		for path, want := range titles {
			page := client.Get(path)
			page.Check(t, apptest.Want{Status: http.StatusOK, Path: path, Count: map[string]int{"title": 1, "h1": 1}})
			if got := page.Text("title"); !strings.HasPrefix(got, want) {
				t.Errorf("%s: the title is %q, want it to begin with %q", path, got, want)
			}
		}
	}
}
