package desk

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/requestid"
	"guiche/internal/retry"
)

// attempt makes one attempt: send, keep the raw exchange, read it, settle. No
// transaction is open while the request is on the wire, and no answer is read
// before it is stored. Damaged attachments are found before the first byte leaves. It returns
// whether something may stand in the queue that its slot is free for.
func (d *Desk) attempt(wire, final context.Context, c Claim) (queued bool) {
	wire, hold := d.config.Blobs.Hold(wire)
	defer hold.End()
	if c.Dispatch.Line != nil {
		defer c.Dispatch.Line.Close()
	}
	if s, settled := d.repeat(wire, c); settled {
		queued, err := d.commit(final, c, s)
		if err != nil {
			d.config.Logger.ErrorContext(final, "settle a doubt", "case", c.Case, "attempt", c.Attempt, "error", err)
		}
		return queued || err != nil
	}
	raw := new(blob.Batch) // the answer, which waits for the disk with the row that names it
	exchange, damaged := d.exchange(raw.In(wire), c)
	err := retry.Commit(final, func(ctx context.Context) error { return d.config.Store.KeepExchange(raw.In(ctx), c, exchange) })
	switch {
	case err != nil:
	case len(damaged) > 0:
		queued, err = d.commit(final, c, damage(c, damaged))
	default:
		raw.Written()
		queued, err = d.conclude(wire, final, raw, c, exchange)
	}
	if err != nil {
		d.config.Logger.ErrorContext(final, "settle an attempt", "case", c.Case, "attempt", c.Attempt, "error", err)
	}
	return queued || err != nil
}

// exchange makes the request ready and sends it. One whose attachments cannot be read now, or
// are damaged, does not leave.
func (d *Desk) exchange(ctx context.Context, c Claim) (authorization.Exchange, []problem.Field) {
	started := d.now()
	damaged, err := d.damagedAttachments(ctx, c.Case, c.Dispatch.Request.Attachments)
	if err != nil || len(damaged) > 0 {
		d.config.Logger.WarnContext(ctx, "attachments are not ready", "case", c.Case, "attempt", c.Attempt, "damaged", len(damaged),
			"error", err)
		return authorization.Exchange{StartedAt: started, EndedAt: d.now(), Failure: authorization.FailureLocal}, damaged
	}
	c.Dispatch.UnknownOutcome = c.UnknownOutcome
	c.Dispatch.Ready = func() error { return d.mayBegin(ctx, c) }
	return d.config.Service.Send(requestid.With(ctx, c.RequestID), c.Dispatch), nil
}

// conclude reads a kept exchange and settles its submission. The PDFs of its answer are
// held until rows name them; small ones are left to the batch, which may have the raw answer still.
// What the service is asked about a doubt ends with wire. It returns whether anything stands in the
// queue by then.
func (d *Desk) conclude(wire, ctx context.Context, batch *blob.Batch, c Claim, x authorization.Exchange) (queued bool, err error) {
	ctx, hold := d.config.Blobs.Hold(blob.WaitForSpace(ctx, ctx))
	defer hold.End()
	ctx = batch.In(ctx)
	outcome, err := d.interpret(ctx, x)
	if err != nil {
		d.config.Logger.ErrorContext(ctx, "read an answer", "case", c.Case, "attempt", c.Attempt, "error", err)
		outcome = authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: ReasonUnreadable}
	}
	outcome = outcome.OfRepetition(c.UnknownOutcome, x.HTTPStatus)
	d.config.Concluded(outcome.Kind)
	s := d.settle(c, outcome)
	s.Derived = outcome.Kind != authorization.OutcomeUnknown // nobody else was asked
	if outcome.Kind == authorization.OutcomeUnknown && s.State == Unknown {
		s = d.doubt(wire, c, s, x.Complete && x.HTTPStatus/100 == 2)
	}
	s.Contact = contactOf(x, outcome)
	queued, err = d.commit(ctx, c, s)
	if problem.Is(err, problem.Conflict) && s.State == Answered { // others took it for lost
		return true, d.resolve(ctx, c, s)
	}
	if errors.Is(err, problem.ErrPermanent) { // what was read of it cannot be kept; the raw answer is
		d.config.Logger.ErrorContext(ctx, "keep an answer", "case", c.Case, "attempt", c.Attempt, "error", err)
		outcome = authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: ReasonUnreadable}
		queued, err = d.commit(ctx, c, d.settle(c, outcome))
	}
	if err == nil && queued && (outcome.Kind == authorization.OutcomeAnswered || outcome.Kind == authorization.OutcomeRefused) {
		err = d.releaseAccepted(ctx, true)
	}
	return queued, err
}

// interpret turns a panic about an answer into an error: otherwise the same stored
// answer would end the program at every start.
func (d *Desk) interpret(ctx context.Context, x authorization.Exchange) (_ authorization.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("desk: interpret: panic of type %T", p)
		}
	}()
	return d.config.Service.Interpret(ctx, x)
}

func (d *Desk) commit(ctx context.Context, c Claim, s Settlement) (queued bool, err error) {
	s = s.at(d.now())
	s.Simulated, s.Follow = s.Simulated || d.config.Simulated(), d.followAt(s)
	err = retry.Commit(ctx, func(ctx context.Context) error {
		queued, err = d.config.Store.Settle(ctx, c, s)
		return err
	})
	if err == nil || problem.Is(err, problem.Damaged) { // it ended, as damaged
		d.watch.tell(c.Case, err == nil && !s.State.Pending())
	}
	return queued, err
}
