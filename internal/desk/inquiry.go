package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

const (
	inquiredFor  = 30 * 24 * time.Hour // how long after it was submitted the service is asked about a request
	firstInquiry = 5 * time.Second     // first pause between two questions about a case
	lastInquiry  = 15 * time.Minute
	// absentAfter is how long after its last attempt a request cannot be under way any
	// more, so that a service that does not know it never got it.
	absentAfter = 10 * time.Minute
)

// inquiry is when to ask about a case again.
type inquiry struct {
	next  time.Time
	pause time.Duration
}

// followDoubts reads what was kept of Unknown cases once more, as a later version may
// understand it, and then asks the service about them until ctx is done.
func (d *Desk) followDoubts(ctx context.Context) {
	d.readAgain(ctx)
	look := time.NewTicker(d.config.Poll)
	defer look.Stop()
	plan := map[uuid.UUID]inquiry{}
	for ctx.Err() == nil {
		if err := d.askAgain(ctx, plan); err != nil && ctx.Err() == nil {
			d.config.Logger.ErrorContext(ctx, "ask about doubtful requests", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-look.C:
		}
	}
}

// readAgain reads the kept answers of what stands as Unknown.
func (d *Desk) readAgain(ctx context.Context) {
	var kept []Orphan
	err := retry.Commit(ctx, func(ctx context.Context) (err error) {
		kept, err = d.config.Store.KeptAnswers(ctx)
		return err
	})
	for _, o := range kept {
		if ctx.Err() != nil {
			return
		}
		err = errors.Join(err, d.readOneAgain(ctx, o))
	}
	if err != nil {
		d.config.Logger.ErrorContext(ctx, "read kept answers again", "error", err)
	}
}

func (d *Desk) readOneAgain(ctx context.Context, o Orphan) error {
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	outcome, err := d.interpret(ctx, *o.Exchange)
	if err != nil || outcome.Kind != authorization.OutcomeAnswered || len(outcome.Answer.Authorizations) == 0 {
		return nil // as unreadable as before
	}
	s := Settlement{}.answered(outcome.Answer)
	s.Event = EventReread
	return d.resolve(ctx, o.Claim, s)
}

// askAgain asks the service about the Unknown cases whose pause is over; what fails about one
// keeps no other waiting.
func (d *Desk) askAgain(ctx context.Context, plan map[uuid.UUID]inquiry) error {
	all, err := d.config.Store.InDoubt(ctx, d.now().Add(-inquiredFor))
	if err != nil {
		return err
	}
	due := d.dueInquiries(all, plan)
	if len(due) == 0 {
		return nil
	}
	recourse, err := d.config.Service.Recourse(ctx)
	if err != nil || !recourse.LookUp {
		return nil //nolint:nilerr // the service cannot tell now: asked again when their pauses are over
	}
	var failed error
	for _, uid := range due {
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the desk is stopping
		}
		if err := d.ask(ctx, uid, recourse); err != nil {
			failed = errors.Join(failed, fmt.Errorf("desk: ask about case %s: %w", uid, err))
		}
	}
	return failed
}

// dueInquiries returns what to ask now and plans when to ask again; what no longer is a
// doubt leaves the plan.
func (d *Desk) dueInquiries(all []uuid.UUID, plan map[uuid.UUID]inquiry) (due []uuid.UUID) {
	now, stands := d.now(), make(map[uuid.UUID]bool, len(all))
	for _, uid := range all {
		stands[uid] = true
		p := plan[uid]
		if pauses(now, p.next, p.pause) {
			continue
		}
		p.pause = min(max(2*p.pause, firstInquiry), lastInquiry)
		p.next = now.Add(p.pause)
		plan[uid] = p
		due = append(due, uid)
	}
	for uid := range plan {
		if !stands[uid] {
			delete(plan, uid)
		}
	}
	return due
}

// ask asks about one case. What the service does not tell is asked again later.
func (d *Desk) ask(ctx context.Context, uid uuid.UUID, recourse authorization.Recourse) error {
	doubt, err := d.config.Store.Doubt(ctx, uid)
	if problem.Is(err, problem.NotFound) {
		return nil // decided meanwhile
	}
	if err != nil {
		return err
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	answer, err := d.config.Service.FindByProviderGuide(ctx, doubt.ProviderGuide)
	switch {
	case err != nil:
		return nil
	case isAbout(answer, doubt.ProviderGuide):
		return d.resolve(ctx, Claim{Case: doubt.Case, Attempt: doubt.Attempt}, Settlement{}.found(answer))
	case len(answer.Authorizations) > 0, len(answer.Errors) > 0, !d.isAbsent(doubt, recourse):
		return nil
	}
	err = d.config.Store.NoteAbsent(ctx, doubt.Case)
	if problem.Is(err, problem.NotFound) {
		return nil // no longer Unknown
	}
	return err
}

// isAbsent reports whether a service that does not know a request can say that it never
// got it: it is the one that was asked, and nothing of the request can be under way.
func (d *Desk) isAbsent(doubt Doubt, recourse authorization.Recourse) bool {
	return doubt.Reason != ReasonAbsent && doubt.Reason != ReasonRestored && !recourse.Since.IsZero() &&
		doubt.SentAt.After(recourse.Since) && d.now().Sub(doubt.SentAt) >= absentAfter
}
