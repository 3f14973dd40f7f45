package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// consoleViews lists the pages of the console's lists.
func consoleViews() []view {
	return []view{
		{"servico", page.ConsolePage(console())},
		{"servico-unidades", page.ConsoleListPage(consoleList())},
		{"servico-parceiros-nenhum", page.ConsoleListPage(page.ConsoleListView{Page: admin("Parceiros"), EmptyText: "Crie um parceiro."})},
		{"servico-unidade-da-recepcao", page.ReplicaEntryPage(replica())},
		{"servico-sessoes", page.ServiceSessionsPage(sessions())},
		{"servico-sessoes-nenhuma", page.ServiceSessionsPage(page.ServiceSessionsView{Page: admin("Sessões"),
			Path:    "/servico/parceiros/p1/sessoes",
			Partner: component.Link{Href: "/servico/parceiros/p1", Text: "Laboratório"}})},
		{"servico-trafego", page.TrafficPage(traffic())},
		{"servico-credencial-nova", page.ServiceCredentialPage(page.ServiceCredentialView{Page: admin("Nova credencial"), New: true})},
		{"servico-credencial", page.ServiceCredentialPage(serviceCredential())},
	}
}

var disabled = component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativada"}

func console() page.ConsoleView {
	return page.ConsoleView{Page: admin("Serviço"), Where: component.Notice{Tone: component.ToneNeutral,
		Icon: "info-circle", Strong: "Serviço no ar.", Text: "É o embutido."},
		Cards: []page.DirectoryCard{{Href: "/servico/parceiros", Title: "Parceiros", Count: "1 parceiro", Detail: "Quem pode pedir."}}}
}

func consoleList() page.ConsoleListView {
	return page.ConsoleListView{Page: admin("Unidades"), Path: "/servico/unidades", Purpose: "onde a clínica atende",
		Caption: "Unidades, pelo nome", SearchLabel: "Nome da unidade",
		New: component.Link{Href: "/servico/unidades/nova", Text: "Nova unidade"}, Columns: []string{"Unidade", "Pontos"},
		Rows: []page.ConsoleRow{
			{Href: "/servico/unidades/u1", Name: "Centro", Cells: []string{"Recepção"}, State: component.Situation{Label: "em uso"}},
			{Href: "/servico/unidades/u2", Name: "Jardim", Cells: []string{""}, State: disabled},
		},
		Pages: page.Pages{Position: "1 a 2 de 3", Next: 2}}
}

func replica() page.ReplicaEntryView {
	return page.ReplicaEntryView{Page: admin("Centro"), Purpose: "unidade da clínica",
		List: component.Link{Href: "/servico/unidades", Text: "Unidades"},
		Notice: component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Strong: "Vem dos cadastros da recepção.",
			Action: component.Link{Href: "/cadastros/unidades/u1", Text: "Alterar nos cadastros"}},
		State: component.Situation{Label: "em uso"}, Facts: []component.Copyable{{Label: "unidadeId", Value: uid}},
		Parts: "Pontos de atendimento", Columns: []string{"Ponto", "pontoAtendimentoId"}, EmptyText: "Nenhum.",
		Rows: []page.ConsoleRow{{Name: "Recepção", Cells: []string{"p1"}, State: disabled}}}
}

func sessions() page.ServiceSessionsView {
	return page.ServiceSessionsView{Page: admin("Sessões de Laboratório"), Path: "/servico/parceiros/p1/sessoes",
		Partner: component.Link{Href: "/servico/parceiros/p1", Text: "Laboratório"},
		Count:   "1 sessão",
		Rows: []page.ServiceSession{{ID: "s1", Owner: "sistema", Kind: "usuário", Since: "hoje, 14:00", Renewed: "nunca",
			Used: "agora", Ends: "20/11/2026 14:30"}}}
}

func traffic() page.TrafficView {
	return page.TrafficView{Page: admin("Tráfego"), Since: "hoje, 14:00", InFlight: 2,
		Rows: []page.TrafficRow{{Route: "/api/v2/credenciais", Total: 16,
			Statuses: []page.TrafficStatus{{Status: "200", Count: "15 vezes"}, {Status: "cortada", Count: "1 vez"}}}}}
}

func serviceCredential() page.ServiceCredentialView {
	return page.ServiceCredentialView{Page: admin("Vale Sereno"), Path: "/servico/credenciais/c1", ID: "c1",
		EligibilityID: "e1", Disabled: true, State: disabled,
		Connectors: []component.Choice{{Value: "simulada", Label: "simulada"}},
		Fields:     page.Fields{Values: map[string]string{"nome": "Vale Sereno", "operadora": "simulada", "exigeBiometria": "S"}}}
}

func TestConsolePage(t *testing.T) {
	doc := MustRender(t, page.ConsolePage(console()))
	wantText(t, doc, ".notice p", "Serviço no ar. É o embutido.")
	wantText(t, doc, ".sheet header", "Parceiros1 parceiro")
}

func TestConsoleListPage(t *testing.T) {
	m := consoleList()
	doc := MustRender(t, page.ConsoleListPage(m))
	wantText(t, doc, ".title .muted", "onde a clínica atende")
	wantAttr(t, doc, ".title .btn-link", "href", "/servico")
	wantText(t, doc, "thead", "UnidadePontosSituação")
	wantText(t, doc, "tbody tr:first-child .cell-own-line", "Pontos: Recepção")
	wantText(t, doc, "tbody tr:first-child .cell-state", "em uso")
	wantCount(t, doc, "tbody tr:first-child .status-badge", 0)
	wantText(t, doc, "tbody tr:nth-child(2) .status-badge.tone-neutral", "Desativada")
	wantAttr(t, doc, "button[name=pagina]", "value", "2")
	m.Notice, m.SearchLabel, m.New, m.Rows = &component.Notice{Strong: "Vem da recepção."}, "", component.Link{}, nil
	bare := MustRender(t, page.ConsoleListPage(m))
	wantCount(t, bare, "form[role=search]:not(header form), .title .btn-primary", 0)
	wantText(t, bare, ".notice b", "Vem da recepção.")
	m.Search = "zulmira"
	wantText(t, MustRender(t, page.ConsoleListPage(m)), ".empty-state h2", "Nada com estas palavras.")
}

func TestReplicaEntryPage(t *testing.T) {
	m := replica()
	doc := MustRender(t, page.ReplicaEntryPage(m))
	wantCount(t, doc, "main form", 0)
	wantAttr(t, doc, ".notice .btn", "href", "/cadastros/unidades/u1")
	wantText(t, doc, "tbody .cell-name", "Recepção")
	wantText(t, doc, "tbody .status-badge", "Desativada")
	wantText(t, doc, "aside .user-select-all", uid)
	m.Rows = nil
	wantText(t, MustRender(t, page.ReplicaEntryPage(m)), "section > p.muted", "Nenhum.")
}

func TestServiceSessionsPage(t *testing.T) {
	doc := MustRender(t, page.ServiceSessionsPage(sessions()))
	wantAttr(t, doc, ".title form", "action", "/servico/parceiros/p1/sessoes/encerrar")
	wantCount(t, doc, ".title button[data-confirm]", 1)
	wantText(t, doc, "tbody .cell-name", "sistemausuário")
	wantAttr(t, doc, "tbody form", "action", "/servico/parceiros/p1/sessoes/s1/encerrar")
	wantText(t, doc, "tbody button", "Encerrar: sistema, hoje, 14:00")
}

func TestTrafficPage(t *testing.T) {
	m := traffic()
	doc := MustRender(t, page.TrafficPage(m))
	wantAttr(t, doc, "#trafego", "hx-get", "/servico/trafego")
	wantText(t, doc, "#trafego header .muted", "respondendo agora: 2")
	wantText(t, doc, "tbody td:nth-child(2)", "16")
	wantText(t, doc, "tbody li:last-child", "cortada 1 vez")
	m.Rows = nil
	wantText(t, MustRender(t, page.TrafficBody(m)), "#trafego p", "Ninguém pediu nada ainda.")
}

func TestServiceCredentialPage(t *testing.T) {
	doc := MustRender(t, page.ServiceCredentialPage(serviceCredential()))
	wantAttr(t, doc, "#credencial", "action", "/servico/credenciais/c1")
	wantAttr(t, doc, "#operadora option[selected]", "value", "simulada")
	wantCount(t, doc, "#exigeBiometria[checked]", 1)
	wantText(t, doc, "aside .small:nth-child(2)", "credencialElegibilityIde1")
	wantCount(t, doc, `form[action="/servico/credenciais/c1/reativar"]`, 1)
	fresh := MustRender(t, page.ServiceCredentialPage(page.ServiceCredentialView{Page: admin("Nova credencial"), New: true}))
	wantAttr(t, fresh, "#credencial", "action", "/servico/credenciais/nova")
	wantText(t, fresh, ".notice.tone-attention b", "Nenhum conector de operadora.")
	wantCount(t, fresh, "aside, #operadora option:not([value=''])", 0)
}
