package desk

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Doubt is a submission that stands as Unknown.
type Doubt struct {
	Case          uuid.UUID
	Attempt       int // the latest
	ProviderGuide string
	SentAt        time.Time // when the latest attempt began
	Reason        string
}

// DoubtStore keeps what became of doubtful submissions.
type DoubtStore interface {
	// InDoubt lists what stands as Unknown and was submitted after the moment, newest
	// first. What the service knows with another request (AlertConflict) is left out: its
	// number names somebody else's authorization.
	InDoubt(ctx context.Context, after time.Time) ([]uuid.UUID, error)
	// Doubt returns one of them; problem.NotFound when it is none any more, or damaged.
	Doubt(ctx context.Context, uid uuid.UUID) (Doubt, error)
	// KeptAnswers lists the complete answers of what stands as Unknown.
	KeptAnswers(ctx context.Context) ([]Orphan, error)
	// Resolve commits what was found out about an Unknown submission; problem.Conflict
	// when it no longer is one.
	Resolve(ctx context.Context, c Claim, s Settlement) error
	// NoteAbsent notes of an Unknown submission that the service says it never got it.
	NoteAbsent(ctx context.Context, uid uuid.UUID) error
}

// askedOften is how many attempts of a request may bring a whole answer that ends nothing,
// which the service repeats byte for byte, and how many are made at least of one whose
// service cannot be asked what it offers; askedFor is how long those go on at least: a
// service that is away for a moment has not said that it cannot tell.
const (
	askedOften = 6
	askedFor   = 2 * time.Minute
)

// doubt settles an attempt that may have been acted on. The service is asked by number at
// once; else the same request goes out again with its key, or the case is Unknown.
func (d *Desk) doubt(ctx context.Context, c Claim, s Settlement, heard bool) Settlement {
	recourse, err := d.config.Service.Recourse(ctx)
	if err == nil && recourse.LookUp {
		if found, ok := d.findOut(ctx, c); ok {
			return found
		}
	}
	return d.keepDoubt(c, s, recourse.Repeat || err != nil, heard && c.Heard+1 >= askedOften || d.askedTooOften(c, err))
}

// askedTooOften reports whether a service that cannot be asked what it offers has had its
// attempts and its time.
func (d *Desk) askedTooOften(c Claim, err error) bool {
	submitted := c.Deadline.Add(-d.deadline())
	return err != nil && c.Attempt >= askedOften && d.now().Sub(submitted) >= askedFor
}

// keepDoubt queues a doubtful request again where its key makes that safe or may turn out
// to, until its deadline or until it was tried too often.
func (d *Desk) keepDoubt(c Claim, s Settlement, safe, tooOften bool) Settlement {
	if !safe || tooOften || !d.now().Before(c.Deadline) {
		return s.unknown()
	}
	s.Event, s.UnknownOutcome = EventDoubted, true
	return d.queueAgain(s, c, 0)
}

// findOut asks by number what became of a request, and returns its settlement when the
// service tells.
func (d *Desk) findOut(ctx context.Context, c Claim) (Settlement, bool) {
	guide := c.Dispatch.Request.ProviderGuide
	answer, err := d.config.Service.FindByProviderGuide(ctx, guide)
	switch {
	case err != nil:
		return Settlement{}, false // still being answered, too
	case isAbout(answer, guide):
		return Settlement{}.found(answer), true
	case len(answer.Authorizations) == 0 && len(answer.Errors) > 0 && !answer.Success:
		return Settlement{}.refused(authorization.Outcome{Answer: authorization.Answer{Errors: answer.Errors}}), true
	}
	return Settlement{}, false
}

// isAbout reports whether an answer has authorizations, all of the given number: a
// service that does not look at the question must not authorize anything.
func isAbout(answer authorization.Answer, guide string) bool {
	for _, a := range answer.Authorizations {
		if a.ProviderGuide != guide {
			return false
		}
	}
	return len(answer.Authorizations) > 0
}

func (s Settlement) found(answer authorization.Answer) Settlement {
	s = s.answered(answer)
	s.Event = EventFound
	return s
}

// repeat decides about a claim whose earlier attempt may have been acted on, before
// anything of it leaves again; false when it is to be sent. A service that only said that
// it is still answering (em_processamento) knows the request, and may get it again.
// Another service never gets it.
func (d *Desk) repeat(ctx context.Context, c Claim) (Settlement, bool) {
	if !c.UnknownOutcome {
		return Settlement{}, false
	}
	s := Settlement{CaseState: CaseState{Reason: c.LastReason}}
	if c.SentTo != "" && c.SentTo != d.config.Service.Name() {
		s.Reason = ReasonElsewhere
		return s.unknown(), true
	}
	if !c.Doubted {
		return Settlement{}, false
	}
	recourse, err := d.config.Service.Recourse(ctx)
	if err != nil {
		return d.keepDoubt(c, s, true, d.askedTooOften(c, err)), true
	}
	if recourse.LookUp {
		if found, ok := d.findOut(ctx, c); ok {
			return found, true
		}
	}
	if late := !d.now().Before(c.Deadline); late || !recourse.Repeat || c.Unkeyed {
		if late {
			s.Reason = ReasonNoAnswer
		}
		return s.unknown(), true
	}
	return Settlement{}, false
}

// resolve commits what was found out about a case that stands as Unknown. One that
// somebody decided about meanwhile stays as it is.
func (d *Desk) resolve(ctx context.Context, c Claim, s Settlement) error {
	s.At, s.Simulated, s.Follow = d.now(), s.Simulated || d.config.Simulated(), d.followAt(s)
	err := d.config.Store.Resolve(ctx, c, s)
	if err == nil {
		d.watch.changed(c.Case)
	}
	if problem.Is(err, problem.Conflict) {
		return nil
	}
	return err
}
