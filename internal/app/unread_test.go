package app_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
)

// TestServer_Unread: what net/http answers before a request reaches us, in plain text
// or empty, is what the README says, and ends the connection.
func TestServer_Unread(t *testing.T) {
	t.Parallel()
	a, _ := start(t, app.Config{DataDir: t.TempDir()})
	const host = "Host: 127.0.0.1\r\n"
	for name, tc := range map[string]struct {
		request string
		want    int
	}{
		"NoRequestLine":  {"nonsense\r\n\r\n", http.StatusBadRequest},
		"BadTarget":      {"GET /api/%zz HTTP/1.1\r\n" + host + "\r\n", http.StatusBadRequest},
		"NoHost":         {"GET /api/v2/credenciais HTTP/1.1\r\n\r\n", http.StatusBadRequest},
		"TwoHosts":       {"GET /api/v2/credenciais HTTP/1.1\r\n" + host + host + "\r\n", http.StatusBadRequest},
		"BadHeaderName":  {"GET /api/v2/credenciais HTTP/1.1\r\n" + host + "x key: 1\r\n\r\n", http.StatusBadRequest},
		"BadLength":      {"POST /api/v2/autorizar/sp-sadt HTTP/1.1\r\n" + host + "Content-Length: x\r\n\r\n", http.StatusBadRequest},
		"Expectation":    {"POST /api/v2/autorizar/sp-sadt HTTP/1.1\r\n" + host + "Expect: x\r\n\r\n", http.StatusExpectationFailed},
		"LargeHeader":    {"GET /api/v2/credenciais HTTP/1.1\r\n" + host + "x: " + strings.Repeat("x", 20<<10) + "\r\n\r\n", 431},
		"UnknownCoding":  {"POST /api/v2/autorizar/sp-sadt HTTP/1.1\r\n" + host + "Transfer-Encoding: x\r\n\r\n", http.StatusNotImplemented},
		"UnknownVersion": {"GET /api/v2/credenciais HTTP/3.0\r\n" + host + "\r\n", http.StatusHTTPVersionNotSupported},
	} {
		t.Run(name, func(t *testing.T) { checkUnread(t, a.Address(), tc.request, tc.want) })
	}
	t.Run("PlainToTLS", func(t *testing.T) {
		folder := t.TempDir()
		cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
		MustWritePair(t, cert, key, "guiche")
		secure, _ := start(t, app.Config{DataDir: filepath.Join(folder, "data"), TLSCert: cert, TLSKey: key})
		checkUnread(t, secure.Address(), "GET /api/v2/credenciais HTTP/1.1\r\n"+host+"\r\n", http.StatusBadRequest)
	})
}

// checkUnread sends a request, and reads its only answer to the end of the connection.
func checkUnread(t *testing.T, address, request string, want int) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprint(conn, request) // a refusal may come before all is written
	from := bufio.NewReader(conn)
	r, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	if r.StatusCode != want || len(body) > 200 {
		t.Errorf("got %d %q, want %d and no more than a line", r.StatusCode, body, want)
	}
	if _, err := from.ReadByte(); err == nil {
		t.Error("the connection goes on")
	}
}
