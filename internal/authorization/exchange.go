package authorization

import (
	"net/http"
	"slices"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// Dispatch is one attempt to send a request.
type Dispatch struct {
	Request        Request
	IdempotencyKey string // sent only where the service announces idempotencia
	UnknownOutcome bool   // an earlier attempt may have been acted on: the key must be sent

	// Ready is asked last, before the first byte leaves; an error keeps it from leaving.
	// nil: always ready.
	Ready func() error
	// Line is the connection that was made ahead for the first attempt; nil: it makes its own.
	Line Line
}

// Line is a connection to a service that is made ahead of the request that leaves by it.
type Line interface {
	// Close gives the connection up, unless a request took it.
	Close()
}

// Exchange is the record of one attempt: facts of the wire, not interpreted. It is
// stored before it is read.
type Exchange struct {
	StartedAt, EndedAt time.Time
	SentBytes          int64 // bytes of the request that were written to the connection; 0: nothing was sent
	HTTPStatus         int   // 0 when no status line came back
	ContentType        string
	RetryAfter         string   // header Retry-After: seconds, or a date
	Body               blob.Ref // raw body of the answer, "" when none came
	BodySize           int64    // bytes
	Complete           bool     // the body ended as its framing said
	Failure            Failure  // why there is no complete answer; "" when there is one
}

// Failure is the class of what went wrong on the wire.
type Failure string

// The failures of the wire.
const (
	FailureConnect   Failure = "conexao"   // no connection, name or TLS handshake
	FailureTimeout   Failure = "tempo"     // the deadline passed
	FailureCut       Failure = "corte"     // the connection ended early
	FailureTooLarge  Failure = "tamanho"   // the answer exceeded the limit
	FailureCancelled Failure = "cancelado" // this process was stopped
	FailureLocal     Failure = "local"     // on this side: an attachment, a descriptor; nothing was sent
)

// OutcomeKind is the row of the outcome table (interface.md).
type OutcomeKind string

// The kinds of outcome.
const (
	OutcomeAnswered OutcomeKind = "answered" // at least one authorization came back
	OutcomeRefused  OutcomeKind = "refused"  // the service said the request is not valid
	OutcomeRetry    OutcomeKind = "retry"    // certainly not acted on: queued again, after RetryAfter or back-off
	OutcomeHeld     OutcomeKind = "held"     // 401 or 403 also after one renewal: queued, and held for an administrator
	OutcomeBusy     OutcomeKind = "busy"     // 409 em_processamento: repeated with the same key
	OutcomeConflict OutcomeKind = "conflict" // 409 corpo_diferente: unknown, for an administrator
	OutcomeUnknown  OutcomeKind = "unknown"  // sent, and whether it was acted on is not known
)

// Outcome is an Exchange read by the outcome table.
type Outcome struct {
	Kind       OutcomeKind
	Answer     Answer          // of OutcomeAnswered; of OutcomeRefused and OutcomeUnknown its Errors
	Fields     []problem.Field // of OutcomeRefused: errors that name a field of the request
	RetryAfter time.Duration   // of OutcomeRetry: 0 means back-off
	Reason     string          // short fixed word for events and logs: "http_503", "conexao", "json_invalido"
}

// OfRepetition is the outcome where the same request may have been acted on before. A
// service looks at the key only behind its path, method, type and size (interface.md, row 8):
// who refuses those of a repetition says nothing about the first.
func (o Outcome) OfRepetition(repeated bool, status int) Outcome {
	if repeated && o.Kind == OutcomeRefused && slices.Contains(beforeKey, status) {
		o.Kind, o.Fields = OutcomeUnknown, nil
	}
	return o
}

// beforeKey are the statuses of what is refused before the key is looked at.
var beforeKey = []int{
	http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType,
}
