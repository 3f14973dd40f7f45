package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// Operator connects the service with one health-plan operator. It is safe for
// concurrent use.
type Operator interface {
	// Authorize asks for a decision. It is called at most once for a request. The
	// context ends when the time of the credential is over; any error leaves open
	// whether the operator decided.
	Authorize(ctx context.Context, r OperatorRequest) (Decision, error)

	// LookUp asks what became of a request that Authorize was called for, without
	// asking again. The error is ErrNotKnown where the operator does not know the
	// request or cannot be asked.
	LookUp(ctx context.Context, r OperatorRequest) (Decision, error)
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

// Decision is an operator's answer: authorizations, or errors that say why there
// are none, or both.
type Decision struct {
	Simulated bool // the answer has no value; its passwords begin with SimulatedPrefix

	// Authorizations in their order. Number, GuideID, ProviderGuide and GuidePDF are
	// the service's; a guide is drawn for each that has a GuideNumber.
	Authorizations []authorization.Authorization
	Errors         []authorization.AnswerError // of the request as a whole
}

// SimulatedPrefix begins every password of a simulated decision, so that nobody
// takes it for a real one.
const SimulatedPrefix = "SIM"

var errDecision = errors.New("service: the operator's decision cannot be used")

// check refuses what could not be stored or would deceive.
func (d Decision) check() error {
	if len(d.Authorizations) == 0 && len(d.Errors) == 0 {
		return errDecision
	}
	for _, a := range d.Authorizations {
		if !a.Status.Known() {
			return errDecision
		}
		if d.Simulated && a.Password != "" && !strings.HasPrefix(a.Password, SimulatedPrefix) {
			return errDecision
		}
	}
	return nil
}
