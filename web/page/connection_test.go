package page_test

import (
	"maps"
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// connectionViews lists the pages of the connection to the service.
func connectionViews() []view {
	tested := connection()
	tested.Test = page.ConnectionTest{Retype: true, Steps: []page.ConnectionStep{{Name: "Nome", Word: "certo",
		Text: "127.0.0.1", Icon: "check-lg", Tone: component.ToneSuccess}}}
	return []view{
		{"conexao", page.ConnectionPage(connection())},
		{"conexao-testada", page.ConnectionPage(tested)},
		{"conexao-erros", page.ConnectionPage(wrongConnection())},
		{"conexao-de-fora", page.ConnectionPage(fixedConnection())},
	}
}

func connection() page.ConnectionView {
	usual := map[string]string{"servico": "embutido", "metodo": "chave", "caminhoLogin": "/api/v1/auth/login",
		"caminhoUnidades": "/unidades", "origemRecursos": "anunciados"}
	return page.ConnectionView{Page: admin("Conexão com o serviço"), Service: "serviço embutido", Usual: usual,
		Settings: connectionSettings(),
		Fields:   page.Fields{Values: maps.Clone(usual)}, Stored: map[string]string{"chaveApi": "Guardada em 21/11/2026"},
		Fixed: map[string]string{"prazo": "GUICHE_SEND_DEADLINE"}}
}

// connectionSettings has a setting or two of each group.
func connectionSettings() map[string][]page.Setting {
	text := func(name string) page.Setting { return page.Setting{Field: component.Field{Name: name, Label: name}} }
	choose := func(name string, values ...string) page.Setting {
		s := text(name)
		for _, v := range values {
			s.Choices = append(s.Choices, component.Choice{Value: v, Label: "Por " + v})
		}
		return s
	}
	mark := text("recursos.anexos")
	mark.Mark = true
	return map[string][]page.Setting{
		"servico": {choose("servico", "embutido", "outro")}, "endereco": {text("endereco")},
		"acesso":  {choose("metodo", "chave", "senha", "oauth")},
		"usuario": {text("usuarioServico")}, "login": {text("caminhoLogin")}, "cliente": {text("clienteId")}, "token": {text("caminhoToken")},
		"recursos": {choose("origemRecursos", "anunciados", "manual")}, "recursosMao": {mark}, "caminhos": {text("caminhoUnidades")},
		"anexos": {choose("formatoAnexos", "object", "string")}, "prazos": {text("prazo")},
	}
}

func wrongConnection() page.ConnectionView {
	m := connection()
	m.Failed, m.Lost = true, true
	m.Values["servico"], m.Values["metodo"], m.Values["caminhoLogin"] = "outro", "senha", "login"
	m.Problems = []component.Problem{{Name: "endereco", Message: "Informe o endereço."},
		{Name: "caminhoLogin", Message: "Comece com uma barra."}}
	return m
}

func fixedConnection() page.ConnectionView {
	m := connection()
	m.Values["endereco"], m.Values["metodo"], m.Values["origemRecursos"] = "https://servico.exemplo.com.br", "oauth", "manual"
	m.Fixed = map[string]string{"endereco": "GUICHE_SERVICE_URL", "formatoAnexos": "GUICHE_ATTACHMENTS"}
	return m
}

func TestConnectionPage(t *testing.T) {
	doc := MustRender(t, page.ConnectionPage(connection()))
	wantText(t, doc, ".title .muted", "em uso: serviço embutido")
	wantCount(t, doc, "#servico-embutido[checked]", 1)
	wantCount(t, doc, ".choices > .when-outro #endereco", 1)
	for _, method := range []string{"chave", "senha", "oauth"} {
		wantCount(t, doc, ".choices > #metodo-"+method, 1)
		wantCount(t, doc, ".choices > .choice-details.when-"+method, 1)
	}
	wantText(t, doc, "#chaveApi-hint", "Guardada em 21/11/2026. Deixe vazio para manter.")
	wantCount(t, doc, "#prazo[readonly]", 1)
	wantText(t, doc, "#prazo-hint", "Definido por GUICHE_SEND_DEADLINE, que vale mais que esta página.")
	wantCount(t, doc, "details.disclosure[open]", 0)
	wantCount(t, doc, ".notice", 0)
	wantText(t, doc, "#teste p", "Testa o que está na tela, sem salvar e sem enviar nenhum pedido.")
}

func TestConnectionPage_Wrong(t *testing.T) {
	doc := MustRender(t, page.ConnectionPage(wrongConnection()))
	wantCount(t, doc, "#erros li", 2)
	wantCount(t, doc, ".when-senha details[open] #caminhoLogin[aria-invalid]", 1)
	wantCount(t, doc, ".when-oauth details[open]", 0)
	wantText(t, doc, ".notice.tone-error b", "O segredo guardado não abre mais.")
}

func TestConnectionPage_FromOutside(t *testing.T) {
	m := fixedConnection()
	doc := MustRender(t, page.ConnectionPage(m))
	wantCount(t, doc, "#endereco, #metodo, #usuarioServico", 0)
	wantText(t, doc, "#conexao p", "https://servico.exemplo.com.br · Por oauth")
	wantCount(t, doc, `#conexao p:contains("GUICHE_CLIENT_ID e GUICHE_CLIENT_SECRET")`, 1)
	wantCount(t, doc, "#caminhoToken", 1)
	wantCount(t, doc, "input#formatoAnexos[readonly]", 1)
	wantCount(t, doc, "details[open] .option-grid", 1)
	m.Values["metodo"] = "senha"
	wantCount(t, MustRender(t, page.ConnectionPage(m)), "#caminhoLogin", 1)
	m.Values["metodo"] = "chave"
	wantCount(t, MustRender(t, page.ConnectionPage(m)), `p:contains("GUICHE_API_KEY")`, 1)
}

func TestConnectionTestResult(t *testing.T) {
	wrong := MustRender(t, page.ConnectionTestResult(page.ConnectionTest{Problems: []component.Problem{{Name: "endereco",
		Message: "Informe o endereço."}}}))
	wantAttr(t, wrong, "li a", "href", "#endereco")
	steps := page.ConnectionTest{Steps: []page.ConnectionStep{{Name: "Entrada", Word: "falhou", Text: "A chave não vale.",
		Icon: "x-octagon", Tone: component.ToneError}}}
	doc := MustRender(t, page.ConnectionTestResult(steps))
	wantText(t, doc, "li .tone-error", "Entrada: falhou")
	wantText(t, doc, "li .muted", "A chave não vale.")
	wantCount(t, doc, `p:contains("segredo")`, 0)
	steps.Retype = true
	wantCount(t, MustRender(t, page.ConnectionTestResult(steps)), `p:contains("segredo")`, 1)
}

func TestConnectionPage_Widths(t *testing.T) {
	m := connection()
	wide, short := page.Setting{Field: component.Field{Name: "largo"}, Width: page.WidthWide},
		page.Setting{Field: component.Field{Name: "curto"}, Width: page.WidthShort}
	m.Settings["anexos"] = append(m.Settings["anexos"], wide, short)
	m.Settings["prazos"] = append(m.Settings["prazos"], short)
	doc := MustRender(t, page.ConnectionPage(m))
	wantCount(t, doc, ".col-12.col-lg-6 #prazo", 1)
	wantCount(t, doc, ".col-12.col-lg-4 #formatoAnexos", 1)
	wantCount(t, doc, "div[class=col-12] #largo", 1)
	wantCount(t, doc, ".col-6.col-lg-4 #curto", 1)
	wantCount(t, doc, "div[class=col-6] #curto", 1)
}
