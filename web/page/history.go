package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// HistoryView is GET /historico and /historico/{uid}, and the answer of a POST
// /historico that cannot be searched by (422 with Problems, no rows).
type HistoryView struct {
	layout.Page
	Values     map[string]string // of the filter, as typed, by wire name
	Problems   []component.Problem
	Situations []component.Choice
	Operators  []component.Choice
	Units      []component.Choice
	Senders    []component.Choice
	Filtered   bool // a filter is in force
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

func (m HistoryView) field(name, label string) component.Field {
	f := component.Field{Name: name, Label: label, Value: m.Values[name]}
	for _, p := range m.Problems {
		if p.Name == name {
			f.Error = p.Message
		}
	}
	return f
}

func (m HistoryView) date(name, label string) component.Field {
	f := m.field(name, label)
	f.Date = true
	return f
}

func (m HistoryView) text() component.Field {
	f := m.field("texto", "Palavras")
	f.Placeholder = "Nome, carteira, guia, senha…"
	return f
}

func (m HistoryView) choice(name, label, all string, choices []component.Choice) component.Select {
	return component.Select{Field: m.field(name, label), Prompt: all, Choices: choices}
}

func (m HistoryView) errorTitle() string {
	if len(m.Problems) == 0 {
		return ""
	}
	return "Confira o filtro"
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
