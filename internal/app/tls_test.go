package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
)

// MustWritePair writes a self-signed certificate for the name.
func MustWritePair(t *testing.T, certFile, keyFile, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		DNSNames: []string{"*." + name, name + ".clinica"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// servedName connects and returns the name of the certificate.
func servedName(t *testing.T, address string) string {
	t.Helper()
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(context.Background(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].Subject.CommonName
}

func TestApp_TLS(t *testing.T) {
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	MustWritePair(t, cert, key, "first")
	a, _ := start(t, app.Config{DataDir: filepath.Join(folder, "data"), TLSCert: cert, TLSKey: key})
	if !strings.HasPrefix(a.URL(), "https://") {
		t.Errorf("address %q", a.URL())
	}
	if got := servedName(t, a.Address()); got != "first" {
		t.Errorf("certificate of %q", got)
	}
	t.Run("ReloadedWhenTheFilesChange", func(t *testing.T) {
		MustWritePair(t, cert, key, "second")
		later := time.Now().Add(time.Minute)
		for _, name := range []string{cert, key} {
			if err := os.Chtimes(name, later, later); err != nil {
				t.Fatal(err)
			}
		}
		if got := servedName(t, a.Address()); got != "second" {
			t.Errorf("certificate of %q after the files changed", got)
		}
	})
	t.Run("ReloadedWhenTheKeyComesLast", func(t *testing.T) {
		newCert, newKey := filepath.Join(folder, "new.pem"), filepath.Join(folder, "newkey.pem")
		MustWritePair(t, newCert, newKey, "third")
		for name, age := range map[string]time.Duration{newCert: 3 * time.Minute, newKey: 2 * time.Minute} { // a key is made first
			if at := time.Now().Add(age); os.Chtimes(name, at, at) != nil {
				t.Fatal("the time of a file cannot be set")
			}
		}
		for _, step := range []struct{ from, to, want string }{{newCert, cert, "second"}, {newKey, key, "third"}} {
			if err := os.Rename(step.from, step.to); err != nil {
				t.Fatal(err)
			}
			if got := servedName(t, a.Address()); got != step.want {
				t.Errorf("%s: certificate of %q, want %q", filepath.Base(step.to), got, step.want)
			}
		}
	})
	t.Run("BrokenFilesLeaveTheOldOne", func(t *testing.T) {
		if err := os.WriteFile(cert, []byte("no certificate"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := servedName(t, a.Address()); got != "third" {
			t.Errorf("certificate of %q while the files are broken", got)
		}
	})
}
