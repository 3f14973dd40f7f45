package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestDoor_Headers(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	v.StayOnRedirect()
	for _, path := range []string{"/entrar", "/fila", "/nova", "/ajuda", "/nada", "/casos/x", "/healthz"} {
		got := v.Get(path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
				"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("GET %s: %s is %q, want %q", path, name, got.Header.Get(name), want)
			}
		}
	}
}

// TestDoor_ServiceAddresses: whatever lies under the service's addresses is answered
// by the service, in its envelope and never by a redirect, for a client follows
// none; everything else is a page.
func TestDoor_ServiceAddresses(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for address, want := range map[string]string{
		"/api": "application/json", "/api/": "application/json", "/api/nada": "application/json", "//api/v2/credenciais": "application/json",
		"/api//v2/credenciais": "application/json", "/api/v2/../v2/credenciais": "application/json", "/x/../api/v2/credenciais": "application/json",
		"/oauth": "application/json", "/oauth//token": "application/json", "/apis": "text/html", "/API/v2/credenciais": "text/html",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, p.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.URL.Path = address
			res, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusNotFound || !strings.HasPrefix(got, want) {
				t.Errorf("%s %s: got %d %s, want 404 %s", method, address, res.StatusCode, got, want)
			}
		}
	}
}

func TestDoor_FileHeaders(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	page := v.Submit(address, form)
	guide := v.Get(page.Path + "/guias/0")
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Content-Security-Policy":      "default-src 'none'; form-action 'none'; sandbox; frame-ancestors 'self'",
	} {
		if got := guide.Header.Get(name); got != want {
			t.Errorf("guide: %s is %q, want %q", name, got, want)
		}
	}
	if got := guide.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "inline") {
		t.Errorf("guide: disposition %q, want inline", got)
	}
	if got := v.Get(page.Path + "/guias/0?baixar=1").Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("guide to save: disposition %q, want attachment", got)
	}
	for _, path := range []string{"/guias/1", "/guias/-1", "/guias/x", "/anexos/x"} {
		if got := v.Get(page.Path + path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, got.Status)
		}
	}
}

func TestDoor_Login(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	user, password := p.Login(apptest.Reception)
	t.Run("WrongPasswordAndUnknownUserLookTheSame", func(t *testing.T) {
		v := p.Client(t)
		wrong := v.Post("/entrar", url.Values{"usuario": {user}, "senha": {"errada"}})
		unknown := v.Post("/entrar", url.Values{"usuario": {"ninguem"}, "senha": {"errada"}})
		if wrong.Status != http.StatusUnprocessableEntity || unknown.Status != http.StatusUnprocessableEntity {
			t.Errorf("got %d and %d, want 422 twice", wrong.Status, unknown.Status)
		}
		if a, b := wrong.Text("[role=alert]"), unknown.Text("[role=alert]"); a == "" || a != b {
			t.Errorf("messages differ: %q, %q", a, b)
		}
		if got := wrong.Value("#usuario"); got != user {
			t.Errorf("user is %q after the error, want it kept", got)
		}
	})
	t.Run("Cookie", func(t *testing.T) {
		v := p.Client(t)
		v.StayOnRedirect()
		got := v.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
		cookie := got.Header.Get("Set-Cookie")
		for _, part := range []string{"guiche=", "Path=/", "HttpOnly", "SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("cookie %q lacks %s", strings.SplitN(cookie, "=", 2)[0], part)
			}
		}
		if strings.Contains(cookie, "Secure") {
			t.Error("a Secure cookie over plain http would be dropped by Safari")
		}
	})
	t.Run("BackToWhereOneWas", func(t *testing.T) {
		v := p.Client(t)
		asked := v.Get("/ajuda")
		if asked.Path != "/entrar" || asked.Value("[name=volta]") != "/ajuda" {
			t.Fatalf("at %s, back to %q", asked.Path, asked.Value("[name=volta]"))
		}
		for back, want := range map[string]string{"/ajuda": "/ajuda", "//evil.example": "/fila", "https://evil.example": "/fila", `/\evil`: "/fila"} {
			v := p.Client(t)
			if got := v.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}, "volta": {back}}); got.Path != want {
				t.Errorf("back to %q led to %s, want %s", back, got.Path, want)
			}
		}
	})
	t.Run("Logout", func(t *testing.T) {
		v := p.LogIn(t, apptest.Reception)
		if got := v.Get("/sair"); got.Status != http.StatusMethodNotAllowed {
			t.Errorf("leaving by a link: %d, want 405", got.Status)
		}
		v.Post("/sair", nil)
		if got := v.Get("/fila"); got.Path != "/entrar" {
			t.Errorf("after leaving /fila leads to %s", got.Path)
		}
	})
	t.Run("Throttle", func(t *testing.T) {
		v := p.Client(t)
		var last *apptest.Page
		for range 12 {
			last = v.Post("/entrar", url.Values{"usuario": {"celia"}, "senha": {"errada"}})
		}
		if last.Status != http.StatusTooManyRequests {
			t.Errorf("after 12 wrong passwords: %d, want 429", last.Status)
		}
	})
}

func TestDoor_SecureCookie(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.PublicURL, c.TrustedProxies = "https://guiche.clinica", apptest.Loopback
	}})
	user, password := p.Login(apptest.Reception)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.PostForm("http://"+p.Address()+"/entrar", url.Values{"usuario": {user}, "senha": {password}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	cookie := res.Header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "__Host-guiche=") || !strings.Contains(cookie, "Secure") {
		t.Errorf("behind https the cookie must be __Host- and Secure: %s", strings.SplitN(cookie, "=", 2)[0])
	}
	if res.Header.Get("Strict-Transport-Security") == "" {
		t.Error("no HSTS behind https")
	}
}

func TestDoor_OriginCheck(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}},
	} {
		got := v.Send(http.MethodPost, address, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), header)
		if got.Status != http.StatusForbidden {
			t.Errorf("%v: %d, want 403", header, got.Status)
		}
	}
	if got := v.Get(address); got.Status != http.StatusNotFound {
		t.Errorf("a foreign form saved a draft: %d", got.Status)
	}
}

func TestDoor_Rights(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	receptionist := p.LogIn(t, apptest.Reception)
	address, form := receptionist.NewDraft()
	receptionist.Post(address, form)
	page := receptionist.Submit(address, form)
	t.Run("NobodyIsSentToTheEntry", func(t *testing.T) {
		stranger := p.Client(t)
		for _, path := range []string{"/", "/fila", "/nova", page.Path, page.Path + "/guias/0", "/ajuda"} {
			if got := stranger.Get(path); got.Path != "/entrar" {
				t.Errorf("GET %s: at %s with %d", path, got.Path, got.Status)
			}
		}
	})
	t.Run("AdministrationSeesNoPatients", func(t *testing.T) {
		admin := p.LogIn(t, apptest.Administration)
		for _, path := range []string{"/fila", "/nova", page.Path, page.Path + "/guias/0"} {
			if got := admin.Get(path); got.Status != http.StatusForbidden {
				t.Errorf("GET %s: %d, want 403", path, got.Status)
			}
		}
		if got := admin.Get("/"); got.Path != "/pessoas" || got.Status != http.StatusOK {
			t.Errorf("administração starts at %s with %d", got.Path, got.Status)
		}
	})
	t.Run("DraftsAreOnesOwn", func(t *testing.T) {
		mine, form := receptionist.NewDraft()
		receptionist.Post(mine, form)
		if got := p.LogIn(t, apptest.Supervision).Get(mine); got.Status != http.StatusNotFound {
			t.Errorf("another person's draft: %d, want 404", got.Status)
		}
	})
}

func TestDoor_Failures(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/nada", http.StatusNotFound},
		{http.MethodGet, "/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", http.StatusNotFound},
		{http.MethodGet, "/casos/nao-e-um-numero", http.StatusNotFound},
		{http.MethodGet, "/fila?grupo=inexistente", http.StatusNotFound},
		{http.MethodGet, "/nova/x/revisar", http.StatusMethodNotAllowed},
		{http.MethodPost, "/fila", http.StatusMethodNotAllowed},
		{http.MethodDelete, "/fila", http.StatusMethodNotAllowed},
	} {
		got := v.Send(tt.method, tt.path, "", nil, nil)
		if got.Status != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, got.Status, tt.want)
		}
		if got.Text("h1") == "" || got.Count("main a.btn") == 0 {
			t.Errorf("%s %s: the page has no heading or no way on", tt.method, tt.path)
		}
	}
	t.Run("TooLarge", func(t *testing.T) {
		address, _ := v.NewDraft()
		got := v.Upload(address+"/anexos", nil, map[string][]byte{"enorme.pdf": make([]byte, 70<<20)})
		if got.Status != http.StatusRequestEntityTooLarge && got.Status != http.StatusUnprocessableEntity {
			t.Errorf("70 MiB: %d", got.Status)
		}
	})
	t.Run("Head", func(t *testing.T) {
		if got := v.Send(http.MethodHead, "/healthz", "", nil, nil); got.Status != http.StatusOK {
			t.Errorf("HEAD /healthz: %d", got.Status)
		}
	})
}
