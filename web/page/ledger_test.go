package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/page"
)

// ledgerViews lists the pages of what was asked of the service.
func ledgerViews() []view {
	return []view{
		{"registro", page.LedgerPage(ledger())},
		{"registro-vazio", page.LedgerPage(page.LedgerView{Page: admin("Registro")})},
		{"registro-erros", page.LedgerPage(wrongLedger())},
		{"registro-um", page.LedgerEntryPage(ledgerEntry())},
	}
}

func ledgerRow() page.LedgerRow {
	return page.LedgerRow{Href: "/servico/registro/" + uid, Received: "20/11/2026 14:02:31", Partner: "Guichê",
		Credential: "Vale Sereno", Number: "26112014000012300036",
		Attachments: "2 anexos", Answer: "1,2 s, 14 kB", Situations: []component.Situation{{Tone: component.ToneSuccess,
			Icon: "check-lg", Label: "Autorizado"}}}
}

func ledger() page.LedgerView {
	return page.LedgerView{Page: admin("Registro"), Fields: page.Fields{Values: map[string]string{"de": "01/11/2026",
		"parceiro": "p1"}}, Filtered: true, Later: true, Older: "r50",
		Partners: []component.Choice{{Value: "p1", Label: "Guichê"}}, Situations: []component.Choice{{Value: "A",
			Label: "A · Autorizado"}}, Rows: []page.LedgerRow{ledgerRow()}}
}

func wrongLedger() page.LedgerView {
	m := ledger()
	m.Failed, m.Rows, m.Values = true, nil, map[string]string{"de": "31/02/2026"}
	m.Problems = []component.Problem{{Name: "de", Message: "De: informe a data como DD/MM/AAAA."}}
	return m
}

func ledgerEntry() page.LedgerEntryView {
	return page.LedgerEntryView{Page: admin("Pedido 26112014000012300036"), LedgerRow: ledgerRow(), ID: uid,
		Guides: []page.LedgerGuide{{ID: "g1", Number: "000123"}, {ID: "g2"}},
		Events: []page.LedgerEvent{{At: "20/11/2026 14:02:32", What: "Resposta da operadora", Code: "A", Guide: "0b0f0b",
			Actor: "simulada", Detail: "1,2 kB"}}}
}

func TestLedgerPage(t *testing.T) {
	m := ledger()
	doc := MustRender(t, page.LedgerPage(m))
	wantAttr(t, doc, "#filtro", "action", "/servico/registro")
	wantAttr(t, doc, "#parceiro option[selected]", "value", "p1")
	wantCount(t, doc, `#filtro a:contains("Limpar")`, 1)
	wantAttr(t, doc, "tbody a.item-name", "href", "/servico/registro/"+uid)
	wantText(t, doc, "tbody .status-badge.tone-success", "Autorizado")
	t.Run("TurnsPages", func(t *testing.T) {
		const pages = `form[aria-label="Páginas"] `
		wantCount(t, doc, pages+"input[type=hidden]", 5)
		wantAttr(t, doc, pages+"input[name=parceiro]", "value", "p1")
		wantAttr(t, doc, pages+"button[name=antes]", "value", "r50")
		wantText(t, doc, pages+"button:first-of-type", "Mais novos")
		m.Older, m.Later = "", false
		wantCount(t, MustRender(t, page.LedgerPage(m)), pages, 0)
	})
}

func TestLedgerPage_Empty(t *testing.T) {
	for name, c := range map[string]struct {
		model page.LedgerView
		want  string
	}{
		"Nothing":  {page.LedgerView{}, "Nenhum pedido ainda."},
		"Filtered": {page.LedgerView{Filtered: true}, "Nenhum pedido com este filtro."},
		"Later":    {page.LedgerView{Filtered: true, Later: true}, "Não há pedidos mais antigos."},
	} {
		t.Run(name, func(t *testing.T) {
			c.model.Page = admin("Registro")
			wantText(t, MustRender(t, page.LedgerPage(c.model)), ".empty-state h2", c.want)
		})
	}
	wrong := MustRender(t, page.LedgerPage(wrongLedger()))
	wantText(t, wrong, "#erros h2", "Confira o filtro")
	wantCount(t, wrong, "table, .empty-state", 0)
}

func TestLedgerEntryPage(t *testing.T) {
	m := ledgerEntry()
	doc := MustRender(t, page.LedgerEntryPage(m))
	wantText(t, doc, "dl.facts dd:nth-of-type(2)", "26112014000012300036")
	wantText(t, doc, "dl.facts dt:nth-last-of-type(2)", "Guia 000123")
	wantText(t, doc, "dl.facts dd:last-of-type", "g2")
	wantText(t, doc, "tbody .item-name", "Resposta da operadora")
	wantText(t, doc, "tbody td:nth-child(4)", "guia …0b0f0b")
	m.Attachments, m.Answer, m.Events = "", "", nil
	bare := MustRender(t, page.LedgerEntryPage(m))
	wantCount(t, bare, `dt:contains("Anexos"), dt:contains("Resposta"), table`, 0)
}
