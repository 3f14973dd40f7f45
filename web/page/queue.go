package page

import (
	"slices"

	"guiche/web/component"
	"guiche/web/layout"
)

// QueueView is GET /fila. The page asks for its own address every 20 s
// (layout.PollHeader, HX-Request) and is answered with QueueBody.
type QueueView struct {
	layout.Page
	Address  string // path and query of this view: "/fila?grupo=vez"
	Day      string // "sexta-feira, 20 de novembro"
	Updated  string // "14:02"
	Counters []Counter
	Unknowns *component.Notice // requests sent without an answer; nil when there are none
	Cases    []CaseRow
	Group    string // label of the group or list in force, "" for all
	Unitless bool   // the person has no unit, and so no requests within reach
	Older    string // address of the next page, "" at the end
	Newest   bool   // first page: false shows the way back to it
	Drafts   []DraftRow
	Open     int         // how many drafts there are
	Ending   []EndingRow // senhas that end soon
	Order    string      // what the order of the rows is, for a reader of screens
}

// apart reports whether the list in force is one that no counter stands for.
func (m QueueView) apart() bool {
	chosen := slices.ContainsFunc(m.Counters, func(c Counter) bool { return c.Current })
	return m.Group != "" && !chosen && len(m.Cases) > 0
}

// Counter is one of the six groups, also a filter.
type Counter struct {
	Slug    string // word of the filter: "vez"
	Tone    component.Tone
	Icon    string
	Label   string
	Count   int
	Detail  string // "mais antigo há 38 min", "nenhum"
	Href    string // "/fila?grupo=vez", or "/fila" for the one in force
	Current bool
}

// urgent reports whether the counter is marked: requests wait for the reception.
func (c Counter) urgent() bool { return c.Tone == component.ToneAttention && c.Count > 0 }

// CaseRow is one submission in the queue. A script gives the row an id (row-ids.js).
type CaseRow struct {
	Href        string
	Arrived     string // "13:24", or "19/11 16:40" on another day
	Where       string // "no balcão" or "agendado"
	AtDesk      bool   // the patient is standing here
	Name        string
	Operator    string // "Vale Sereno"
	Card        string // "0310 …4821"
	Procedure   string // name of the first
	Codes       string // "41101227 · mais 2"
	Situation   component.Situation
	Origin      string // "operadora, há 38 min"
	Until       string // validity of the senha, "" without one
	UntilDetail string // "vence em 3 dias", "em 30 dias"
	UntilSoon   bool
	Step        string // the one next step: "Ver guia"
	StepUrgent  bool   // drawn as a button
	Concludes   string // what F8 on the row takes out of the queue, see SeenField; "" where it does nothing
}

// EndingRow is a case to be attended whose senha ends soon.
type EndingRow struct {
	Href      string
	Name      string
	Procedure string
	Day       string // "22/11"
	Distance  string // "em 2 dias"
}

// DraftRow is one draft of the person.
type DraftRow struct {
	ID      string // of the row
	Href    string
	Name    string // "Sem nome ainda" when nothing was typed
	When    string // "13:58"
	Detail  string // "Vale Sereno · 1 procedimento"
	Discard string // "Descartar o rascunho de Maria Silveira"
}

func (r DraftRow) question() string { return r.Discard + " e os anexos dele?" }
