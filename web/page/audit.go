package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// AuditView is GET /auditoria, and the answer of a filter that cannot be used (422
// with Problems, no rows).
type AuditView struct {
	layout.Page
	Values   map[string]string // of the filter, as typed, by wire name: de, ate, pessoa, evento
	Problems []component.Problem
	People   []component.Choice
	Events   []component.Choice
	Chain    component.Notice // whether the trail is as it was written
	Filtered bool             // a filter is in force
	Entries  []AuditRow
	Older    string // address of the next page, "" at the end
	First    string // address of the first page, "" when this is it
}

// AuditRow is one entry of the trail.
type AuditRow struct {
	Position string // number in the chain
	At       string // "20/11/2026 14:02:31"
	Who      string // name of the person, "Guichê" for the program itself
	Event    string // "Caso visto"
	Object   string // kind of thing, with the name of one of our people: "Caso", "Pessoa Ana Prado", "" for none
	ID       string // end of its identifier, "" for none
	FullID   string
	Detail   string // fixed words of the entry: "guia=0"
}

func (m AuditView) field(name, label string) component.Field {
	return component.Field{Name: name, Label: label, Value: m.Values[name], Error: messageFor(m.Problems, name)}
}

func (m AuditView) date(name, label string) component.Field {
	f := m.field(name, label)
	f.Date = true
	return f
}

func (m AuditView) choice(name, label, all string, choices []component.Choice) component.Select {
	return component.Select{Field: m.field(name, label), Prompt: all, Choices: choices}
}

func (m AuditView) errorTitle() string {
	if len(m.Problems) == 0 {
		return ""
	}
	return "Confira o filtro"
}
