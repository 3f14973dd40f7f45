package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"
)

// auditViews lists the audit trail in every state.
func auditViews() []view {
	return []view{
		{"auditoria", page.AuditPage(auditTrail())},
		{"auditoria-nada", page.AuditPage(page.AuditView{Page: desk("Auditoria", layout.NoTab), Chain: whole, Filtered: true})},
		{"auditoria-fim", page.AuditPage(page.AuditView{Page: desk("Auditoria", layout.NoTab), Chain: whole,
			First: "/auditoria?evento=caso.visto"})},
		{"auditoria-erros", page.AuditPage(wrongAudit())},
	}
}

var whole = component.Notice{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Corrente inteira.",
	Text: "Nada foi alterado nem apagado até o registro nº 42."}

func auditTrail() page.AuditView {
	return page.AuditView{
		Page: desk("Auditoria", layout.NoTab), Older: "/auditoria?antes=41", First: "/auditoria",
		Fields: page.Fields{Values: map[string]string{"de": "01/11/2026", "pessoa": "p1"}}, Filtered: true,
		People: []component.Choice{{Value: "p1", Label: "Ana Prado"}},
		Events: []component.Choice{{Value: "caso.visto", Label: "Caso visto", Group: "Balcão"}},
		Chain:  component.Notice{Tone: component.ToneError, Icon: "x-octagon", Strong: "Corrente rompida no registro nº 7."},
		Entries: []page.AuditRow{
			{Position: "42", At: "20/11/2026 14:02:31", Who: "Ana Prado", Event: "Guia aberta", Object: "Caso",
				ID: "1f495880", FullID: uid, Detail: "guia 1"},
			{Position: "41", At: "20/11/2026 14:02:30", Who: "Ana Prado", Event: "Operadora buscada", Address: "2001:db8::7",
				SameAddress: "/auditoria?mesmo=41"},
		},
	}
}

func wrongAudit() page.AuditView {
	m := auditTrail()
	m.Failed, m.Values["de"] = true, "31/02/2026"
	m.Problems = []component.Problem{{Name: "de", Message: "De: informe a data como DD/MM/AAAA."}}
	return m
}

func TestAuditPage(t *testing.T) {
	doc := MustRender(t, page.AuditPage(auditTrail()))
	t.Run("Chain", func(t *testing.T) {
		wantAttr(t, doc, "#corrente form", "action", "/auditoria/conferir")
		wantAttr(t, doc, "#corrente form", "method", "post")
		wantCount(t, doc, "#corrente.tone-error", 1)
	})
	t.Run("Filter", func(t *testing.T) {
		wantAttr(t, doc, "#filtro", "method", "post")
		wantAttr(t, doc, "#de", "value", "01/11/2026")
		wantAttr(t, doc, "#pessoa option[selected]", "value", "p1")
		wantCount(t, doc, "#evento optgroup", 1)
	})
	t.Run("Rows", func(t *testing.T) {
		wantCount(t, doc, "tbody tr", 2)
		wantCount(t, doc, `tbody a:not([href^="/auditoria"])`, 0) // whoever reads the trail sees no clinical data
		wantAttr(t, doc, "tbody a", "href", "/auditoria?mesmo=41")
		wantAttr(t, doc, "tbody a", "aria-label", "Só do endereço 2001:db8::7")
		wantAttr(t, doc, "tbody [title]", "title", uid)
		wantCount(t, doc, "tbody [title]", 1)
	})
	t.Run("WrongFilterShowsNoList", func(t *testing.T) {
		wrong := MustRender(t, page.AuditPage(wrongAudit()))
		wantCount(t, wrong, "table, section.empty-state", 0)
		wantAttr(t, wrong, "#de", "aria-invalid", "true")
		wantAttr(t, wrong, "#erros a", "href", "#de")
	})
}
