package report

import (
	"context"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Row is one submission in the history.
type Row struct {
	UID             uuid.UUID
	CreatedAt       time.Time // when "Enviar" was pressed
	BeneficiaryName string
	CardNumber      string
	Credential      string // operator, as it was called then
	Unit            string // likewise
	Sender          string
	FirstProcedure  string // code
	Procedures      int
	State           string // where it stands, in the desk's words: "answered"
	Status          authorization.Status
	Group           authorization.Group
	Alert, Reason   string // the desk's words
	UnknownOutcome  bool   // the service may have acted on an attempt
	Simulated       bool
	Senha           string // senha of the first authorization that has one
	HasGuide        bool   // the answer in force has a guide's PDF
	Damaged         bool   // what was stored is not as it was written: of all else here only UID may be relied on
}

// Query is a filter as the store reads it. The zero value finds all.
type Query struct {
	Filter
	Since, Before time.Time // of sending: Since included, Before excluded; zero: open
	After         uuid.UUID // last case of the page before; zero: the first page
	Limit         int
}

// Page is one page of cases, newest first.
type Page struct {
	Cases   []Row
	Next    uuid.UUID // for the next page; zero on the last one
	Choices Choices   // what all cases can be filtered by
}

// pageSize is how many cases a page has.
const pageSize = 50

// Cases lists the cases within the person's reach that the filter lets through,
// newest first, after the last case of the page before (zero: the first page). One that
// lies outside their reach is problem.NotFound, and the audit trail tells who asked.
func (h *History) Cases(ctx context.Context, a permission.Actor, f Filter, after uuid.UUID) (Page, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Page{}, err
	}
	q := Query{Filter: f, After: after, Limit: pageSize + 1} // one more tells whether there is a next page
	if !f.From.IsZero() {
		q.Since = f.From.In(h.config.Zone)
	}
	if !f.Until.IsZero() {
		q.Before = f.Until.AddDays(1).In(h.config.Zone)
	}
	cases, choices, err := h.config.Store.Cases(ctx, a.Reach(), q)
	err = h.denied(ctx, audit.Entry{At: h.now(), Actor: a.User, Object: audit.ObjectCase, ObjectID: after, Detail: "alcance=unidade"},
		h.config.Store.HasCase, err)
	if err != nil || len(cases) <= pageSize {
		return Page{Cases: cases, Choices: choices}, err
	}
	return Page{Cases: cases[:pageSize], Next: cases[pageSize-1].UID, Choices: choices}, nil
}

// Choice is something by which cases can be filtered.
type Choice struct {
	Number int64 // the same for ever, and a short word for it
	UID    uuid.UUID
	Name   string
}

// Choices are what the cases can be filtered by: only what some case has.
type Choices struct {
	Credentials, Units, Senders []Choice
}

// Choices lists what the person can filter by.
func (h *History) Choices(ctx context.Context, a permission.Actor) (Choices, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Choices{}, err
	}
	return h.config.Store.Choices(ctx, a.Reach())
}
