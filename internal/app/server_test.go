package app_test

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/connection"
)

// program is what both programs have in common.
type program interface {
	Close()
	URL() string
	Run(context.Context) error
}

var programs = map[string]func(context.Context, app.Config) (program, error){
	"App":        func(ctx context.Context, c app.Config) (program, error) { return app.New(ctx, c) },
	"Standalone": func(ctx context.Context, c app.Config) (program, error) { return app.NewStandalone(ctx, c) },
}

// quiet is a configuration on any free port.
func quiet(folder string) app.Config {
	return app.Config{Addr: "127.0.0.1:0", DataDir: folder, Logger: slog.New(slog.DiscardHandler)}
}

// A program that cannot start says which setting is at fault and leaves nothing
// behind that keeps the next start from working.
func TestNew_Fails(t *testing.T) {
	t.Parallel()
	for name, open := range programs {
		for _, tc := range []struct {
			name    string
			prepare func(t *testing.T, c *app.Config)
			says    string
		}{
			{"Address", func(_ *testing.T, c *app.Config) { c.Addr = "nirgends" }, "GUICHE_ADDR"},
			{"PortInUse", func(t *testing.T, c *app.Config) {
				l := mustListen(t)
				c.Addr = l.Addr().String()
			}, "GUICHE_ADDR"},
			{"FolderIsAFile", func(t *testing.T, c *app.Config) {
				c.DataDir = filepath.Join(t.TempDir(), "file")
				mustWrite(t, c.DataDir, "x")
			}, "GUICHE_DATA"},
			{"AuditKey", func(t *testing.T, c *app.Config) {
				mustWrite(t, filepath.Join(c.DataDir, "keys", "audit.key"), "short")
			}, "GUICHE_DATA"},
			{"Database", func(t *testing.T, c *app.Config) {
				mustWrite(t, filepath.Join(c.DataDir, "desk", "guiche.db"), strings.Repeat("no database ", 100))
			}, "GUICHE_DATA"},
			{"ServiceDatabase", func(t *testing.T, c *app.Config) {
				mustWrite(t, filepath.Join(c.DataDir, "service", "service.db"), strings.Repeat("no database ", 100))
			}, "GUICHE_DATA"},
			{"Rules", func(t *testing.T, c *app.Config) {
				c.Simulated, c.OperatorRules = true, filepath.Join(t.TempDir(), "rules.json")
				mustWrite(t, c.OperatorRules, "{")
			}, "GUICHE_OPERATOR_RULES"},
			{"PublicURL", func(_ *testing.T, c *app.Config) { c.PublicURL = "https://a/b" }, "GUICHE_PUBLIC_URL"},
			{"NoAuthorities", func(_ *testing.T, c *app.Config) { c.ServiceCA = c.DataDir }, "GUICHE_SERVICE_CA"},
			{"Authorities", func(t *testing.T, c *app.Config) {
				c.ServiceCA = filepath.Join(t.TempDir(), "ca.pem")
				mustWrite(t, c.ServiceCA, "no certificate")
			}, "GUICHE_SERVICE_CA: "},
			{"Proxy", func(_ *testing.T, c *app.Config) { c.ServiceProxy = "proxy.clinica:3128" }, "GUICHE_SERVICE_PROXY: want http://"},
			{"ProxyPassword", func(_ *testing.T, c *app.Config) { c.ServiceProxyPassword = "x" }, "GUICHE_SERVICE_PROXY belongs to it"},
		} {
			t.Run(name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				c := quiet(t.TempDir())
				tc.prepare(t, &c)
				p, err := open(t.Context(), c)
				if err == nil {
					p.Close()
					t.Fatal("got no error")
				}
				if !strings.Contains(err.Error(), tc.says) {
					t.Errorf("got %v, want %s named", err, tc.says)
				}
				if tc.name != "PortInUse" && tc.name != "Address" {
					return
				}
				c.Addr = "127.0.0.1:0"
				again, err := open(t.Context(), c)
				if err != nil {
					t.Fatalf("the next start: %v", err)
				}
				again.Close()
			})
		}
	}
	t.Run("SealKey", func(t *testing.T) { // of a desk alone
		c := quiet(t.TempDir())
		mustWrite(t, filepath.Join(c.DataDir, "keys", "seal.key"), "short")
		if _, err := app.New(t.Context(), c); err == nil || !strings.Contains(err.Error(), "GUICHE_DATA") {
			t.Errorf("got %v", err)
		}
	})
}

func mustListen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func mustWrite(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A program that stops finishes the request that it is answering and takes no new one.
func TestRun_Stops(t *testing.T) {
	t.Parallel()
	for name, open := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			p, err := open(ctx, quiet(t.TempDir()))
			if err != nil {
				cancel()
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx) }()
			apptest.Eventually(t, "it answers", func() bool { return answers(p.URL()) })
			body, sending := io.Pipe()
			reads, answered := make(chan bool), make(chan int, 1)
			go func() { answered <- post(p.URL()+"/entrar", body, reads) }()
			<-reads
			cancel()
			apptest.Eventually(t, "no new connection is taken", func() bool { return !answers(p.URL()) })
			_, _ = io.WriteString(sending, "usuario=ninguem&senha=nada")
			_ = sending.Close()
			if got := <-answered; got != http.StatusUnauthorized && got != http.StatusUnprocessableEntity {
				t.Errorf("the running request is answered with %d", got)
			}
			if err := <-ended; err != nil {
				t.Errorf("run ended with %v", err)
			}
			p.Close()
			p.Close() // nothing is left to close
		})
	}
}

// post sends a form, says when the server begins to read its body, and returns the
// status of the answer, 0 without one.
func post(address string, body io.Reader, reads chan<- bool) int {
	trace := &httptrace.ClientTrace{Got100Continue: func() { close(reads) }}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), trace), http.MethodPost, address, body)
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Expect", "100-continue")
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	res, err := client.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func answers(address string) bool {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Second}
	res, err := client.Get(address + "/healthz")
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return true
}

// The address that is printed is one that a browser can open.
func TestURL(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	MustWritePair(t, cert, key, "guiche")
	for name, tc := range map[string]struct {
		change func(*app.Config)
		want   string // before the port
	}{
		"Loopback":  {func(*app.Config) {}, "http://127.0.0.1:"},
		"Any":       {func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true }, "http://localhost:"},
		"AnySix":    {func(c *app.Config) { c.Addr, c.InsecureHTTP = ":0", true }, "http://localhost:"},
		"TLS":       {func(c *app.Config) { c.TLSCert, c.TLSKey = cert, key }, "https://127.0.0.1:"},
		"PublicURL": {publicly("https://guiche.clinica"), "https://guiche.clinica"},
		"Slash":     {publicly("https://guiche.clinica/"), "https://guiche.clinica"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := quiet(t.TempDir())
			tc.change(&c)
			a, err := app.New(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if !strings.HasPrefix(a.URL(), tc.want) || strings.HasSuffix(a.URL(), ":0") {
				t.Errorf("got %s, want %s…", a.URL(), tc.want)
			}
			if link := a.SetupLink(); !strings.HasPrefix(link, a.URL()+"/ativar/") || strings.Contains(link, "//ativar") {
				t.Errorf("the first link is %s", link)
			}
			if _, port, err := net.SplitHostPort(a.Address()); err != nil || port == "0" {
				t.Errorf("it listens on %s", a.Address())
			}
		})
	}
}

func publicly(address string) func(*app.Config) {
	return func(c *app.Config) { c.PublicURL, c.TrustedProxies = address, apptest.Loopback }
}

// Plain http that other machines can reach is said on every page.
func TestInsecure(t *testing.T) {
	t.Parallel()
	const banner = "Conexão sem proteção."
	for name, tc := range map[string]struct {
		change func(*app.Config)
		want   bool
	}{
		"Loopback": {func(*app.Config) {}, false},
		"Any":      {func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true }, true},
		"Proxy":    {publicly("https://guiche.clinica"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Empty: true, Configure: tc.change})
			_, port, err := net.SplitHostPort(p.Address())
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.Get("http://127.0.0.1:" + port + "/entrar")
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			page, _ := io.ReadAll(res.Body)
			if got := strings.Contains(string(page), banner); got != tc.want {
				t.Errorf("got %t, want %t", got, tc.want)
			}
		})
	}
}

// Old versions of TLS are refused, and nothing but HTTP/1.1 is spoken.
func TestTLS_Versions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	MustWritePair(t, cert, key, "guiche")
	a, _ := start(t, app.Config{DataDir: filepath.Join(folder, "data"), TLSCert: cert, TLSKey: key})
	for version, want := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: version,
			NextProtos: []string{"h2", "http/1.1"}}}
		conn, err := dialer.DialContext(t.Context(), "tcp", a.Address())
		if (err == nil) != want {
			t.Errorf("%s: got %v", tls.VersionName(version), err)
		}
		if err != nil {
			continue
		}
		if got := conn.(*tls.Conn).ConnectionState().NegotiatedProtocol; got != "http/1.1" {
			t.Errorf("%s: got %s", tls.VersionName(version), got)
		}
		_ = conn.Close()
	}
}

// Only a trusted proxy says from where somebody comes.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		proxies []netip.Prefix
		want    string
	}{
		"Trusted": {apptest.Loopback, "203.0.113.9"}, "Another": {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Empty: true, Configure: func(c *app.Config) { c.TrustedProxies = tc.proxies }})
			c := p.Client(t)
			c.Header.Set("X-Forwarded-For", tc.want)
			user, password := p.Login(apptest.Reception)
			c.LogIn(user, password)
			if got := c.Get("/conta").Text("main"); !strings.Contains(got, tc.want) {
				t.Errorf("the session is not from %s: %q", tc.want, got)
			}
		})
	}
}

// The embedded service answers where the pages are, and nowhere with another service.
func TestAPI(t *testing.T) {
	t.Parallel()
	other := apptest.StartOtherService(t, nil)
	for name, tc := range map[string]struct {
		options apptest.Options
		want    int
	}{
		"Embedded":   {apptest.Options{}, http.StatusUnauthorized},
		"Standalone": {apptest.Options{Standalone: true}, http.StatusUnauthorized},
		"Other": {apptest.Options{Empty: true, Configure: func(c *app.Config) {
			c.Connection, c.APIKey = connection.Settings{BaseURL: other.URL}, apptest.ServiceSecret
		}}, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, tc.options)
			if got := p.Client(t).StayOnRedirect().Get("/api/v2/credenciais"); got.Status != tc.want {
				t.Errorf("got %d, want %d", got.Status, tc.want)
			}
		})
	}
}

// The console says for whom the service is there.
func TestConsole(t *testing.T) {
	t.Parallel()
	other := apptest.StartOtherService(t, nil)
	configured := func(c *app.Config) {
		c.Demo, c.Simulated = false, false
		c.Connection, c.APIKey = connection.Settings{BaseURL: other.URL}, apptest.ServiceSecret
	}
	for name, tc := range map[string]struct {
		options  apptest.Options
		says     string
		partners int
	}{
		"Embedded":   {apptest.Options{}, "Serviço embutido em uso.", http.StatusOK},
		"Standalone": {apptest.Options{Standalone: true}, "Serviço no ar.", http.StatusOK},
		"Untrained":  {apptest.Options{Standalone: true, Empty: true}, "Nenhuma operadora ligada.", http.StatusOK},
		"Other":      {apptest.Options{Configure: configured}, "Outro serviço em uso.", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			admin := apptest.Start(t, tc.options).LogIn(t, apptest.Administration)
			if got := admin.Get("/servico"); !strings.Contains(string(got.Body), tc.says) {
				t.Errorf("%d: the page does not say %q", got.Status, tc.says)
			}
			if got := admin.Get("/servico/parceiros").Status; got != tc.partners {
				t.Errorf("partners: got %d, want %d", got, tc.partners)
			}
		})
	}
	t.Run("OtherByThePage", func(t *testing.T) {
		t.Parallel()
		admin := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
		admin.ConnectTo(t, other, url.Values{})
		if got := string(admin.Get("/servico").Body); !strings.Contains(got, "A recepção usa outro serviço.") ||
			!strings.Contains(got, "127.0.0.1") {
			t.Error("the page does not say where the desk's requests go")
		}
	})
}
