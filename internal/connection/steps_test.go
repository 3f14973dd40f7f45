package connection_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/connection"
	"guiche/internal/egress"
	"guiche/internal/egress/proxytest"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

// MustServe returns a service over TLS, whose certificate is for example.com and
// 127.0.0.1, and who signed it.
func MustServe(tb testing.TB) (string, *egress.Authorities) {
	tb.Helper()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	tb.Cleanup(server.Close)
	return server.URL, MustTrust(tb, server.Certificate().Raw)
}

// MustTrust returns authorities with the certificate among them.
func MustTrust(tb testing.TB, der []byte) *egress.Authorities {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "ca.pem")
	MustDo(tb, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	authorities, err := egress.OpenAuthorities(file, slog.New(slog.DiscardHandler))
	MustDo(tb, err)
	return authorities
}

// internalService is a service on this machine that is allowed.
func internalService(address string) connection.Change {
	c := outsideService()
	c.BaseURL = address
	c.InternalHost = c.Host()
	return c
}

// MustServeExpired returns a service whose certificate ended long ago, and who signed
// it.
func MustServeExpired(tb testing.TB) (string, *egress.Authorities) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	MustDo(tb, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.AddDate(-2, 0, 0),
		NotAfter: now.AddDate(-1, 0, 0), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	MustDo(tb, err)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	tb.Cleanup(server.Close)
	return server.URL, MustTrust(tb, der)
}

func TestManager_Test_Expired(t *testing.T) {
	address, roots := MustServeExpired(t)
	e := MustManage(t, func(c *connection.Config) { c.Route.Authorities = roots })
	steps, err := e.Test(t.Context(), admin, internalService(address))
	MustDo(t, err)
	if steps[1].Result != connection.Failed || !strings.Contains(steps[1].Message, "vencido") || len(e.client.trial.asked) != 0 {
		t.Errorf("got %+v, asked %v", steps[1], e.client.trial.asked)
	}
}

func results(steps []connection.Step) string {
	var words []string
	for _, s := range steps {
		words = append(words, string(s.Result))
	}
	return strings.Join(words, " ")
}

func TestManager_Test(t *testing.T) {
	address, roots := MustServe(t)
	e := MustManage(t, func(c *connection.Config) { c.Route.Authorities = roots })
	e.client.trial.found, e.client.trial.words = 3, []string{"idempotencia", "anexos"}
	c := internalService(address)
	c.Method, c.User = connection.Password, "clinica"
	steps, err := e.Test(t.Context(), admin, c)
	MustDo(t, err)
	if got := results(steps); got != "certo certo certo certo certo certo pulado" {
		t.Fatalf("got %v", steps)
	}
	for i, want := range []string{"127.0.0.1", "TLS 1.3; certificado válido até 29/01/2084", "token", "3 credenciais",
		"idempotencia, anexos"} {
		if !strings.Contains(steps[i].Message, want) {
			t.Errorf("%s: got %q, want %q in it", steps[i].Name, steps[i].Message, want)
		}
	}
	if e.client.trial.plan.Secret != c.Secret || !e.client.trial.closed || len(e.client.plans) != 1 {
		t.Errorf("got %+v, closed %t: want what was typed tried, and not in force", e.client.trial.plan, e.client.trial.closed)
	}
	want := "conexao.testada nome=certo conexao=certo entrada=certo busca=certo recursos=certo cadastros=certo elegibilidade=pulado"
	if diff := cmp.Diff([]string{want}, e.entries(t)); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
}

// A name with accents is tried in the letters of the DNS, in which the desk will ask for it.
func TestManager_Test_OtherLetters(t *testing.T) {
	proxy := proxytest.Start(t, nil)
	through, err := egress.NewProxy(proxy.URL, "")
	MustDo(t, err)
	e := MustManage(t, func(c *connection.Config) { c.Route = egress.NewRoute(through, nil) })
	c := outsideService()
	c.BaseURL = "https://operação.exemplo.com.br"
	_, err = e.Test(t.Context(), admin, c)
	MustDo(t, err)
	if diff := cmp.Diff([]string{"xn--operao-7ta5a.exemplo.com.br:443"}, proxy.Asked()); diff != "" {
		t.Errorf("the proxy was asked (-want +got):\n%s", diff)
	}
}

// Whoever leaves the page while a secret is tried stands in the trail all the same.
func TestManager_Test_Left(t *testing.T) {
	address, roots := MustServe(t)
	e := MustManage(t, func(c *connection.Config) { c.Route.Authorities = roots })
	ctx, leave := context.WithCancel(t.Context())
	e.client.trial.login, e.client.trial.entered = errService, leave
	c := internalService(address)
	c.Method, c.User = connection.Password, "clinica"
	_, err := e.Test(ctx, admin, c)
	MustDo(t, err)
	if got := e.entries(t); len(got) != 1 || !strings.Contains(got[0], "entrada=falhou") {
		t.Errorf("trail: got %v, want the test", got)
	}
}

func TestManager_Test_Steps(t *testing.T) {
	address, roots := MustServe(t)
	e := MustManage(t)
	byPassword := func(c *connection.Change) { c.Method, c.User = connection.Password, "clinica" }
	for name, tc := range map[string]struct {
		change func(*connection.Change)
		answer func(*trial)
		roots  *egress.Authorities
		want   string
		words  string // in the last step that says something
	}{
		"APIKey": {nil, nil, roots, "certo certo pulado certo certo certo pulado", "não anuncia nada"},
		"UnknownName": {func(c *connection.Change) { c.BaseURL = "https://nao-existe.invalid" }, nil, roots,
			"falhou pulado pulado pulado pulado pulado pulado", "não foi encontrado"},
		"NobodyThere": {func(c *connection.Change) { c.BaseURL = "https://127.0.0.1:1" }, nil, roots,
			"certo falhou pulado pulado pulado pulado pulado", "Ninguém atende"},
		"UnknownRoot": {nil, nil, nil, "certo falhou pulado pulado pulado pulado pulado",
			"autoridade que este computador não conhece"},
		"OtherName": {func(c *connection.Change) {
			*c = internalService(strings.Replace(address, "127.0.0.1", "localhost", 1))
		}, nil, roots, "certo falhou pulado pulado pulado pulado pulado", "de outro nome"},
		"NoTLS": {func(c *connection.Change) { c.BaseURL = strings.Replace(address, "https", "http", 1) }, nil, roots,
			"certo certo pulado certo certo certo pulado", ""},
		"LoginRefused": {byPassword, func(tr *trial) { tr.login = errService }, roots,
			"certo certo falhou pulado pulado pulado pulado", "O serviço não quis."},
		"Refused": {nil, func(tr *trial) { tr.search = errService }, roots, "certo certo pulado falhou pulado pulado pulado",
			"O serviço não quis."},
		"Internal": {nil, func(tr *trial) { tr.search = errors.New("interno") }, roots,
			"certo certo pulado falhou pulado pulado pulado", "Não deu certo."},
		"Silent": {nil, func(tr *trial) { tr.announce = errService }, roots, "certo certo pulado certo falhou pulado pulado", "à mão"},
		"ByHand": {func(c *connection.Change) { c.ByHand = true }, nil, roots, "certo certo pulado certo pulado certo pulado", "à mão"},
		"NoLists": {nil, func(tr *trial) { tr.unitsErr, tr.professionalsErr = errNoList, errNoList }, roots,
			"certo certo pulado certo certo pulado pulado", "Executantes: O serviço não anuncia esta lista."},
		"OneList": {nil, func(tr *trial) { tr.units, tr.professionalsErr = 1, errNoList }, roots,
			"certo certo pulado certo certo certo pulado", "lista 1 unidade."},
		"WrongList": {nil, func(tr *trial) { tr.professionals, tr.unitsErr = 2, errService }, roots,
			"certo certo pulado certo certo falhou pulado", "Unidades: O serviço não quis. O serviço lista 2 executantes."},
		"Eligible": {nil, func(tr *trial) { tr.words = []string{"elegibilidade"} }, roots,
			"certo certo pulado certo certo certo certo", "O serviço a anuncia."},
		"EligibleByHand": {func(c *connection.Change) { c.ByHand, c.Features = true, []string{"elegibilidade"} }, nil, roots,
			"certo certo pulado certo pulado certo pulado", "Marcada nos recursos."},
		"Crowded": {nil, func(tr *trial) { tr.announce = errCrowded }, roots, "certo certo pulado certo falhou pulado pulado",
			"Pedidos demais agora."},
		"NeverEligible": {func(c *connection.Change) { c.Eligibility = connection.EligibilityNever },
			func(tr *trial) { tr.words = []string{"elegibilidade"} }, roots,
			"certo certo pulado certo certo certo pulado", "Desligada nesta página."},
		"AlwaysEligible": {func(c *connection.Change) { c.Eligibility = connection.EligibilityAlways }, nil, roots,
			"certo certo pulado certo certo certo pulado", "/api/v1/elegibilidade"},
		"Embedded": {func(c *connection.Change) { c.Embedded = true }, func(tr *trial) { tr.found = 1 }, roots,
			"pulado pulado pulado certo certo certo pulado", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e.client.trial = &trial{}
			m := e.MustRestart(t, 7, func(c *connection.Config) { c.Route.Authorities = tc.roots })
			c := internalService(address)
			if tc.change != nil {
				tc.change(&c)
			}
			if tc.answer != nil {
				tc.answer(e.client.trial)
			}
			steps, err := m.Test(t.Context(), admin, c)
			MustDo(t, err)
			if got := results(steps); got != tc.want {
				t.Fatalf("got %q, want %q", got, tc.want)
			}
			said := false
			for _, s := range steps {
				said = said || strings.Contains(s.Message, tc.words)
				if strings.Contains(s.Message, "Avise a administração") {
					t.Errorf("%s: administração is told to tell itself: %q", s.Name, s.Message)
				}
			}
			if !said {
				t.Errorf("got %v, want %q", steps, tc.words)
			}
		})
	}
}

// An address whose name leads into the local network is refused by name and by
// connection, and nothing else is asked.
func TestManager_Test_Internal(t *testing.T) {
	e := MustManage(t)
	c := outsideService()
	c.BaseURL = "https://localhost.localdomain"
	steps, err := e.Test(t.Context(), admin, c)
	MustDo(t, err)
	if got := results(steps); got != "falhou pulado pulado pulado pulado pulado pulado" || len(e.client.trial.asked) != 0 {
		t.Errorf("got %q, asked %v", got, e.client.trial.asked)
	}
}

func TestManager_Forbidden(t *testing.T) {
	e := MustManage(t)
	for name, actor := range map[string]permission.Actor{
		"Reception": {User: admin.User, Roles: []permission.Role{permission.Reception, permission.Supervision}}, "Nobody": {},
	} {
		if err := e.Change(t.Context(), actor, outsideService()); !problem.Is(err, problem.Forbidden) {
			t.Errorf("%s: Change: got %v, want Forbidden", name, err)
		}
		if steps, err := e.Test(t.Context(), actor, outsideService()); steps != nil || !problem.Is(err, problem.Forbidden) {
			t.Errorf("%s: Test: got %v, %v, want Forbidden", name, steps, err)
		}
	}
}
