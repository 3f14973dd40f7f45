package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
)

func TestDoor_Headers(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, path := range []string{"/entrar", "/fila", "/nova", "/ajuda", "/nada", "/casos/x", "/healthz"} {
		got := v.get(path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
				"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		} {
			if got.header.Get(name) != want {
				t.Errorf("GET %s: %s is %q, want %q", path, name, got.header.Get(name), want)
			}
		}
	}
}

// TestDoor_ServiceAddresses: whatever lies under the service's addresses is answered
// by the service, in its envelope and never by a redirect, for a client follows
// none; everything else is a page.
func TestDoor_ServiceAddresses(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for address, want := range map[string]string{
		"/api": "application/json", "/api/": "application/json", "/api/nada": "application/json", "//api/v2/credenciais": "application/json",
		"/api//v2/credenciais": "application/json", "/api/v2/../v2/credenciais": "application/json", "/x/../api/v2/credenciais": "application/json",
		"/oauth": "application/json", "/oauth//token": "application/json", "/apis": "text/html", "/API/v2/credenciais": "text/html",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, p.url, nil)
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
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	page := v.submit(address, form)
	guide := v.get(page.path + "/guias/0")
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Content-Security-Policy":      "default-src 'none'; form-action 'none'; sandbox; frame-ancestors 'self'",
	} {
		if got := guide.header.Get(name); got != want {
			t.Errorf("guide: %s is %q, want %q", name, got, want)
		}
	}
	if got := guide.header.Get("Content-Disposition"); !strings.HasPrefix(got, "inline") {
		t.Errorf("guide: disposition %q, want inline", got)
	}
	if got := v.get(page.path + "/guias/0?baixar=1").header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("guide to save: disposition %q, want attachment", got)
	}
	for _, path := range []string{"/guias/1", "/guias/-1", "/guias/x", "/anexos/x"} {
		if got := v.get(page.path + path); got.status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, got.status)
		}
	}
}

func TestDoor_Login(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	user, password := p.login(t, "recepcao")
	t.Run("WrongPasswordAndUnknownUserLookTheSame", func(t *testing.T) {
		v := MustVisit(t, p, "")
		wrong := v.post("/entrar", url.Values{"usuario": {user}, "senha": {"errada"}})
		unknown := v.post("/entrar", url.Values{"usuario": {"ninguem"}, "senha": {"errada"}})
		if wrong.status != http.StatusUnprocessableEntity || unknown.status != http.StatusUnprocessableEntity {
			t.Errorf("got %d and %d, want 422 twice", wrong.status, unknown.status)
		}
		if a, b := wrong.text("[role=alert]"), unknown.text("[role=alert]"); a == "" || a != b {
			t.Errorf("messages differ: %q, %q", a, b)
		}
		if got := wrong.value("#usuario"); got != user {
			t.Errorf("user is %q after the error, want it kept", got)
		}
	})
	t.Run("Cookie", func(t *testing.T) {
		v := MustVisit(t, p, "")
		v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		got := v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
		cookie := got.header.Get("Set-Cookie")
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
		v := MustVisit(t, p, "")
		asked := v.get("/ajuda")
		if asked.path != "/entrar" || asked.value("[name=volta]") != "/ajuda" {
			t.Fatalf("at %s, back to %q", asked.path, asked.value("[name=volta]"))
		}
		for back, want := range map[string]string{"/ajuda": "/ajuda", "//evil.example": "/fila", "https://evil.example": "/fila", `/\evil`: "/fila"} {
			v := MustVisit(t, p, "")
			if got := v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}, "volta": {back}}); got.path != want {
				t.Errorf("back to %q led to %s, want %s", back, got.path, want)
			}
		}
	})
	t.Run("Logout", func(t *testing.T) {
		v := MustVisit(t, p, "recepcao")
		if got := v.get("/sair"); got.status != http.StatusMethodNotAllowed {
			t.Errorf("leaving by a link: %d, want 405", got.status)
		}
		v.post("/sair", nil)
		if got := v.get("/fila"); got.path != "/entrar" {
			t.Errorf("after leaving /fila leads to %s", got.path)
		}
	})
	t.Run("Throttle", func(t *testing.T) {
		v := MustVisit(t, p, "")
		var last answer
		for range 12 {
			last = v.post("/entrar", url.Values{"usuario": {"celia"}, "senha": {"errada"}})
		}
		if last.status != http.StatusTooManyRequests {
			t.Errorf("after 12 wrong passwords: %d, want 429", last.status)
		}
	})
}

func TestDoor_SecureCookie(t *testing.T) {
	t.Parallel()
	p := MustRun(t, func(c *app.Config) {
		c.PublicURL, c.TrustedProxies = "https://guiche.clinica", loopback
	})
	user, password := p.login(t, "recepcao")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.PostForm("http://"+p.address()+"/entrar", url.Values{"usuario": {user}, "senha": {password}})
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
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}},
	} {
		got := v.send(http.MethodPost, address, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), header)
		if got.status != http.StatusForbidden {
			t.Errorf("%v: %d, want 403", header, got.status)
		}
	}
	if got := v.get(address); got.status != http.StatusNotFound {
		t.Errorf("a foreign form saved a draft: %d", got.status)
	}
}

func TestDoor_Rights(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	receptionist := MustVisit(t, p, "recepcao")
	address, form := receptionist.newDraft()
	receptionist.post(address, form)
	page := receptionist.submit(address, form)
	t.Run("NobodyIsSentToTheEntry", func(t *testing.T) {
		stranger := MustVisit(t, p, "")
		for _, path := range []string{"/", "/fila", "/nova", page.path, page.path + "/guias/0", "/ajuda"} {
			if got := stranger.get(path); got.path != "/entrar" {
				t.Errorf("GET %s: at %s with %d", path, got.path, got.status)
			}
		}
	})
	t.Run("AdministrationSeesNoPatients", func(t *testing.T) {
		admin := MustVisit(t, p, "administracao")
		for _, path := range []string{"/fila", "/nova", page.path, page.path + "/guias/0"} {
			if got := admin.get(path); got.status != http.StatusForbidden {
				t.Errorf("GET %s: %d, want 403", path, got.status)
			}
		}
		if got := admin.get("/"); got.path != "/pessoas" || got.status != http.StatusOK {
			t.Errorf("administração starts at %s with %d", got.path, got.status)
		}
	})
	t.Run("DraftsAreOnesOwn", func(t *testing.T) {
		mine, form := receptionist.newDraft()
		receptionist.post(mine, form)
		if got := MustVisit(t, p, "supervisao").get(mine); got.status != http.StatusNotFound {
			t.Errorf("another person's draft: %d, want 404", got.status)
		}
	})
}

func TestDoor_Failures(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
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
		got := v.send(tt.method, tt.path, "", nil, nil)
		if got.status != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.method, tt.path, got.status, tt.want)
		}
		if got.text("h1") == "" || got.doc().Find("main a.btn").Length() == 0 {
			t.Errorf("%s %s: the page has no heading or no way on", tt.method, tt.path)
		}
	}
	t.Run("TooLarge", func(t *testing.T) {
		address, _ := v.newDraft()
		got := v.upload(address+"/anexos", nil, map[string][]byte{"enorme.pdf": make([]byte, 70<<20)})
		if got.status != http.StatusRequestEntityTooLarge && got.status != http.StatusUnprocessableEntity {
			t.Errorf("70 MiB: %d", got.status)
		}
	})
	t.Run("Head", func(t *testing.T) {
		if got := v.send(http.MethodHead, "/healthz", "", nil, nil); got.status != http.StatusOK {
			t.Errorf("HEAD /healthz: %d", got.status)
		}
	})
}
