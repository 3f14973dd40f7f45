package page_test

import (
	"fmt"
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// directoryViews lists the pages of the directory.
func directoryViews() []view {
	return []view{
		{"cadastros", page.DirectoryPage(directory())},
		{"unidades", page.DirectoryListPage(unitList())},
		{"unidades-nada", page.DirectoryListPage(page.DirectoryListView{Page: admin("Unidades"), Path: "/cadastros/unidades",
			SearchLabel: "Nome", Search: "zulmira",
			New: component.Link{Href: "/cadastros/unidades/nova", Text: "Nova unidade"}})},
		{"unidade-nova", page.UnitPage(newUnit())},
		{"unidade", page.UnitPage(knownUnit())},
		{"unidade-erros", page.UnitPage(wrongUnit())},
		{"executante", page.ProfessionalPage(professional())},
		{"procedimento-novo", page.ProcedurePage(page.ProcedureView{DirectoryEntry: newEntry("Novo procedimento",
			"/cadastros/procedimentos/novo")})},
		{"credencial", page.CredentialPage(credential())},
	}
}

func directory() page.DirectoryView {
	return page.DirectoryView{Page: admin("Cadastros"),
		Missing: &component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle",
			Strong: "O formulário ainda não pode ser enviado.", Text: "Cadastre unidades."},
		Cards: []page.DirectoryCard{{Href: "/cadastros/unidades", Title: "Unidades", Count: "2 unidades", Detail: "Onde a clínica atende."}}}
}

func unitList() page.DirectoryListView {
	return page.DirectoryListView{Page: admin("Unidades"), Path: "/cadastros/unidades", Caption: "Unidades, pelo nome",
		SearchLabel: "Nome da unidade", Search: "a",
		Count: "3 unidades", New: component.Link{Href: "/cadastros/unidades/nova",
			Text: "Nova unidade"}, Columns: []string{"Unidade", "Pontos de atendimento"},
		Rows: []page.DirectoryRow{
			{Href: "/cadastros/unidades/u1", Name: "Centro", Cells: []string{"Recepção, Coleta"}},
			{Href: "/cadastros/unidades/u2", Name: "Jardim", Cells: []string{""}, Disabled: true},
			{Href: "/cadastros/unidades/u3", Name: "Sede", Cells: []string{"Sala 1"}, Local: true},
		},
		Pages: page.Pages{Position: "51 a 100 de 150", Previous: 1, Next: 3}}
}

func newEntry(heading, path string) page.DirectoryEntry {
	return page.DirectoryEntry{Page: admin(heading), Heading: heading, Path: path, New: true,
		List: component.Link{Href: "/cadastros/unidades", Text: "Unidades"}}
}

func knownEntry(heading string) page.DirectoryEntry {
	e := newEntry(heading, "/cadastros/unidades/u1")
	e.New, e.ID, e.Switch, e.Values = false, uid, "Desativar tira do formulário na hora.", map[string]string{"nome": heading}
	return e
}

func newUnit() page.UnitView {
	return page.UnitView{DirectoryEntry: newEntry("Nova unidade", "/cadastros/unidades/nova"), Points: []page.PointRow{{Row: 0}}}
}

func knownUnit() page.UnitView {
	e := knownEntry("Centro")
	e.Values["pontosAtendimento[0].nome"], e.Values["pontosAtendimento[0].id"],
		e.Values["pontosAtendimento[0].ativo"] = "Recepção", "p1", "S"
	return page.UnitView{DirectoryEntry: e, Points: []page.PointRow{{Row: 0, Known: true}, {Row: 1}}}
}

func wrongUnit() page.UnitView {
	m := newUnit()
	m.Failed, m.Values = true, map[string]string{"nome": " ", "pontosAtendimento[0].nome": "Coleta"}
	m.Problems = []component.Problem{{Name: "nome", Message: "Informe o nome da unidade."}}
	return m
}

func professional() page.ProfessionalView {
	e := knownEntry("Elisa Prado")
	e.Disabled, e.Switch, e.Service = true, "Está fora.", "profissionalExecutanteId"
	e.Values["siglaConselho"], e.Values["especialidades[0].id"], e.Values["especialidades[0].nome"] = "CRM", "12", "Ortopedia"
	return page.ProfessionalView{DirectoryEntry: e, Rows: []page.SpecialtyRow{{Row: 0, Known: true}, {Row: 1}, {Row: 2, Empty: true}}}
}

func credential() page.CredentialView {
	e := knownEntry("Vale Sereno")
	e.Values["biometria"], e.Values["padraoCarteira"], e.Question = "S", `\d{17}`, "Desativar?"
	return page.CredentialView{DirectoryEntry: e}
}

func TestDirectoryPage(t *testing.T) {
	doc := MustRender(t, page.DirectoryPage(directory()))
	wantText(t, doc, ".notice.tone-attention b", "O formulário ainda não pode ser enviado.")
	wantText(t, doc, ".sheet header", "Unidades2 unidades")
	wantAttr(t, doc, ".sheet h2 a", "href", "/cadastros/unidades")
	wantAttr(t, doc, `a[href="/cadastros/sincronizar"]`, "class", "btn btn-outline-secondary ms-auto")
}

func TestDirectoryListPage(t *testing.T) {
	m := unitList()
	doc := MustRender(t, page.DirectoryListPage(m))
	wantText(t, doc, ".title .muted", "3 unidades")
	wantText(t, doc, "thead th:last-child", "Situação")
	wantText(t, doc, "tbody tr:first-child .cell-own-line", "Pontos de atendimento: Recepção, Coleta")
	wantText(t, doc, "tbody tr:nth-child(2) .cell-own-line", "")
	for i, want := range []string{"em uso", "Fora do formulário", "Só no Guichê"} {
		wantText(t, doc, fmt.Sprintf("tbody tr:nth-child(%d) .cell-state", i+1), want)
	}
	wantCount(t, doc, `a[href="/cadastros/unidades/nova"]`, 1)
	wantCount(t, doc, `form[action="/cadastros/unidades/atualizar"]`, 0)
	t.Run("TurnsPages", func(t *testing.T) {
		wantText(t, doc, `form[aria-label="Páginas"] .muted`, "51 a 100 de 150")
		wantAttr(t, doc, `form[aria-label="Páginas"] input[name=Busca]`, "value", "a")
		wantAttr(t, doc, "button[name=pagina]", "value", "1")
		wantAttr(t, doc, "button[name=pagina]:last-child", "value", "3")
	})
	t.Run("Refreshes", func(t *testing.T) {
		m.CanRefresh, m.Rows, m.Search, m.EmptyText = true, nil, "", "Cadastre a unidade em que a clínica atende."
		refreshed := MustRender(t, page.DirectoryListPage(m))
		wantCount(t, refreshed, `form[action="/cadastros/unidades/atualizar"] button`, 1)
		wantCount(t, refreshed, `a[href="/cadastros/unidades/nova"]`, 0)
		wantText(t, refreshed, ".empty-state p", "Cadastre a unidade em que a clínica atende.")
	})
}

func TestUnitPage(t *testing.T) {
	t.Run("New", func(t *testing.T) {
		doc := MustRender(t, page.UnitPage(newUnit()))
		wantAttr(t, doc, "#cadastro", "action", "/cadastros/unidades/nova")
		wantCount(t, doc, "#nome[autofocus]", 1)
		wantCount(t, doc, `input[name="id"], input[name="telefone"]`, 2)
		wantCount(t, doc, `input[name="pontosAtendimento[0].id"]:not([type=hidden])`, 1)
		wantAttr(t, doc, "button[name=acao]", "value", "adicionar")
		wantCount(t, doc, "aside, .two-columns", 0)
	})
	t.Run("Known", func(t *testing.T) {
		doc := MustRender(t, page.UnitPage(knownUnit()))
		wantCount(t, doc, `input[name="id"]`, 0)
		wantAttr(t, doc, `input[name="pontosAtendimento[0].id"]`, "type", "hidden")
		wantCount(t, doc, `input[name="pontosAtendimento[0].ativo"][checked]`, 1)
		wantCount(t, doc, `input[name="pontosAtendimento[1].ativo"]`, 0)
		wantCount(t, doc, `[role=group][aria-label^="Ponto 1: "] [name="pontosAtendimento[0].ativo"]`, 1)
		wantCount(t, doc, `[role=group][aria-label="Ponto 2"] [name="pontosAtendimento[1].nome"]`, 1)
		wantText(t, doc, "aside header span", "em uso")
		wantText(t, doc, "aside .user-select-all", uid)
		wantCount(t, doc, `form[action="/cadastros/unidades/u1/desativar"] button:not([data-confirm])`, 1)
	})
	t.Run("Wrong", func(t *testing.T) {
		doc := MustRender(t, page.UnitPage(wrongUnit()))
		wantText(t, doc, "#erros h2", "Confira os campos indicados")
		wantAttr(t, doc, "#erros a", "href", "#nome")
		wantAttr(t, doc, "#pontosAtendimento-0-nome", "value", "Coleta")
		wantCount(t, doc, "#nome[autofocus]", 0)
	})
	t.Run("OfTheService", func(t *testing.T) {
		m := newUnit()
		m.Service = "unidadeId"
		doc := MustRender(t, page.UnitPage(m))
		wantCount(t, doc, `input[name="id"], input[name="pontosAtendimento[0].id"]`, 0)
		wantCount(t, doc, `input[name="telefone"]`, 0) // only the desk keeps it
		wantText(t, doc, "legend small:contains(Todo)", "Todo pedido diz em qual: balcão, sala, coleta")
	})
}

func TestProfessionalPage(t *testing.T) {
	doc := MustRender(t, page.ProfessionalPage(professional()))
	wantAttr(t, doc, "#siglaConselho option[selected]", "value", "CRM")
	wantCount(t, doc, "#especialidades-0-id[readonly]", 1)
	wantAttr(t, doc, "#especialidades-0-nome", "value", "Ortopedia")
	wantCount(t, doc, `[role=group][aria-label="Especialidade 1: Ortopedia"] [name="especialidades[0].cbo"]`, 1)
	wantCount(t, doc, `button[value="remover-1"]`, 1)
	wantCount(t, doc, `button[value="remover-0"], button[value="remover-2"]`, 0)
	wantText(t, doc, "aside .status-badge", "Desativado")
	wantText(t, doc, "aside .small", "profissionalExecutanteId"+uid)
	wantCount(t, doc, `form[action$="/reativar"] button`, 1)
}

func TestProcedurePage(t *testing.T) {
	known := page.ProcedureView{DirectoryEntry: knownEntry("Hemograma")}
	wantCount(t, MustRender(t, page.ProcedurePage(known)), "#codigo", 0)
	fresh := MustRender(t, page.ProcedurePage(page.ProcedureView{DirectoryEntry: newEntry("Novo procedimento",
		"/cadastros/procedimentos/novo")}))
	wantCount(t, fresh, "#codigo[autofocus]", 1)
	wantCount(t, fresh, "textarea#sinonimos", 1)
}

func TestCredentialPage(t *testing.T) {
	doc := MustRender(t, page.CredentialPage(credential()))
	wantCount(t, doc, "#biometria[checked]", 1)
	wantCount(t, doc, "#validadeObrigatoria[checked]", 0)
	wantAttr(t, doc, "#padraoCarteira", "value", `\d{17}`)
	wantAttr(t, doc, `form[action$="/desativar"] button`, "data-confirm", "Desativar?")
}
