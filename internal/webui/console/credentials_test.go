package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

func TestConsole_Credentials(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	form := url.Values{"nome": {"Plano Ipê"}, "codigoPrestador": {"778899"}, "operadora": {"simulada"},
		"formatoCarteira": {`\d{4}`}, "tempoLimite": {"1,5"},
		"validadeObrigatoria": {"S"}, "exigeBiometria": {"S"}, "indicacaoClinica": {"Rotina"},
		"anexosObrigatorios": {"40901122\n41*"}, "contratado": {"Clínica"}, "cnes": {"1234567"}, "registroANS": {"123456"}}
	added := admin.Post("/servico/credenciais/nova", form)
	if added.Status != http.StatusOK || added.Path == "/servico/credenciais/nova" {
		t.Fatalf("got %d: %s", added.Status, added.Text("#erros"))
	}
	found := func() bool {
		body := clerk.PostHTMX("/busca/credenciais", url.Values{"Busca": {"ipe"}}).Body
		return strings.Contains(string(body), "Plano Ipê")
	}
	t.Run("KeptAndOffered", func(t *testing.T) {
		page := admin.Get(added.Path)
		for name, want := range form {
			field := page.Find("[name='" + name + "']")
			if field.Is("[type=checkbox]") && !field.Is("[checked]") || !field.Is("[type=checkbox]") &&
				page.Value("[name='"+name+"']") != want[0] {
				t.Errorf("%s: got %q, want %q", name, page.Value("[name='"+name+"']"), want[0])
			}
		}
		if !found() {
			t.Error("the desk does not find it")
		}
	})
	t.Run("DisableAndEnable", func(t *testing.T) {
		admin.Post(added.Path+"/desativar", nil)
		list := admin.Post("/servico/credenciais", url.Values{"Busca": {"IPÊ 7788"}})
		if found() || list.Names() != "Plano Ipê" || !strings.Contains(list.Text("tbody"), "Desativado") {
			t.Errorf("found %t, listed %q", found(), list.Text("tbody"))
		}
		if got := admin.Get(list.Attr("td.cell-name a", "href")); got.Path != added.Path || got.Status != http.StatusOK {
			t.Errorf("the list leads to %s with %d", got.Path, got.Status)
		}
		if admin.Post(added.Path+"/reativar", nil); !found() {
			t.Error("enabled again: the desk does not find it")
		}
	})
	t.Run("Problems", func(t *testing.T) {
		wrong := url.Values{"nome": {""}, "operadora": {"outra"}, "formatoCarteira": {"("}, "tempoLimite": {"NaN"}, "cnes": {"12"},
			"registroANS":     {"1"},
			"codigoPrestador": {strings.Repeat("1", 21)}, "contratado": {strings.Repeat("x", 71)},
			"indicacaoClinica": {strings.Repeat("x", 501)}, "anexosObrigatorios": {"40901122, 4.09"}}
		for _, path := range []string{"/servico/credenciais/nova", added.Path} {
			got := admin.Post(path, wrong)
			if got.Status != http.StatusUnprocessableEntity {
				t.Fatalf("%s: got %d", path, got.Status)
			}
			if kept := got.Has(`form[action$="/desativar"]`); kept != (path == added.Path) {
				t.Errorf("%s is shown as one that is kept: %t", path, kept)
			}
			for name := range wrong {
				if got.Text("#"+name+"-error") == "" || got.Value("#"+name) != wrong.Get(name) {
					t.Errorf("%s: %s says %q and holds %q", path, name, got.Text("#"+name+"-error"), got.Value("#"+name))
				}
			}
		}
	})
	t.Run("NotFound", func(t *testing.T) {
		for _, path := range []string{"/servico/credenciais/x", "/servico/credenciais/01970000-0000-7000-8000-00000000dead",
			"/servico/parceiros/01970000-0000-7000-8000-00000000dead", "/servico/registro/01970000-0000-7000-8000-00000000dead"} {
			if got := admin.Get(path); got.Status != http.StatusNotFound {
				t.Errorf("%s: got %d, want 404", path, got.Status)
			}
		}
	})
}
