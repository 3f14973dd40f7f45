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
	HasGuide        bool      // the answer in force has a PDF
	GuideLost       bool      // of a row in a list: the PDF that its case shows first is known to be damaged
	Concluded       bool      // somebody took it out of the queue
	ReviewedAt      time.Time // when the operator was asked to look at this denial again, zero: it was not
	ReviewOverdue   bool      // and has not answered in its time
	Damaged         bool      // what was stored is not as it was written: of all else here only UID may be relied on
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

// Query says which part of the queue is listed. The zero value shows all within reach that
// is not closed.
type Query struct {
	Group   authorization.Group // 0: all
	Unknown bool                // only those whose outcome is unknown
	Today   time.Time           // when the day began; Cases sets it
	Before  uuid.UUID           // Page.Next of the page before; zero: the first page
	Limit   int                 // 1 to MaxPage; 0: DefaultPage
	Beside  Beside
}

// Beside is what a page asks besides, of the same moment: a store may ask for it at once.
type Beside struct {
	EndingDays, EndingLimit int                     // of Ending; 0: it is not asked
	From, Until             authorization.LocalTime // of those days; Cases sets them
	Drafts                  uuid.UUID               // whose; Cases sets it
}

// Sizes of a page.
const (
	DefaultPage = 50
	MaxPage     = 200
)

// Page is one page of the queue: what was corrected, concluded or has not changed for a month is not in it, and what is
// closed only where that is asked for, for the day. First come those whose outcome is unknown, then those whose patient
// waits at the counter since today for somebody to do something (pacienteNoLocal, 2.3), then the others by group. In each
// group that waits for somebody the first comes first, in the others the last.
type Page struct {
	Cases []CaseSummary
	Next  uuid.UUID // Query.Before of the next page; zero on the last one
}

// GroupCount counts cases.
type GroupCount struct {
	Count  int
	Oldest time.Time // the longest unchanged state; zero when there is none
}

// Counts are how many cases of the queue each group has.
type Counts struct {
	Groups  map[authorization.Group]GroupCount // Closed: those of the day
	Unknown GroupCount                         // those whose outcome is unknown, however old
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
	q.Beside.Drafts = a.User
	q.Beside.From, q.Beside.Until = endingWithin(q.Today, q.Beside.EndingDays)
	cases, err := d.config.Store.Cases(ctx, a.Reach(), q)
	if err != nil {
		return Page{}, err
	}
	now := d.now()
	for i := range cases {
		cases[i].Concluded = q.Group == authorization.Closed && cases[i].Group != authorization.Closed
		cases[i].reviewAt(now)
	}
	if len(cases) <= limit {
		return Page{Cases: cases}, nil
	}
	return Page{Cases: cases[:limit], Next: cases[limit-1].UID}, nil
}

// Counts counts the cases within the person's reach by group.
func (d *Desk) Counts(ctx context.Context, a permission.Actor) (Counts, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Counts{}, err
	}
	return d.config.Store.Counts(ctx, a.Reach(), d.midnight())
}

// Ending lists cases within the person's reach that are to be attended and whose senha ends
// within so many days, the first first.
func (d *Desk) Ending(ctx context.Context, a permission.Actor, days, limit int) ([]CaseSummary, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	from, until := endingWithin(d.midnight(), days)
	return d.config.Store.Ending(ctx, a.Reach(), from, until, limit)
}

// endingWithin are the days from today on, and that behind them.
func endingWithin(today time.Time, days int) (from, until authorization.LocalTime) {
	from = authorization.DateOf(today.Date())
	return from, from.AddDays(days + 1)
}

// Next returns the case that somebody of the provider looks at next: the first of the queue,
// or after one the first that follows it. Zero: nothing waits for anybody.
func (d *Desk) Next(ctx context.Context, a permission.Actor, after uuid.UUID) (uuid.UUID, error) {
	for _, from := range []uuid.UUID{after, uuid.Nil} {
		page, err := d.Cases(ctx, a, Query{Before: from, Limit: 30})
		if err != nil {
			return uuid.Nil, err
		}
		for _, c := range page.Cases {
			if c.UID != after && c.waits() {
				return c.UID, nil
			}
		}
		if from == uuid.Nil {
			break
		}
	}
	return uuid.Nil, nil
}

// waits reports whether the case stands where it waits for somebody of the provider.
func (c CaseSummary) waits() bool {
	return !c.Damaged && c.Group < authorization.Ready && !c.UnderReview()
}

// Concludes reports whether what is in the state can be concluded: nothing is on its way, and
// nothing is in doubt.
func (s State) Concludes() bool { return s == Answered || s == Refused }
