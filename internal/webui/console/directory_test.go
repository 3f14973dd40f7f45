package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// listed returns the names of a list of the service, and of the parts of each
// entry: "Centro: Recepção, Coleta".
func listed(c *apptest.Partner, path, parts string) []string {
	c.T.Helper()
	_, got := c.Send(http.MethodGet, path, "", "")
	data, _ := got["data"].(map[string]any)
	items, _ := data["items"].([]any)
	var all []string
	for _, item := range items {
		entry, _ := item.(map[string]any)
		var names []string
		for _, part := range entry[parts].([]any) {
			names = append(names, part.(map[string]any)["nome"].(string))
		}
		all = append(all, entry["nome"].(string)+": "+strings.Join(names, ", "))
	}
	return all
}

func unitsOf(c *apptest.Partner) []string {
	c.T.Helper()
	return listed(c, "/api/v2/unidades", "pontosAtendimento")
}

func professionalsOf(c *apptest.Partner) []string {
	c.T.Helper()
	return listed(c, "/api/v2/profissionais-executantes", "especialidades")
}

// with returns the form with some fields changed.
func with(form url.Values, changes map[string]string) url.Values {
	changed := url.Values{}
	for name, values := range form {
		changed[name] = values
	}
	for name, value := range changes {
		changed.Set(name, value)
		if value == "" && strings.HasSuffix(name, ".ativo") {
			changed.Del(name)
		}
	}
	return changed
}

// check compares what the service lists with what it should.
func check(t *testing.T, when string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", when, got, want)
	}
}

// TestConsole_RegistersOfRequests: a request names what the console holds now.
func TestConsole_RegistersOfRequests(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true})
	admin, api := p.LogIn(t, apptest.Administration), p.Partner(t, p.APIKey())
	if got := api.Authorize(); got != http.StatusOK {
		t.Fatalf("before: got %d", got)
	}
	request := api.Request()
	unit, professional := "/servico/unidades/"+request["unidadeId"].(string),
		"/servico/profissionais/"+request["profissionalExecutanteId"].(string)
	for name, c := range map[string]struct{ off, on func() }{
		"Unit":         {func() { admin.Post(unit+"/desativar", nil) }, func() { admin.Post(unit+"/reativar", nil) }},
		"Professional": {func() { admin.Post(professional+"/desativar", nil) }, func() { admin.Post(professional+"/reativar", nil) }},
		"Point": {func() {
			admin.Post(unit, with(admin.Get(unit).Form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": ""}))
		},
			func() {
				admin.Post(unit, with(admin.Get(unit).Form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": "S"}))
			}},
		"Specialty": {func() {
			admin.Post(professional, with(admin.Get(professional).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "",
				"especialidades[1].id": "77", "especialidades[1].nome": "Outra"}))
		}, func() {
			admin.Post(professional, with(admin.Get(professional).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "S"}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.off(); api.Ask(request) != http.StatusUnprocessableEntity {
				t.Error("off: the very next request is not refused with 422")
			}
			if c.on(); api.Ask(request) != http.StatusOK {
				t.Error("on again: the very next request is refused")
			}
		})
	}
}

// TestConsole_FollowedRegisters: with a desk the console shows what the desk's
// directory hold, with their identifiers, and leads there for changes.
func TestConsole_FollowedRegisters(t *testing.T) {
	t.Parallel()
	admin := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for console, desk := range map[string]string{"/servico/unidades": "/cadastros/unidades",
		"/servico/profissionais": "/cadastros/executantes"} {
		list := admin.Get(console)
		if list.Count(".notice a[href='"+desk+"']") != 1 || list.Count("a[href='"+console+"/nova'], a[href='"+console+"/novo']") != 0 ||
			list.Names() != admin.Get(desk).Names() {
			t.Errorf("%s: got %q", console, list.Text("main"))
		}
		of := admin.Get(desk).Find("td.cell-name a").First().AttrOr("href", "")
		id := strings.TrimPrefix(of, desk+"/")
		page := admin.Get(console + "/" + id)
		if page.Status != http.StatusOK || page.Count("main form") != 0 || page.Count(".notice a[href='"+of+"']") != 1 ||
			!strings.Contains(page.Text("aside"), id) || page.Count("tbody tr") == 0 {
			t.Errorf("%s: got %d %q", console, page.Status, page.Text("main"))
		}
		for _, path := range []string{console + "/" + id, console + "/" + id + "/desativar", console + "/" + id + "/reativar",
			console + "/nova", console + "/novo"} {
			if got := admin.Post(path, url.Values{"nome": {"Outro"}}); got.Status != http.StatusConflict &&
				got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
				t.Errorf("POST %s: got %d", path, got.Status)
			}
		}
		if got := admin.Get(console); got.Names() != list.Names() || strings.Contains(got.Text("tbody"), "Desativado") {
			t.Errorf("%s changed: %q", console, got.Text("tbody"))
		}
	}
	if got := admin.Get("/servico/unidades/nova"); got.Path != "/cadastros/unidades" {
		t.Errorf("a new unit: led to %s", got.Path)
	}
}
