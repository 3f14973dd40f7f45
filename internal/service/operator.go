package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// Operator connects the service with one health-plan operator. It is safe for
// concurrent use.
//
// A connector is a package of its own beside simulated, and one line where the
// program puts Config.Operators together; its tests call operatortest.Check with a
// request for every kind of answer. It turns what its operator says into a
// Decision, and neither stores anything nor draws guides: that is the service's.
// Names, cards and passwords belong in no error.
//
// These two methods are all that a connector must have. What else its operator
// can do, it says by implementing one or more of EligibilityChecker, StatusPoller,
// AttachmentTaker, BiometricChecker and Canceller: the service offers what the
// connector implements and refuses the rest with a clear error.
//
// For all methods: the context ends when the time of the credential is over, and
// the service then stops waiting whether the method returned or not. A panic is
// an error. Of the calls for one credential only so many run at once
// (Limits.OperatorCalls), so that a slow operator never holds up another one.
type Operator interface {
	// Authorize asks for a decision. It is called at most once for a request; any
	// error leaves open whether the operator decided.
	Authorize(ctx context.Context, r OperatorRequest) (Decision, error)

	// LookUp asks what became of a request that Authorize was called for, without
	// asking again. The error is ErrNotKnown where the operator does not know the
	// request or cannot be asked.
	LookUp(ctx context.Context, r OperatorRequest) (Decision, error)
}

// EligibilityChecker is an Operator that knows whether a card is valid (4.4).
type EligibilityChecker interface {
	CheckEligibility(ctx context.Context, r EligibilityRequest) (Eligibility, error)
}

// StatusPoller is an Operator that can be asked how an authorization stands after
// its first decision. It is asked about K, R and X until something comes, and about
// any other status when a Decision or an Update said so by PollAfter.
type StatusPoller interface {
	PollStatus(ctx context.Context, at OpenAuthorization) (Update, error)
}

// AttachmentTaker is an Operator that takes attachments of an authorization in S.
// Taking them leads to R, and further where the Update says so. Only the new ones
// are given; their bytes are blobs.
type AttachmentTaker interface {
	AddAttachments(ctx context.Context, at OpenAuthorization, added []authorization.Attachment) (Update, error)
}

// BiometricChecker is an Operator that checks biometrics of an authorization in H
// or T; the Update says A or T. The captures live for this call: they must be
// neither kept nor logged.
type BiometricChecker interface {
	CheckBiometrics(ctx context.Context, at OpenAuthorization, captures []Capture) (Update, error)
}

// Canceller is an Operator that takes cancellations. No error leads to X, and to C
// when the Update says so; otherwise PollStatus tells later.
type Canceller interface {
	Cancel(ctx context.Context, at OpenAuthorization, reason string) (Update, error)
}

// ErrNotKnown is LookUp's answer when there is nothing to tell.
var ErrNotKnown = errors.New("service: the operator tells nothing about this request")

// OperatorRequest is what an operator needs to decide.
type OperatorRequest struct {
	ID         uuid.UUID // of the request, the same in every look-up
	ReceivedAt time.Time // in the provider's zone
	Credential Credential
	Request    authorization.Request // guiaPrestador and indicacaoClinica are filled in; attachments are blobs
}

// OpenAuthorization is an authorization as it is now, with the request that led to
// it.
type OpenAuthorization struct {
	OperatorRequest
	Authorization authorization.Authorization
	Since         time.Time // when it came to its status, in the provider's zone
}

// Decision is an operator's answer: authorizations, or errors that say why there
// are none, or both.
type Decision struct {
	Simulated bool // the answer has no value; each senha begins with SimulatedPrefix

	// Authorizations in their order. Number, GuideID, ProviderGuide and GuidePDF are
	// the service's; a guide is drawn for each that has a GuideNumber.
	Authorizations []authorization.Authorization
	Errors         []authorization.AnswerError // of the request as a whole

	PollAfter time.Duration // when to poll first, LongestPause at most; 0 leaves it to the service
}

// Update is what an operator tells of one authorization after its decision.
type Update struct {
	Simulated bool // as in Decision

	// Authorization as it is now, whole; one without a Status says that nothing is
	// new. A status that the present one leads to over others (K to A, over R) is
	// noted with those between; one it never leads to is not taken (row 19).
	Authorization authorization.Authorization

	PollAfter time.Duration // when to poll next, LongestPause at most; 0 leaves it to the service
}

// EligibilityRequest is what an operator needs to know about a card (row 15).
type EligibilityRequest struct {
	AskedAt      time.Time // in the provider's zone
	Credential   Credential
	CardNumber   string
	CardValidity authorization.LocalTime // zero where it was not told
}

// Eligibility is what an operator says about a card (row 15).
type Eligibility struct {
	Eligible     bool
	Situation    string // the operator's word for it
	Name         string // of the beneficiary, "" where the operator does not tell
	Plan         string
	CardValidity authorization.LocalTime
	Messages     []string
}

// Capture is one biometric capture, in memory only.
type Capture struct {
	Kind   string // one of CaptureKinds
	Device string // what took it, "" when unknown
	Data   []byte
}

// captureKinds are the words of biometrias[].tipo.
var captureKinds = []string{"digital", "facial", "palmar", "iris", "voz", "token"}

// CaptureKinds lists what a biometric capture may be.
func CaptureKinds() []string { return slices.Clone(captureKinds) }

// LogValue keeps captures out of logs.
func (Capture) LogValue() slog.Value { return slog.StringValue("[biometria]") }

// SimulatedPrefix begins every senha of a simulated decision, so that nobody
// takes it for a real one.
const SimulatedPrefix = "SIM"

var errDecision = errors.New("service: the operator's decision cannot be used")

// Check refuses what could not be stored or would deceive. The service takes an
// operator's answer only when it is fine.
func (d Decision) Check() error {
	if len(d.Authorizations) == 0 && len(d.Errors) == 0 {
		return fmt.Errorf("%w: it has neither authorizations nor errors", errDecision)
	}
	for _, a := range d.Authorizations {
		if err := checkAuthorization(a, d.Simulated); err != nil {
			return err
		}
	}
	return nil
}

// Check is as that of Decision. An Update without a Status is fine.
func (u Update) Check() error {
	if u.Authorization.Status == "" {
		return nil
	}
	return checkAuthorization(u.Authorization, u.Simulated)
}

func checkAuthorization(a authorization.Authorization, simulated bool) error {
	switch {
	case !a.Status.Known():
		return fmt.Errorf("%w: status %q is not one of the 18", errDecision, a.Status)
	case simulated && a.Senha != "" && !strings.HasPrefix(a.Senha, SimulatedPrefix):
		return fmt.Errorf("%w: the senha of a simulated one does not begin with %s", errDecision, SimulatedPrefix)
	}
	return nil
}
