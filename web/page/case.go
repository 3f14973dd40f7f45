package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// CaseView is GET /casos/{uid}. With Refresh the page asks for /casos/{uid}/estado so often
// (layout.PollHeader, HX-Request) and is loaded again once it has changed; a page with a
// form says so instead.
type CaseView struct {
	layout.Page
	UID            string
	Name           string // beneficiary
	Subtitle       string // "Vale Sereno · Essencial Enfermaria · hoje, 14:00"
	Situation      component.Situation
	Tally          string               // "1 de 2 autorizados; 1 em análise.", "" for one authorization
	Origin         string               // "Resposta da operadora às 14:00, há 2 min. Pode ter mudado depois disso."
	Refresh        string               // how often the page asks whether it still holds: "1s", "" for never
	State          string               // word for what is shown, to ask by
	Followed       string               // when the service told last how it stands, "" before it did
	Reply          Hint                 // how what the operator told is recorded
	Past           []PastAnswer         // answers that are no longer in force, the latest first
	Quote          component.Copyable   // of an unknown one: the number to quote on the phone
	QuoteAdvice    string               // why not to send again
	Sent           string               // of an unknown one: when and to whom
	Decide         *DecideView          // of an unknown one
	Service        ServiceView          // what the service takes and tells beyond its answer
	Errors         []ErrorLine          // of the answer as a whole, or of a refused request
	Facts          []component.Copyable // senha, guia, protocolo: of one authorization
	MoreFacts      []component.Copyable // its other numbers and dates
	Validity       Validity
	Procedures     []ProcedureResult // of one authorization, or as asked while there is none
	Authorizations []Authorization   // more than one only; with one everything is above
	Guides         []Guide           // the aggregated one first
	Request        []Fact
	RequestTitle   string // "O pedido", "O que foi enviado"
	SentAt         string // beside the title, "" before sending
	Files          []FileLink
	Timeline       []Event
	Denied         *DeniedView // of a denied one, in place of Main and Actions
	Notes          CaseNotes
	Record         *RecordView // nil where there is too little to tell
	Receipt        string      // address of the patient's receipt, "" while there is nothing to tell
	Main           *Action     // what is to be done next; nil when there is nothing to press
	Actions        []Action    // the others
	Aside          []Action    // links that are needed seldom
}

// Hint leads somewhere, or says who can go there.
type Hint struct {
	Link component.Link
	Text string
}

// PastAnswer is an answer that another one has replaced.
type PastAnswer struct {
	Situation  component.Situation
	At, Origin string
	Numbers    []string // of each authorization: "Senha 4820 · Guia 77"
	Guides     []FileLink
}

// typing reports whether somebody may be typing on the page.
func (m CaseView) typing() bool {
	return m.Notes.Open != "" || m.Service.typing() || m.Decide != nil && m.Decide.May && !m.Decide.Closed
}

// failures heads what is wrong with a form; nothing without it.
func (m CaseView) failures() (title string, problems []component.Problem) {
	if f, shown := m.Service.fields(); shown {
		return f.summaryTitle(), f.Problems
	}
	if m.Decide != nil && len(m.Decide.Problems) > 0 {
		return m.Decide.summaryTitle(), m.Decide.Problems
	}
	return m.Notes.summaryTitle(), m.Notes.Problems
}

// ErrorLine is one error of an answer, whatever its shape was (interface.md, row 4).
type ErrorLine struct {
	Field   string // label of what it is about, "" when none
	Message string
	Source  string // "Motivo 1438, nas palavras da operadora", "" for nothing to say about it
	Own     bool   // Guichê says so, nobody else
}

// Foreign reports whether somebody else said it.
func (l ErrorLine) Foreign() bool { return !l.Own }

// tone colours a line as the situation that it explains.
func (l ErrorLine) tone(situation component.Tone) component.Tone {
	if l.Own {
		return component.ToneNeutral
	}
	return situation
}

// Validity is until when a senha holds.
type Validity struct {
	Date     string // "20/12/2026", "" without a senha
	Distance string // "em 30 dias", "vence hoje", "vencida há 2 dias"
	Soon     bool
}

// ProcedureResult is one procedure: asked, authorized, executed.
type ProcedureResult struct {
	Code          string
	Name          string
	Asked         string // "1"
	Authorized    string // "" while there is no answer
	Executed      string
	Reduced       bool   // less was authorized than asked
	Justification string // the operator's words
	Extra         string // own password, protocol or mnemonic: "senha 4410 · protocolo 77"
}

// Authorization is one entry of an answer with several.
type Authorization struct {
	Title      string // "Autorização 1"
	Origin     string // "registro manual", "" for the operator's
	Situation  component.Situation
	Facts      []component.Copyable
	MoreFacts  []component.Copyable
	Validity   Validity
	Procedures []ProcedureResult
}

// Guide is one PDF: GET /casos/{uid}/guias/{n}.
type Guide struct {
	Index   string // n of the address
	Label   string // "Todas (2)", "Guia 02"
	Title   string // of the frame, for a screen reader
	Detail  string // "2 páginas · 184 KB"
	Current bool
	Warning FileWarning
}

// FileLink is one attachment that was sent.
type FileLink struct {
	Href, Name, Size string
	Warning          FileWarning
}

// Action is one thing that can be done with the case: a form of one button, or a link.
type Action struct {
	Path    string // of the form: "/casos/{uid}/copiar"
	Href    string // of the link
	NewTab  bool   // the link opens beside the page
	Text    string
	Icon    string
	Primary bool
	Confirm string // asked before it is done, "" to do it at once
	Focus   bool   // takes the focus when the page opens
	Key     string // that presses it, "" for none
	Seen    string // how the case is shown to stand, see SeenField; "" where that does not matter
}

// SeenField says how a case stood for who presses a button on it: desk.CaseState.Standing.
const SeenField = "situacaoVista"

// focused is what is to be done next: the page opens on it, unless somebody opened a form, whose
// button then stands out alone.
func (m CaseView) focused(a Action) Action {
	a.Focus = !m.opened()
	a.Primary = a.Primary && a.Focus
	return a
}

// opened reports whether somebody opened a form, which has the focus then.
func (m CaseView) opened() bool {
	return m.Notes.Open != "" || m.Service.Cancel != nil || m.Decide != nil && m.Decide.replies()
}

// opensOnVerdict reports whether nothing is to be pressed first.
func (m CaseView) opensOnVerdict() bool {
	return m.Main == nil && !m.opened() && (m.Denied == nil || !m.Denied.leads())
}

// reasonTone colours why the case stands where it does: a denial stays one while it is reviewed.
func (m CaseView) reasonTone() component.Tone {
	if m.Denied != nil {
		return component.ToneError
	}
	return m.Situation.Tone
}

// primary is an action that takes the focus where it is what is to be done next.
func (m CaseView) primary(a Action) Action {
	if a.Primary {
		return m.focused(a)
	}
	return a
}

func (m CaseView) path(end string) string { return "/casos/" + m.UID + end }

// current returns the guide on the screen.
func (m CaseView) current() Guide {
	for _, g := range m.Guides {
		if g.Current {
			return g
		}
	}
	return m.Guides[0]
}

func (m CaseView) guidePath(g Guide) string { return m.path("/guias/" + g.Index) }

func (p ProcedureResult) icon() string {
	if p.Reduced {
		return "x-octagon"
	}
	return "info-circle"
}

// orDash shows what is not known yet.
func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// orThis is a text, or another in its place.
func orThis(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
