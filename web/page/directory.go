package page

import (
	"fmt"
	"strconv"

	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/layout"

	"github.com/a-h/templ"
)

// DirectoryView is GET /cadastros.
type DirectoryView struct {
	layout.Page
	Missing *component.Notice // what the form still needs; nil for nothing
	Cards   []DirectoryCard
}

// DirectoryCard leads to one list of the directory.
type DirectoryCard struct {
	Href, Title string
	Count       string // "2 unidades, 1 desativada"
	Detail      string // what it is for
}

// DirectoryListView is GET /cadastros/{list}, and POST there with Busca and, to
// turn pages, pagina.
type DirectoryListView struct {
	layout.Page
	Path        string // "/cadastros/unidades"
	Caption     string // for screen readers: "Unidades, pelo nome"
	SearchLabel string // what the search looks at: "Nome da unidade ou do ponto"
	Search      string // as typed, "" for everything
	Count       string // "2 unidades"
	New         component.Link
	CanRefresh  bool // offers to ask the service for its list
	Columns     []string
	Rows        []DirectoryRow
	EmptyText   string // what to do about an empty list
	Pages       Pages
}

// DirectoryRow is one entry; Cells are in the order of the list's columns after
// the first, which is the name.
type DirectoryRow struct {
	Href, Name string
	Cells      []string
	Disabled   bool
	Damaged    bool
	Local      bool // the service, which lists others, does not know it
}

func (l DirectoryListView) searchField() component.Field {
	return component.Field{Name: "Busca", Label: l.SearchLabel, Value: l.Search, Focus: l.Search != "" && len(l.Rows) == 0}
}

// DirectoryEntry is what the forms of all lists have in common: GET and POST
// /cadastros/{list}/{entry}, POST there with acao for rows, and POST
// …/desativar and …/reativar. Units and professionals of the service itself are
// entered by the same forms below /servico.
type DirectoryEntry struct {
	layout.Page
	Path    string // this page's address
	List    component.Link
	Heading string
	Detail  string // beside the heading
	Fields
	New      bool
	RowAdded bool // a row more, or less, was asked for: the empty one takes the focus
	Disabled bool
	ID       string // what requests name it by; "" of a new one
	Version  string // of what the page shows; "" of a new one
	Switch   string // text beside the button that enables or disables it
	Question string // asked before it is disabled, "" for nothing
	Service  string // wire name of an identifier that the service itself gives: "unidadeId"; "" in the desk's directory
}

func (e DirectoryEntry) idLabel() string {
	if e.Service != "" {
		return e.Service
	}
	return "Identificador no serviço"
}

// state shows whether the entry is in use.
func (e DirectoryEntry) state() templ.Component {
	switch {
	case e.Service == "":
		return rowState(DirectoryRow{Disabled: e.Disabled})
	case e.Disabled:
		return personState(component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativado"})
	}
	return personState(component.Situation{Label: "em uso"})
}

// name is the field that a new entry starts with.
func (e DirectoryEntry) name(f component.Field) component.Field {
	f.Focus = e.New && !e.RowAdded && len(e.Problems) == 0
	return e.field(f)
}

// first is the field that a row starts with; empty is the row at the end.
func (e DirectoryEntry) first(f component.Field, empty bool) component.Field {
	f.Focus = empty && e.RowAdded
	return e.field(f)
}

// UnitView is the form of a unit.
type UnitView struct {
	DirectoryEntry
	Points []PointRow
}

func (e UnitView) pointsHint() string {
	if e.Service != "" {
		return "Todo pedido diz em qual: balcão, sala, coleta"
	}
	return "O formulário pede um: balcão, sala, coleta"
}

// PointRow is one care point; its fields are pontosAtendimento[i].nome, .id and
// .ativo.
type PointRow struct {
	Row   int
	Empty bool // the one at the end
	Known bool // registered before: its identifier stays
}

// Named returns the name of one of the row's fields.
func (r PointRow) Named(part string) string {
	return fmt.Sprintf("pontosAtendimento[%d].%s", r.Row, part)
}

func (r PointRow) label() string { return "Ponto " + strconv.Itoa(r.Row+1) }

// rowName names a row to screen readers: its fields are called like those of the others.
func (f Fields) rowName(label, field string) string {
	if name := f.Values[field]; name != "" {
		return label + ": " + name
	}
	return label
}

// ProfessionalView is the form of an executing professional.
type ProfessionalView struct {
	DirectoryEntry
	Rows []SpecialtyRow
}

func (e ProfessionalView) numberHint() string {
	if e.Service != "" {
		return "Todo pedido diz qual pelo número: de 1 em diante, e depois não muda"
	}
	return "O número é o do serviço de autorização; sem outro serviço, numere de 1 em diante"
}

// SpecialtyRow is one specialty; its fields are especialidades[i].id, .nome, .cbo
// and, of a known one, .ativo.
type SpecialtyRow struct {
	Row   int
	Empty bool // the one at the end
	Known bool // registered before: its number stays, and it is disabled instead of removed
}

// Named returns the name of one of the row's fields.
func (r SpecialtyRow) Named(part string) string {
	return fmt.Sprintf("especialidades[%d].%s", r.Row, part)
}

func (r SpecialtyRow) label() string { return "Especialidade " + strconv.Itoa(r.Row+1) }

func councilChoices() []component.Choice {
	choices := component.CodeChoices(authorization.Councils())
	for i, c := range authorization.Councils() {
		choices[i].Label = c.Code + " · " + c.Label
	}
	return choices
}

// ProcedureView is the form of a procedure: codigo, nome, sinonimos.
type ProcedureView struct{ DirectoryEntry }

// CredentialView is the form of a credential's settings: validadeObrigatoria,
// biometria, instrucoesBiometria, padraoCarteira, indicacaoClinica, telefone.
type CredentialView struct{ DirectoryEntry }

// identifier is the field of an identifier that the service may have given.
func identifier(name, label string) component.Field {
	return component.Field{Name: name, Label: label, Optional: true, Code: true,
		Hint: "O UUID que o serviço de autorização usa. Vazio: o Guichê cria um. Não muda depois."}
}

// addRow is what the button for one more row of a form posts as "acao".
const addRow = "adicionar"

// removeRow is what the button that removes a row posts.
func removeRow(row int) string { return "remover-" + strconv.Itoa(row) }
