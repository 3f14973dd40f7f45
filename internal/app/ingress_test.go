package app_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestServer_Hosts: what is asked under another name is not given away, by the pages nor
// by the service; health checks know no name.
func TestServer_Hosts(t *testing.T) {
	t.Parallel()
	public := apptest.Options{Configure: publicly("https://guiche.clinica/")}
	for name, tc := range map[string]struct {
		options apptest.Options
		ours    []string
		foreign []string
	}{
		"PublicURL": {public, []string{"guiche.clinica", "guiche.clinica:443"}, []string{"evil.example", "127.0.0.1", "localhost"}},
		"Loopback":  {apptest.Options{}, []string{"localhost", "127.0.0.1:9", "[::1]:80"}, []string{"evil.example", "10.0.0.1"}},
		"Service": {apptest.Options{Standalone: true, Configure: publicly("https://servico.clinica:8443")},
			[]string{"servico.clinica:8443"}, []string{"servico.clinica", "evil.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, tc.options)
			for path, want := range map[string]int{"/entrar": http.StatusOK, "/api/openapi.yaml": http.StatusOK,
				"/api/v2/unidades": http.StatusUnauthorized, "/healthz": http.StatusOK, "/readyz": http.StatusOK} {
				for _, host := range tc.ours {
					if got := under(t, p, host, path); got.status != want {
						t.Errorf("%s under %s: %d, want %d", path, host, got.status, want)
					}
				}
				for _, host := range tc.foreign {
					checkForeign(t, p, host, path)
				}
			}
		})
	}
}

// checkForeign asks under a foreign name.
func checkForeign(t *testing.T, p *apptest.Server, host, path string) {
	t.Helper()
	got := under(t, p, host, path)
	if health := strings.HasSuffix(path, "z"); health != (got.status == http.StatusOK) ||
		!health && got.status != http.StatusMisdirectedRequest {
		t.Errorf("%s under %s: %d", path, host, got.status)
	}
	if got.header.Get("X-Content-Type-Options") != "nosniff" || strings.Contains(got.body, "evil") {
		t.Errorf("%s under %s: %v %q", path, host, got.header, got.body)
	}
	if strings.HasPrefix(path, "/api/") && !strings.Contains(got.body, `"sucesso":false`) {
		t.Errorf("%s under %s: no envelope: %s", path, host, got.body)
	}
}

// whole is an answer that was read to its end.
type whole struct {
	status int
	header http.Header
	body   string
}

// under asks for a path under a host name.
func under(t *testing.T, p *apptest.Server, host, path string) whole {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+hostPort(t, p.URL)+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return whole{res.StatusCode, res.Header, string(body)}
}

func hostPort(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// held is a request whose body does not come to its end.
type held struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
}

// hold begins a request and sends less of its body than it says.
func hold(t *testing.T, p *apptest.Server, path, header string, length int, body string) held {
	t.Helper()
	conn, err := net.Dial("tcp", hostPort(t, p.URL))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n%s", path, p.Host, header, length, body)
	if err != nil {
		t.Fatal(err)
	}
	return held{t, conn, bufio.NewReader(conn)}
}

const formHeader = "Content-Type: application/x-www-form-urlencoded\r\n"

// refused reads the answer, which comes although the body does not, and ends the
// connection.
func (h held) refused(want int) {
	h.t.Helper()
	r, err := http.ReadResponse(h.from, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != want || !r.Close {
		h.t.Errorf("got %d, closing %t, want %d: %v %.200s", r.StatusCode, r.Close, want, err, body)
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && json.Unmarshal(body, &struct{}{}) != nil {
		h.t.Errorf("no envelope: %s", body)
	}
	if _, err := h.from.ReadByte(); err == nil {
		h.t.Error("the connection goes on")
	}
}

// TestServer_Anonymous: who is not logged in gets a small body, at the desk, at the
// console and at the service, and learns of it before it is sent.
func TestServer_Anonymous(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]apptest.Options{"Desk": {}, "Service": {Standalone: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, options)
			const json, large = "Content-Type: application/json\r\n", 4 << 20
			for path, header := range map[string]string{"/entrar": formHeader, "/ativar/x": formHeader, "/servico/parceiros/novo": formHeader,
				"/healthz": formHeader, "/gibtesnicht": "", "/oauth/token": formHeader, "/api/v1/auth/login": json, "/api/v1/auth/refresh": json,
				"/entrar#cookie": formHeader + "Cookie: guiche=erfunden\r\n"} {
				t.Run(path, func(t *testing.T) {
					t.Parallel()
					path, _, _ := strings.Cut(path, "#")
					hold(t, p, path, header, large, "usuario=").refused(http.StatusRequestEntityTooLarge)
				})
			}
		})
	}
}

// TestServer_NoCredential: a request without an access, or with one that nobody knows,
// has its 401 before its body is read.
func TestServer_NoCredential(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	unknown := "X-Api-Key: gch_" + strings.Repeat("A", 51) + "\r\n"
	for name, header := range map[string]string{"None": "", "Key": unknown, "Token": "Authorization: Bearer x\r\n",
		"Both": unknown + "Authorization: Bearer x\r\n"} {
		for _, length := range []int{100, 50 << 20} {
			t.Run(fmt.Sprint(name, length), func(t *testing.T) {
				t.Parallel()
				hold(t, p, "/api/v2/autorizar/sp-sadt", "Content-Type: application/json\r\n"+header, length, "{").refused(http.StatusUnauthorized)
			})
		}
	}
}

// TestServer_Places: while strangers hold all places, the next one is told at once, and
// who is logged in notices nothing.
func TestServer_Places(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana, key := p.LogIn(t, apptest.Reception), p.APIKey()
	const places = 2 << 20 / (256 << 10) // of one address, with bodies of the largest size
	begun := make([]held, places)
	for i := range begun {
		begun[i] = hold(t, p, "/entrar", formHeader, 256<<10, "usuario=")
	}
	full := func(path, header string) {
		t.Helper()
		apptest.Eventually(t, "no place at "+path, func() bool {
			h := hold(t, p, path, header, 256<<10, "")
			_ = h.conn.SetReadDeadline(time.Now().Add(500 * time.Millisecond)) // it may have found the last place
			r, err := http.ReadResponse(h.from, nil)
			if err != nil {
				return false
			}
			defer r.Body.Close()
			return r.StatusCode == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "" && r.Close
		})
	}
	full("/entrar", formHeader)
	full("/api/v1/auth/login", "Content-Type: application/json\r\n")
	full("/oauth/token", formHeader)
	ana.PostHTMX("/busca/credenciais", url.Values{"Busca": {"aroeira"}}).Check(t, apptest.Want{Status: http.StatusOK})
	ana.Submit(ana.NewDraft()).Check(t, apptest.Want{Status: http.StatusOK})
	if got := p.Partner(t, key).Authorize(); got != http.StatusOK {
		t.Errorf("a partner gets %d", got)
	}
	p.Client(t).Get("/entrar").Check(t, apptest.Want{Status: http.StatusOK})
	for _, h := range begun {
		_ = h.conn.Close()
	}
	apptest.Eventually(t, "a place", func() bool {
		return p.Client(t).Post("/entrar", url.Values{"usuario": {"x"}}).Status == http.StatusUnprocessableEntity
	})
}

// TestServer_HungUp: who leaves in the middle of a request makes no line in the log that
// anybody has to read.
func TestServer_HungUp(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	before := strings.Count(p.Log.String(), "\n")
	for path, header := range map[string]string{"/entrar": formHeader, "/api/v1/auth/login": "Content-Type: application/json\r\n",
		"/oauth/token": formHeader} {
		for range 5 {
			_ = hold(t, p, path, header, 1000, "usuario=").conn.Close()
		}
	}
	p.Stop() // all have ended
	for line := range strings.Lines(strings.Join(strings.Split(p.Log.String(), "\n")[before:], "\n")) {
		var entry struct{ Level, Msg, Route, Method string }
		if err := json.Unmarshal([]byte(line), &entry); err == nil && entry.Level != slog.LevelDebug.String() && entry.Method != http.MethodGet {
			t.Errorf("the log says %s", line)
		}
	}
}

// TestServer_Links: no link is made of what a request says in its Host header.
func TestServer_Links(t *testing.T) {
	t.Parallel()
	for name, configure := range map[string]func(*app.Config){
		"Loopback": nil,
		"Any":      func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Configure: configure})
			rui := p.LogIn(t, apptest.Administration)
			invitation := rui.PersonPath("ana") + "/convite"
			_, port, err := net.SplitHostPort(p.Address())
			if err != nil {
				t.Fatal(err)
			}
			rui = rui.Twin() // a jar has no cookies for another host
			p.Host = map[bool]string{true: "evil.example", false: "localhost:1"}[name == "Any"]
			got := rui.Post(invitation, nil).Text("#convite")
			if !strings.Contains(got, "http://127.0.0.1:"+port+"/ativar/") {
				t.Errorf("the link is %q", got)
			}
		})
	}
}

// TestServer_Connections: more connections than are set find no place, and those of
// somebody who is logged in keep theirs.
func TestServer_Connections(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.MaxConnectionsPerAddress = 4 }})
	ana := p.LogIn(t, apptest.Reception)
	for range 40 {
		hold(t, p, "/entrar", formHeader, 10, "")
		ana.Get("/fila").Check(t, apptest.Want{Status: http.StatusOK})
	}
}

// TestServer_Links_Certificate: where the program listens on every address, links are
// made of the name in its certificate.
func TestServer_Links_Certificate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	MustWritePair(t, cert, key, "guiche")
	c := quiet(filepath.Join(folder, "data"))
	c.Addr, c.TLSCert, c.TLSKey = "0.0.0.0:0", cert, key
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	jar, _ := cookiejar.New(nil) // only options can be wrong
	visitor := &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	post := func(address string, form url.Values) string {
		t.Helper()
		res, err := visitor.PostForm(address, form)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", address, res.StatusCode, err)
		}
		return string(body)
	}
	const words = "vinte e um guardanapos azuis"
	post(a.SetupLink(), url.Values{"nome": {"Rui"}, "usuario": {"rui"}, "senha": {words}, "senha2": {words}})
	got := post(a.URL()+"/pessoas/nova", url.Values{"nome": {"Ana"}, "usuario": {"ana"}, "papeis": {"administracao"}})
	_, port, _ := net.SplitHostPort(a.Address())
	if !strings.Contains(got, "https://guiche.clinica:"+port+"/ativar/") {
		t.Errorf("the link is %q", regexp.MustCompile(`[^"> ]*/ativar/`).FindString(got))
	}
}

// TestServer_RefusedAtOnce: what another site's page sends, or what comes under another
// name, is refused before its body is read.
func TestServer_RefusedAtOnce(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	all := map[held]int{
		hold(t, p, "/entrar", formHeader+"Origin: https://evil.example\r\n", 100, ""): http.StatusForbidden,
		hold(t, p, "/static/app.css", formHeader, 100, ""):                            http.StatusMethodNotAllowed,
	}
	p.Host = "evil.example"
	for _, path := range []string{"/entrar", "/static/app.css", "/api/v1/auth/login"} {
		all[hold(t, p, path, formHeader, 100, "")] = http.StatusMisdirectedRequest
	}
	for h, want := range all {
		h.refused(want)
	}
}
