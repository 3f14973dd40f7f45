package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// HistoryView is GET /historico and /historico/{uid}, and the answer of a POST
// /historico that cannot be searched by (422 with Problems, no rows).
type HistoryView struct {
	layout.Page
	Fields     // of the filter
	Situations []component.Choice
	Operators  []component.Choice
	Units      []component.Choice
	Senders    []component.Choice
	Filtered   bool // a filter is in force
	Unitless   bool // the person has no unit, and so no requests within reach
	Cases      []HistoryRow
	Older      string // address of the next page, "" at the end
	First      string // address of the first page, "" when this is it
}

// HistoryRow is one case of the history.
type HistoryRow struct {
	Href      string
	Sent      string // "20/11/2026 14:00"
	Name      string
	Card      string // "0310 …3345"
	Operator  string
	Codes     string // "40316521 e mais 1"
	Situation component.Situation
	Senha     string // "" without one
	Sender    string
	Guide     string // address of the guide's PDF for saving, "" without one
}

func (m HistoryView) text() component.Field {
	return m.field(component.Field{Name: "texto", Label: "Palavras", Placeholder: "Nome, carteira, guia, senha…",
		Focus: m.Filtered && len(m.Cases) == 0})
}

func (m HistoryView) operator() component.Select {
	return m.choice("operadora", "Operadora", "Todas", m.Operators)
}

func (m HistoryView) unit() component.Select {
	return m.choice("unidade", "Unidade", "Todas", m.Units)
}

func (m HistoryView) situation() component.Select {
	return m.choice("situacao", "Situação", "Todas", m.Situations)
}

func (m HistoryView) sender() component.Select {
	return m.choice("usuario", "Usuário", "Todos", m.Senders)
}

// filteredBy says by what the list is filtered.
func (m HistoryView) filteredBy() []string {
	return m.inForce([]component.Field{m.from(), m.until(), m.text()}, m.operator(), m.unit(), m.situation(), m.sender())
}

// dateColumn is wider for a date that has a message below it.
func (m HistoryView) dateColumn(name string) string {
	if m.message(name) != "" {
		return "col-12 col-lg-2"
	}
	return "col-6 col-lg"
}

// subtitle says what the list is.
func (m HistoryView) subtitle() string {
	switch {
	case len(m.Problems) > 0:
		return ""
	case m.Filtered:
		return "pedidos do filtro, do mais novo ao mais antigo"
	}
	return "todos os pedidos, do mais novo ao mais antigo"
}
