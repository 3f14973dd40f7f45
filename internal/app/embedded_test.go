package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/limittest"
)

// lists returns the body of a list of the embedded service.
func lists(t *testing.T, p *apptest.Server, path string) string {
	t.Helper()
	c := p.Client(t)
	c.Header.Set("X-Api-Key", p.APIKey())
	got := c.Get(path)
	if got.Status != http.StatusOK {
		t.Fatalf("%s: %d", path, got.Status)
	}
	return string(got.Body)
}

// What the desk's directory has can be requested from the embedded service at once,
// with the same identifiers.
func TestApp_ServiceFollowsTheDirectory(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	unit := admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"Vila Nova"}, "pontosAtendimento[0].nome": {"Guichê 7"}})
	professional := admin.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Nair Falcão"}, "siglaConselho": {"CRM"},
		"numeroConselho": {"55871"}, "uf": {"SP"}, "especialidades[0].id": {"12"}, "especialidades[0].nome": {"Dermatologia"}})
	for _, tc := range []struct {
		page *apptest.Page
		list string
		has  []string
	}{
		{unit, "/api/v2/unidades", []string{"Vila Nova", "Guichê 7"}},
		{professional, "/api/v2/profissionais-executantes", []string{"Dra. Nair Falcão", "55871", "Dermatologia"}},
	} {
		if tc.page.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", tc.list, tc.page.Status, tc.page.Text("#erros"))
		}
		got := lists(t, p, tc.list)
		for _, want := range tc.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s has no %q: %.500s", tc.list, want, got)
			}
		}
	}
	t.Run("Disabled", func(t *testing.T) {
		row := admin.Get("/cadastros/unidades").Find(`a:contains("Vila Nova")`).AttrOr("href", "")
		if got := admin.Post(row+"/desativar", url.Values{}); got.Status != http.StatusOK {
			t.Fatalf("POST %s: %d", row, got.Status)
		}
		if strings.Contains(lists(t, p, "/api/v2/unidades"), "Vila Nova") {
			t.Error("a disabled unit can still be requested")
		}
	})
}

// The key of the desk stays in the process: nothing but the keys of partners is
// written, and each start has its own.
func TestStandalone_AccessFile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	path := filepath.Join(p.DataDir, "service.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("got %v, %v, want mode 0600", info, err)
	}
	first := readAccess(t, path)
	if first["url"] != p.URL || !strings.HasPrefix(first["api_key"], "gch_") || len(first) != 2 {
		t.Errorf("got %v", first)
	}
	p.Restart(nil)
	second := readAccess(t, path)
	if second["api_key"] == first["api_key"] || second["url"] != p.URL {
		t.Error("the second start has no access of its own")
	}
	for name, key := range map[string]string{"first": first["api_key"], "second": second["api_key"], "none": ""} {
		c := p.Client(t)
		c.Header.Set("X-Api-Key", key)
		if got := c.Get("/api/v2/credenciais").Status == http.StatusOK; got != (key != "") {
			t.Errorf("%s key: accepted %t", name, got)
		}
	}
}

func readAccess(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var access map[string]string
	if err := json.Unmarshal(content, &access); err != nil || !strings.HasSuffix(string(content), "}\n") {
		t.Fatalf("%v: %q", err, content)
	}
	return access
}

// The simulated operators answer by the rules of a file where there is one.
func TestApp_OperatorRules(t *testing.T) {
	t.Parallel()
	help := func(rules string) string {
		p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.OperatorRules = rules }})
		return string(p.LogIn(t, apptest.Reception).Get("/ajuda").Body)
	}
	own := filepath.Join(t.TempDir(), "rules.json")
	mustWrite(t, own, `[{"what": "Carteira de ano bissexto.", "when": {"card": "77*"}, "then": {"errors": [{"code": "1001",`+
		` "message": "Ano comum (simulação)."}]}}]`)
	if got := help(""); strings.Contains(got, "bissexto") || !strings.Contains(got, "999901") {
		t.Error("without a file, the help page does not list the built-in rules")
	}
	if got := help(own); !strings.Contains(got, "bissexto") || strings.Contains(got, "999901") {
		t.Error("the help page does not list the rules of the file")
	}
}

// Training with simulated operators fills an empty installation once, and leaves one
// alone that has something.
func TestApp_FillsOnce(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true})
	units := func() int { return p.LogIn(t, apptest.Administration).Get("/cadastros/unidades").Count("tbody tr") }
	if got := units(); got != 0 {
		t.Fatalf("got %d units in an installation without training", got)
	}
	p.Restart(func(c *app.Config) { c.Simulated = true })
	if got := units(); got != 2 {
		t.Errorf("got %d units for training, want 2", got)
	}
	admin := p.LogIn(t, apptest.Administration)
	row := admin.Get("/cadastros/unidades").Find(`a:contains("Centro")`).AttrOr("href", "")
	admin.Post(row+"/desativar", url.Values{})
	p.Restart(func(c *app.Config) { c.Simulated = true })
	if got := p.LogIn(t, apptest.Administration).Get("/cadastros/unidades").Text("tbody"); strings.Count(got, "Fora do formulário") != 1 {
		t.Errorf("the second start changed what was switched off: %q", got)
	}
	if got := lists(t, apptest.Start(t, apptest.Options{Standalone: true}), "/api/v2/credenciais"); strings.Count(got, `"nome"`) < 5 {
		t.Errorf("the standalone service has no credentials for training: %.200s", got)
	}
	t.Run("Catalogue", func(t *testing.T) { // of every installation
		if got := p.LogIn(t, apptest.Administration).Get("/cadastros/procedimentos/40316521"); got.Status != http.StatusOK {
			t.Errorf("got %d", got.Status)
		}
	})
}

// While the service's rows are in another program's hands, what the desk keeps is kept, and
// can be requested once they are free.
func TestApp_ServiceFollowsTheDirectory_Busy(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	release := limittest.Occupy(t, p.ServiceDatabase(t))
	defer release()
	got := admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"Vila Nova"}, "pontosAtendimento[0].nome": {"Guichê 7"}})
	if got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Text("main"))
	}
	release()
	apptest.Eventually(t, "the service has it", func() bool { return strings.Contains(lists(t, p, "/api/v2/unidades"), "Guichê 7") })
}
