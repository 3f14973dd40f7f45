package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// How open cases are followed. Most operators decide within minutes or within a day, so
// questions are frequent first and rare later. They are few at a time and use no slot of
// requests, so that nobody waits for an answer because of them.
const (
	followedFor       = 30 * 24 * time.Hour // after the last change
	lastFollow        = time.Hour           // longest pause while the operator has not decided
	firstDecided      = time.Hour           // first pause once it has: only an execution or a cancellation follows
	lastDecided       = 24 * time.Hour
	followsAtOnce     = 4
	followsOfOne      = 2               // of them about one credential
	followTime        = 4 * time.Minute // that one case may take
	followLease       = 5 * time.Minute // how long no other process asks about the same case
	followQuiet       = time.Minute     // pause about a credential, after a question that was not answered
	longestRetryAfter = time.Hour
)

// earlyFollows are the first pauses between questions about a case.
var earlyFollows = []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute}

// LongestFollowPause is the longest pause between two questions: what is due later was
// planned by a clock that was wrong.
const LongestFollowPause = lastDecided

// Followed is an open case that this process asks the service about.
type Followed struct {
	Case          uuid.UUID
	Credential    uuid.UUID
	Attempt       int // the latest
	ProviderGuide string
	Tries         int                           // questions since the last change
	Answers       int                           // that the case has
	InForce       authorization.Answer          // the latest
	Said          []authorization.Authorization // the service's own last word for each of InForce; zero where only a person spoke
	Until         time.Time                     // when the lease ends; names it
}

// FollowStore keeps which cases are followed.
type FollowStore interface {
	// FollowsDue reports whether a case is due.
	FollowsDue(ctx context.Context) (bool, error)
	// Follow leases the case that is due longest of those sent to the service, false
	// without one. Those of some credentials, and in an outage, are left alone.
	Follow(ctx context.Context, service string, until time.Time, except []uuid.UUID) (Followed, bool, error)
	// KeepLook ends the lease: the case is due again at the moment, zero for never. asked
	// is when the service told that nothing is new, zero when it did not tell.
	KeepLook(ctx context.Context, f Followed, asked, due time.Time) error
	// KeepUpdate ends the lease with another answer; problem.Conflict when the lease was
	// lost, or somebody recorded something meanwhile.
	KeepUpdate(ctx context.Context, f Followed, s Settlement) error
	// RescheduleFollowed makes due what is planned after the latest moment that it may be, and
	// leaves off what has not changed since the other.
	RescheduleFollowed(ctx context.Context, latest, changedBefore time.Time) error
	// FollowAgain makes due what was left off at a moment that has not come yet: the clock was
	// wrong then.
	FollowAgain(ctx context.Context) error
}

// followPause is how long to wait before the next question about an answer.
func followPause(a authorization.Answer, tries int) time.Duration {
	switch {
	case !a.Awaited():
		return min(lastDecided, firstDecided<<min(tries, 10))
	case tries < len(earlyFollows):
		return earlyFollows[tries]
	}
	return lastFollow
}

// pause is how long to wait after a question that brought nothing new. What a person
// recorded may be ahead of the service's own word.
func (f Followed) pause() time.Duration {
	word := authorization.Answer{Authorizations: f.Said}
	if !slices.ContainsFunc(f.Said, wasSaid) {
		word = f.InForce
	}
	return followPause(word, f.Tries+1)
}

// followAt is when the service is first asked about what was just answered; zero when
// nothing of it can change.
func (d *Desk) followAt(s Settlement) time.Time {
	if s.State != Answered || s.Answer == nil || !s.Answer.Open() {
		return time.Time{}
	}
	return d.now().Add(followPause(*s.Answer, 0))
}

// follower is who is asked about now, and who is left alone for a while.
type follower struct {
	mu          sync.Mutex
	asking      map[uuid.UUID]int       // by credential
	all         int                     // of them
	quiet       map[uuid.UUID]time.Time // until when nothing is asked about a credential
	pause       time.Time               // until when nothing is asked
	rescheduled time.Time               // when it was last looked for what was planned wrongly
	changed     chan struct{}           // a place became free
}

func newFollower() *follower {
	return &follower{asking: map[uuid.UUID]int{}, quiet: map[uuid.UUID]time.Time{}, changed: make(chan struct{}, 1)}
}

// closed returns the credentials about which nothing is asked now; false when nothing is
// asked at all.
func (f *follower) closed(now time.Time) (except []uuid.UUID, some bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all >= followsAtOnce || pauses(now, f.pause, longestRetryAfter) {
		return nil, false
	}
	for credential, n := range f.asking {
		if n >= followsOfOne {
			except = append(except, credential)
		}
	}
	for credential, until := range f.quiet {
		if !pauses(now, until, followQuiet) {
			delete(f.quiet, credential)
			continue
		}
		except = append(except, credential)
	}
	return except, true
}

// pauses reports whether a pause of at most so long is not over. One that goes on for longer was
// planned by a clock that was put back since.
func pauses(now, until time.Time, atMost time.Duration) bool {
	left := until.Sub(now)
	return 0 < left && left <= atMost
}

func (f *follower) begin(credential uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all++
	f.asking[credential]++
}

// end frees the place, and leaves alone for a while who did not answer.
func (f *follower) end(credential uuid.UUID, now time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all--
	if f.asking[credential]--; f.asking[credential] == 0 {
		delete(f.asking, credential)
	}
	var busy *authorization.Busy
	switch {
	case errors.As(err, &busy):
		f.pause = now.Add(min(max(busy.After, followQuiet), longestRetryAfter))
	case problem.Is(err, problem.Unavailable), problem.Is(err, problem.Throttled):
		f.quiet[credential] = now.Add(followQuiet)
	}
	select {
	case f.changed <- struct{}{}:
	default: // told already
	}
}

// followOpen asks the service about open cases until ctx is done.
func (d *Desk) followOpen(ctx context.Context) {
	look := time.NewTicker(d.config.Poll)
	defer look.Stop()
	var asking sync.WaitGroup
	defer asking.Wait()
	for ctx.Err() == nil {
		if err := d.startLooks(ctx, asking.Go); err != nil && ctx.Err() == nil {
			d.config.Logger.ErrorContext(ctx, "follow open cases", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-d.follower.changed:
		case <-look.C:
		}
	}
}

// FollowDue asks about the open cases that are due, one after the other. It is for where
// Run does not.
func (d *Desk) FollowDue(ctx context.Context) error {
	for {
		started := false
		err := d.startLooks(ctx, func(ask func()) { started = true; ask() })
		if err != nil || !started {
			return err
		}
	}
}

// startLooks asks about what is due, as far as there are places.
func (d *Desk) startLooks(ctx context.Context, start func(func())) error {
	if err := d.rescheduleFollowed(ctx); err != nil {
		return err
	}
	f := d.follower
	except, some := f.closed(d.now())
	if !some {
		return nil
	}
	if due, err := d.config.Store.FollowsDue(ctx); !due || err != nil {
		return err
	}
	recourse, err := d.config.Service.Recourse(ctx)
	if err != nil || !recourse.Status {
		f.rest(d.now().Add(followQuiet))
		return nil //nolint:nilerr // the service cannot tell now: asked again in a while
	}
	for ; some && ctx.Err() == nil; except, some = f.closed(d.now()) {
		c, found, err := d.config.Store.Follow(ctx, d.config.Service.Name(), d.now().Add(followLease), except)
		if err != nil || !found {
			return err
		}
		f.begin(c.Credential)
		start(func() { f.end(c.Credential, d.now(), d.look(ctx, c, recourse)) })
	}
	return nil
}

// rest has nothing asked until then.
func (f *follower) rest(until time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pause = until
}

// dueToReschedule reports whether it is time to look for what was planned wrongly, and whether the
// clock may have been put back since the look before.
func (f *follower) dueToReschedule(now time.Time) (due, putBack bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ago := now.Sub(f.rescheduled); ago >= 0 && ago < time.Minute {
		return false, false
	}
	putBack = f.rescheduled.IsZero() || now.Before(f.rescheduled)
	f.rescheduled = now
	return true, putBack
}

// rescheduleFollowed looks from time to time for what a wrong clock put off, for what is open
// for too long, and for reviews that are overdue.
func (d *Desk) rescheduleFollowed(ctx context.Context) error {
	now := d.now()
	due, putBack := d.follower.dueToReschedule(now)
	if !due {
		return nil
	}
	if putBack { // first: what is too old all the same is left off anew
		if err := d.config.Store.FollowAgain(ctx); err != nil {
			return fmt.Errorf("desk: follow again: %w", err)
		}
	}
	if err := d.config.Store.RescheduleFollowed(ctx, now.Add(LongestFollowPause), now.Add(-followedFor)); err != nil {
		return fmt.Errorf("desk: follow: %w", err)
	}
	if err := d.config.Store.ReturnReviews(ctx); err != nil {
		return fmt.Errorf("desk: reviews: %w", err)
	}
	return nil
}

// look asks about one case and commits what the service told. What it returns is why it
// did not tell.
func (d *Desk) look(ctx context.Context, f Followed, recourse authorization.Recourse) error {
	asking, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	asking, hold := d.config.Blobs.Hold(asking)
	defer hold.End()
	asked := d.now()
	news, changed, unanswered := d.askStatus(asking, f, recourse)
	var err error
	switch {
	case unanswered != nil:
		err = d.config.Store.KeepLook(ctx, f, time.Time{}, d.now().Add(f.pause()))
	case changed:
		err = d.keepUpdate(ctx, f, news)
	default:
		err = d.config.Store.KeepLook(ctx, f, asked, d.now().Add(f.pause()))
	}
	if err != nil && ctx.Err() == nil {
		d.config.Logger.ErrorContext(ctx, "keep what a followed case brought", "case", f.Case, "error", err)
	}
	return unanswered
}

// keepUpdate adds what the operator changed as the answer in force. Where somebody
// recorded something meanwhile, the service is asked again when the lease is over.
func (d *Desk) keepUpdate(ctx context.Context, f Followed, news authorization.Answer) error {
	s := Settlement{}.answered(news)
	s.Event, s.At, s.Follow = EventUpdated, d.now(), d.followAt(s)
	err := d.config.Store.KeepUpdate(ctx, f, s)
	if problem.Is(err, problem.Conflict) {
		return nil
	}
	if err == nil {
		d.watch.changed(f.Case)
	}
	return err
}

// What is no word about the authorization that was asked for.
var (
	errForeignStatus = problem.Wrap(problem.Unavailable, "O serviço de autorização respondeu sobre outra guia.",
		errors.New("desk: the status of another authorization"))
	errNoStatus = problem.Wrap(problem.Unavailable, "O serviço de autorização respondeu sem dizer a situação da guia.",
		errors.New("desk: an authorization without a status"))
)

// askStatus asks how each authorization stands and returns the answer as it is now. Those
// without an identifier are asked for by number.
func (d *Desk) askStatus(ctx context.Context, f Followed, recourse authorization.Recourse) (authorization.Answer, bool, error) {
	now := make([]authorization.Authorization, len(f.Said))
	byNumber := false
	for i, said := range f.Said {
		switch {
		case said.GuideID == "":
			byNumber = true
		case said.Status.Info().Final:
			now[i] = said
		default:
			var err error
			if now[i], err = d.config.Service.Status(ctx, said.GuideID); err != nil {
				return authorization.Answer{}, false, err
			}
			if err := checkStatus(now[i], said.GuideID, f.ProviderGuide); err != nil {
				return authorization.Answer{}, false, err
			}
		}
	}
	if byNumber && recourse.LookUp {
		found, err := d.config.Service.FindByProviderGuide(ctx, f.ProviderGuide)
		if err != nil {
			return authorization.Answer{}, false, err
		}
		if isAbout(found, f.ProviderGuide) {
			return f.found(found)
		}
	}
	answer, changed := f.changed(now)
	return answer, changed, nil
}

// checkStatus refuses a status that is none, or not of the authorization that was asked for, as
// far as it names one. Its identifier is a UUID, which has no case.
func checkStatus(a authorization.Authorization, guideID, providerGuide string) error {
	switch {
	case a.GuideID != "" && !strings.EqualFold(a.GuideID, guideID), a.ProviderGuide != "" && a.ProviderGuide != providerGuide:
		return errForeignStatus
	case a.Status == "":
		return errNoStatus
	}
	return nil
}

// found is what a look by number brings: the whole answer where the service had told
// nothing before.
func (f Followed) found(found authorization.Answer) (authorization.Answer, bool, error) {
	if len(found.Authorizations) != len(f.Said) || !slices.ContainsFunc(f.Said, wasSaid) {
		return found, true, nil
	}
	answer, changed := f.changed(authorization.InOrder(f.Said, found.Authorizations))
	return answer, changed, nil
}

func wasSaid(a authorization.Authorization) bool { return a.Status != "" }

// changed puts in place of the answer in force what the service tells otherwise than it
// told last: what a person recorded stands until then. PDFs of all guides are of earlier.
func (f Followed) changed(now []authorization.Authorization) (authorization.Answer, bool) {
	answer := authorization.Answer{Success: true, Authorizations: slices.Clone(f.InForce.Authorizations)}
	changed := false
	for i, said := range f.Said {
		if !wasSaid(now[i]) {
			continue
		}
		if next := said.Then(now[i]); !next.Same(said) {
			answer.Authorizations[i], changed = next, true
		}
	}
	return answer, changed
}
