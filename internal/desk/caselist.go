package desk

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// CaseSummary is a case in a list.
type CaseSummary struct {
	UID             uuid.UUID
	CreatedAt       time.Time // when "Enviar" was pressed
	BeneficiaryName string
	CardNumber      string
	PatientPresent  bool
	Credential      string // its name, as it was called then
	ProcedureCode   string // of the first procedure
	ProcedureName   string
	Procedures      int
	HasGuide        bool // the answer in force has a PDF
	Damaged         bool // what was stored is not as it was written: of all else here only UID may be relied on
	CaseState
	AnswerSummary
}

// Names are the names behind a request's identifiers, as they were when it was
// sent.
type Names struct {
	Credential, Unit, CarePoint, Professional, Specialty string
}

// AnswerSummary is what a list shows of an answer.
type AnswerSummary struct {
	Authorizations  int                     // entries of the answer
	Authorized      int                     // of these, with which somebody may be attended
	Items           int                     // procedures the operator spoke of
	ItemsAuthorized int                     // of these, with something authorized
	Senha           string                  // senha of the first authorization that has one
	SenhaValidUntil authorization.LocalTime // the earliest validadeSenha
}

// Query says which cases a list shows. The zero value shows all within reach.
type Query struct {
	Group   authorization.Group // 0: all
	Unknown bool                // only those whose outcome is unknown
	Unit    uuid.UUID           // zero: all within reach
	Since   time.Time           // only those sent off since; zero: all
	Today   time.Time           // whoever was at the counter since then waits there; Cases sets it
	Before  uuid.UUID           // Page.Next of the page before; zero: the first page
	Limit   int                 // 1 to MaxPage; 0: DefaultPage
}

// Sizes of a page.
const (
	DefaultPage = 50
	MaxPage     = 200
)

// Page is one page of cases, without those that were corrected: first those whose outcome is unknown, newest first, then,
// as they came, those whose patient waits at the counter since today and about whom something is still to be done or to be
// answered (pacienteNoLocal, 2.3), then all others, newest first.
type Page struct {
	Cases []CaseSummary
	Next  uuid.UUID // Query.Before of the next page; zero on the last one
}

// GroupCount counts cases.
type GroupCount struct {
	Count  int
	Oldest time.Time // the longest unchanged state; zero when there is none
}

// Counts are the numbers above the queue, which has no corrected cases.
type Counts struct {
	Groups  map[authorization.Group]GroupCount
	Unknown GroupCount // those whose outcome is unknown, however old
}

// Alerts is what administração is told: numbers, no patients.
type Alerts struct {
	Held      int // the service does not accept the desk's key
	Conflicts int // the service knows the number with another request
}

// Cases lists the cases within the person's reach, in the order of Page.
func (d *Desk) Cases(ctx context.Context, a permission.Actor, q Query) (Page, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Page{}, err
	}
	if q.Before != uuid.Nil {
		_, err := d.CaseState(ctx, a, q.Before)
		if problem.Is(err, problem.NotFound) {
			return Page{}, nil // nothing comes before what is not there
		}
		if err != nil {
			return Page{}, err
		}
	}
	if q.Limit <= 0 {
		q.Limit = DefaultPage
	}
	limit := min(q.Limit, MaxPage)
	q.Limit = limit + 1 // one more tells whether there is a next page
	q.Today = d.midnight()
	cases, err := d.config.Store.Cases(ctx, a.Reach(), q)
	if err != nil {
		return Page{}, err
	}
	if len(cases) <= limit {
		return Page{Cases: cases}, nil
	}
	return Page{Cases: cases[:limit], Next: cases[limit-1].UID}, nil
}

// Counts counts the cases within the person's reach that were sent off since
// then (zero: all), by group.
func (d *Desk) Counts(ctx context.Context, a permission.Actor, since time.Time) (Counts, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Counts{}, err
	}
	return d.config.Store.Counts(ctx, a.Reach(), since)
}
