package e2e_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Lists of a service that has them under paths of its own, in a shape of its own.
const (
	foreignUnits = `{"sucesso":true,"data":[{"unidade_id":"01970000-0000-7000-8000-0000000000c1","nome":"Unidade de Fora",
		"pontos_atendimento":[{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c2","nome":"Guichê Sul"}]},{"unidade_id":"17","nome":"Velha"}]}`
	foreignProfessionals = `{"sucesso":true,"erros":[],"data":{"items":[{"id":"01970000-0000-7000-8000-0000000000d1","nome":"Iolanda Prates","siglaConselho":"CRM",
		"numeroConselho":"77123","uf":"SP","especialidades":[{"id":41,"nome":"Ultrassonografia","cbo":null}]}]}}`
)

// withLists is a service with lists of its own.
func withLists(f *foreign) {
	f.lists = map[string]string{"/cadastro/unidades": foreignUnits, "/cadastro/medicos": foreignProfessionals}
}

// connectTo saves a connection to a service, with what differs from the usual form.
func (v *visitor) connectTo(t *testing.T, f *foreign, differs url.Values) {
	t.Helper()
	form := connectionForm(f.URL)
	maps.Copy(form, differs)
	if got := v.post("/servico/conexao", form); got.status != http.StatusOK {
		t.Fatalf("save: %d, %q", got.status, got.text("#erros"))
	}
}

var ownLists = url.Values{"caminhoUnidades": {"/cadastro/unidades"}, "caminhoExecutantes": {"/cadastro/medicos"}}

// What the service lists is shown before it is taken, taken with its identifiers,
// and goes on the wire with them; done again, it changes nothing.
func TestSynchronise(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	f := MustServeForeign(t, withLists)
	form := connectionForm(f.URL)
	maps.Copy(form, ownLists)
	if got := admin.post("/servico/conexao/testar", form).steps(); !strings.Contains(got, "Unidades e executantes: certo O serviço lista 2 unidades. O serviço lista 1 executante.") {
		t.Errorf("test:\n%s", got)
	}
	admin.connectTo(t, f, ownLists)

	shown := admin.get("/cadastros/sincronizar")
	for _, want := range []string{"Unidade de Fora: entra", "Ponto de atendimento: entra Guichê Sul", "Iolanda Prates: entra", "Especialidade: entra 41 Ultrassonografia",
		"Só no Guichê, e ficam como estão", "Centro", "Velha", "não é um UUID", "Fazer 2 mudanças"} {
		if !strings.Contains(strings.Join(strings.Fields(shown.text("main")), " "), want) {
			t.Errorf("%q is not shown in %q", want, shown.text("main"))
		}
	}
	if strings.Contains(string(admin.get("/cadastros/unidades").body), "Unidade de Fora") {
		t.Fatal("it was done before anybody agreed")
	}
	done := admin.post("/cadastros/sincronizar", url.Values{"conferido": {shown.value("[name=conferido]")}})
	if done.status != http.StatusOK || done.path != "/cadastros" || !strings.Contains(string(done.body), "Sincronizado: 2 mudanças") {
		t.Fatalf("got %d at %s", done.status, done.path)
	}
	t.Run("Marked", func(t *testing.T) {
		list := admin.get("/cadastros/unidades")
		rows := list.text("tbody")
		if strings.Count(rows, "Só no Guichê") != list.doc().Find("tbody tr").Length()-1 || !strings.Contains(rows, "Unidade de ForaPontos de atendimento: Guichê Sulem uso") {
			t.Errorf("got %q, want all marked but the service's", rows)
		}
	})
	t.Run("Again", func(t *testing.T) {
		if again := admin.get("/cadastros/sincronizar"); !strings.Contains(again.text("main"), "já estão como no serviço") || again.doc().Find("[name=conferido]").Length() > 0 {
			t.Errorf("got %q", again.text("main"))
		}
	})
	t.Run("ChangedMeanwhile", func(t *testing.T) {
		f.setList("/cadastro/unidades", strings.Replace(foreignUnits, "Unidade de Fora", "Unidade Nova", 1))
		seen := admin.get("/cadastros/sincronizar").value("[name=conferido]")
		f.setList("/cadastro/unidades", strings.Replace(foreignUnits, "Unidade de Fora", "Unidade Outra", 1))
		got := admin.post("/cadastros/sincronizar", url.Values{"conferido": {seen}})
		if got.status != http.StatusConflict || !strings.Contains(got.text("main"), "Nome: Unidade de Fora → Unidade Outra") || !strings.Contains(got.text("main"), "Nada foi mudado") {
			t.Errorf("got %d, %q", got.status, got.text("main"))
		}
	})
	t.Run("Failure", func(t *testing.T) {
		seen := admin.get("/cadastros/sincronizar").value("[name=conferido]")
		f.setList("/cadastro/medicos", `{"sucesso":false,"erros":["fora do ar"],"data":null}`)
		for name, got := range map[string]answer{"look": admin.get("/cadastros/sincronizar"), "do": admin.post("/cadastros/sincronizar", url.Values{"conferido": {seen}})} {
			if !strings.Contains(got.text("main"), "nada foi mudado") {
				t.Errorf("%s: got %d, %q", name, got.status, got.text("main"))
			}
		}
		if !strings.Contains(string(admin.get("/cadastros/unidades").body), "Unidade de Fora") {
			t.Error("the unit changed in a synchronisation that failed")
		}
	})
	t.Run("NoLists", func(t *testing.T) {
		admin.connectTo(t, f, url.Values{"caminhoUnidades": {""}, "caminhoExecutantes": {""}})
		if got := admin.get("/cadastros/sincronizar"); got.status != http.StatusOK || !strings.Contains(got.text("main"), "não lista unidades nem executantes") {
			t.Errorf("got %d, %q", got.status, got.text("main"))
		}
	})
}

// The embedded service follows the directory: there is nothing to take from it.
func TestSynchronise_Embedded(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	shown := admin.get("/cadastros/sincronizar")
	if !strings.Contains(shown.text("main"), "Nada muda") {
		t.Errorf("got %q", shown.text("main"))
	}
	if got := admin.post("/cadastros/sincronizar", url.Values{"conferido": {shown.value("[name=conferido]")}}); got.status != http.StatusOK || !strings.Contains(string(got.body), "nada precisou mudar") {
		t.Errorf("got %d", got.status)
	}
	if got := admin.get("/cadastros/sincronizar").text("main"); !strings.Contains(got, "já estão como no serviço") {
		t.Errorf("again: %q", got)
	}
	t.Run("ThenAnother", func(t *testing.T) {
		admin.connectTo(t, MustServeForeign(t, withLists), ownLists)
		got := admin.get("/cadastros/sincronizar").text("main")
		if strings.Contains(got, "sai do formulário") || !strings.Contains(got, "Só no Guichê, e ficam como estão") {
			t.Errorf("got %q, want what is ours left alone", got)
		}
	})
}
