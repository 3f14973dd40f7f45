package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestConsole_Professionals likewise.
func TestConsole_Professionals(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	admin, api := p.LogIn(t, apptest.Administration), p.Partner(t, p.APIKey())
	form := url.Values{"nome": {"Ana Luz"}, "siglaConselho": {"CRM"}, "numeroConselho": {"88123"}, "uf": {"SP"},
		"especialidades[0].id": {"2"}, "especialidades[0].nome": {"Cardiologia"}, "especialidades[0].cbo": {"2251-20"},
		"especialidades[1].nome": {""}}
	added := admin.Post("/servico/profissionais/novo", form)
	if added.Status != http.StatusOK || added.Path == "/servico/profissionais/novo" {
		t.Fatalf("add: %d %s", added.Status, added.Text("#erros"))
	}
	check(t, "added", professionalsOf(api), []string{"Ana Luz: Cardiologia"})
	_, body := api.Send(http.MethodGet, "/api/v2/profissionais-executantes", "", "")
	item := body["data"].(map[string]any)["items"].([]any)[0].(map[string]any)
	specialty := item["especialidades"].([]any)[0].(map[string]any)
	if item["siglaConselho"] != "CRM" || item["numeroConselho"] != "88123" || item["uf"] != "SP" || specialty["id"] != 2.0 ||
		specialty["cbo"] != "225120" {
		t.Errorf("got %v", item)
	}

	t.Run("Change", func(t *testing.T) {
		page := admin.Get(added.Path)
		if page.Count("#especialidades-0-id[readonly]") != 1 || page.Count("button[value^='remover-']") != 0 {
			t.Error("a known specialty can lose its number")
		}
		admin.Post(added.Path, with(page.Form("#cadastro"), map[string]string{"especialidades[0].ativo": "",
			"especialidades[1].id": "7", "especialidades[1].nome": "Pediatria"}))
		check(t, "changed", professionalsOf(api), []string{"Ana Luz: Pediatria"})
		admin.Post(added.Path, with(admin.Get(added.Path).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "S"}))
		check(t, "on again", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Rows", func(t *testing.T) {
		typed := with(form, map[string]string{"especialidades[1].id": "x", "especialidades[1].nome": "Geriatria", "acao": "remover-0"})
		got := admin.Post("/servico/profissionais/novo", typed)
		if got.Status != http.StatusOK || got.Value("#especialidades-0-nome") != "Geriatria" ||
			got.Value("#especialidades-0-id") != "x" || got.Count("#erros") != 0 {
			t.Errorf("one row less: %d, %q", got.Status, got.Text("#cadastro"))
		}
		check(t, "afterwards", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "siglaConselho": {"XYZ"}, "numeroConselho": {strings.Repeat("1", 21)}, "uf": {"XX"},
			"especialidades[0].id": {"dois"}, "especialidades[0].nome": {""}, "especialidades[0].cbo": {"12"},
			"especialidades[1].id": {"9999999999"}, "especialidades[1].nome": {"Outra"}}
		for _, path := range []string{"/servico/profissionais/novo", added.Path} {
			got := admin.Post(path, wrong)
			if got.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.Status)
			}
			for _, name := range []string{"nome", "siglaConselho", "numeroConselho", "uf", "especialidades-0-id",
				"especialidades-0-nome", "especialidades-0-cbo", "especialidades-1-id"} {
				if got.Text("#"+name+"-error") == "" || got.Count("#erros a[href='#"+name+"']") != 1 {
					t.Errorf("%s: nothing about %s: %q", path, name, got.Text("#erros"))
				}
			}
			if got.Value("#especialidades-0-id") != "dois" || got.Value("#especialidades-1-id") != "9999999999" ||
				got.Value("#numeroConselho") != wrong.Get("numeroConselho") {
				t.Errorf("%s: what was typed is not kept", path)
			}
		}
		if got := admin.Post("/servico/profissionais/novo", url.Values{"nome": {"Bia"}}); got.Text("#especialidades-0-nome-error") == "" {
			t.Errorf("without a specialty: got %d %q", got.Status, got.Text("#erros"))
		}
		off := with(admin.Get(added.Path).Form("#cadastro"), map[string]string{"especialidades[0].ativo": "", "especialidades[1].ativo": ""})
		if got := admin.Post(added.Path, off); got.Text("#especialidades-0-ativo-error") == "" {
			t.Errorf("all off: got %d %q", got.Status, got.Text("#erros"))
		}
		check(t, "afterwards", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		check(t, "off", professionalsOf(api), nil)
		if list := admin.Post("/servico/profissionais", url.Values{"Busca": {"crm 88123 cardio"}}); list.Names() != "Ana Luz" ||
			!strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.Text("main"))
		}
		admin.Post(added.Path+"/reativar", nil)
		check(t, "on", professionalsOf(api), []string{"Ana Luz: Cardiologia, Pediatria"})
	})
}
