package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// LedgerView is GET and POST /servico/registro; a filter that cannot be used comes
// back with Problems and no rows (422).
type LedgerView struct {
	layout.Page
	Fields     // of the filter: de, ate, parceiro, situacao, numero
	Partners   []component.Choice
	Situations []component.Choice
	Filtered   bool
	Older      string // identifier of the last row, where there are more; else ""
	Later      bool   // this is not the first page
	Rows       []LedgerRow
}

func (m LedgerView) partner() component.Select {
	return m.choice("parceiro", "Parceiro", "Todos", m.Partners)
}

func (m LedgerView) situation() component.Select {
	return m.choice("situacao", "Situação", "Todas", m.Situations)
}

// number is the field of the filter for any number of a request.
func (m LedgerView) number() component.Field {
	return m.field(component.Field{Name: "numero", Label: "Número", Code: true, Placeholder: "guiaPrestador, guia ou guiaId"})
}

// filteredBy says by what the list is filtered.
func (m LedgerView) filteredBy() []string {
	return m.inForce([]component.Field{m.from(), m.until(), m.number()}, m.partner(), m.situation())
}

// LedgerRow is one request.
type LedgerRow struct {
	Href        string
	Received    string // "20/11/2026 14:02:31"
	Partner     string
	Credential  string
	Number      string // guiaPrestador
	Patient     string // "no local", "" where nobody waits
	Attachments string // "2 anexos", "" for none
	Answer      string // "1,2 s, 14 kB"; "" without one
	Situations  []component.Situation
}

// LedgerEntryView is GET /servico/registro/{uid}.
type LedgerEntryView struct {
	layout.Page
	LedgerRow
	ID     string
	Guides []LedgerGuide
	Events []LedgerEvent
}

// LedgerGuide is one authorization of the request.
type LedgerGuide struct {
	ID     string // guiaId
	Number string // numeroGuia, "" without one
}

// LedgerEvent is one line of a request's life.
type LedgerEvent struct {
	At     string // "20/11/2026 14:02:31"
	What   string // "Resposta da operadora"
	Code   string // "R → A", "tempo_operadora", "" for none
	Guide  string // end of its guiaId, "" where it is about the request
	Actor  string
	Detail string // size
}

// filterNames are the fields that go along from page to page.
var filterNames = []string{"de", "ate", "parceiro", "situacao", "numero"}
