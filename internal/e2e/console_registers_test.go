package e2e_test

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

// TestConsole_Units: the service alone keeps its units in the console, and its API
// obeys at once.
func TestConsole_Units(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	admin, api := p.LogIn(t, apptest.Administration), p.Partner(t, p.APIKey())
	if empty := admin.Get("/servico/unidades"); !strings.Contains(empty.Text("section.empty-state"), "pontos de atendimento") || empty.Count("a[href='/servico/unidades/nova']") == 0 {
		t.Errorf("the empty list says %q", empty.Text("main"))
	}
	fresh := admin.Get("/servico/unidades/nova")
	if fresh.Count("#cadastro [name='id'], #cadastro [name='pontosAtendimento[0].id']") != 0 {
		t.Error("the form asks for identifiers, which the service gives")
	}
	more := admin.Post("/servico/unidades/nova", url.Values{"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Recepção"}, "acao": {"adicionar"}})
	if more.Status != http.StatusOK || more.Value("#pontosAtendimento-0-nome") != "Recepção" || more.Count("#pontosAtendimento-1-nome") != 1 || len(unitsOf(api)) != 0 {
		t.Errorf("one more row: %d, %q kept, units %q", more.Status, more.Value("#pontosAtendimento-0-nome"), unitsOf(api))
	}
	added := admin.Post("/servico/unidades/nova", url.Values{"nome": {" Centro  Novo "}, "pontosAtendimento[0].nome": {"Recepção"}, "pontosAtendimento[1].nome": {" "}, "pontosAtendimento[2].nome": {"Coleta"}})
	if added.Status != http.StatusOK || added.Path == "/servico/unidades/nova" {
		t.Fatalf("add: %d %s", added.Status, added.Text("#erros"))
	}
	check(t, "added", unitsOf(api), []string{"Centro Novo: Recepção, Coleta"})

	t.Run("Change", func(t *testing.T) {
		form := admin.Get(added.Path).Form("#cadastro")
		admin.Post(added.Path, with(form, map[string]string{"nome": "Centro", "pontosAtendimento[0].ativo": "", "pontosAtendimento[2].nome": "Balcão"}))
		check(t, "changed", unitsOf(api), []string{"Centro: Coleta, Balcão"})
		page := admin.Get(added.Path)
		if page.Value("#pontosAtendimento-0-nome") != "Recepção" || page.Count("#pontosAtendimento-0-ativo[checked]") != 0 {
			t.Errorf("the point that is off is shown as %q", page.Value("#pontosAtendimento-0-nome"))
		}
		admin.Post(added.Path, with(page.Form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": "S"}))
		check(t, "on again", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("UnknownPointsStay", func(t *testing.T) {
		form := admin.Get(added.Path).Form("#cadastro")
		for name := range form {
			if strings.HasPrefix(name, "pontosAtendimento[2]") || strings.HasPrefix(name, "pontosAtendimento[3]") {
				form.Del(name)
			}
		}
		admin.Post(added.Path, form)
		check(t, "a form from before the third was added", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("Problems", func(t *testing.T) {
		for _, path := range []string{"/servico/unidades/nova", added.Path} {
			form := url.Values{"nome": {""}, "pontosAtendimento[0].nome": {strings.Repeat("x", 201)}}
			got := admin.Post(path, form)
			if got.Status != http.StatusUnprocessableEntity || got.Text("#nome-e") == "" || got.Text("#pontosAtendimento-0-nome-e") == "" ||
				got.Value("#pontosAtendimento-0-nome") != form.Get("pontosAtendimento[0].nome") || got.Count("#erros a") != 2 {
				t.Errorf("%s: got %d, %q", path, got.Status, got.Text("#erros"))
			}
		}
		check(t, "afterwards", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		check(t, "off", unitsOf(api), nil)
		if list := admin.Post("/servico/unidades", url.Values{"Busca": {"COLETA centro"}}); list.Names() != "Centro" || !strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.Text("main"))
		}
		if none := admin.Post("/servico/unidades", url.Values{"Busca": {"outra"}}); none.Names() != "" || !strings.Contains(none.Text("section.empty-state"), "Nada com estas palavras") {
			t.Errorf("another word finds %q", none.Names())
		}
		admin.Post(added.Path+"/reativar", nil)
		check(t, "on", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
}

// TestConsole_Professionals likewise.
func TestConsole_Professionals(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	admin, api := p.LogIn(t, apptest.Administration), p.Partner(t, p.APIKey())
	form := url.Values{"nome": {"Ana Luz"}, "siglaConselho": {"CRM"}, "numeroConselho": {"88123"}, "uf": {"SP"},
		"especialidades[0].id": {"2"}, "especialidades[0].nome": {"Cardiologia"}, "especialidades[0].cbo": {"2251-20"}, "especialidades[1].nome": {""}}
	added := admin.Post("/servico/profissionais/novo", form)
	if added.Status != http.StatusOK || added.Path == "/servico/profissionais/novo" {
		t.Fatalf("add: %d %s", added.Status, added.Text("#erros"))
	}
	check(t, "added", professionalsOf(api), []string{"Ana Luz: Cardiologia"})
	_, body := api.Send(http.MethodGet, "/api/v2/profissionais-executantes", "", "")
	item := body["data"].(map[string]any)["items"].([]any)[0].(map[string]any)
	specialty := item["especialidades"].([]any)[0].(map[string]any)
	if item["siglaConselho"] != "CRM" || item["numeroConselho"] != "88123" || item["uf"] != "SP" || specialty["id"] != 2.0 || specialty["cbo"] != "225120" {
		t.Errorf("got %v", item)
	}

	t.Run("Change", func(t *testing.T) {
		page := admin.Get(added.Path)
		if page.Count("#especialidades-0-id[readonly]") != 1 || page.Count("button[value^='remover-']") != 0 {
			t.Error("a known specialty can lose its number")
		}
		admin.Post(added.Path, with(page.Form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].id": "7", "especialidades[1].nome": "Pediatria"}))
		check(t, "changed", professionalsOf(api), []string{"Ana Luz: Pediatria"})
		admin.Post(added.Path, with(admin.Get(added.Path).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "S"}))
		check(t, "on again", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Rows", func(t *testing.T) {
		typed := with(form, map[string]string{"especialidades[1].id": "x", "especialidades[1].nome": "Geriatria", "acao": "remover-0"})
		got := admin.Post("/servico/profissionais/novo", typed)
		if got.Status != http.StatusOK || got.Value("#especialidades-0-nome") != "Geriatria" || got.Value("#especialidades-0-id") != "x" || got.Count("#erros") != 0 {
			t.Errorf("one row less: %d, %q", got.Status, got.Text("#cadastro"))
		}
		check(t, "afterwards", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "siglaConselho": {"XYZ"}, "numeroConselho": {strings.Repeat("1", 21)}, "uf": {"XX"},
			"especialidades[0].id": {"dois"}, "especialidades[0].nome": {""}, "especialidades[0].cbo": {"12"}, "especialidades[1].id": {"9999999999"}, "especialidades[1].nome": {"Outra"}}
		for _, path := range []string{"/servico/profissionais/novo", added.Path} {
			got := admin.Post(path, wrong)
			if got.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.Status)
			}
			for _, name := range []string{"nome", "siglaConselho", "numeroConselho", "uf", "especialidades-0-id", "especialidades-0-nome", "especialidades-0-cbo", "especialidades-1-id"} {
				if got.Text("#"+name+"-e") == "" || got.Count("#erros a[href='#"+name+"']") != 1 {
					t.Errorf("%s: nothing about %s: %q", path, name, got.Text("#erros"))
				}
			}
			if got.Value("#especialidades-0-id") != "dois" || got.Value("#especialidades-1-id") != "9999999999" || got.Value("#numeroConselho") != wrong.Get("numeroConselho") {
				t.Errorf("%s: what was typed is not kept", path)
			}
		}
		if got := admin.Post("/servico/profissionais/novo", url.Values{"nome": {"Bia"}}); got.Text("#especialidades-0-nome-e") == "" {
			t.Errorf("without a specialty: got %d %q", got.Status, got.Text("#erros"))
		}
		off := with(admin.Get(added.Path).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].ativo": ""})
		if got := admin.Post(added.Path, off); got.Text("#especialidades-0-ativo-e") == "" {
			t.Errorf("all off: got %d %q", got.Status, got.Text("#erros"))
		}
		check(t, "afterwards", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		check(t, "off", professionalsOf(api), nil)
		if list := admin.Post("/servico/profissionais", url.Values{"Busca": {"crm 88123 cardio"}}); list.Names() != "Ana Luz" || !strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.Text("main"))
		}
		admin.Post(added.Path+"/reativar", nil)
		check(t, "on", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
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
	unit, professional := "/servico/unidades/"+request["unidadeId"].(string), "/servico/profissionais/"+request["profissionalExecutanteId"].(string)
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
			admin.Post(professional, with(admin.Get(professional).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].id": "77", "especialidades[1].nome": "Outra"}))
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
	for console, desk := range map[string]string{"/servico/unidades": "/cadastros/unidades", "/servico/profissionais": "/cadastros/executantes"} {
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
		for _, path := range []string{console + "/" + id, console + "/" + id + "/desativar", console + "/" + id + "/reativar", console + "/nova", console + "/novo"} {
			if got := admin.Post(path, url.Values{"nome": {"Outro"}}); got.Status != http.StatusConflict && got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
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
