package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestConnection_Page: what is in force is shown; of the secrets only that there is
// one.
func TestConnection_Page(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	rui.Get("/servico/conexao").Check(t, apptest.Want{
		Status: http.StatusOK,
		Text:   map[string]string{"title": "Conexão com o serviço", "h1 + span": "em uso: serviço embutido"},
		Value: map[string]string{"#endereco": "", "#caminhoLogin": "/api/v1/auth/login", "#tempoResposta": "60",
			"#maximoArquivos": "10", "#maximoArquivo": "15", "#maximoAnexos": "60",
			"#prazo": "30", "#chaveApi": "", "#formatoAnexos": "object"},
		Count: map[string]int{"#servico-embutido[checked]": 1, "#servico-outro[checked]": 0, "#metodo-chave[checked]": 1,
			"#erros": 0, "#teste li": 0},
	})
	other := apptest.StartOtherService(t, nil)
	for name, tt := range map[string]struct {
		change url.Values
		stored string // the field of the secret that is kept
		count  map[string]int
	}{
		"Key":   {nil, "#chaveApi", map[string]int{"#metodo-chave[checked]": 1}},
		"Login": {url.Values{"metodo": {"senha"}, "senhaServico": {"a"}}, "#senhaServico", map[string]int{"#metodo-senha[checked]": 1}},
		"Client": {url.Values{"metodo": {"oauth"}, "segredoCliente": {"b"}, "envioCliente": {"basic"}, "escopo": {"um dois"}},
			"#segredoCliente", map[string]int{"#metodo-oauth[checked]": 1, "#envioCliente option[value=basic][selected]": 1}},
		"ByHand": {url.Values{"origemRecursos": {"manual"}, "recursos.anexos": {"S"}, "recursos.situacao": {"S"}}, "#chaveApi",
			map[string]int{"[name='recursos.anexos'][checked]": 1, "[name='recursos.situacao'][checked]": 1,
				"[name='recursos.cancelamento'][checked]": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.ConnectionForm(other.URL)
			for k, v := range tt.change {
				form[k] = v
			}
			saved := rui.Post("/servico/conexao", form)
			saved.Check(t, apptest.Want{Status: http.StatusOK, Path: "/servico/conexao",
				Text: map[string]string{"main [role=status]": "Guardado. Vale já para o próximo envio.", "h1 + span": "em uso: 127.0.0.1",
					tt.stored + "-hint": "Guardada em "}, Value: map[string]string{"#endereco": other.URL, tt.stored: "",
					"#escopo": form.Get("escopo")}, Count: tt.count})
			if strings.Contains(string(saved.Body), apptest.ServiceSecret) {
				t.Error("the page shows the secret")
			}
		})
	}
}

// TestConnection_Problems: each setting that cannot be has its message; what was
// typed stays, but the secret; nothing is kept.
func TestConnection_Problems(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	other := apptest.StartOtherService(t, nil)
	for field, typed := range map[string]string{
		"endereco": "ftp://x", "caminhoUnidades": "sem barra", "caminhoExecutantes": "//dois", "caminhoElegibilidade": "x",
		"maximoArquivos": "0", "maximoArquivo": "muito", "maximoAnexos": "-1",
		"tempoConexao": "cinco", "tempoConsulta": "0", "tempoResposta": "", "prazo": "99999",
	} {
		t.Run(field, func(t *testing.T) {
			form := apptest.ConnectionForm(other.URL)
			form.Set(field, typed)
			for path, title := range map[string]string{"/servico/conexao": "Erro: Conexão com o serviço",
				"/servico/conexao/testar": "Erro: Conexão com o serviço"} {
				got := rui.Post(path, form)
				got.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
					Text:  map[string]string{"title": title, "h1 + span": "em uso: serviço embutido"},
					Value: map[string]string{"#" + field: typed, "#clienteId": "clinica", "#chaveApi": ""},
					Count: map[string]int{"#" + field + "-error": 1, "#erros a[href='#" + field + "']": 1, "#servico-outro[checked]": 1}})
			}
			byScript := rui.PostHTMX("/servico/conexao/testar", form)
			byScript.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
				Count: map[string]int{"a[href='#" + field + "']": 1, "main": 0, "form": 0}})
		})
	}
	if got := rui.Get("/servico/conexao"); got.Value("#endereco") != "" || len(other.Asked()) != 0 {
		t.Errorf("kept %q, and the service was asked %q", got.Value("#endereco"), other.Asked())
	}
}

// TestConnection_Test tries what is typed, keeps nothing and sends no request; by a
// script the answer is the list of steps alone.
func TestConnection_Test(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	other := apptest.StartOtherService(t, func(o *apptest.OtherService) { o.Features = []string{"situacao"} })
	form := apptest.ConnectionForm(other.URL)
	want := []string{"Nome: certo", "Conexão segura: sem teste", "Entrada: sem teste", "Busca de credenciais: certo",
		"Recursos: certo", "Unidades e executantes: sem teste", "Elegibilidade: sem teste"}
	for name, got := range map[string]*apptest.Page{"Plain": rui.Post("/servico/conexao/testar", form),
		"Script": rui.PostHTMX("/servico/conexao/testar", form)} {
		all := got.Texts("li")
		if name == "Plain" {
			all = got.Texts("#teste li")
		}
		if got.Status != http.StatusOK || len(all) == 0 {
			t.Fatalf("%s: %d with the steps %q", name, got.Status, all)
		}
		for _, step := range []string{want[3], want[4]} {
			if !strings.Contains(strings.Join(all, "\n"), step) {
				t.Errorf("%s: the steps %q lack %q", name, all, step)
			}
		}
		if plain := got.Has("main"); plain != (name == "Plain") {
			t.Errorf("%s: a whole page %t", name, plain)
		}
		if name == "Plain" && (got.Value("#endereco") != other.URL || got.Value("#chaveApi") != "") {
			t.Errorf("kept %q, and of the secret %q", got.Value("#endereco"), got.Value("#chaveApi"))
		}
	}
	if len(other.Requests()) != 0 || rui.Get("/servico/conexao").Value("#endereco") != "" {
		t.Errorf("%d requests were sent, and %q is kept", len(other.Requests()), rui.Get("/servico/conexao").Value("#endereco"))
	}
}

// TestConnection_NoService: a desk without anything that could authorize says so on
// every page until it is connected.
func TestConnection_NoService(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Empty: true})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	const told = "Falta configurar o serviço"
	for _, page := range []*apptest.Page{ana.Get("/fila"), rui.Get("/pessoas"), server.Client(t).Get("/entrar"), ana.Get("/nada")} {
		if !strings.Contains(page.Text("body"), told) {
			t.Errorf("%s does not say so", page.Path)
		}
	}
	rui.ConnectTo(t, apptest.StartOtherService(t, nil), nil)
	if got := ana.Get("/fila").Text("body"); strings.Contains(got, told) {
		t.Errorf("connected, the page says %q", got)
	}
}

// TestConnection_Fixed: what a flag sets is shown with its name, cannot be typed
// over, and the rest can.
func TestConnection_Fixed(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Connection.UploadFiles = 3 }})
	rui := server.LogIn(t, apptest.Administration)
	page := rui.Get("/servico/conexao")
	if hint := page.Text("#maximoArquivos-hint"); page.Value("#maximoArquivos") != "3" || !strings.Contains(hint, "GUICHE_UPLOAD_FILES") {
		t.Errorf("got %q, %q", page.Value("#maximoArquivos"), hint)
	}
	form := apptest.ConnectionForm(apptest.StartOtherService(t, nil).URL)
	form.Set("maximoArquivos", "7")
	form.Set("maximoArquivo", "2")
	saved := rui.Post("/servico/conexao", form)
	saved.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#maximoArquivos": "3", "#maximoArquivo": "2"}})
	form.Set("maximoArquivo", "x")
	wrong := rui.Post("/servico/conexao", form)
	wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Value: map[string]string{"#maximoArquivos": "3",
		"#maximoArquivo": "x"}})
}

// TestConnection_Changed: a page from before somebody else's change does not bring back what
// that changed.
func TestConnection_Changed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	const address = "/servico/conexao"
	page := admin.Get(address)
	first, second := page.Form("#conexao"), page.Form("#conexao")
	first.Set("tempoResposta", "90")
	second.Set("prazo", "40")
	admin.Post(address, first).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#tempoResposta": "90"}})
	told := admin.Post(address, second)
	told.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#erros": "mudou depois que você abriu"},
		Value: map[string]string{"#prazo": "40", "#tempoResposta": "60"}})
	admin.Get(address).Check(t, apptest.Want{Value: map[string]string{"#prazo": "30", "#tempoResposta": "90"}})
	admin.Post(address, told.Form("#conexao")).Check(t, apptest.Want{Status: http.StatusOK,
		Value: map[string]string{"#prazo": "40", "#tempoResposta": "60"}})
}
