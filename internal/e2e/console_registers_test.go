package e2e_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
)

// callInstallation returns a partner with the key of the installation itself.
func callInstallation(t testing.TB, p *program, folder string) partner {
	t.Helper()
	return MustCall(t, p, "x-api-key", MustReadKey(t, folder))
}

// listed returns the names of a list of the service, and of the parts of each
// entry: "Centro: Recepção, Coleta".
func (c partner) listed(path, parts string) []string {
	c.t.Helper()
	_, got := c.send(http.MethodGet, path, "", "")
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

func (c partner) units() []string {
	c.t.Helper()
	return c.listed("/api/v2/unidades", "pontosAtendimento")
}

func (c partner) professionals() []string {
	c.t.Helper()
	return c.listed("/api/v2/profissionais-executantes", "especialidades")
}

// form is what a page's form would send as it stands.
func (a answer) form(selector string) url.Values {
	a.t.Helper()
	form := url.Values{}
	a.doc().Find(selector).Find("input[name], select[name], textarea[name]").Each(func(_ int, s *selection) {
		name := s.AttrOr("name", "")
		switch {
		case s.Is("[type=checkbox]") && !s.Is("[checked]"):
		case s.Is("select"):
			form.Set(name, s.Find("option[selected]").AttrOr("value", ""))
		case s.Is("textarea"):
			form.Set(name, s.Text())
		default:
			form.Set(name, s.AttrOr("value", ""))
		}
	})
	return form
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
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir, c.Simulated = folder, false })
	admin, api := MustVisit(t, p, "administracao"), callInstallation(t, p, folder)
	if empty := admin.get("/servico/unidades"); !strings.Contains(empty.text("section.empty-state"), "pontos de atendimento") || empty.doc().Find("a[href='/servico/unidades/nova']").Length() == 0 {
		t.Errorf("the empty list says %q", empty.text("main"))
	}
	fresh := admin.get("/servico/unidades/nova")
	if fresh.doc().Find("#cadastro [name='id'], #cadastro [name='pontosAtendimento[0].id']").Length() != 0 {
		t.Error("the form asks for identifiers, which the service gives")
	}
	more := admin.post("/servico/unidades/nova", url.Values{"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Recepção"}, "acao": {"adicionar"}})
	if more.status != http.StatusOK || more.value("#pontosAtendimento-0-nome") != "Recepção" || more.doc().Find("#pontosAtendimento-1-nome").Length() != 1 || len(api.units()) != 0 {
		t.Errorf("one more row: %d, %q kept, units %q", more.status, more.value("#pontosAtendimento-0-nome"), api.units())
	}
	added := admin.post("/servico/unidades/nova", url.Values{"nome": {" Centro  Novo "}, "pontosAtendimento[0].nome": {"Recepção"}, "pontosAtendimento[1].nome": {" "}, "pontosAtendimento[2].nome": {"Coleta"}})
	if added.status != http.StatusOK || added.path == "/servico/unidades/nova" {
		t.Fatalf("add: %d %s", added.status, added.text("#erros"))
	}
	check(t, "added", api.units(), []string{"Centro Novo: Recepção, Coleta"})

	t.Run("Change", func(t *testing.T) {
		form := admin.get(added.path).form("#cadastro")
		admin.post(added.path, with(form, map[string]string{"nome": "Centro", "pontosAtendimento[0].ativo": "", "pontosAtendimento[2].nome": "Balcão"}))
		check(t, "changed", api.units(), []string{"Centro: Coleta, Balcão"})
		page := admin.get(added.path)
		if page.value("#pontosAtendimento-0-nome") != "Recepção" || page.doc().Find("#pontosAtendimento-0-ativo[checked]").Length() != 0 {
			t.Errorf("the point that is off is shown as %q", page.value("#pontosAtendimento-0-nome"))
		}
		admin.post(added.path, with(page.form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": "S"}))
		check(t, "on again", api.units(), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("UnknownPointsStay", func(t *testing.T) {
		form := admin.get(added.path).form("#cadastro")
		for name := range form {
			if strings.HasPrefix(name, "pontosAtendimento[2]") || strings.HasPrefix(name, "pontosAtendimento[3]") {
				form.Del(name)
			}
		}
		admin.post(added.path, form)
		check(t, "a form from before the third was added", api.units(), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("Problems", func(t *testing.T) {
		for _, path := range []string{"/servico/unidades/nova", added.path} {
			form := url.Values{"nome": {""}, "pontosAtendimento[0].nome": {strings.Repeat("x", 201)}}
			got := admin.post(path, form)
			if got.status != http.StatusUnprocessableEntity || got.text("#nome-e") == "" || got.text("#pontosAtendimento-0-nome-e") == "" ||
				got.value("#pontosAtendimento-0-nome") != form.Get("pontosAtendimento[0].nome") || got.doc().Find("#erros a").Length() != 2 {
				t.Errorf("%s: got %d, %q", path, got.status, got.text("#erros"))
			}
		}
		check(t, "afterwards", api.units(), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.post(added.path+"/desativar", nil)
		check(t, "off", api.units(), nil)
		if list := admin.post("/servico/unidades", url.Values{"Busca": {"COLETA centro"}}); list.rowNames() != "Centro" || !strings.Contains(list.text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.text("main"))
		}
		if none := admin.post("/servico/unidades", url.Values{"Busca": {"outra"}}); none.rowNames() != "" || !strings.Contains(none.text("section.empty-state"), "Nada com estas palavras") {
			t.Errorf("another word finds %q", none.rowNames())
		}
		admin.post(added.path+"/reativar", nil)
		check(t, "on", api.units(), []string{"Centro: Recepção, Coleta, Balcão"})
	})
}

// TestConsole_Professionals likewise.
func TestConsole_Professionals(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir, c.Simulated = folder, false })
	admin, api := MustVisit(t, p, "administracao"), callInstallation(t, p, folder)
	form := url.Values{"nome": {"Ana Luz"}, "siglaConselho": {"CRM"}, "numeroConselho": {"88123"}, "uf": {"SP"},
		"especialidades[0].id": {"2"}, "especialidades[0].nome": {"Cardiologia"}, "especialidades[0].cbo": {"2251-20"}, "especialidades[1].nome": {""}}
	added := admin.post("/servico/profissionais/novo", form)
	if added.status != http.StatusOK || added.path == "/servico/profissionais/novo" {
		t.Fatalf("add: %d %s", added.status, added.text("#erros"))
	}
	check(t, "added", api.professionals(), []string{"Ana Luz: Cardiologia"})
	_, body := api.send(http.MethodGet, "/api/v2/profissionais-executantes", "", "")
	item := body["data"].(map[string]any)["items"].([]any)[0].(map[string]any)
	specialty := item["especialidades"].([]any)[0].(map[string]any)
	if item["siglaConselho"] != "CRM" || item["numeroConselho"] != "88123" || item["uf"] != "SP" || specialty["id"] != 2.0 || specialty["cbo"] != "225120" {
		t.Errorf("got %v", item)
	}

	t.Run("Change", func(t *testing.T) {
		page := admin.get(added.path)
		if page.doc().Find("#especialidades-0-id[readonly]").Length() != 1 || page.doc().Find("button[value^='remover-']").Length() != 0 {
			t.Error("a known specialty can lose its number")
		}
		admin.post(added.path, with(page.form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].id": "7", "especialidades[1].nome": "Pediatria"}))
		check(t, "changed", api.professionals(), []string{"Ana Luz: Pediatria"})
		admin.post(added.path, with(admin.get(added.path).form("#cadastro"), map[string]string{"especialidades[0].ativo": "S"}))
		check(t, "on again", api.professionals(), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Rows", func(t *testing.T) {
		typed := with(form, map[string]string{"especialidades[1].id": "x", "especialidades[1].nome": "Geriatria", "acao": "remover-0"})
		got := admin.post("/servico/profissionais/novo", typed)
		if got.status != http.StatusOK || got.value("#especialidades-0-nome") != "Geriatria" || got.value("#especialidades-0-id") != "x" || got.doc().Find("#erros").Length() != 0 {
			t.Errorf("one row less: %d, %q", got.status, got.text("#cadastro"))
		}
		check(t, "afterwards", api.professionals(), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "siglaConselho": {"XYZ"}, "numeroConselho": {strings.Repeat("1", 21)}, "uf": {"XX"},
			"especialidades[0].id": {"dois"}, "especialidades[0].nome": {""}, "especialidades[0].cbo": {"12"}, "especialidades[1].id": {"9999999999"}, "especialidades[1].nome": {"Outra"}}
		for _, path := range []string{"/servico/profissionais/novo", added.path} {
			got := admin.post(path, wrong)
			if got.status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.status)
			}
			for _, name := range []string{"nome", "siglaConselho", "numeroConselho", "uf", "especialidades-0-id", "especialidades-0-nome", "especialidades-0-cbo", "especialidades-1-id"} {
				if got.text("#"+name+"-e") == "" || got.doc().Find("#erros a[href='#"+name+"']").Length() != 1 {
					t.Errorf("%s: nothing about %s: %q", path, name, got.text("#erros"))
				}
			}
			if got.value("#especialidades-0-id") != "dois" || got.value("#especialidades-1-id") != "9999999999" || got.value("#numeroConselho") != wrong.Get("numeroConselho") {
				t.Errorf("%s: what was typed is not kept", path)
			}
		}
		if got := admin.post("/servico/profissionais/novo", url.Values{"nome": {"Bia"}}); got.text("#especialidades-0-nome-e") == "" {
			t.Errorf("without a specialty: got %d %q", got.status, got.text("#erros"))
		}
		off := with(admin.get(added.path).form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].ativo": ""})
		if got := admin.post(added.path, off); got.text("#especialidades-0-ativo-e") == "" {
			t.Errorf("all off: got %d %q", got.status, got.text("#erros"))
		}
		check(t, "afterwards", api.professionals(), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.post(added.path+"/desativar", nil)
		check(t, "off", api.professionals(), nil)
		if list := admin.post("/servico/profissionais", url.Values{"Busca": {"crm 88123 cardio"}}); list.rowNames() != "Ana Luz" || !strings.Contains(list.text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.text("main"))
		}
		admin.post(added.path+"/reativar", nil)
		check(t, "on", api.professionals(), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
}

// TestConsole_RegistersOfRequests: a request names what the console holds now.
func TestConsole_RegistersOfRequests(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRunAlone(t, func(c *app.Config) { c.DataDir = folder })
	admin, api := MustVisit(t, p, "administracao"), callInstallation(t, p, folder)
	if got := api.authorize(); got != http.StatusOK {
		t.Fatalf("before: got %d", got)
	}
	request := api.request()
	unit, professional := "/servico/unidades/"+request["unidadeId"].(string), "/servico/profissionais/"+request["profissionalExecutanteId"].(string)
	for name, c := range map[string]struct{ off, on func() }{
		"Unit":         {func() { admin.post(unit+"/desativar", nil) }, func() { admin.post(unit+"/reativar", nil) }},
		"Professional": {func() { admin.post(professional+"/desativar", nil) }, func() { admin.post(professional+"/reativar", nil) }},
		"Point": {func() {
			admin.post(unit, with(admin.get(unit).form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": ""}))
		},
			func() {
				admin.post(unit, with(admin.get(unit).form("#cadastro"), map[string]string{"pontosAtendimento[0].ativo": "S"}))
			}},
		"Specialty": {func() {
			admin.post(professional, with(admin.get(professional).form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].id": "77", "especialidades[1].nome": "Outra"}))
		}, func() {
			admin.post(professional, with(admin.get(professional).form("#cadastro"), map[string]string{"especialidades[0].ativo": "S"}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.off(); api.ask(request) != http.StatusUnprocessableEntity {
				t.Error("off: the very next request is not refused with 422")
			}
			if c.on(); api.ask(request) != http.StatusOK {
				t.Error("on again: the very next request is refused")
			}
		})
	}
}

// TestConsole_FollowedRegisters: with a desk the console shows what the desk's
// directory hold, with their identifiers, and leads there for changes.
func TestConsole_FollowedRegisters(t *testing.T) {
	t.Parallel()
	admin := MustVisit(t, MustRun(t), "administracao")
	for console, desk := range map[string]string{"/servico/unidades": "/cadastros/unidades", "/servico/profissionais": "/cadastros/executantes"} {
		list := admin.get(console)
		if list.doc().Find(".notice a[href='"+desk+"']").Length() != 1 || list.doc().Find("a[href='"+console+"/nova'], a[href='"+console+"/novo']").Length() != 0 ||
			list.rowNames() != admin.get(desk).rowNames() {
			t.Errorf("%s: got %q", console, list.text("main"))
		}
		of := admin.get(desk).doc().Find("td.cell-name a").First().AttrOr("href", "")
		id := strings.TrimPrefix(of, desk+"/")
		page := admin.get(console + "/" + id)
		if page.status != http.StatusOK || page.doc().Find("main form").Length() != 0 || page.doc().Find(".notice a[href='"+of+"']").Length() != 1 ||
			!strings.Contains(page.text("aside"), id) || page.doc().Find("tbody tr").Length() == 0 {
			t.Errorf("%s: got %d %q", console, page.status, page.text("main"))
		}
		for _, path := range []string{console + "/" + id, console + "/" + id + "/desativar", console + "/" + id + "/reativar", console + "/nova", console + "/novo"} {
			if got := admin.post(path, url.Values{"nome": {"Outro"}}); got.status != http.StatusConflict && got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
				t.Errorf("POST %s: got %d", path, got.status)
			}
		}
		if got := admin.get(console); got.rowNames() != list.rowNames() || strings.Contains(got.text("tbody"), "Desativado") {
			t.Errorf("%s changed: %q", console, got.text("tbody"))
		}
	}
	if got := admin.get("/servico/unidades/nova"); got.path != "/cadastros/unidades" {
		t.Errorf("a new unit: led to %s", got.path)
	}
}
