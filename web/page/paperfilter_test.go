package page_test

import (
	"testing"

	"github.com/a-h/templ"

	"guiche/web/component"
	"guiche/web/page"
)

// TestPaperFilter: on paper a list says by what it was filtered, in the words of its fields.
func TestPaperFilter(t *testing.T) {
	fields := page.Fields{Values: map[string]string{"de": "01/11/2026", "unidade": "2", "pessoa": "2", "parceiro": "2"}}
	choices := []component.Choice{{Value: "1", Label: "Um"}, {Value: "2", Label: "Dois"}}
	wrong := page.Fields{Values: fields.Values, Problems: wrongLedger().Problems}
	for name, c := range map[string]struct {
		page templ.Component
		want string // after "Filtro: "; "" where nothing is said
	}{
		"History": {page.HistoryPage(page.HistoryView{Page: admin("Histórico"), Fields: fields, Units: choices}),
			"De: 01/11/2026 · Unidade: Dois"},
		"Audit": {page.AuditPage(page.AuditView{Page: admin("Auditoria"), Fields: fields, People: choices}),
			"De: 01/11/2026 · Pessoa: Dois"},
		"Ledger": {page.LedgerPage(page.LedgerView{Page: admin("Registro"), Fields: fields, Partners: choices}),
			"De: 01/11/2026 · Parceiro: Dois"},
		"None":  {page.HistoryPage(page.HistoryView{Page: admin("Histórico"), Units: choices}), ""},
		"Wrong": {page.HistoryPage(page.HistoryView{Page: admin("Histórico"), Fields: wrong, Units: choices}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc := MustRender(t, c.page)
			if c.want == "" {
				wantCount(t, doc, ".on-paper", 0)
				return
			}
			wantText(t, doc, ".on-paper", "Filtro: "+c.want)
		})
	}
}
