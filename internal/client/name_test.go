package client_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"guiche/internal/client"
)

// TestClient_SearchCredentials_OtherLetters: a name with accents is looked up, and its certificate read, in the letters
// of the DNS.
func TestClient_SearchCredentials_OtherLetters(t *testing.T) {
	const name = "xn--operao-7ta5a.example"
	certificate, roots := mustCertify(t, name)
	var host string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host = r.Host
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"items":[]}}`)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	t.Cleanup(server.Close)
	var dialled string
	c := MustClient(t, "https://operação.example", newFolder(t), func(cfg *client.Config) {
		cfg.Roots = func() *x509.CertPool { return roots }
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dialled = addr
			return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
		}
	})
	if _, err := c.SearchCredentials(t.Context(), ""); err != nil || dialled != name+":443" || host != name {
		t.Errorf("got %v, dialled %q, asked for %q", err, dialled, host)
	}
}

// mustCertify makes a certificate for a name, and those who trust it.
func mustCertify(t *testing.T, name string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: time.Unix(0, 0),
		NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	own, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(own)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}
