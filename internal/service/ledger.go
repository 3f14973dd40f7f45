package service

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// Store keeps what the service knows. Reading what is not there is a
// problem.NotFound error.
type Store interface {
	// ReadTogether runs fn with a context under which all that is read is of one moment; fn
	// writes nothing, and reads one thing after the other.
	ReadTogether(ctx context.Context, fn func(context.Context) error) error
	DirectoryStore
	LedgerStore
	LifeStore
	WorkStore
}

// LedgerStore keeps requests, what operators decided, and the authorizations. It
// only adds; the database refuses changes.
type LedgerStore interface {
	// Receive adds a request unless its profile has one with the same key or
	// guiaPrestador already: then it returns that one and false.
	Receive(ctx context.Context, e RequestEntry) (LedgerRequest, bool, error)
	Request(ctx context.Context, id uuid.UUID) (LedgerRequest, error)
	// RequestByKey finds a request whose key is still kept.
	RequestByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (LedgerRequest, error)
	RequestByGuide(ctx context.Context, profile uuid.UUID, providerGuide string) (LedgerRequest, error)
	// RequestByGuideID returns the accepted request to whose first authorization a
	// guiaId was given, decided or not.
	RequestByGuideID(ctx context.Context, profile, guideID uuid.UUID) (LedgerRequest, error)
	// SentBytes is how much a profile's attachments were in the last day.
	SentBytes(ctx context.Context, profile uuid.UUID, now time.Time) (int64, error)
	// AddFailure notes that asking the operator failed.
	AddFailure(ctx context.Context, e FailureEntry) error
	// AddAnswer notes the answer with its authorizations, problem.Conflict when the
	// request has one.
	AddAnswer(ctx context.Context, e AnswerEntry) error
	// Authorization returns an authorization of the profile as it is now.
	Authorization(ctx context.Context, profile, guideID uuid.UUID) (authorization.Authorization, error)
	Authorizations(ctx context.Context, request uuid.UUID) ([]authorization.Authorization, error)
}

// LifeStore keeps what becomes of authorizations after their first decision. It
// only adds, as the rest of the ledger.
type LifeStore interface {
	// LedgerAuthorization returns an authorization with the request that led to it.
	LedgerAuthorization(ctx context.Context, guideID uuid.UUID) (LedgerAuthorization, error)
	// AddUpdate notes every status on the way and the authorization as it is now,
	// problem.Conflict when it is not at Before any more.
	AddUpdate(ctx context.Context, e UpdateEntry) error
	// AddAction notes an action unless its profile has one with the same key already:
	// then it returns that one and false.
	AddAction(ctx context.Context, a Action) (Action, bool, error)
	Action(ctx context.Context, id uuid.UUID) (Action, error)
	// ActionByKey finds an action whose key is still kept.
	ActionByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (Action, error)
	// AddActionFailure notes that an operator failed at an action.
	AddActionFailure(ctx context.Context, e ActionFailureEntry) error
}

// WorkStore keeps what operators are still to be asked, each thing at most once
// at a time.
type WorkStore interface {
	// Due returns the credentials for which something is due, and when the next
	// thing after now is; the zero time for none. Due is also what is put off beyond
	// now by more than LongestPause, or was given up after now: the clock was wrong then.
	Due(ctx context.Context, now time.Time) (credentials []uuid.UUID, next time.Time, err error)
	// Claim takes tasks of a credential that are due, which then are not due again
	// before until.
	Claim(ctx context.Context, credential uuid.UUID, now, until time.Time, limit int) ([]Task, error)
	// Postpone counts a try and sets when a task is due again. One that is done
	// meanwhile stays done.
	Postpone(ctx context.Context, t Task, due time.Time) error
	Drop(ctx context.Context, t Task) error
	// GiveUp has a task not be due any more.
	GiveUp(ctx context.Context, t Task, now time.Time) error
	// BeginAsking notes that the operator is about to decide on an accepted request,
	// false when that was noted before.
	BeginAsking(ctx context.Context, request uuid.UUID, at time.Time) (bool, error)
}

// RequestEntry is a request that was read and checked, to be added to the ledger.
type RequestEntry struct {
	ID          uuid.UUID
	Caller      Caller
	Key         *[sha256.Size]byte // hash of Idempotency-Key, nil without one
	KeyUntil    time.Time
	Fingerprint [sha256.Size]byte
	Request     authorization.Request
	ReceivedAt  time.Time
	GuideID     uuid.UUID // of the first authorization, when the request is decided afterwards; else uuid.Nil
	// Generate returns the guiaPrestador of so many seconds later, for a request that
	// has none (row 7).
	Generate func(seconds int) string
	// Admit refuses a request whose attachments make so many bytes of a day; nil refuses none.
	Admit func(sent int64) error
}

// LedgerRequest is a request of the ledger.
type LedgerRequest struct {
	ID          uuid.UUID
	Fingerprint [sha256.Size]byte
	Request     authorization.Request
	ReceivedAt  time.Time
	Failure     Reason      // of the last failure, "" when the operator was asked without one
	Answer      blob.Ref    // the answer as it goes over the wire, "" while there is none
	AnswerText  *AnswerText // nil where the answer is a blob
	AnswerSize  int64
	Errors      []authorization.AnswerError // of the request as a whole
	GuideID     uuid.UUID                   // as in RequestEntry

	professional *Professional // as it was when the request was checked; nil of one that was read
}

// FailureEntry is a failure of asking an operator.
type FailureEntry struct {
	RequestID uuid.UUID
	At        time.Time
	Operator  string
	Reason    Reason
}

// AnswerEntry is an answer with what it says.
type AnswerEntry struct {
	RequestID uuid.UUID
	At        time.Time
	Operator  string
	Decision  Decision
	Answer    blob.Info
	Text      *AnswerText // of Answer, nil where that is a blob
	Due       []time.Time // when the operator is asked about each authorization; zero for never
}

// LedgerAuthorization is an authorization as the ledger has it.
type LedgerAuthorization struct {
	ProfileID     uuid.UUID
	Request       LedgerRequest
	Authorization authorization.Authorization
	Since         time.Time // when it came to its status
}

// UpdateEntry is what an operator told of an authorization after its decision.
type UpdateEntry struct {
	GuideID       uuid.UUID
	Before        authorization.Status        // problem.Conflict when it is another one by now
	Path          []authorization.Status      // the statuses after Before, the last being the new one
	Authorization authorization.Authorization // as it is now
	At            time.Time
	Actor         string
	Due           time.Time // when the operator is asked again; zero for never
	ActionID      uuid.UUID // the action that this answers; uuid.Nil for none
	Answer        blob.Info // the answer to the action
}

// ActionKind is what a partner does to an authorization (row 18), by the last word
// of its address.
type ActionKind string

// The kinds of actions.
const (
	ActionAttachments ActionKind = "anexos"
	ActionBiometrics  ActionKind = "biometria"
	ActionCancel      ActionKind = "cancelamento"
)

// Action is something that a partner did to an authorization.
type Action struct {
	ID          uuid.UUID
	Caller      Caller // of what is read back only ProfileID
	GuideID     uuid.UUID
	Kind        ActionKind
	Before      authorization.Status
	Key         *[sha256.Size]byte // hash of Idempotency-Key, nil without one; not read back
	KeyUntil    time.Time
	Fingerprint [sha256.Size]byte          // of biometrics without the captures
	Attachments []authorization.Attachment // not read back
	Admit       func(sent int64) error     // as in RequestEntry; not read back
	Note        string                     // why it is cancelled
	ReceivedAt  time.Time
	Failure     Reason   // of the last failure, "" without one
	Answer      blob.Ref // the answer as it goes over the wire, "" while there is none
	AnswerSize  int64
}

// ActionFailureEntry is a failure of an operator at an action.
type ActionFailureEntry struct {
	ActionID uuid.UUID
	At       time.Time
	Operator string
	Reason   Reason
	Due      time.Time // when the operator is asked how the authorization stands; zero for never
}

// Task is something that an operator is still to be asked: what it decides about
// a request that was accepted (row 16), or how an authorization stands (row 19).
type Task struct {
	RequestID uuid.UUID
	GuideID   uuid.UUID // uuid.Nil: the request itself is to be decided
	Tries     int       // that brought nothing new
}
