package page_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"
)

// historyViews lists the history in every state.
func historyViews() []view {
	return []view{
		{"historico", page.HistoryPage(history())},
		{"historico-filtro", page.HistoryPage(filteredHistory())},
		{"historico-novo", page.HistoryPage(page.HistoryView{Page: desk("Histórico", layout.HistoryTab)})},
		{"historico-nada", page.HistoryPage(page.HistoryView{Page: desk("Histórico", layout.HistoryTab), Filtered: true})},
		{"historico-fim", page.HistoryPage(page.HistoryView{Page: desk("Histórico", layout.HistoryTab), First: "/historico"})},
		{"historico-erros", page.HistoryPage(wrongHistory())},
	}
}

func history() page.HistoryView {
	m := page.HistoryView{
		Page: desk("Histórico", layout.HistoryTab), Older: "/historico?antes=" + uid,
		Situations: []component.Choice{{Value: "vez", Label: "Sua vez", Group: "O que fazer"},
			{Value: "A", Label: "A · Autorizado", Group: "Código da operadora"}},
		Operators: []component.Choice{{Value: "c1", Label: "Vale Sereno"}}, Units: []component.Choice{{Value: "u1", Label: "Centro"}},
		Senders: []component.Choice{{Value: "p1", Label: "Ana Prado"}},
	}
	for _, status := range authorization.Statuses() {
		m.Cases = append(m.Cases, page.HistoryRow{Href: "/casos/" + uid, Sent: "20/11/2026 14:00", Name: "Helena Duarte", Card: "0310 …3345",
			Operator: "Vale Sereno", Codes: "40316521 e mais 1", Situation: component.StatusSituation(status.Code), Sender: "Ana Prado"})
	}
	m.Cases[0].Senha, m.Cases[0].Guide = "482017739", "/casos/"+uid+"/guias/0?baixar"
	return m
}

func filteredHistory() page.HistoryView {
	m := history()
	m.Filtered, m.Older, m.First = true, "", "/historico/"+uid
	m.Values = map[string]string{"de": "01/11/2026", "ate": "20/11/2026", "texto": `d'Ávila "NEAR(`, "operadora": "c1", "situacao": "A"}
	return m
}

func wrongHistory() page.HistoryView {
	m := filteredHistory()
	m.Failed, m.Filtered, m.First, m.Cases = true, false, "", nil
	m.Values["de"] = "31/02/2026"
	m.Problems = []component.Problem{{Name: "de", Message: "De: esta data não existe. Confira dia, mês e ano."}}
	return m
}

func TestHistoryPage(t *testing.T) {
	doc := MustRender(t, page.HistoryPage(filteredHistory()))
	t.Run("FilterStays", func(t *testing.T) {
		wantAttr(t, doc, "#filtro", "method", "post")
		wantAttr(t, doc, "#de", "value", "01/11/2026")
		wantAttr(t, doc, "#texto", "value", `d'Ávila "NEAR(`)
		wantAttr(t, doc, "#operadora option[selected]", "value", "c1")
		wantAttr(t, doc, "#situacao option[selected]", "value", "A")
		wantAttr(t, doc, "#unidade option[selected]", "value", "")
	})
	t.Run("Rows", func(t *testing.T) {
		wantCount(t, doc, "tbody tr", 18)
		wantAttr(t, doc, "tbody td:nth-child(2) a", "href", "/casos/"+uid)
		wantCount(t, doc, "tbody a[download]", 1)
		wantText(t, doc, "tbody a[download]", "PDF")
	})
	t.Run("WrongFilterShowsNoList", func(t *testing.T) {
		wrong := MustRender(t, page.HistoryPage(wrongHistory()))
		wantCount(t, wrong, "table, section.empty-state", 0)
		wantAttr(t, wrong, "#de", "aria-invalid", "true")
		wantAttr(t, wrong, "#erros a", "href", "#de")
	})
}

// The key of the search belongs to the form's own search where there is one.
func TestHistoryPage_Search(t *testing.T) {
	wantAttr(t, MustRender(t, page.HistoryPage(history())), "[role=search] input", "data-shortcut", "F4")
	form := MustRender(t, page.FormPage(emptyForm()))
	wantCount(t, form, "header [role=search] [data-shortcut], header [role=search] kbd", 0)
	wantCount(t, form, "main [data-shortcut=F4]", 1)
}
