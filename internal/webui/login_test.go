package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestLogin(t *testing.T) {
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
		for back, want := range map[string]string{"/ajuda": "/ajuda", "//evil.example": "/fila", "https://evil.example": "/fila",
			`/\evil`: "/fila"} {
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
		left := v.StayOnRedirect().Post("/sair", nil)
		if got := left.Header.Get("Clear-Site-Data"); got != `"storage"` || left.Header.Get("Location") != "/entrar" {
			t.Errorf("leaving clears %q and leads to %s", got, left.Header.Get("Location"))
		}
		v.HTTP.CheckRedirect = nil
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

func TestLogin_SecureCookie(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.PublicURL, c.TrustedProxies = "https://guiche.clinica", apptest.Loopback
	}})
	user, password := p.Login(apptest.Reception)
	res := p.Client(t).StayOnRedirect().Post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
	for i, name := range []string{"__Host-guiche=", "__Host-guiche-navegador="} {
		if cookie := res.Header.Values("Set-Cookie")[i]; !strings.HasPrefix(cookie, name) || !strings.Contains(cookie, "; Path=/;") ||
			!strings.Contains(cookie, "; HttpOnly; Secure; SameSite=Lax") || strings.Contains(cookie, "Domain") {
			t.Errorf("behind https the cookie must be __Host- and Secure: %s", strings.SplitN(cookie, "=", 2)[0])
		}
	}
	if res.Header.Get("Strict-Transport-Security") == "" {
		t.Error("no HSTS behind https")
	}
}

// Whoever guesses a password is seen by administração and keeps nobody out who logged
// in with this browser before.
func TestLogin_Attacked(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	user, password := p.Login(apptest.Reception)
	owner := p.LogIn(t, apptest.Reception)
	owner.Post("/sair", nil)
	stranger := p.Client(t)
	for range 25 {
		stranger.Post("/entrar", url.Values{"usuario": {user}, "senha": {"errada"}})
	}
	if got := stranger.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.Status != http.StatusTooManyRequests {
		t.Errorf("a browser that never logged in, from the same address: got %d, want 429", got.Status)
	}
	if got := owner.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.Path != "/fila" {
		t.Errorf("the owner's browser: got %d at %s, want the queue", got.Status, got.Path)
	}
	admin := p.LogIn(t, apptest.Administration)
	if got := admin.Get("/pessoas").Text(".notice"); !strings.Contains(got, ": 26 (26 em 7 dias)") {
		t.Errorf("people's page: got %q, want the attack", got)
	}
}
