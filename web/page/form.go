package page

import (
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/layout"
)

// FormView is the form of an authorization request: GET /nova and /nova/{uid}, and
// the answers of POST /nova/{uid} (Salvar rascunho, rows, searches without a
// script), POST /nova/{uid}/revisar (200 with Review, 422 with Problems) and
// POST /nova/{uid}/anexos without a script.
//
// Without a script the button "Anexar" sends the whole form, as multipart, to
// /nova/{uid}/anexos: what was typed is to be saved there too.
type FormView struct {
	layout.Page
	UID   string
	State DraftState
	Fields
	Who           string   // "Quem" as typed
	WhoFound      *WhoList // what its button found
	Credential    Credential
	Procedures    []ProcedureRow
	NewRow        bool // an empty row after them was asked for
	Attachments   []Attachment
	Phone         PhoneView
	Limits        string // "PDF, JPG ou PNG, até 15 MB cada, 10 ao todo"
	MaxFile       int64  // bytes of one file; a larger one is refused before it goes up; 0 leaves that to the server
	Units         []component.Choice
	CarePoints    []component.Choice // Parent: the unit's id
	Professionals []component.Choice
	Specialties   []component.Choice // Parent: the professional's id
	CareTypes     []component.Choice // nil takes authorization.CareTypes; likewise the next two
	CareRegimes   []component.Choice
	Accidents     []component.Choice
	Missing       *component.Notice // what administração has to register before anything can be sent; nil for nothing
	Origin        component.Link    // the case that this was copied from; no address for none
	// AsksEligibility offers to ask the operator about the card.
	AsksEligibility bool

	Repeats     bool         // it asks for the same as that case once more
	OriginWords string       // what it is to that case: "cópia corrigida de"
	AtFiles     bool         // the focus is on the choice of files
	Objected    bool         // Problems are what the operator or the service objected to in that case
	Eligibility *Eligibility // what the operator said of the card, asked without a script; nil for nothing
	Series      *SeriesView  // what a repetition goes on from; nil for none
	Review      *ReviewView  // the panel before sending; nil when it is closed
}

// DraftState is what autosave answers: POST /nova/{uid} with HX-Request and
// without "acao" is answered with DraftSaved, with 200, or 409 and Conflict.
type DraftState struct {
	UID      string         // of the draft
	Version  int            // sent back as "versao"
	Saved    string         // "14:02"; "" when nothing was saved yet
	Conflict string         // what another tab did with it: saved a newer version, sent or discarded it; "" for nothing
	Newer    component.Link // where that leads on
	Refused  string         // why nothing more is saved, "" when it was
	Passing  bool           // Refused passes by itself, as want of disk space does: it is tried again until then
	Unsent   bool           // what is typed is saved, and Refused says why it cannot be sent
	Checks   []CheckItem    // "Antes de enviar"
	Latest   []LatestCase   // with the card of the form
	Sent     []SentFile     // with those cases, to be used again
	KnownAs  string         // another name under which that card was used; "" for none
	Summary  string         // "Vale Sereno · 2 procedimentos · 3 anexos"
}

// CheckItem is one line of "Antes de enviar".
type CheckItem struct {
	Tone   component.Tone // "" for what is still missing
	Title  string
	Detail string
	Link   component.Link
}

func (c CheckItem) icon() string {
	icons := map[component.Tone]string{
		component.ToneSuccess: "check-lg", component.ToneAttention: "exclamation-triangle",
		component.ToneError: "x-octagon", component.ToneWaiting: "clock",
	}
	if icon, ok := icons[c.Tone]; ok {
		return icon
	}
	return "dash-lg"
}

// Credential is the operator credential chosen, and what was searched for.
type Credential struct {
	Name         string // operator; "" while none is chosen
	ProviderCode string // codigoPrestador
	Biometrics   bool   // the operator asks for biometrics
	How          string // they are collected, in the administrator's words; "" for none
	Search       string // "Busca" as typed
	Found        *CredentialList
}

// CredentialList is the answer to POST /busca/credenciais, and what the page
// shows as radio buttons after the button "Buscar".
type CredentialList struct {
	Search  string
	Items   []CredentialOption
	More    int    // how many were left out
	Problem string // the service could not be asked: one sentence; Items is empty
}

// CredentialOption is one credential (specification 2.2).
type CredentialOption struct {
	ID           string
	Name         string
	ProviderCode string
	Biometrics   bool
	Parties      map[string]string // who attended where last with it, by wire name
}

// SeriesView is what a repetition goes on from.
type SeriesView struct {
	Asked component.Link // "Último pedido em 20/11/2026"
	Senha string         // "senha 482017739, válida até 20/12/2026"; "" without one
	Next  string         // when the next one would be due, "" where nothing tells
	Items []SeriesItem
}

// SeriesItem tells of the sessions of one procedure: "10 autorizadas", "4 usadas", "6 restam".
type SeriesItem struct {
	Code, Name, Authorized, Used, Left string
	Open                               bool // some are left
}

// ProcedureRow is one row of procedimentos as typed.
type ProcedureRow struct {
	Code     string
	Name     string
	Quantity string
	Known    bool           // the name comes from the directory and is not typed
	Found    *ProcedureList // what was searched by the row's words without a script; nil for nothing
}

// ProcedureList is the answer to POST /busca/procedimentos, and what the page shows as
// radio buttons after the button "Buscar procedimento".
type ProcedureList struct {
	Search  string
	Items   []ProcedureOption
	More    bool // some were left out
	Problem string
}

// ProcedureOption is one procedure of the directory.
type ProcedureOption struct{ Code, Name string }

// Attachment is one file of the draft, or one that was refused.
type Attachment struct {
	ID      string // "" for a refused one
	Name    string
	Size    string // "412 KB"
	Image   bool   // has a preview; otherwise the icon of a PDF
	Problem string // why it was refused
	Warning FileWarning
}

// SentFile is a file that went with an earlier case.
type SentFile struct {
	Value           string // "{case}/{file}"
	Name, Day, Size string
	Href            string
}

func sentCount(files []SentFile) string {
	if len(files) == 1 {
		return "1 arquivo"
	}
	return strconv.Itoa(len(files)) + " arquivos"
}

// photos reports whether there are several photos, which can become one PDF.
func (m FormView) photos() bool {
	n := 0
	for _, a := range m.Attachments {
		if a.Image && a.Problem == "" {
			n++
		}
	}
	return n > 1
}

// rows returns the procedure rows, and an empty one where there is no other or one was
// asked for.
func (m FormView) rows() []ProcedureRow {
	if len(m.Procedures) > 0 && !m.NewRow {
		return m.Procedures
	}
	return append(m.Procedures[:len(m.Procedures):len(m.Procedures)], ProcedureRow{Quantity: "1"})
}

func (m FormView) maxFile() string { return strconv.FormatInt(m.MaxFile, 10) }

// pick is a select with what was chosen, or the default of 2.3.
func (m FormView) pick(s component.Select, fallback string) component.Select {
	s.Field, s.Parent = m.field(s.Field), m.Values[s.DependsOn]
	if s.Value == "" {
		s.Value = fallback
	}
	return s
}

func (m FormView) path(end string) string { return "/nova/" + m.UID + end }

// moreNames are the fields below "Mais campos".
var moreNames = []string{
	"tipoAcidente", "regimeAtendimento", "tipoAtendimento", "retorno", "indicacaoClinica", "observacoes",
	"nomeContato", "dddContato", "telefoneContato", "emailContato",
}

// moreOpen reports whether one of them is wrong, so that it can be seen.
func (m FormView) moreOpen() bool {
	for _, name := range moreNames {
		if m.message(name) != "" {
			return true
		}
	}
	return false
}

// moreSummary is the values in force, shown while the fields are folded.
func (m FormView) moreSummary() string {
	regime := m.pick(component.Select{Field: component.Field{Name: "regimeAtendimento"}}, authorization.DefaultCareRegime).Value
	kind := m.pick(component.Select{Field: component.Field{Name: "tipoAtendimento"}}, authorization.DefaultCareType).Value
	accident := m.pick(component.Select{Field: component.Field{Name: "tipoAcidente"}}, authorization.DefaultAccidentType).Value
	parts := []string{
		"caráter: " + lowerLabel(m.careRegimes(), regime),
		"tipo: " + lowerLabel(m.careTypes(), kind),
		"acidente: " + lowerLabel(m.accidents(), accident),
	}
	if m.Values["retorno"] == "S" {
		parts = append(parts, "retorno")
	}
	if phone := strings.TrimSpace(m.Values["telefoneContato"]); phone != "" {
		parts = append(parts, "contato: "+strings.TrimSpace(m.Values["dddContato"]+" "+phone))
	}
	return strings.Join(parts, " · ")
}

func lowerLabel(choices []component.Choice, value string) string {
	for _, c := range choices {
		if c.Value == value {
			return strings.ToLower(c.Label)
		}
	}
	return value
}

func orElse(choices, standard []component.Choice) []component.Choice {
	if choices != nil {
		return choices
	}
	return standard
}

func (m FormView) careTypes() []component.Choice {
	return orElse(m.CareTypes, component.Choices(authorization.CareTypes()))
}

func (m FormView) careRegimes() []component.Choice {
	return orElse(m.CareRegimes, component.Choices(authorization.CareRegimes()))
}

func (m FormView) accidents() []component.Choice {
	return orElse(m.Accidents, component.Choices(authorization.AccidentTypes()))
}
