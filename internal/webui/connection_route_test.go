package webui_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/egress/proxytest"
)

// farName is a service that only a proxy finds.
const farName = "servico.exemplo.com.br"

// mustAuthority writes the certificate of a new private authority, and returns one that it
// signed for farName.
func mustAuthority(t *testing.T, file, name string) tls.Certificate {
	t.Helper()
	certificate := func(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) []byte {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Date(2084, 1, 29, 12, 0, 0, 0, time.UTC)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	keys := make([]*ecdsa.PrivateKey, 2)
	for i := range keys {
		var err error
		if keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der := certificate(authority, authority, keys[0], keys[0])
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{farName}, KeyUsage: x509.KeyUsageDigitalSignature}
	return tls.Certificate{Certificate: [][]byte{certificate(leaf, authority, keys[1], keys[0])}, PrivateKey: keys[1]}
}

// farService is a service that a proxy alone finds, with a certificate of a private
// authority.
func farService(t *testing.T, file string, shape func(*apptest.OtherService)) *proxytest.Proxy {
	t.Helper()
	server := httptest.NewUnstartedServer(apptest.StartOtherService(t, shape))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{mustAuthority(t, file, "Autoridade da Clínica")}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return proxytest.Start(t, map[string]string{farName + ":443": server.Listener.Addr().String()})
}

// TestConnection_Way: a service behind a proxy, with a certificate of a private authority,
// is tried and used, and the page says how it is reached.
func TestConnection_Way(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ca.pem")
	proxy := farService(t, file, nil)
	proxy.User, proxy.Password = "clinica", "segredo-do-proxy"
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.ServiceCA, c.ServiceProxyPassword = file, proxy.Password
		c.ServiceProxy = strings.Replace(proxy.URL, "://", "://clinica@", 1)
	}})
	admin, clerk := server.LogIn(t, apptest.Administration), server.LogIn(t, apptest.Reception)
	way := admin.Get("/servico/conexao").Text("[aria-labelledby=saida-title]")
	for _, want := range []string{proxy.URL, "GUICHE_SERVICE_PROXY", file, "Autoridade da Clínica", "até 29/01/2084"} {
		if !strings.Contains(way, want) {
			t.Errorf("the page lacks %q: %q", want, way)
		}
	}
	form := apptest.ConnectionForm("https://" + farName)
	form.Del("enderecoInterno")
	tried := steps(admin.Post("/servico/conexao/testar", form))
	for _, want := range []string{"Nome: sem teste", "proxy de saída", "Conexão segura: certo", "Busca de credenciais: certo"} {
		if !strings.Contains(tried, want) {
			t.Errorf("the test lacks %q: %s", want, tried)
		}
	}
	if got := admin.Post("/servico/conexao", form); got.Status != http.StatusOK {
		t.Fatalf("save: %d %s", got.Status, got.Text("#erros"))
	}
	address, request := clerk.NewDraft()
	sent := clerk.Submit(address, request)
	apptest.Eventually(t, "it is answered", func() bool { return strings.Contains(string(clerk.Get(sent.Path).Body), "DEFORA1") })
	if got := slices.Compact(proxy.Asked()); !slices.Equal(got, []string{farName + ":443"}) {
		t.Errorf("the proxy was asked for %v", got)
	}
	if strings.Contains(server.Log.String(), proxy.Password) {
		t.Error("the log holds the proxy's password")
	}
	t.Run("OtherAuthority", func(t *testing.T) {
		mustAuthority(t, file, "Outra autoridade, de nome mais comprido")
		if got := steps(admin.Post("/servico/conexao/testar", form)); !strings.Contains(got, "autoridade que este computador não conhece") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("ProxyRefuses", func(t *testing.T) {
		proxy.Password = "outra"
		if got := steps(admin.Post("/servico/conexao/testar", form)); !strings.Contains(got, "não aceitou o usuário e a senha") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("Local", func(t *testing.T) {
		form.Set("endereco", "https://127.0.0.1")
		if got := admin.Post("/servico/conexao/testar", form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("got %d", got.Status)
		}
	})
}

// TestConnection_Way_Redirect: where a service sends the desk on to is not asked for at the
// proxy either.
func TestConnection_Way_Redirect(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ca.pem")
	proxy := farService(t, file, func(o *apptest.OtherService) {
		o.Tokens = map[string]http.HandlerFunc{"/api/v2/credenciais": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://169.254.169.254/", http.StatusTemporaryRedirect)
		}}
	})
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.ServiceCA, c.ServiceProxy = file, proxy.URL }})
	form := apptest.ConnectionForm("https://" + farName)
	form.Del("enderecoInterno")
	got := steps(server.LogIn(t, apptest.Administration).Post("/servico/conexao/testar", form))
	if !strings.Contains(got, "Busca de credenciais: falhou") {
		t.Errorf("got %s", got)
	}
	if asked := slices.Compact(proxy.Asked()); !slices.Equal(asked, []string{farName + ":443"}) {
		t.Errorf("the proxy was asked for %v", asked)
	}
}
