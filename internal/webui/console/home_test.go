package console_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestConsole_Home(t *testing.T) {
	t.Parallel()
	t.Run("Embedded", func(t *testing.T) {
		got := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration).Get("/servico")
		if got.Status != http.StatusOK || !strings.Contains(got.Text(".notice"), "embutido") {
			t.Errorf("got %d, %q", got.Status, got.Text(".notice"))
		}
		for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
			if got.Count("main a[href='"+path+"']") != 1 {
				t.Errorf("no way to %s", path)
			}
		}
		if got.Count(".menu a[href='/servico']") != 1 {
			t.Error("the menu does not lead here")
		}
	})
}

// With another service the console says so and offers nothing.
func TestConsole_OtherService(t *testing.T) {
	t.Parallel()
	far := apptest.Start(t, apptest.Options{})
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Demo, c.Simulated, c.Connection.BaseURL, c.APIKey = false, false, far.URL, "gch_x"
	}})
	admin := p.LogIn(t, apptest.Administration)
	home := admin.Get("/servico")
	if home.Status != http.StatusOK || !strings.Contains(home.Text("main"), "127.0.0.1") ||
		home.Count("main a[href^='/servico/parceiros']") != 0 {
		t.Errorf("got %d, %q", home.Status, home.Text("main"))
	}
	for _, path := range []string{"/servico/parceiros", "/servico/credenciais", "/servico/registro", "/servico/trafego"} {
		if got := admin.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got.Status)
		}
	}
}
