package page

import (
	"strconv"

	"guiche/web/component"
)

// CaseNotes are the forms in which people write on a case.
type CaseNotes struct {
	Fields
	Open   string // which form stands open: NoteForm, ReviewForm, PrivateForm, "" for none
	Events int    // that the case has
}

// The forms, as they are called in the page and, behind the case's path, in the address that
// they are posted to. The names of their fields begin with it.
const (
	NoteForm    = "anotar"
	ReviewForm  = "reanalise"
	PrivateForm = "particular"
)

// EventsField says how many events the case had when a form on it was made: one that is sent twice is known by it.
const EventsField = "eventos"

// seen is its value; in a form that is shown again that of the first time.
func (m CaseNotes) seen() string {
	if typed := m.Values[EventsField]; typed != "" {
		return typed
	}
	return strconv.Itoa(m.Events)
}

// first has the first field of an open form take the focus, unless there is something to be
// told first.
func (m CaseNotes) first(field component.Field) component.Field {
	field = m.field(field)
	field.Focus = len(m.Problems) == 0
	return field
}

func (m CaseNotes) note() component.Field {
	return m.first(component.Field{Name: NoteForm + "-observacao", Label: "Anotação", Long: true,
		Hint: "Fica na linha do tempo, com seu nome e a hora, e não pode ser apagada. Não é enviada à operadora."})
}

func (m CaseNotes) contact() component.Field {
	return m.first(component.Field{Name: ReviewForm + "-contato", Label: "Com quem falou", Hint: "Ou onde pediu: portal, aplicativo."})
}

func (m CaseNotes) callProtocol() component.Field {
	return m.field(component.Field{Name: ReviewForm + "-protocolo", Label: "Protocolo da ligação", Optional: true, Code: true})
}

func (m CaseNotes) reviewNote() component.Field {
	return m.field(component.Field{Name: ReviewForm + "-observacao", Label: "Observação", Optional: true, Long: true})
}

func (m CaseNotes) privateNote() component.Field {
	return m.first(component.Field{Name: PrivateForm + "-observacao", Label: "Observação", Optional: true, Long: true,
		Hint: "O que foi combinado com o paciente."})
}

// DeniedView is what can be done about a denial.
type DeniedView struct {
	Correct    Action
	Reanalysis ReanalysisView
	Conclude   Action
	Receipt    Action
	Phone      string // of the operator, "" when unknown
	Call       []Fact // what to tell the operator
}

// ReanalysisView is what can be done about having the operator look at a denial again.
type ReanalysisView struct {
	First       bool // it was asked for: this comes before a correction
	Title, Text string
	Ask         Action
	Reply       *Action // nil where there is none to record, or for whoever may not
	Hint        string  // who records one
}

// leads reports whether one of the ways out is to be taken first.
func (d DeniedView) leads() bool {
	return d.Correct.Primary || d.Reanalysis.Ask.Primary || d.Reanalysis.Reply != nil && d.Reanalysis.Reply.Primary
}
