package egress_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"log/slog"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/egress"
)

// mustAuthority returns the certificate of a new authority.
func mustAuthority(t *testing.T, name string) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pemOf("CERTIFICATE", der)
}

// TestOpenAuthorities: the file holds certificates and nothing else, or it is refused.
func TestOpenAuthorities(t *testing.T) {
	one := mustAuthority(t, "Clínica")
	for name, tc := range map[string]struct {
		content []byte
		says    string // "" where it is good
	}{
		"One":     {one, ""},
		"Two":     {slices.Concat(one, mustAuthority(t, "Rede")), ""},
		"Comment": {slices.Concat([]byte("# da TI\n"), one), ""},
		"Empty":   {nil, "no certificate"},
		"Text":    {[]byte("certificado"), "no certificate"},
		"Key":     {slices.Concat(one, pemOf("PRIVATE KEY", []byte("x"))), "PRIVATE KEY"},
		"Broken":  {pemOf("CERTIFICATE", []byte("x")), "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ca.pem")
			mustWrite(t, file, tc.content)
			_, err := egress.OpenAuthorities(file, slog.New(slog.DiscardHandler))
			if (tc.says == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), file)) {
				t.Errorf("got %v, want %q", err, tc.says)
			}
		})
	}
	if _, err := egress.OpenAuthorities(filepath.Join(t.TempDir(), "none"), nil); err == nil {
		t.Error("no file: got no error")
	}
}

// TestAuthorities_Own_Changed: the file counts as it is now; one that does not fit leaves
// those before, and the log says so once.
func TestAuthorities_Own_Changed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	mustWrite(t, file, mustAuthority(t, "Primeira"))
	var log bytes.Buffer
	a, err := egress.OpenAuthorities(file, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		content []byte
		want    string
	}{
		{nil, "Primeira"}, {mustAuthority(t, "Segunda de nome longo"), "Segunda de nome longo"},
		{[]byte("quebrado"), "Segunda de nome longo"}, {nil, "Segunda de nome longo"}, {mustAuthority(t, "Terceira"), "Terceira"},
	} {
		if step.content != nil {
			mustWrite(t, file, step.content)
		}
		if _, own := a.Own(); len(own) != 1 || own[0].Name != step.want || a.Pool() == nil {
			t.Errorf("got %v, want %s", own, step.want)
		}
	}
	if got := strings.Count(log.String(), "GUICHE_SERVICE_CA was not read again"); got != 1 {
		t.Errorf("the log says it %d times:\n%s", got, &log)
	}
}
