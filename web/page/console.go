package page

import (
	"strconv"

	"guiche/web/component"
	"guiche/web/layout"
)

// ConsoleView is GET /servico.
type ConsoleView struct {
	layout.Page
	Where  component.Notice  // the embedded service or another one
	Attack *component.Notice // passwords of partners' users are being guessed; nil for none
	Cards  []DirectoryCard   // none with another service
}

// consoleHome is the way back to GET /servico.
var consoleHome = component.Link{Href: "/servico", Text: "Serviço"}

// ConsoleListView is GET /servico/parceiros and, also POST with Busca and, to turn
// pages, pagina, /servico/credenciais, /servico/unidades and
// /servico/profissionais.
type ConsoleListView struct {
	layout.Page
	Notice      *component.Notice // about the whole list; nil for nothing
	Path        string            // "/servico/parceiros"
	Purpose     string            // what the list is for, in one sentence
	Caption     string            // for screen readers: "Parceiros, pelo nome"
	SearchLabel string            // what the search looks at; "" for a list without a search
	Search      string            // as typed, "" for everything
	New         component.Link    // the zero one where entries come from elsewhere
	Columns     []string          // without the last one, the state
	Rows        []ConsoleRow
	EmptyText   string // what to do about an empty list
	Pages       Pages
}

// ConsoleRow is one entry; Cells are in the order of the list's columns after the
// first, which is the name.
type ConsoleRow struct {
	Href, Name string
	Cells      []string
	State      component.Situation // the ordinary one has no Tone
}

func (l ConsoleListView) searchField() component.Field {
	return component.Field{Name: "Busca", Label: l.SearchLabel, Value: l.Search, Focus: l.Search != "" && len(l.Rows) == 0}
}

// turn is the button that leads to a page of a list, 0 for none.
func turn(page int) string { return strconv.Itoa(page) }
