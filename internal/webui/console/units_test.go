package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestConsole_Units: the service alone keeps its units in the console, and its API
// obeys at once.
func TestConsole_Units(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	admin, api := p.LogIn(t, apptest.Administration), p.Partner(t, p.APIKey())
	if empty := admin.Get("/servico/unidades"); !strings.Contains(empty.Text("section.empty-state"), "pontos de atendimento") ||
		empty.Count("a[href='/servico/unidades/nova']") == 0 {
		t.Errorf("the empty list says %q", empty.Text("main"))
	}
	fresh := admin.Get("/servico/unidades/nova")
	if fresh.Count("#cadastro [name='id'], #cadastro [name='pontosAtendimento[0].id']") != 0 {
		t.Error("the form asks for identifiers, which the service gives")
	}
	more := admin.Post("/servico/unidades/nova", url.Values{"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Recepção"},
		"acao": {"adicionar"}})
	if more.Status != http.StatusOK || more.Value("#pontosAtendimento-0-nome") != "Recepção" ||
		more.Count("#pontosAtendimento-1-nome") != 1 || len(unitsOf(api)) != 0 {
		t.Errorf("one more row: %d, %q kept, units %q", more.Status, more.Value("#pontosAtendimento-0-nome"), unitsOf(api))
	}
	added := admin.Post("/servico/unidades/nova", url.Values{"nome": {" Centro  Novo "},
		"pontosAtendimento[0].nome": {"Recepção"}, "pontosAtendimento[1].nome": {" "}, "pontosAtendimento[2].nome": {"Coleta"}})
	if added.Status != http.StatusOK || added.Path == "/servico/unidades/nova" {
		t.Fatalf("add: %d %s", added.Status, added.Text("#erros"))
	}
	check(t, "added", unitsOf(api), []string{"Centro Novo: Recepção, Coleta"})

	t.Run("Change", func(t *testing.T) {
		form := admin.Get(added.Path).Form("#cadastro")
		admin.Post(added.Path, with(form, map[string]string{"nome": "Centro", "pontosAtendimento[0].ativo": "",
			"pontosAtendimento[2].nome": "Balcão"}))
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
			if got.Status != http.StatusUnprocessableEntity || got.Text("#nome-error") == "" ||
				got.Text("#pontosAtendimento-0-nome-error") == "" ||
				got.Value("#pontosAtendimento-0-nome") != form.Get("pontosAtendimento[0].nome") || got.Count("#erros a") != 2 {
				t.Errorf("%s: got %d, %q", path, got.Status, got.Text("#erros"))
			}
		}
		check(t, "afterwards", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
	t.Run("SwitchAndSearch", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		check(t, "off", unitsOf(api), nil)
		if list := admin.Post("/servico/unidades", url.Values{"Busca": {"COLETA centro"}}); list.Names() != "Centro" ||
			!strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("off: the list says %q", list.Text("main"))
		}
		if none := admin.Post("/servico/unidades", url.Values{"Busca": {"outra"}}); none.Names() != "" ||
			!strings.Contains(none.Text("section.empty-state"), "Nada com estas palavras") {
			t.Errorf("another word finds %q", none.Names())
		}
		admin.Post(added.Path+"/reativar", nil)
		check(t, "on", unitsOf(api), []string{"Centro: Recepção, Coleta, Balcão"})
	})
}
