package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/service/api"
	"guiche/internal/store/engine"
	"guiche/internal/webui/console"
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

// TestConsole_Attack: whose passwords are being guessed is said with all that was tried, in a
// day and in a week, whether the password was looked at or not.
func TestConsole_Attack(t *testing.T) {
	t.Parallel()
	w := MustMakeWorld(t)
	for ago, tried := range map[time.Duration][2]int{0: {15, 10}, 72 * time.Hour: {100, 1000}, 9 * 24 * time.Hour: {7000, 0}} {
		at := time.Now().Add(-ago)
		err := w.db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO login_failure (user_uid, hour, tried, refused, failed_at)
				VALUES (zeroblob(16), ?1, ?2, ?3, ?1)`, engine.Micros(at), tried[0], tried[1])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	e, rec := echo.New(), httptest.NewRecorder()
	quiet := func(context.Context) (api.Traffic, error) { return api.Traffic{}, nil }
	for _, r := range console.Routes(console.Config{Admin: w.admin, Trail: w.trail, Traffic: quiet}, web{}) {
		e.Add(r.Method, r.Path, r.Handler)
	}
	e.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/servico", nil))
	if body := rec.Body.String(); !strings.Contains(body, "usuários que não existem: 25 (1.125 em 7 dias)") {
		t.Errorf("got %d, %s", rec.Code, body)
	}
}
