package admin

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// LedgerReader reads the ledger for people: identifiers, times, codes and sizes,
// never what a request or an answer says.
type LedgerReader interface {
	// Ledger returns a page of requests: first, as they came, those whose patient is at
	// the counter since q.Today and that wait for their operator (pacienteNoLocal, 2.3),
	// then all others, newest first.
	Ledger(ctx context.Context, q LedgerQuery) ([]LedgerRow, error)
	// LedgerEntry returns one request with all that became of it, oldest first.
	LedgerEntry(ctx context.Context, request uuid.UUID) (LedgerRow, []LedgerEvent, error)
	// AttachmentBlobs returns where the attachments of a request are, in their order.
	AttachmentBlobs(ctx context.Context, request uuid.UUID) ([]blob.Ref, error)
}

// LedgerQuery chooses requests; a zero field does not restrict.
type LedgerQuery struct {
	From, To time.Time // of the receipt: From included, To excluded
	Profile  uuid.UUID
	Status   authorization.Status // that an authorization of the request has now
	Failed   bool                 // only those to which no operator answered
	Number   string               // guiaPrestador, numeroGuia or guiaId, whole
	Before   uuid.UUID            // only requests after this one in the list: the last one of the page before
	Today    time.Time            // whoever was at the counter since then waits there; zero: nobody comes first
	Limit    int
}

// LedgerRow is one request.
type LedgerRow struct {
	ID            uuid.UUID
	ReceivedAt    time.Time
	ProfileID     uuid.UUID
	Profile       string // name of the partner
	Credential    string // name of the operator
	ProviderGuide string // guiaPrestador
	Present       bool   // the patient was at the counter (pacienteNoLocal)
	Attachments   int
	Active        int       // of an entry: attachments that do more than show pages or a picture
	AnsweredAt    time.Time // zero while there is no answer
	AnswerSize    int64     // bytes
	Simulated     bool
	Failure       string // code of the last failure where there is no answer
	Guides        []LedgerGuide
	Damaged       bool // what is stored of it is not as it was written; only ID is told
}

// LedgerGuide is one authorization of a request.
type LedgerGuide struct {
	ID     uuid.UUID // guiaId
	Number string    // numeroGuia, "" without one
	Status authorization.Status
}

// LedgerEventKind says what happened.
type LedgerEventKind string

// The kinds of events.
const (
	EventReceived      LedgerEventKind = "recebido"
	EventAnswer        LedgerEventKind = "resposta"
	EventFailure       LedgerEventKind = "falha"
	EventStatus        LedgerEventKind = "situacao"
	EventAction        LedgerEventKind = "ato" // of a partner: Code is its ActionKind
	EventActionAnswer  LedgerEventKind = "ato_resposta"
	EventActionFailure LedgerEventKind = "ato_falha"
)

// LedgerEvent is one entry of a request's life.
type LedgerEvent struct {
	At      time.Time
	Kind    LedgerEventKind
	GuideID uuid.UUID            // zero where it is about the request
	Before  authorization.Status // of EventStatus; "" is the first
	Code    string               // new status, code of a failure, or ActionKind
	Actor   string               // operator's connector; "" of the partner
	Method  access.Method        // by which the partner came in, of EventReceived and EventAction; "" when it was not noted
	Secret  string               // end of the partner's key, name of the user or of the OAuth client
	Size    int64                // bytes of an answer
}

// Ledger returns a page of requests in the order of LedgerReader.
func (a *Admin) Ledger(ctx context.Context, q LedgerQuery) ([]LedgerRow, error) {
	return a.ledger.Ledger(ctx, q)
}

// LedgerEntry returns one request with all that became of it, oldest first, or
// problem.NotFound.
func (a *Admin) LedgerEntry(ctx context.Context, request uuid.UUID) (LedgerRow, []LedgerEvent, error) {
	row, events, err := a.ledger.LedgerEntry(ctx, request)
	if err == nil && row.Attachments > 0 {
		row.Active, err = a.countActive(ctx, request)
	}
	return row, events, err
}
