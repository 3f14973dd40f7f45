package desk

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

// Claim is one attempt that this process committed to make.
type Claim struct {
	Case           uuid.UUID
	Attempt        int // from 1
	Lease          uuid.UUID
	Deadline       time.Time
	UnknownOutcome bool   // the service may have acted on an earlier attempt
	SentTo         string // Service.Name at the attempt before; "" without one, or when nobody noted it
	LastReason     string // why the attempt before did not settle it
	Doubted        bool   // an attempt got no answer; false where the service said each time that it knows the request
	Heard          int    // earlier attempts that brought a whole answer, which settled nothing
	Unkeyed        bool   // an earlier attempt without the key may have been acted on: a key does not name that one
	Dispatch       authorization.Dispatch
	RequestID      string // of the browser's request that submitted
}

// Orphan is an attempt of a process that ended before it was settled.
type Orphan struct {
	Claim
	Exchange *authorization.Exchange // what the wire left behind, when that was committed
}

// QueueStore is the queue: a queued submission is its own outbox entry.
type QueueStore interface {
	// Expire refuses, as ReasonLate, what is queued beyond its deadline and was
	// certainly not acted on, and returns the cases.
	Expire(ctx context.Context) ([]uuid.UUID, error)
	// Claim commits due submissions as Sending, each with its next attempt at the service
	// under the lease, as many as the slots that the lease's attempts leave: those whose patient
	// is at the counter first, then as they came. Held ones are left alone, and in an
	// outage one goes where the pause is over. Their dispatches carry the key where the
	// recipient takes it.
	Claim(ctx context.Context, lease uuid.UUID, to Recipient, slots Slots) ([]Claim, error)
	// KeepExchange commits what an attempt left on the wire; it may be repeated.
	KeepExchange(ctx context.Context, c Claim, x authorization.Exchange) error
	// Settle commits what the attempt makes of the submission; problem.Conflict
	// when the submission is no longer on this attempt, problem.Damaged when its state is
	// damaged: then the attempt has ended. What is Derived need not wait for the disk: a
	// power cut leaves the attempt with its exchange, for TakeOver. It returns whether
	// anything stands in the queue by then.
	Settle(ctx context.Context, c Claim, s Settlement) (queued bool, err error)
	// Reschedule makes due now what was put into the queue at a moment that has not come
	// yet: the clock was wrong then.
	Reschedule(ctx context.Context) error
	// EndPauses makes due now what the service put off because it could not act (503).
	EndPauses(ctx context.Context) error
	// Release makes what is held due now, and returns how many those were.
	Release(ctx context.Context) (int, error)
	// ReleaseAccepted lets what is held go at the time of its next attempt, and returns
	// how many those were. Unless something was sent, it leaves what was refused for
	// its rights (http_403).
	ReleaseAccepted(ctx context.Context, sent bool) (int, error)
}

// Store is all that the desk keeps.
type Store interface {
	// ReadTogether runs fn with a context under which all that is read is of one moment; fn
	// writes nothing, and reads one thing after the other.
	ReadTogether(ctx context.Context, fn func(context.Context) error) error
	// ReadOn returns a context under which what is read before ReadTogether, by anybody of the same database, is
	// read with it where each way to the database is long. end ends that. name says what is read and by whom: it is
	// asked at once when it is read again; "" has nothing asked.
	ReadOn(ctx context.Context, name string) (on context.Context, end func())
	DraftStore
	PhoneStore
	SubmissionStore
	KnownStore
	UsualStore
	QueueStore
	LeaseStore
	DoubtStore
	FollowStore
	ActStore
	OutageStore
	CaseStore
}

// Run sends what is queued until ctx is done. It begins with Recover. Once ctx is done
// nothing new is claimed. What is on the wire gets most of Config.Shutdown to be answered;
// then its call is cut, and the case says that nobody knows what became of it.
func (d *Desk) Run(ctx context.Context) error {
	wire, final, stop := d.stages(ctx)
	defer stop()
	go d.keepLease(final)
	err := d.begin(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	var onWire sync.WaitGroup
	defer onWire.Wait()
	onWire.Go(func() { d.followDoubts(ctx) })
	onWire.Go(func() { d.followOpen(ctx) })
	defer d.awaitActs(final)
	d.learn(ctx)
	d.dispatch(ctx, wire, final, &onWire)
	return nil
}

// commitShare is the part of the time to stop that is left for commits when the requests
// on the wire have been cut.
const commitShare = 10

// stages returns the contexts in which a process stops: when ctx is done, requests on the
// wire go on under the first until most of the time is over, and commits about them
// under the second until all of it is.
func (d *Desk) stages(ctx context.Context) (wire, final context.Context, stop func()) {
	final, cancelFinal := context.WithCancel(context.WithoutCancel(ctx))
	wire, cancelWire := context.WithCancel(final)
	unhook := context.AfterFunc(ctx, func() {
		whole := d.config.Shutdown
		time.AfterFunc(whole-whole/commitShare, cancelWire)
		time.AfterFunc(whole, cancelFinal)
	})
	return wire, final, func() { unhook(); cancelWire(); cancelFinal() }
}

// begin settles what an earlier process left behind and sends what it held, for
// this process may have other settings.
func (d *Desk) begin(ctx context.Context) error {
	return retry.Commit(ctx, func(ctx context.Context) error {
		if err := d.Recover(ctx); err != nil {
			return err
		}
		if err := d.config.Store.Reschedule(ctx); err != nil {
			return fmt.Errorf("desk: reschedule: %w", err)
		}
		return d.ReleaseHeld(ctx)
	})
}

// dispatch claims what is due whenever something became due, a slot on the wire
// became free, or the poll interval is over. What is submitted meanwhile begins by itself
// where nothing waits.
func (d *Desk) dispatch(ctx, wire, final context.Context, onWire *sync.WaitGroup) {
	look := time.NewTicker(d.config.Poll)
	defer look.Stop()
	free := make(chan Claim) // for who has made an attempt: a new goroutine's stack grows with each
	attempt := func(c Claim) {
		d.watch.begin(c.Case)
		select {
		case free <- c:
		default:
			onWire.Go(func() { d.attempts(ctx, wire, final, c, free) })
		}
	}
	d.first.open(ctx.Done(), attempt)
	defer d.first.close()
	for due := d.due; ctx.Err() == nil; {
		claims, err := due(ctx)
		if err != nil && ctx.Err() == nil {
			d.config.Logger.ErrorContext(ctx, "look at the queue", "error", err)
		}
		for _, c := range claims {
			attempt(c)
		}
		select {
		case <-ctx.Done():
		case <-d.wake:
			due = d.claim
		case <-look.C:
			due = d.due
		}
	}
}

// attempts makes an attempt, and then others as they come, until ctx is done.
func (d *Desk) attempts(ctx, wire, final context.Context, c Claim, others <-chan Claim) {
	for {
		queued := d.attempt(wire, final, c)
		d.watch.end(c.Case)
		if queued { // what came meanwhile and found no slot
			d.wakeUp()
		}
		select {
		case c = <-others:
		case <-ctx.Done():
			return
		}
	}
}

// RunDue sends what is due now, one after the other, and returns when all of it is
// settled. It is for where Run does not.
func (d *Desk) RunDue(ctx context.Context) error {
	wire, final, stop := d.stages(ctx)
	defer stop()
	for {
		claims, err := d.due(ctx)
		if err != nil || len(claims) == 0 {
			return err
		}
		for _, c := range claims {
			d.attempt(wire, final, c)
		}
	}
}

// due takes over what other processes left, refuses what is too late and claims what is
// due. A clock that was put back would let pauses take for ever.
func (d *Desk) due(ctx context.Context) ([]Claim, error) {
	if err := d.config.Store.Reschedule(ctx); err != nil {
		return nil, err
	}
	if err := d.afterShortage(ctx); err != nil {
		return nil, err
	}
	if err := d.takeOver(ctx, false); err != nil {
		return nil, err
	}
	late, err := d.config.Store.Expire(ctx)
	if err != nil {
		return nil, err
	}
	for _, uid := range late {
		d.watch.changed(uid)
	}
	return d.claim(ctx)
}

// claim claims what is due.
func (d *Desk) claim(ctx context.Context) ([]Claim, error) {
	if err := d.holdLease(ctx); err != nil {
		return nil, err
	}
	return d.config.Store.Claim(ctx, d.lease.current(), d.recipient(), *d.slots.Load())
}

func (d *Desk) wakeUp() {
	select {
	case d.wake <- struct{}{}:
	default: // a wake-up is waiting already
	}
}

// Recover settles the attempts of processes that ended: an exchange that was kept
// is read, and the outcome of any other is a doubt.
func (d *Desk) Recover(ctx context.Context) error { return d.takeOver(ctx, d.config.OnlyProcess) }

// takeOver settles the attempts under leases that ran out; with only, those of all other
// processes. A process that goes on does not take from one that was started later.
func (d *Desk) takeOver(ctx context.Context, only bool) error {
	if err := d.holdLease(ctx); err != nil {
		return err
	}
	orphans, err := d.config.Store.TakeOver(ctx, d.lease.current(), only)
	if err != nil {
		return fmt.Errorf("desk: recover: %w", err)
	}
	var recourse authorization.Recourse
	var unasked error
	if len(orphans) > 0 {
		recourse, unasked = d.config.Service.Recourse(ctx)
	}
	var failed error
	for _, o := range orphans { // all of them: they are this process's now, and nobody takes them over again
		failed = errors.Join(failed, d.settleOrphan(ctx, o, recourse, unasked))
	}
	return failed
}

// settleOrphan settles an attempt that was taken over; unasked is why the service did not say what
// it offers.
func (d *Desk) settleOrphan(ctx context.Context, o Orphan, recourse authorization.Recourse, unasked error) (err error) {
	if o.Exchange != nil {
		_, err = d.conclude(ctx, ctx, new(blob.Batch), o.Claim, *o.Exchange)
	} else {
		s := Settlement{CaseState: CaseState{Reason: ReasonInterrupted}}
		_, err = d.commit(ctx, o.Claim, d.keepDoubt(o.Claim, s, recourse.Repeat || unasked != nil, d.askedTooOften(o.Claim, unasked)))
	}
	if err != nil && !problem.Is(err, problem.Conflict) && !problem.Is(err, problem.Damaged) {
		return fmt.Errorf("desk: recover case %s: %w", o.Case, err)
	}
	return nil
}

// AccessAccepted queues again what was held for want of the access with which the
// service has just answered a question.
func (d *Desk) AccessAccepted(ctx context.Context) error {
	if err := d.config.Store.ServiceAnswers(ctx); err != nil {
		return fmt.Errorf("desk: end an outage: %w", err)
	}
	return d.releaseAccepted(ctx, false)
}

// releaseAccepted wakes the dispatcher when something leaves. What is refused again is
// held again, and its pauses grow: an access that is good for questions alone does no harm.
func (d *Desk) releaseAccepted(ctx context.Context, sent bool) error {
	released, err := d.config.Store.ReleaseAccepted(ctx, sent)
	if err != nil {
		return fmt.Errorf("desk: release: %w", err)
	}
	if released > 0 {
		d.wakeUp()
	}
	return nil
}

// ReleaseHeld queues again what was held because the service did not accept the
// desk's access: after administração changed it, and at every start.
func (d *Desk) ReleaseHeld(ctx context.Context) error {
	if _, err := d.config.Store.Release(ctx); err != nil {
		return fmt.Errorf("desk: release: %w", err)
	}
	d.wakeUp()
	return nil
}
