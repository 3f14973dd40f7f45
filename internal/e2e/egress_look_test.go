package e2e_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestPages_Way: the page Conexão where a proxy and private authorities are set.
func TestPages_Way(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	file := filepath.Join(t.TempDir(), "autoridade-da-clinica.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	b := MustBrowse(t, apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.ServiceCA, c.ServiceProxy = file, "http://guiche@proxy.da.rede.da.clinica.exemplo.com.br:3128"
	}}))
	b.logIn("administracao")
	b.open("/servico/conexao")
	b.see("[aria-labelledby=saida-title]")
	b.look("conexao-saida")
}
