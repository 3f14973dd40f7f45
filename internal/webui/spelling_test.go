package webui_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// rawAnswer is what came back for a request as it was written.
type rawAnswer struct {
	Method string
	Status int
	Header http.Header
	Body   string
}

// ask sends a request whose target is written as given, and reads the answer.
func ask(t *testing.T, p *apptest.Server, method, target string) rawAnswer {
	t.Helper()
	host := strings.TrimPrefix(p.URL, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, target, host)
	r, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return rawAnswer{Method: method, Status: r.StatusCode, Header: r.Header, Body: string(body)}
}

// TestServer_Spellings: however the address of an operation is written, a program
// gets an envelope, and a person our page: never a redirect, nor words of a library.
func TestServer_Spellings(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]apptest.Options{"WithDesk": {}, "Standalone": {Standalone: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, o)
			for _, target := range []string{
				"/API/v2/credenciais", "/Api/v2/credenciais", "/aPI", "/API/", "/OAUTH/token", "/OAuth//token", "/api/V2/credenciais",
				"/api/v2/Credenciais", "//API/v2/credenciais", "///api/v2/credenciais", "/api//v2/credenciais", "/api/v2/credenciais//",
				"/api/v2/credenciais/", "/api/v2/./credenciais", "/./api/v2/credenciais", "/api/v2/../v2/credenciais", "/api/../entrar",
				"/entrar/../api/v2/credenciais", "/%61PI/v2/credenciais", "/api/v2/%2e%2e/v2/credenciais", "/api%2Fv2%2Fcredenciais",
				"/api%2fv2/credenciais", "/%2fapi/v2/credenciais", "/%2e/api/v2/credenciais", "/api%5Cv2/credenciais", "/api%20/v2/credenciais",
				"/api;v=2/credenciais", "/api%00/v2", "/api?x", p.URL + "/API/v2/credenciais", p.URL + "//api/v2/credenciais",
			} {
				for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodTrace, "BREW"} {
					r := ask(t, p, method, target)
					if r.Status != http.StatusNotFound {
						t.Errorf("%s %s: got %d, want 404", method, target, r.Status)
					}
					checkProgramAnswer(t, method+" "+target, r)
				}
			}
			for _, target := range []string{"//entrar", "/./entrar", "/x/../entrar", "//static/x", "/entrar//", "/entrar/", "/apis",
				"/apiv2", "/ENTRAR", "*"} {
				checkPageAnswer(t, target, ask(t, p, http.MethodOptions, target))
			}
			checkPageAnswer(t, "CONNECT", ask(t, p, http.MethodConnect, strings.TrimPrefix(p.URL, "http://")))
			checkProgramAnswer(t, "CONNECT of an operation", ask(t, p, http.MethodConnect, "/api/v2/credenciais"))
			if r := ask(t, p, http.MethodGet, p.URL); r.Status != http.StatusSeeOther {
				t.Errorf("an absolute address without a path: got %d, want what / answers", r.Status)
			}
		})
	}
}

// checkProgramAnswer: an envelope, and the headers of every answer.
func checkProgramAnswer(t *testing.T, what string, r rawAnswer) {
	t.Helper()
	var envelope struct {
		Success *bool `json:"sucesso"`
		Errors  []any `json:"erros"`
	}
	err := json.Unmarshal([]byte(r.Body), &envelope)
	if r.Method != http.MethodHead && (err != nil || envelope.Success == nil || *envelope.Success || len(envelope.Errors) == 0) {
		t.Errorf("%s: got %d %.80q, want an envelope", what, r.Status, r.Body)
	}
	h := r.Header
	if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" || h.Get("X-Request-Id") == "" ||
		!strings.HasPrefix(h.Get("Content-Type"), "application/json") {
		t.Errorf("%s: got the headers %v", what, h)
	}
}

// checkPageAnswer: a refusal of ours, as a page with its headers.
func checkPageAnswer(t *testing.T, what string, r rawAnswer) {
	t.Helper()
	if r.Status != http.StatusNotFound && r.Status != http.StatusMethodNotAllowed || !strings.Contains(r.Body, "<h1") {
		t.Errorf("%s: got %d %.80q, want our page", what, r.Status, r.Body)
	}
	if h := r.Header; h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" ||
		h.Get("Content-Security-Policy") == "" {
		t.Errorf("%s: got the headers %v", what, h)
	}
}
