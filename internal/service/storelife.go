package service

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// LifeStore keeps what becomes of authorizations after their first decision. It
// only adds, as the rest of the ledger.
type LifeStore interface {
	// Stood returns an authorization with the request that led to it.
	Stood(ctx context.Context, guideID uuid.UUID) (Stood, error)
	// RecordByGuideID returns the accepted request to whose first authorization a
	// guiaId was given, decided or not.
	RecordByGuideID(ctx context.Context, profile, guideID uuid.UUID) (Record, error)
	// AddUpdate notes every status on the way and the authorization as it is now,
	// problem.Conflict when it is not at Before any more.
	AddUpdate(ctx context.Context, u Updated) error
	// AddAct notes an act unless its profile has one with the same key already: then
	// it returns that one and false.
	AddAct(ctx context.Context, a Act) (Act, bool, error)
	Act(ctx context.Context, id uuid.UUID) (Act, error)
	// ActByKey finds an act whose key is still kept.
	ActByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (Act, error)
	// AddActFailure notes that an operator failed at an act.
	AddActFailure(ctx context.Context, f ActFailed) error
}

// WorkStore keeps what operators are still to be asked, each thing at most once
// at a time.
type WorkStore interface {
	// Due returns the credentials for which something is due, and when the next
	// thing after now is; the zero time for none.
	Due(ctx context.Context, now time.Time) (credentials []uuid.UUID, next time.Time, err error)
	// Claim takes tasks of a credential that are due, which then are not due again
	// before until.
	Claim(ctx context.Context, credential uuid.UUID, now, until time.Time, limit int) ([]Task, error)
	// Postpone counts a try and sets when a task is due again. One that is done
	// meanwhile stays done.
	Postpone(ctx context.Context, t Task, due time.Time) error
	Drop(ctx context.Context, t Task) error
	// BeginAsking notes that the operator is about to decide on an accepted request,
	// false when that was noted before.
	BeginAsking(ctx context.Context, request uuid.UUID, at time.Time) (bool, error)
}

// Kind is what a partner does to an authorization (row 18), by the last word of
// its address.
type Kind string

// The kinds of acts.
const (
	ActAttachments Kind = "anexos"
	ActBiometrics  Kind = "biometria"
	ActCancel      Kind = "cancelamento"
)

// ActFailed is a failure of an operator at an act.
type ActFailed struct {
	ActID    uuid.UUID
	At       time.Time
	Operator string
	Code     string
	Due      time.Time // when the operator is asked how the authorization stands; zero for never
}

// Act is something that a partner did to an authorization.
type Act struct {
	ID          uuid.UUID
	ProfileID   uuid.UUID
	Access      Access // not read back
	GuideID     uuid.UUID
	Kind        Kind
	Before      authorization.Status
	Key         *[sha256.Size]byte // hash of Idempotency-Key, nil without one; not read back
	KeyUntil    time.Time
	Fingerprint [sha256.Size]byte          // of biometrics without the captures
	Attachments []authorization.Attachment // not read back
	Note        string                     // why it is cancelled
	ReceivedAt  time.Time
	Failure     string   // code of the last failure, "" without one
	Answer      blob.Ref // the answer as it goes over the wire, "" while there is none
	AnswerSize  int64
}
