package webui_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestMetrics_Routes: requests are counted by the pattern of their route and their status, and
// addresses that do not exist as one.
func TestMetrics_Routes(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Metrics = "127.0.0.1:0" }})
	ana := server.LogIn(t, apptest.Reception)
	ana.Get("/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f").Check(t, apptest.Want{Status: http.StatusNotFound})
	ana.Get("/nada/HELENA")
	ana.Get("/conta")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+server.MetricsAddress()+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{code="404",half="pages",route="/casos/:uid"} 1`, `{code="404",half="pages",route="other"} 1`,
		`{code="200",half="pages",route="/conta"} 1`} {
		if !strings.Contains(string(text), "guiche_http_requests_total"+want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(string(text), "HELENA") {
		t.Error("an address stands in the metrics")
	}
}
