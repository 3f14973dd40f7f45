package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// elsewhere reaches this machine and is not known to be it, so that it is held to be another one. nearby is
// known to be this machine.
const elsewhere, nearby = "0.0.0.0", "127.0.0.1"

// TestOpen_TLS: another machine is spoken to over TLS alone, with a certificate of a known authority for the
// name by which it was called, unless that was said not to matter.
func TestOpen_TLS(t *testing.T) {
	known, other := newAuthority(t), newAuthority(t)
	port := postgrestest.StartTLS(t, known.pair(t, elsewhere))
	for name, tt := range map[string]struct {
		host, query string
		unverified  bool
		refused     func(error) bool // nil: it is let through
	}{
		"Known":          {host: elsewhere, query: "sslrootcert=" + known.file},
		"KnownAsked":     {host: elsewhere, query: "sslmode=verify-full&sslrootcert=" + known.file},
		"Unknown":        {host: elsewhere, refused: ofNobody},
		"OtherAuthority": {host: elsewhere, query: "sslrootcert=" + other.file, refused: ofNobody},
		"OtherName":      {host: nearby, query: "sslmode=verify-full&sslrootcert=" + known.file, refused: ofAnother},
		"Unverified":     {host: elsewhere, unverified: true},
		"Local":          {host: nearby},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := postgres.Open(t.Context(), postgres.Options{Schema: "desk", Migrations: schema, Unverified: tt.unverified,
				URL: "postgres://guiche@" + net.JoinHostPort(tt.host, port) + "/postgres?" + tt.query})
			if tt.refused != nil {
				if err == nil || !tt.refused(err) {
					t.Errorf("got %v", err)
				}
				return
			}
			must(t, err)
			defer func() { _ = db.Close() }()
			if !encrypted(t, db) {
				t.Error("what is said is to be read on the way")
			}
		})
	}
}

func ofNobody(err error) bool { return errors.As(err, new(x509.UnknownAuthorityError)) }

func ofAnother(err error) bool { return errors.As(err, new(x509.HostnameError)) }

// encrypted reports whether the server speaks TLS with who asks.
func encrypted(t *testing.T, db *postgres.DB) (yes bool) {
	t.Helper()
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`).Scan(&yes)
	}))
	return yes
}

// authority signs certificates of servers.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // of its certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{key: newKey(t), file: filepath.Join(t.TempDir(), "ca.crt")}
	template := lasting(1)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	must(t, err)
	a.certificate, err = x509.ParseCertificate(der)
	must(t, err)
	must(t, os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return a
}

// pair is a certificate for a server's address, and its key.
func (a *authority) pair(t *testing.T, address string) []byte {
	t.Helper()
	key, template := newKey(t), lasting(2)
	template.IPAddresses = []net.IP{net.ParseIP(address)}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	must(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})...)
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return key
}

// lasting is a certificate to be made that counts while the test runs.
func lasting(serial int64) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "of a test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
}
