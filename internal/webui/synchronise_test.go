package webui_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// What the service lists is shown before it is taken, taken with its identifiers,
// and goes on the wire with them; done again, it changes nothing.
func TestSynchronise(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	f := apptest.StartOtherService(t, apptest.WithLists)
	form := apptest.ConnectionForm(f.URL)
	maps.Copy(form, apptest.OwnPaths)
	if got := steps(admin.Post("/servico/conexao/testar", form)); !strings.Contains(got,
		"Unidades e executantes: certo O serviço lista 2 unidades. O serviço lista 1 executante.") {
		t.Errorf("test:\n%s", got)
	}
	admin.ConnectTo(t, f, apptest.OwnPaths)

	shown := admin.Get("/cadastros/sincronizar")
	for _, want := range []string{"Unidade de Fora: entra", "Ponto de atendimento: entra Guichê Sul", "Iolanda Prates: entra",
		"Especialidade: entra 41 Ultrassonografia",
		"Só no Guichê, e ficam como estão", "Centro", "Velha", "não é um UUID", "Fazer 2 mudanças"} {
		if !strings.Contains(strings.Join(strings.Fields(shown.Text("main")), " "), want) {
			t.Errorf("%q is not shown in %q", want, shown.Text("main"))
		}
	}
	if strings.Contains(string(admin.Get("/cadastros/unidades").Body), "Unidade de Fora") {
		t.Fatal("it was done before anybody agreed")
	}
	done := admin.Post("/cadastros/sincronizar", url.Values{"conferido": {shown.Value("[name=conferido]")}})
	if done.Status != http.StatusOK || done.Path != "/cadastros" || !strings.Contains(string(done.Body), "Sincronizado: 2 mudanças") {
		t.Fatalf("got %d at %s", done.Status, done.Path)
	}
	t.Run("Marked", func(t *testing.T) {
		list := admin.Get("/cadastros/unidades")
		rows := list.Text("tbody")
		if strings.Count(rows, "Só no Guichê") != list.Count("tbody tr")-1 ||
			!strings.Contains(rows, "Unidade de ForaPontos de atendimento: Guichê Sulem uso") {
			t.Errorf("got %q, want all marked but the service's", rows)
		}
	})
	t.Run("Again", func(t *testing.T) {
		if again := admin.Get("/cadastros/sincronizar"); !strings.Contains(again.Text("main"), "já estão como no serviço") ||
			again.Count("[name=conferido]") > 0 {
			t.Errorf("got %q", again.Text("main"))
		}
	})
	t.Run("ChangedMeanwhile", func(t *testing.T) {
		f.SetList("/cadastro/unidades", strings.Replace(apptest.OtherUnits, "Unidade de Fora", "Unidade Nova", 1))
		seen := admin.Get("/cadastros/sincronizar").Value("[name=conferido]")
		f.SetList("/cadastro/unidades", strings.Replace(apptest.OtherUnits, "Unidade de Fora", "Unidade Outra", 1))
		got := admin.Post("/cadastros/sincronizar", url.Values{"conferido": {seen}})
		if got.Status != http.StatusConflict || !strings.Contains(got.Text("main"), "Nome: Unidade de Fora → Unidade Outra") ||
			!strings.Contains(got.Text("main"), "Nada foi mudado") {
			t.Errorf("got %d, %q", got.Status, got.Text("main"))
		}
	})
	t.Run("Failure", func(t *testing.T) {
		seen := admin.Get("/cadastros/sincronizar").Value("[name=conferido]")
		f.SetList("/cadastro/medicos", `{"sucesso":false,"erros":["fora do ar"],"data":null}`)
		for name, got := range map[string]*apptest.Page{"look": admin.Get("/cadastros/sincronizar"),
			"do": admin.Post("/cadastros/sincronizar", url.Values{"conferido": {seen}})} {
			if !strings.Contains(got.Text("main"), "nada foi mudado") {
				t.Errorf("%s: got %d, %q", name, got.Status, got.Text("main"))
			}
		}
		if !strings.Contains(string(admin.Get("/cadastros/unidades").Body), "Unidade de Fora") {
			t.Error("the unit changed in a synchronisation that failed")
		}
	})
	t.Run("NoLists", func(t *testing.T) {
		admin.ConnectTo(t, f, url.Values{"caminhoUnidades": {""}, "caminhoExecutantes": {""}})
		if got := admin.Get("/cadastros/sincronizar"); got.Status != http.StatusOK ||
			!strings.Contains(got.Text("main"), "não lista unidades nem executantes") {
			t.Errorf("got %d, %q", got.Status, got.Text("main"))
		}
	})
}

// The embedded service follows the directory: there is nothing to take from it.
func TestSynchronise_Embedded(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	shown := admin.Get("/cadastros/sincronizar")
	if !strings.Contains(shown.Text("main"), "Nada muda") {
		t.Errorf("got %q", shown.Text("main"))
	}
	if got := admin.Post("/cadastros/sincronizar",
		url.Values{"conferido": {shown.Value("[name=conferido]")}}); got.Status != http.StatusOK ||
		!strings.Contains(string(got.Body), "nada precisou mudar") {
		t.Errorf("got %d", got.Status)
	}
	if got := admin.Get("/cadastros/sincronizar").Text("main"); !strings.Contains(got, "já estão como no serviço") {
		t.Errorf("again: %q", got)
	}
	t.Run("ThenAnother", func(t *testing.T) {
		admin.ConnectTo(t, apptest.StartOtherService(t, apptest.WithLists), apptest.OwnPaths)
		got := admin.Get("/cadastros/sincronizar").Text("main")
		if strings.Contains(got, "sai do formulário") || !strings.Contains(got, "Só no Guichê, e ficam como estão") {
			t.Errorf("got %q, want what is ours left alone", got)
		}
	})
}
