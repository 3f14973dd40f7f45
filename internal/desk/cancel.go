package desk

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// MaxCancelReason is how long the reason of a cancelling may be, in characters.
const MaxCancelReason = 500

// Cancellation is what a person says to have an authorization cancelled.
type Cancellation struct {
	Authorization int // place in the answer
	Answers       int // that the case had when the person saw it
	Reason        string
}

// cancellable are the statuses from which an authorization can be cancelled (interface.md,
// row 19).
var cancellable = []authorization.Status{authorization.Authorized, authorization.PartiallyAuthorized, authorization.AwaitingExecution,
	authorization.UnderAnalysis, authorization.AwaitingAttachment, authorization.AwaitingBiometrics}

// Cancellable are the places of the authorizations that the operator can be asked to cancel
// through the service; none where that does not offer it.
func (d *Desk) Cancellable(c Case) (places []int) {
	if !d.Offers().Cancellation || c.Answer == nil {
		return nil
	}
	for i, a := range c.Answer.Authorizations {
		if d.takesActs(c, i) && slices.Contains(cancellable, a.Status) {
			places = append(places, i)
		}
	}
	return places
}

// Cancel asks the operator through the service to cancel an authorization, once: it is
// committed before anything leaves, and what the service answers is another answer of the case.
// What is wrong with the reason is problem.Invalid; a case that stands otherwise by now is
// problem.Conflict.
func (d *Desk) Cancel(ctx context.Context, a permission.Actor, uid uuid.UUID, ask Cancellation) error {
	if err := a.Require(permission.CancelAuthorizations); err != nil {
		return err
	}
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return err
	}
	if ask.Answers != len(c.Answers) || !slices.Contains(d.Cancellable(c), ask.Authorization) {
		return errNotNow()
	}
	ask.Reason = strings.TrimSpace(ask.Reason)
	if err := problem.InvalidFields(tooLong("motivo", ask.Reason, MaxCancelReason)); err != nil {
		return err
	}
	return d.act(ctx, a, c, Act{Kind: ActCancel, Place: ask.Authorization, Reason: ask.Reason}, audit.CancellationAsked,
		func(ctx context.Context, act Act) (authorization.Authorization, error) {
			return d.config.Service.Cancel(ctx, act.onWire(), act.Reason)
		})
}
