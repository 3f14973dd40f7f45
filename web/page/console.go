package page

import (
	"strconv"

	"guiche/web/component"
	"guiche/web/layout"
)

// ConsoleView is GET /servico.
type ConsoleView struct {
	layout.Page
	Where component.Notice // the embedded service or another one
	Cards []DirectoryCard  // none with another service
}

// consoleHome is the way back to GET /servico.
var consoleHome = component.Link{Href: "/servico", Text: "Serviço"}

// ConsoleListView is GET /servico/parceiros and, also POST with Busca and, to turn
// pages, pagina, /servico/credenciais, /servico/unidades and
// /servico/profissionais.
type ConsoleListView struct {
	layout.Page
	Notice   *component.Notice // about the whole list; nil for nothing
	Path     string            // "/servico/parceiros"
	Purpose  string            // what the list is for, in one sentence
	Caption  string            // for screen readers: "Parceiros, pelo nome"
	Searched string            // what the search looks at; "" for a list without a search
	Search   string            // as typed, "" for everything
	New      component.Link    // the zero one where entries come from elsewhere
	Columns  []string          // without the last one, the state
	Rows     []ConsoleRow
	Nothing  string // what to do about an empty list
	Pages    Pages
}

// ConsoleRow is one entry; Cells are in the order of the list's columns after the
// first, which is the name.
type ConsoleRow struct {
	Href, Name string
	Cells      []string
	State      component.Situation // the ordinary one has no Tone
}

func (l ConsoleListView) searchField() component.Field {
	return component.Field{Name: "Busca", Label: l.Searched, Value: l.Search}
}

// Fields is what was typed into a form and what is wrong with it.
type Fields struct {
	Values   map[string]string // by wire name
	Problems []component.Problem
}

func (t Fields) field(f component.Field) component.Field {
	f.Value, f.Error = t.Values[f.Name], messageFor(t.Problems, f.Name)
	return f
}

func (t Fields) check(name, label string) component.Check {
	return component.Check{Name: name, Label: label, Checked: t.Values[name] == "S", Error: messageFor(t.Problems, name)}
}

func (t Fields) summaryTitle() string {
	if len(t.Problems) == 0 {
		return ""
	}
	return "Confira os campos indicados"
}

// turn is the button that leads to a page of a list, 0 for none.
func turn(page int) string { return strconv.Itoa(page) }
