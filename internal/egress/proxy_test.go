package egress_test

import (
	"bufio"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/egress"
	"guiche/internal/egress/proxytest"
)

const service = "servico.exemplo.com.br:443"

// direct is how the tests reach a proxy.
var direct egress.Dialer = (&net.Dialer{}).DialContext

func mustProxy(t *testing.T, address, password string) *egress.Proxy {
	t.Helper()
	p, err := egress.NewProxy(address, password)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustServe returns the address of a service that greets.
func mustServe(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "bom dia") }))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// greeting asks through a connection.
func greeting(t *testing.T, conn net.Conn) string {
	t.Helper()
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: servico\r\nConnection: close\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return string(text)
}

// withUser puts a user into a proxy's address.
func withUser(address string) string { return strings.Replace(address, "://", "://clinica@", 1) }

// TestProxy_DialContext: the connection is one to the service, by its name, over every
// kind of proxy; only the right user gets one.
func TestProxy_DialContext(t *testing.T) {
	hosts := map[string]string{service: mustServe(t)}
	secured, certificate := proxytest.StartTLS(t, hosts)
	for name, p := range map[string]*proxytest.Proxy{
		"HTTP": proxytest.Start(t, hosts), "SOCKS": proxytest.StartSOCKS(t, hosts), "HTTPS": secured,
	} {
		t.Run(name, func(t *testing.T) {
			proxy := mustProxy(t, p.URL, "")
			route := egress.NewRoute(proxy, mustTrust(t, certificate))
			conn, err := route.DialContext(t.Context(), direct, "tcp", service)
			if err != nil {
				t.Fatal(err)
			}
			if got := greeting(t, conn); got != "bom dia" || !slices.Equal(p.Asked(), []string{service}) {
				t.Errorf("got %q, asked for %v", got, p.Asked())
			}
			p.User, p.Password = "clinica", "segredo"
			for password, good := range map[string]bool{"segredo": true, "errado": false} {
				route := egress.NewRoute(mustProxy(t, withUser(p.URL), password), mustTrust(t, certificate))
				conn, err := route.DialContext(t.Context(), direct, "tcp", service)
				var refused *egress.RefusedError
				if good != (err == nil) || !good && !errors.As(err, &refused) || err != nil && strings.Contains(err.Error(), password) {
					t.Errorf("%s: got %v", password, err)
				}
				if conn != nil {
					_ = conn.Close()
				}
			}
		})
	}
}

// TestProxy_DialContext_Granted: any 2xx stands for a connection, and what its head says of a body counts for nothing
// (RFC 9110, 9.3.6).
func TestProxy_DialContext_Granted(t *testing.T) {
	for name, head := range map[string]string{
		"OldVersion": "HTTP/1.0 200 Connection established\r\nProxy-Agent: x/1\r\n\r\n", "NoWords": "HTTP/1.1 200\r\n\r\n",
		"Empty": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "Length": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
		"Chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "Close": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
		"NoContent": "HTTP/1.1 204 No Content\r\n\r\n", "Created": "HTTP/1.1 201 Created\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := proxytest.Start(t, map[string]string{service: mustServe(t)})
			p.Granted = head
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			conn, err := mustProxy(t, p.URL, "").DialContext(ctx, direct, "tcp", service)
			if err != nil {
				t.Fatal(err)
			}
			if got := greeting(t, conn); got != "bom dia" {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestProxy_DialContext_Fails: a proxy that says no is told from one that is not there,
// and none holds anybody beyond their time.
func TestProxy_DialContext_Fails(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	chatty := proxytest.Start(t, map[string]string{service: mustServe(t)})
	chatty.Greeting = "SSH-2.0"
	untrusted, _ := proxytest.StartTLS(t, nil)
	plain := proxytest.Start(t, nil)
	for name, tc := range map[string]struct {
		address string
		status  int // of the refusal, -1 for none
	}{
		"Refused":   {plain.URL, http.StatusForbidden},
		"NoSOCKS":   {proxytest.StartSOCKS(t, nil).URL, 0},
		"Nobody":    {"http://127.0.0.1:1", -1},
		"NoProxy":   {"https" + strings.TrimPrefix(plain.URL, "http"), -1},
		"Silent":    {"http://" + silent.Addr().String(), -1},
		"Chatty":    {chatty.URL, -1},
		"Untrusted": {untrusted.URL, -1},
	} {
		t.Run(name, func(t *testing.T) {
			patience := time.Second
			if tc.status >= 0 {
				patience = time.Minute // it answers
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			conn, err := egress.NewRoute(mustProxy(t, tc.address, ""), nil).DialContext(ctx, direct, "tcp", service)
			if conn != nil {
				t.Fatal("got a connection")
			}
			var refused *egress.RefusedError
			switch {
			case tc.status >= 0 && (!errors.As(err, &refused) || refused.Status != tc.status):
				t.Errorf("got %v, want a refusal with %d", err, tc.status)
			case tc.status < 0 && !errors.Is(err, egress.ErrProxyUnreachable):
				t.Errorf("got %v, want that it cannot be reached", err)
			}
		})
	}
}

// TestNewProxy: an address that cannot be one is refused, and no password is shown.
func TestNewProxy(t *testing.T) {
	for address, want := range map[string]string{
		"http://proxy.clinica:3128": "http://proxy.clinica:3128", "https://proxy.clinica": "https://proxy.clinica:443",
		"socks5://clinica@10.0.0.1": "socks5://10.0.0.1:1080", "http://[::1]:8/": "http://[::1]:8",
		"": "", "proxy:3128": "", "ftp://proxy": "", "http://": "", "http://proxy/x": "", "http://proxy?x": "", "http://a:segredo@proxy": "",
	} {
		p, err := egress.NewProxy(address, "")
		if want == "" {
			if err == nil || strings.Contains(err.Error(), "segredo") {
				t.Errorf("%s: got %v", address, err)
			}
			continue
		}
		if err != nil || p.String() != want {
			t.Errorf("%s: got %v, %v", address, p, err)
		}
	}
	if _, err := egress.NewProxy("http://proxy", "segredo"); err == nil {
		t.Error("a password without a user: got no error")
	}
}

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func mustTrust(t *testing.T, der []byte) *egress.Authorities {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	mustWrite(t, file, pemOf("CERTIFICATE", der))
	a, err := egress.OpenAuthorities(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func mustWrite(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
