package desk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

var lookUp, repeats = authorization.Recourse{LookUp: true}, authorization.Recourse{Repeat: true}

func (s *service) Recourse(context.Context) (authorization.Recourse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.learned++
	return s.recourse, s.recourseErr
}

// setRecourse is for while a desk runs.
func (s *service) setRecourse(r authorization.Recourse) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recourse = r
}

func (s *service) Keyed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recourse.Repeat
}

func (s *service) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

func (s *service) FindByProviderGuide(_ context.Context, guide string) (authorization.Answer, error) {
	s.mu.Lock()
	s.asked++
	onFind := s.onFind
	s.mu.Unlock()
	if onFind != nil {
		onFind()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[guide], s.findGuide
}

func (s *service) Status(_ context.Context, guideID string) (authorization.Authorization, error) {
	s.mu.Lock()
	s.looked = append(s.looked, guideID)
	onStatus := s.onStatus
	s.mu.Unlock()
	if onStatus != nil {
		onStatus()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.standing[guideID], s.statusErr
}

// Know makes the service tell of every request with the answer.
func (s *service) Know(guide string, answer authorization.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = map[string]authorization.Answer{guide: answer}
	for i := range answer.Authorizations {
		answer.Authorizations[i].ProviderGuide = guide
	}
}

// MustTell waits for an event of a kind.
func (f *fixture) MustTell(tb testing.TB, kind desk.EventKind) {
	tb.Helper()
	eventually(tb, func() string {
		if f.count(tb, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(kind)) == 0 {
			return "no event " + string(kind)
		}
		return ""
	})
}

// TestDesk_DoubtFound: a request without an answer is asked for by number before the case
// is settled.
func TestDesk_DoubtFound(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse = lookUp
	uid := f.MustSubmit(t, ana, nil)
	f.service.Know(f.MustCase(t, uid).ProviderGuide, answered("A").Answer)
	f.MustRun(t)
	if got := f.MustBecome(t, uid, desk.Answered); got.Origin != desk.OriginOperator || got.Status != "A" {
		t.Errorf("got %+v, want the operator's answer", got)
	}
	f.MustTell(t, desk.EventFound)
	if n := len(f.service.Sent()); n != 1 {
		t.Errorf("sent %d times, want 1", n)
	}
}

// TestDesk_DoubtForeign: an authorization of another number authorizes nothing.
func TestDesk_DoubtForeign(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse = lookUp
	uid := f.MustSubmit(t, ana, nil)
	guide := f.MustCase(t, uid).ProviderGuide
	for _, number := range []string{"", "26112010000012300001"} {
		answer := answered("A").Answer
		f.service.Know(guide, answer)
		answer.Authorizations[0].ProviderGuide = number
		stop := f.MustRun(t)
		f.MustBecome(t, uid, desk.Unknown)
		stop()
		f.MustOpen(t)
	}
}

// TestDesk_DoubtRefused: errors of a look-up are those of the request only where the service
// says that it failed.
func TestDesk_DoubtRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		success bool
		want    desk.State
	}{"Failed": {false, desk.Refused}, "Remark": {true, desk.Unknown}} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
			f.service.recourse = lookUp
			uid := f.MustSubmit(t, ana, nil)
			f.service.Know(f.MustCase(t, uid).ProviderGuide, authorization.Answer{Success: c.success,
				Errors: []authorization.AnswerError{{Message: "Carteira suspensa."}}})
			f.MustRun(t)
			f.MustBecome(t, uid, c.want)
		})
	}
}

// TestDesk_DoubtAsked: what stands without an answer is asked about again with growing
// pauses, and at every start.
func TestDesk_DoubtAsked(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"Later": false, "NextStart": true} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
			f.service.recourse, f.service.findGuide = lookUp, problem.New(problem.Conflict, "Ainda não.")
			uid := f.MustSubmit(t, ana, nil)
			stop := f.MustRun(t)
			f.MustBecome(t, uid, desk.Unknown)
			f.service.mu.Lock()
			f.service.findGuide = nil
			f.service.mu.Unlock()
			f.service.Know(f.MustCase(t, uid).ProviderGuide, answered("R").Answer)
			if restart {
				stop()
				f.MustOpen(t)
				f.MustRun(t)
			}
			f.clock.Advance(10 * time.Second)
			f.MustBecome(t, uid, desk.Answered)
		})
	}
}

// unreadDoubt is a store that fails to read the doubt about one case.
type unreadDoubt struct {
	desk.Store
	about uuid.UUID
}

func (s *unreadDoubt) Doubt(ctx context.Context, uid uuid.UUID) (desk.Doubt, error) {
	if uid == s.about {
		return desk.Doubt{}, errDisk
	}
	return s.Store.Doubt(ctx, uid)
}

// TestDesk_DoubtAsked_OneFails: what fails about one case keeps no other from being asked about.
func TestDesk_DoubtAsked_OneFails(t *testing.T) {
	t.Parallel()
	store := &unreadDoubt{}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse, f.service.findGuide = lookUp, problem.New(problem.Conflict, "Ainda não.")
	older, newer := f.MustSubmit(t, ana, nil), f.MustSubmit(t, ana, nil)
	stop := f.MustRun(t)
	f.MustBecome(t, older, desk.Unknown)
	f.MustBecome(t, newer, desk.Unknown)
	stop()
	store.about, f.service.findGuide = newer, nil
	f.service.Know(f.MustCase(t, older).ProviderGuide, answered("A").Answer)
	f.clock.Advance(time.Hour)
	stop = f.MustRun(t)
	f.MustBecome(t, older, desk.Answered)
	stop()
	if got := f.log.String(); !strings.Contains(got, errDisk.Error()) {
		t.Errorf("the log says %q, want what failed", got)
	}
}

// TestDesk_DoubtAbsent: what the service never got is said so once nothing of it can be
// under way, by the service that was asked; nothing leaves by itself.
func TestDesk_DoubtAbsent(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse = authorization.Recourse{LookUp: true, Since: f.clock.Now().Add(-time.Minute)}
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != "corte" {
		t.Errorf("at once: got reason %q, want that it may be under way", got.Reason)
	}
	f.clock.Advance(10 * time.Minute)
	f.MustTell(t, desk.EventAbsent)
	if c := f.MustCase(t, uid); c.State != desk.Unknown || c.Reason != desk.ReasonAbsent {
		t.Errorf("got %+v, want that it never arrived", c.CaseState)
	}
	f.service.Know(f.MustCase(t, uid).ProviderGuide, answered("A").Answer)
	f.clock.Advance(time.Hour)
	f.MustBecome(t, uid, desk.Answered)
	n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(desk.EventAbsent))
	if n != 1 || len(f.service.Sent()) != 1 {
		t.Errorf("told %d times and sent %d times, want once each", n, len(f.service.Sent()))
	}
}

// TestDesk_DoubtAbsent_Another: a service that answers with what belongs to another request
// does not say that it never got this one.
func TestDesk_DoubtAbsent_Another(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse = authorization.Recourse{LookUp: true, Since: f.clock.Now().Add(-time.Minute)}
	uid := f.MustSubmit(t, ana, nil)
	answer := answered("A").Answer
	f.service.Know(f.MustCase(t, uid).ProviderGuide, answer)
	answer.Authorizations[0].ProviderGuide = "26112010000012300001"
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Unknown)
	for range 2 { // when it is asked once more, what it told before is noted
		asked := f.service.Asked()
		f.clock.Advance(time.Hour)
		eventually(t, func() string {
			if f.service.Asked() == asked {
				return "it is not asked again"
			}
			return ""
		})
	}
	if got := f.MustCase(t, uid); got.Reason != "corte" || got.State != desk.Unknown {
		t.Errorf("got %+v, want the doubt as it was", got.CaseState)
	}
}

// Asked is how often it was asked by number.
func (s *service) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// TestDesk_DoubtRepeated: where the same key is no second request, a doubtful one goes out
// again until there is an answer or its deadline has passed.
func TestDesk_DoubtRepeated(t *testing.T) {
	t.Parallel()
	cut, garbage := outcome(authorization.OutcomeUnknown, "corte"), outcome(authorization.OutcomeUnknown, "json_invalido")
	t.Run("Answered", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(cut, cut, answered("A"))
		f.service.recourse, f.service.status = repeats, 504
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.repeatUntil(t, uid, desk.Answered)
		sent := f.service.Sent()
		var doubtful []bool
		for _, d := range sent {
			doubtful = append(doubtful, d.UnknownOutcome)
			if d.IdempotencyKey != sent[0].IdempotencyKey || d.Request.ProviderGuide != sent[0].Request.ProviderGuide {
				t.Errorf("repeated with another key or number: %q, %q", d.IdempotencyKey, d.Request.ProviderGuide)
			}
		}
		if !slices.Equal(doubtful, []bool{false, true, true}) {
			t.Errorf("sent as doubtful: got %v", doubtful)
		}
	})
	t.Run("Deadline", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(cut)
		f.service.recourse, f.service.status = repeats, 504
		uid := f.MustSubmit(t, ana, nil)
		stop := f.MustRun(t)
		f.MustSettle(t, 1)
		stop()
		f.clock.Advance(5 * 24 * time.Hour)
		f.MustOpen(t)
		f.MustRun(t)
		if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != desk.ReasonNoAnswer || len(f.service.Sent()) != 1 {
			t.Errorf("got %q after %d, want that nothing leaves days later", got.Reason, len(f.service.Sent()))
		}
	})
	t.Run("Unreadable", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(garbage)
		f.service.recourse = repeats
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.repeatUntil(t, uid, desk.Unknown)
		if n := len(f.service.Sent()); n < 2 || n > 6 {
			t.Errorf("sent %d times, want a few", n)
		}
	})
	t.Run("FirstWithoutKey", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(cut, answered("A"))
		f.service.onSend = func(context.Context, authorization.Dispatch) { // announced only now
			f.service.mu.Lock()
			f.service.recourse = repeats
			f.service.mu.Unlock()
		}
		f.service.status = 504
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.repeatUntil(t, uid, desk.Unknown)
		if sent := f.service.Sent(); len(sent) != 1 || sent[0].IdempotencyKey != "" {
			t.Errorf("sent %+v, want once without a key: with one it would be another request", sent)
		}
	})
	t.Run("RefusedBeforeItsKey", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(cut, outcome(authorization.OutcomeRefused, "http_404"), answered("A"))
		f.service.recourse, f.service.statuses = repeats, []int{504, 404, 200}
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.repeatUntil(t, uid, desk.Answered)
		if n := len(f.service.Sent()); n != 3 {
			t.Errorf("sent %d times, want on until there is an answer", n)
		}
	})
	t.Run("UnreadableAtLast", func(t *testing.T) {
		f := MustDesk(t)
		f.service.Script(cut, cut, cut, cut, cut, garbage, answered("A"))
		f.service.recourse, f.service.statuses = repeats, []int{504, 504, 504, 504, 504, 200, 200}
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.repeatUntil(t, uid, desk.Answered)
	})
	t.Run("NotAskedInTime", func(t *testing.T) { testNotAsked(t, time.Second, desk.Queued) })
	t.Run("NeverAsked", func(t *testing.T) { testNotAsked(t, time.Minute, desk.Unknown) })
	t.Run("Killed", func(t *testing.T) {
		for name, err := range map[string]error{"Known": nil, "NotAskedYet": errors.New("no connection")} {
			t.Run(name, func(t *testing.T) {
				store := &dying{place: "on the wire", ended: make(chan struct{})}
				f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
				f.service.onSend = func(context.Context, authorization.Dispatch) { store.end("on the wire") }
				f.service.recourse = repeats
				uid := f.MustSubmit(t, ana, nil)
				go f.Run(context.Background()) // it never returns
				<-store.ended
				f.service.onSend, f.service.recourseErr = nil, err
				f.MustOpen(t)
				f.MustRun(t)
				f.MustTell(t, desk.EventDoubted)
				f.service.mu.Lock()
				f.service.recourseErr = nil
				f.service.mu.Unlock()
				f.repeatUntil(t, uid, desk.Answered)
			})
		}
	})
}

// testNotAsked has a service that cannot be asked what it offers leave a doubt through a
// few pauses, and then answer. A case that still waits is sent again with its key.
func testNotAsked(t *testing.T, pause time.Duration, want desk.State) {
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"), answered("A"))
	f.service.recourse, f.service.status = repeats, 504
	f.service.onSend = func(context.Context, authorization.Dispatch) {
		f.service.mu.Lock()
		f.service.recourseErr = errors.New("no connection")
		f.service.mu.Unlock()
	}
	uid := f.MustSubmit(t, ana, nil)
	MustDo(t, f.RunDue(t.Context()))
	pauses, asked := 0, func() int {
		f.service.mu.Lock()
		defer f.service.mu.Unlock()
		return f.service.learned
	}
	for asked() < 8 && pauses < 90 { // the seventh attempt is made after 63 s at the latest
		f.clock.Advance(pause)
		pauses++
		MustDo(t, f.RunDue(t.Context()))
	}
	state, err := f.CaseState(t.Context(), celia, uid)
	MustDo(t, err)
	if (state.State == desk.Unknown) != (want == desk.Unknown) {
		t.Fatalf("after %d pauses: got %q, want %q", pauses, state.State, want)
	}
	if want == desk.Unknown {
		return
	}
	f.service.mu.Lock()
	f.service.onSend, f.service.recourseErr = nil, nil
	f.service.mu.Unlock()
	f.MustRun(t)
	f.repeatUntil(t, uid, desk.Answered)
}

// TestDesk_LearnsFirst: a start asks what the service offers before anything leaves, so
// that it leaves with its key.
func TestDesk_LearnsFirst(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourseErr = errors.New("no connection")
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	eventually(t, func() string {
		f.service.mu.Lock()
		defer f.service.mu.Unlock()
		if f.service.learned < 2 {
			return "not asked again"
		}
		f.service.recourse, f.service.recourseErr = repeats, nil
		return ""
	})
	f.MustBecome(t, uid, desk.Answered)
	if sent := f.service.Sent(); len(sent) != 1 || sent[0].IdempotencyKey == "" {
		t.Errorf("sent %+v, want once with its key", sent)
	}
}

// repeatUntil lets the pauses between attempts pass until the case is in the state.
func (f *fixture) repeatUntil(t *testing.T, uid uuid.UUID, want desk.State) {
	t.Helper()
	eventually(t, func() string {
		state, err := f.CaseState(t.Context(), celia, uid)
		if err != nil || state.State == want {
			return ""
		}
		if state.State == desk.Queued {
			f.clock.Advance(time.Second)
		}
		return "state: got " + string(state.State) + ", want " + string(want)
	})
}

// TestDesk_ReadAgain: an answer that was kept and not understood is read once more at
// every start.
func TestDesk_ReadAgain(t *testing.T) {
	t.Parallel()
	var concluded atomic.Int64
	count := func(c *desk.Config) { c.Concluded = func(authorization.OutcomeKind) { concluded.Add(1) } }
	f := MustDesk(t, count)
	f.service.onRead = func() error { return errors.New("no descriptors") }
	uid := f.MustSubmit(t, ana, nil)
	MustDo(t, f.RunDue(t.Context()))
	f.MustBecome(t, uid, desk.Unknown)
	f.MustOpen(t, count)
	stop := f.MustRun(t)
	stop()
	f.MustBecome(t, uid, desk.Unknown)
	f.service.onRead = nil
	f.MustOpen(t, count)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	f.MustTell(t, desk.EventReread)
	if n := len(f.service.Sent()); n != 1 {
		t.Errorf("sent %d times, want 1", n)
	}
	if n := concluded.Load(); n != 1 {
		t.Errorf("told of %d attempts, want 1: reading again is none", n)
	}
}

// slow is the store of a process that keeps its answer late.
type slow struct {
	desk.Store
	wait, proceed chan struct{}
}

func (s *slow) KeepExchange(ctx context.Context, c desk.Claim, x authorization.Exchange) error {
	close(s.wait)
	<-s.proceed
	return s.Store.KeepExchange(ctx, c, x)
}

// TestDesk_AnswerAfterLease: an answer that came when another process had taken the case
// for lost is read all the same.
func TestDesk_AnswerAfterLease(t *testing.T) {
	t.Parallel()
	store := &slow{wait: make(chan struct{}), proceed: make(chan struct{})}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	<-store.wait
	f.MustOpen(t)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Unknown)
	close(store.proceed)
	f.MustBecome(t, uid, desk.Answered)
}

// TestDesk_DoubtElsewhere: what one service may have acted on goes to no other, however
// safely that would take a repetition.
func TestDesk_DoubtElsewhere(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]authorization.Outcome{
		"Doubted": outcome(authorization.OutcomeUnknown, "corte"), "Busy": outcome(authorization.OutcomeBusy, "em_processamento"),
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.recourse = repeats
			f.service.Script(first, answered(authorization.Authorized))
			uid := f.MustSubmit(t, ana, nil)
			stop := f.MustRun(t)
			eventually(t, func() string {
				if c := f.MustCase(t, uid); c.State != desk.Queued || !c.UnknownOutcome {
					return "the attempt is not settled"
				}
				return ""
			})
			stop()
			sent := len(f.service.Sent())
			f.service.name = "https://outro.example"
			f.clock.Advance(5 * time.Minute)
			f.MustOpen(t)
			f.MustRun(t)
			got := f.MustBecome(t, uid, desk.Unknown)
			if more := len(f.service.Sent()) - sent; got.Reason != desk.ReasonElsewhere || more != 0 {
				t.Errorf("got %s after %d more sent, want that another service is in use and nothing sent", got.Reason, more)
			}
		})
	}
}

// TestDesk_Doubt_CannotTell: a service that cannot say now what became of a request leaves
// the doubt as it is, with its own reason.
func TestDesk_Doubt_CannotTell(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse, f.service.findGuide = lookUp, problem.New(problem.Conflict, "Ainda não.")
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != "corte" {
		t.Errorf("reason: got %q, want that of the attempt", got.Reason)
	}
}
