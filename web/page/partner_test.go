package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// partnerViews lists the pages of a partner of the service.
func partnerViews() []view {
	return []view{
		{"servico-parceiro-novo", page.PartnerPage(page.PartnerView{Page: admin("Novo parceiro"), New: true})},
		{"servico-parceiro", page.PartnerPage(partner())},
		{"servico-parceiro-proprio", page.PartnerPage(ownPartner())},
		{"servico-parceiro-erros", page.PartnerPage(wrongPartner())},
	}
}

func partner() page.PartnerView {
	keys := page.AccessList{Slug: "chaves", Title: "Chaves de API", Purpose: "Vão no cabeçalho.",
		Note: "Não vale agora.", Button: "Criar chave",
		Idle: &component.Select{Field: component.Field{Name: "validade-chave", Label: "Termina"},
			Choices: []component.Choice{{Value: "0", Label: "só por revogação"}}},
		Rows: []page.AccessRow{
			{Name: "…a1b2", Detail: "sem prazo", Created: "hoje, 14:00", Used: "nunca", State: component.Situation{Label: "em uso"},
				Actions: []page.AccessAction{{Path: "/servico/parceiros/p1/chaves/k1/revogar", Text: "Revogar", Question: "Revogar a chave?"}}},
			{Name: "…c3d4", Created: "hoje, 13:00", Used: "nunca", State: component.Situation{Tone: component.ToneNeutral,
				Icon: "dash-lg", Label: "Revogado"}},
		}}
	clients := page.AccessList{Slug: "clientes", Title: "Clientes OAuth",
		Field: &component.Field{Name: "cliente", Label: "Nome do cliente"}, Button: "Criar cliente"}
	return page.PartnerView{Page: admin("Laboratório"), Path: "/servico/parceiros/p1", ID: "p1",
		State: component.Situation{Label: "em uso"}, Sessions: "2 sessões abertas",
		Fields:  page.Fields{Values: map[string]string{"nome": "Laboratório", "limite": "60"}},
		Methods: []page.Option{{Value: "chave", Label: "Chave de API", On: true}, {Value: "oauth", Label: "OAuth"}},
		Scopes:  []page.Option{{Value: "autorizacoes:criar", Label: "Criar", On: true}}, Accesses: []page.AccessList{keys, clients},
		Shown: &page.Secret{Title: "A nova chave", Facts: []component.Copyable{{Label: "x-api-key", Shown: "gch_1", Value: "gch_1"}}}}
}

func ownPartner() page.PartnerView {
	m := partner()
	m.Fixed, m.Shown, m.Accesses = true, nil, m.Accesses[:1]
	m.Accesses[0].Rows[0].Actions = nil
	return m
}

func wrongPartner() page.PartnerView {
	m := partner()
	m.Failed, m.Shown, m.Disabled = true, nil, true
	m.Problems = []component.Problem{{Name: "limite", Message: "Informe um número."},
		{Name: "metodos", Message: "Marque um modo."}, {Name: "cliente", Message: "Informe o nome do cliente."}}
	return m
}

func TestPartnerPage(t *testing.T) {
	doc := MustRender(t, page.PartnerPage(partner()))
	wantText(t, doc, "#segredo code", "gch_1")
	wantAttr(t, doc, "#segredo [data-copy]", "data-copy", "gch_1")
	wantAttr(t, doc, "#parceiro", "action", "/servico/parceiros/p1")
	wantCount(t, doc, "input[name=metodos][checked]", 1)
	wantCount(t, doc, "input[name=escopos]", 1)
	wantAttr(t, doc, `a[href$="/sessoes"]`, "href", "/servico/parceiros/p1/sessoes")
	wantCount(t, doc, `form[action="/servico/parceiros/p1/desativar"] button[data-confirm]`, 1)
	t.Run("Accesses", func(t *testing.T) {
		wantText(t, doc, "#chaves p b", "Não vale agora.")
		wantAttr(t, doc, "#chaves form", "action", "/servico/parceiros/p1/chaves")
		wantCount(t, doc, "#chaves #validade-chave option", 1)
		wantText(t, doc, "#chaves tbody .cell-name", "…a1b2 sem prazo")
		wantAttr(t, doc, "#chaves tbody button", "data-confirm", "Revogar a chave?")
		wantText(t, doc, "#chaves tbody button", "Revogar: …a1b2")
		wantCount(t, doc, "#chaves tbody tr:nth-child(2) button", 0)
		wantCount(t, doc, "#clientes #cliente", 1)
		wantText(t, doc, "#clientes > p:last-child", "Nada por enquanto.")
	})
}

func TestPartnerPage_Fixed(t *testing.T) {
	m := ownPartner()
	doc := MustRender(t, page.PartnerPage(m))
	wantCount(t, doc, "main form", 0)
	wantText(t, doc, "dl.facts dd", "Chave de API")
	wantText(t, doc, `section p:contains("recepção")`,
		"É por este perfil que a recepção pede autorizações. "+
			"Ele não muda, não se desativa e se renova sozinho: cada início faz uma chave nova.")
	m.Standalone = true
	wantCount(t, MustRender(t, page.PartnerPage(m)), `section p:contains("service.json")`, 1)
}

func TestPartnerPage_Wrong(t *testing.T) {
	doc := MustRender(t, page.PartnerPage(wrongPartner()))
	wantCount(t, doc, "#erros li", 3)
	wantText(t, doc, "#limite-error", "Erro: Informe um número.")
	wantAttr(t, doc, "#cliente", "aria-invalid", "true")
	wantCount(t, doc, `form[action$="/reativar"]`, 1)
	fresh := MustRender(t, page.PartnerPage(page.PartnerView{Page: admin("Novo parceiro"), New: true}))
	wantAttr(t, fresh, "#parceiro", "action", "/servico/parceiros/novo")
	wantText(t, fresh, "#parceiro .btn-primary", "Criar parceiro")
	wantCount(t, fresh, "aside, #nome:not([autofocus])", 0)
}
