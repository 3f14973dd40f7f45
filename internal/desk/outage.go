package desk

import (
	"context"
	"time"

	"guiche/internal/authorization"
)

// Slots bound how many requests this process has on the wire at the same time.
type Slots struct {
	All           int
	PerCredential int // so that an operator that hangs leaves room for the others
}

// Contact is what an attempt says about who answers.
type Contact int

// The contacts.
const (
	ContactUnclear   Contact = iota // nothing: it ended on this side
	ServiceAnswered                 // the service answered; the operator may not have been asked
	OperatorAnswered                // the operator answered, so the service did too
	ServiceSilent                   // there was no connection to the service
	OperatorSilent                  // the service took the request and brought no answer
)

// contactOf tells who answered an attempt.
func contactOf(x authorization.Exchange, o authorization.Outcome) Contact {
	switch {
	case x.Failure == authorization.FailureCancelled, x.Failure == authorization.FailureLocal:
		return ContactUnclear
	case x.Failure == authorization.FailureConnect:
		return ServiceSilent
	case o.Kind == authorization.OutcomeAnswered:
		return OperatorAnswered
	case o.Kind == authorization.OutcomeUnknown && (x.HTTPStatus == 0 || x.HTTPStatus >= 500):
		return OperatorSilent
	case x.HTTPStatus != 0:
		return ServiceAnswered
	}
	return ContactUnclear
}

// How an outage is told from a single failure, and how long it is shown without a new one.
const (
	OutageAfter   = 4 // attempts in a row without an answer
	OutageShown   = 10 * time.Minute
	firstOutPause = 2 * time.Second

	LongestOutagePause = time.Minute
)

// OutagePause is how long nothing more is sent after the given number of failures in a
// row: 0 below OutageAfter, then a pause that doubles up to a minute. When it is over,
// one request tries again.
func OutagePause(failures int) time.Duration {
	if failures < OutageAfter {
		return 0
	}
	return min(firstOutPause<<min(failures-OutageAfter, 10), LongestOutagePause)
}

// Outage is somebody who does not answer.
type Outage struct {
	Credential string    // name of the operator's credential; "" for the authorization service itself
	Since      time.Time // of the first attempt that got no answer
}

// OutageStore keeps who does not answer. Settle writes it: see Settlement.Contact.
type OutageStore interface {
	// Outages lists who did not answer OutageAfter times in a row, the last time after
	// the moment: the service first, then by time.
	Outages(ctx context.Context, after time.Time) ([]Outage, error)
	// ServiceAnswers forgets that the service itself did not answer.
	ServiceAnswers(ctx context.Context) error
}

// Outages lists who does not answer now; it names no patient.
func (d *Desk) Outages(ctx context.Context) ([]Outage, error) {
	return d.config.Store.Outages(ctx, d.now().Add(-OutageShown))
}
