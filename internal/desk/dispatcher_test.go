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

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestDesk_Outcomes holds the outcome table: whatever comes back, the case lands
// in the state that the table names.
func TestDesk_Outcomes(t *testing.T) {
	t.Parallel()
	simulated := answered(authorization.Authorized)
	simulated.Answer.Authorizations[0].Senha = "SIM482017"
	refused := authorization.Outcome{
		Kind: authorization.OutcomeRefused, Reason: "http_422",
		Answer: authorization.Answer{Errors: []authorization.AnswerError{{Code: "formato", Field: "numeroCarteira",
			Message: "Carteira inválida."}, {Message: "Outro erro"}}},
		Fields: []problem.Field{{Path: "numeroCarteira", Code: "formato", Message: "Carteira inválida."}},
	}
	later := outcome(authorization.OutcomeRetry, "http_503")
	later.RetryAfter = 5 * time.Minute
	for _, tc := range []struct {
		name     string
		outcome  authorization.Outcome
		want     desk.CaseState
		event    desk.EventKind
		doubtful bool
	}{
		{"Answered", answered("A"), desk.CaseState{State: desk.Answered, Status: "A", Group: authorization.Ready,
			Origin: desk.OriginOperator}, desk.EventAnswered, false},
		{"AnsweredMostUrgent", answered("A", "N", "S"), desk.CaseState{State: desk.Answered, Status: "S",
			Group: authorization.YourTurn, Origin: desk.OriginOperator}, desk.EventAnswered, false},
		{"AnsweredWithACodeNobodyKnows", answered("A", "Ω"), desk.CaseState{State: desk.Answered, Status: "Ω",
			Group: authorization.Unrecognized, Origin: desk.OriginOperator}, desk.EventAnswered, false},
		{"AnsweredCedilla", answered("Ç"), desk.CaseState{State: desk.Answered, Status: "Ç", Group: authorization.ToFix,
			Origin: desk.OriginOperator}, desk.EventAnswered, false},
		{"AnsweredSimulated", simulated, desk.CaseState{State: desk.Answered, Status: "A", Group: authorization.Ready,
			Origin: desk.OriginOperator, Simulated: true}, desk.EventAnswered, false},
		{"AnsweredWithoutAuthorization", answered(), desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk}, desk.EventUnknown, true},
		{"Refused", refused, desk.CaseState{State: desk.Refused, Group: authorization.ToFix, Origin: desk.OriginService,
			Reason: "http_422"}, desk.EventRefused, false},
		{"Retry", later, desk.CaseState{State: desk.Queued, Group: authorization.Waiting, Origin: desk.OriginDesk,
			Reason: "http_503"}, desk.EventDelayed, false},
		{"Busy", outcome(authorization.OutcomeBusy, "em_processamento"), desk.CaseState{State: desk.Queued,
			Group: authorization.Waiting, Origin: desk.OriginDesk, Reason: "em_processamento"}, desk.EventDelayed, true},
		{"Held", outcome(authorization.OutcomeHeld, "http_401"), desk.CaseState{State: desk.Queued, Group: authorization.Waiting,
			Origin: desk.OriginDesk, Reason: "http_401", Alert: desk.AlertHeld}, desk.EventHeld, false},
		{"Conflict", outcome(authorization.OutcomeConflict, "corpo_diferente"), desk.CaseState{State: desk.Unknown,
			Origin: desk.OriginDesk, Reason: "corpo_diferente", Alert: desk.AlertConflict}, desk.EventUnknown, true},
		{"Unknown", outcome(authorization.OutcomeUnknown, "corte"), desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk,
			Reason: "corte"}, desk.EventUnknown, true},
		{"KindNobodyKnows", outcome("nova", "nova"), desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk, Reason: "nova"},
			desk.EventUnknown, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(tc.outcome)
			uid := f.MustSubmit(t, ana, nil)
			f.MustRun(t)
			eventually(t, func() string {
				if n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(tc.event)); n != 1 {
					return "the attempt is not settled"
				}
				return ""
			})
			c := f.MustCase(t, uid)
			tc.want.At, tc.want.UnknownOutcome = f.clock.Now(), tc.doubtful
			if diff := cmp.Diff(c.CaseState, tc.want); diff != "" {
				t.Errorf("standing: got, want\n%s", diff)
			}
			if got := len(f.service.Sent()); got != 1 {
				t.Errorf("sent: got %d, want 1", got)
			}
			if kind := tc.outcome.Kind; tc.want.State != desk.Unknown &&
				(kind == authorization.OutcomeAnswered || kind == authorization.OutcomeRefused) {
				if diff := cmp.Diff(c.Answer, &tc.outcome.Answer, cmpTimes); diff != "" {
					t.Errorf("answer: got, want\n%s", diff)
				}
			} else if c.Answer != nil {
				t.Errorf("answer: got %+v, want none", c.Answer)
			}
			if diff := cmp.Diff(c.Fields, tc.outcome.Fields); diff != "" {
				t.Errorf("fields: got, want\n%s", diff)
			}
		})
	}
}

func TestDesk_RunSends(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourse = repeats
	var sending desk.State
	uid := f.MustSubmit(t, ana, nil)
	want := f.MustCase(t, uid)
	f.service.onSend = func(ctx context.Context, _ authorization.Dispatch) {
		standing, err := f.CaseState(ctx, ana, uid)
		MustDo(t, err)
		sending = standing.State // committed before a byte leaves, and no transaction hinders reading it
		MustDo(t, second(f.SaveDraft(ctx, ana, MustUID(t), fullForm(), 0)))
	}
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	if sending != desk.Sending {
		t.Errorf("state while on the wire: got %q, want sending", sending)
	}
	got := f.service.Sent()[0]
	if diff := cmp.Diff(got.Request, want.Request, cmpTimes); diff != "" || len(got.IdempotencyKey) != 36 {
		t.Errorf("sent: got, want (key %q)\n%s", got.IdempotencyKey, diff)
	}
	c := f.MustCase(t, uid)
	wantAttempts := []desk.Attempt{{Number: 1, StartedAt: time.UnixMicro(1).UTC(), EndedAt: time.UnixMicro(2).UTC(),
		SentBytes: 512, HTTPStatus: 200}}
	if diff := cmp.Diff(c.Attempts, wantAttempts); diff != "" {
		t.Errorf("attempts: got, want\n%s", diff)
	}
	now := f.clock.Now()
	wantEvents := []desk.Event{
		{At: now, Kind: desk.EventSubmitted, Actor: desk.Author{User: anaID, Name: "Ana Prado"}},
		{At: now, Kind: desk.EventSent, Attempt: 1}, {At: now, Kind: desk.EventAnswered, Attempt: 1},
	}
	if diff := cmp.Diff(c.Events, wantEvents); diff != "" {
		t.Errorf("events: got, want\n%s", diff)
	}
}

func TestDesk_RunRepeats(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Deadline = 24 * time.Hour })
	retry := outcome(authorization.OutcomeRetry, "conexao")
	f.service.Script(retry, retry, retry, retry, retry, retry, retry, retry, answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	for attempt := 1; attempt <= 8; attempt++ {
		eventually(t, func() string {
			if n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(desk.EventDelayed)); n != attempt {
				return "the attempt is not settled"
			}
			return ""
		})
		limit := min(time.Second<<(attempt-1), time.Minute)
		pause := f.MustCase(t, uid).Due.Sub(f.clock.Now())
		if pause <= 0 || pause > limit {
			t.Errorf("pause after attempt %d: got %v, want more than 0 and at most %v", attempt, pause, limit)
		}
		if got := len(f.service.Sent()); got != attempt {
			t.Errorf("sent before it was due: got %d, want %d", got, attempt)
		}
		f.clock.Advance(limit)
	}
	f.MustBecome(t, uid, desk.Answered)
	sent := f.service.Sent()
	for _, d := range sent[1:] {
		if d.IdempotencyKey != sent[0].IdempotencyKey || d.Request.ProviderGuide != sent[0].Request.ProviderGuide {
			t.Errorf("repeated with another key or number: got %q, %q", d.IdempotencyKey, d.Request.ProviderGuide)
		}
	}
}

func TestDesk_RunRetryAfter(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	later := outcome(authorization.OutcomeRetry, "http_429")
	later.RetryAfter = 10 * time.Minute
	f.service.Script(later, answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	eventually(t, func() string {
		if c := f.MustCase(t, uid); !c.Due.Equal(f.clock.Now().Add(10 * time.Minute)) {
			return "due: got " + c.Due.String() + ", want in ten minutes"
		}
		return ""
	})
	f.clock.Advance(10 * time.Minute)
	f.MustBecome(t, uid, desk.Answered)
}

// What may have been acted on goes out again as such: the service must get its key.
func TestDesk_RunUnknownOutcome(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeRetry, "conexao"), outcome(authorization.OutcomeBusy, "em_processamento"), answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	for n := 1; n <= 2; n++ {
		f.MustSettle(t, n)
		f.clock.Advance(time.Minute)
	}
	f.MustBecome(t, uid, desk.Answered)
	var got []bool
	for _, d := range f.service.Sent() {
		got = append(got, d.UnknownOutcome)
	}
	if want := []bool{false, false, true}; !slices.Equal(got, want) {
		t.Errorf("sent as doubtful: got %v, want %v", got, want)
	}
}

func TestDesk_RunDeadline(t *testing.T) {
	t.Parallel()
	busy, retry := outcome(authorization.OutcomeBusy, "em_processamento"), outcome(authorization.OutcomeRetry, "conexao")
	never := outcome(authorization.OutcomeRetry, "http_503")
	never.RetryAfter = 24 * time.Hour
	held := outcome(authorization.OutcomeHeld, "http_401")
	for _, tc := range []struct {
		name   string
		script []authorization.Outcome
		state  desk.State
		reason string
	}{
		{"NothingSent", []authorization.Outcome{never}, desk.Refused, desk.ReasonLate},
		{"Held", []authorization.Outcome{held}, desk.Refused, desk.ReasonLate},
		{"MayHaveBeenActedOn", []authorization.Outcome{busy, retry}, desk.Unknown, desk.ReasonNoAnswer},
		{"MayHaveBeenActedOnThenHeld", []authorization.Outcome{busy, held}, desk.Unknown, desk.ReasonNoAnswer},
		{"AnsweredAtLast", []authorization.Outcome{busy, answered("A")}, desk.Answered, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(tc.script...)
			uid := f.MustSubmit(t, ana, nil)
			f.MustRun(t)
			f.MustSettle(t, 1)
			f.clock.Advance(30 * time.Minute)
			if got := f.MustBecome(t, uid, tc.state); got.Reason != tc.reason {
				t.Errorf("reason: got %q, want %q", got.Reason, tc.reason)
			}
			if got, want := len(f.service.Sent()), len(tc.script); got != want {
				t.Errorf("sent: got %d, want %d", got, want)
			}
		})
	}
}

// MustSettle waits until n attempts are settled.
func (f *fixture) MustSettle(tb testing.TB, n int) {
	tb.Helper()
	eventually(tb, func() string {
		if f.count(tb, `SELECT COUNT(*) FROM submission_event WHERE kind NOT IN ('confirmado', 'enviado')`) < n {
			return "the attempts are not settled"
		}
		return ""
	})
}

func TestDesk_RunHeld(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	f.service.Script(outcome(authorization.OutcomeHeld, "http_401"), answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustSettle(t, 1)
	f.clock.Advance(5 * time.Minute)
	if alerts, err := f.Alerts(ctx); alerts != (desk.Alerts{Held: 1}) || err != nil {
		t.Errorf("alerts: got %+v, %v, want one held", alerts, err)
	}
	if standing, err := f.Wait(ctx, ana, uid, time.Hour); !standing.Held() || err != nil {
		t.Errorf("wait: got %+v, %v, want it to return what is held", standing, err)
	}
	if got := len(f.service.Sent()); got != 1 {
		t.Errorf("sent: got %d, want 1: what is held is not repeated by itself", got)
	}
	MustDo(t, f.ReleaseHeld(ctx))
	f.MustBecome(t, uid, desk.Answered)
	if alerts, err := f.Alerts(ctx); alerts != (desk.Alerts{}) || err != nil {
		t.Errorf("alerts after: got %+v, %v, want none", alerts, err)
	}
}

// TestDesk_AccessAccepted: what is held leaves as soon as the service accepts the same
// access, at the time of its next attempt. Of what it refused for its rights a question
// says nothing; another send does.
func TestDesk_AccessAccepted(t *testing.T) {
	t.Parallel()
	unauthorized, forbidden := outcome(authorization.OutcomeHeld, "http_401"), outcome(authorization.OutcomeHeld, "http_403")
	for name, tc := range map[string]struct {
		held   authorization.Outcome
		accept func(f *fixture, t *testing.T)
		leaves bool
	}{
		"Question":          {unauthorized, (*fixture).accepted, true},
		"QuestionForbidden": {forbidden, (*fixture).accepted, false},
		"Send":              {unauthorized, (*fixture).sendAnother, true},
		"SendForbidden":     {forbidden, (*fixture).sendAnother, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(tc.held, answered("A"), answered("A"))
			uid := f.MustSubmit(t, ana, nil)
			f.MustRun(t)
			f.MustSettle(t, 1)
			f.clock.Advance(5 * time.Minute) // beyond the time of the next attempt
			tc.accept(f, t)
			if tc.leaves {
				f.MustBecome(t, uid, desk.Answered)
				return
			}
			if alerts, err := f.Alerts(t.Context()); alerts != (desk.Alerts{Held: 1}) || err != nil || len(f.service.Sent()) != 1 {
				t.Errorf("got %+v, %v and %d sent, want it held still", alerts, err, len(f.service.Sent()))
			}
		})
	}
}

// accepted tells the desk that its access was accepted when something was asked.
func (f *fixture) accepted(t *testing.T) { MustDo(t, f.AccessAccepted(t.Context())) }

// sendAnother sends another request, which is answered.
func (f *fixture) sendAnother(t *testing.T) {
	f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Answered)
}

func TestDesk_RunAtMost(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Slots.All = 3 })
	var now, most atomic.Int32
	inside, release := make(chan struct{}, 20), make(chan struct{})
	f.service.onSend = func(context.Context, authorization.Dispatch) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		inside <- struct{}{}
		<-release
		now.Add(-1)
	}
	for range 10 {
		f.MustSubmit(t, ana, nil)
	}
	f.MustRun(t)
	for range 3 {
		<-inside
	}
	if got := f.count(t, `SELECT COUNT(*) FROM submission_state WHERE state = 'sending'`); got != 3 {
		t.Errorf("claimed: got %d, want no more than can be sent, 3", got)
	}
	close(release)
	eventually(t, func() string {
		if f.count(t, `SELECT COUNT(*) FROM submission_state WHERE state = 'answered'`) != 10 {
			return "not all are answered"
		}
		return ""
	})
	if got := most.Load(); got != 3 {
		t.Errorf("at the same time: got %d, want 3", got)
	}
}

func TestDesk_RunAtOnce(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Poll = time.Hour; c.Slots.All = 1 })
	f.MustRun(t)
	for range 5 {
		f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Answered) // an hour would be too long for this test
	}
}

// TestDesk_RunWakes: what can go goes at once, without a look at the queue in between.
func TestDesk_RunWakes(t *testing.T) {
	t.Parallel()
	seldom := func(c *desk.Config) { c.Poll = time.Hour; c.Slots.All = 1 }
	t.Run("SlotFree", func(t *testing.T) {
		f := MustDesk(t, seldom)
		first, second := f.MustSubmit(t, ana, nil), f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.MustBecome(t, first, desk.Answered)
		f.MustBecome(t, second, desk.Answered)
	})
	t.Run("AccessAccepted", func(t *testing.T) {
		f := MustDesk(t, seldom)
		f.service.Script(outcome(authorization.OutcomeHeld, "http_401"), answered("A"))
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.MustSettle(t, 1)
		f.clock.Advance(5 * time.Minute)
		f.accepted(t)
		f.MustBecome(t, uid, desk.Answered)
	})
}

func TestDesk_RunPoison(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func() error{
		"Error": func() error { return errors.New("disk") },
		"Panic": func() error { panic("Maria Aparecida") },
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.onRead = read
			uid := f.MustSubmit(t, ana, nil)
			stop := f.MustRun(t)
			if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != desk.ReasonUnreadable {
				t.Errorf("reason: got %q, want %q", got.Reason, desk.ReasonUnreadable)
			}
			stop()
			if strings.Contains(f.log.String(), "Maria") {
				t.Errorf("the log names the patient: %s", f.log)
			}
		})
	}
}

func TestDesk_RunStop(t *testing.T) {
	t.Parallel()
	t.Run("AnswerInTime", func(t *testing.T) {
		f := MustDesk(t)
		inside, release := make(chan struct{}), make(chan struct{})
		f.service.onSend = func(context.Context, authorization.Dispatch) {
			select {
			case inside <- struct{}{}:
			case <-release: // of the one that came later, where it began before the other was told to stop
			}
			<-release
		}
		uid := f.MustSubmit(t, ana, nil)
		stop := f.MustRun(t)
		<-inside
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		later := f.MustSubmit(t, ana, nil)
		close(release)
		<-stopped
		f.MustBecome(t, uid, desk.Answered)
		if standing, err := f.CaseState(t.Context(), ana, later); err != nil || standing.State == desk.Sending {
			t.Errorf("submitted while stopping: got %+v, %v, want nothing half done", standing, err)
		}
	})
	t.Run("NoAnswerInTime", func(t *testing.T) {
		f := MustDesk(t, func(c *desk.Config) { c.Shutdown = 100 * time.Millisecond })
		inside := make(chan struct{})
		f.service.onSend = func(ctx context.Context, _ authorization.Dispatch) { close(inside); <-ctx.Done() }
		uid := f.MustSubmit(t, ana, nil)
		stop := f.MustRun(t)
		<-inside
		stop()
		if got := f.MustBecome(t, uid, desk.Unknown); got.Reason != string(authorization.FailureCancelled) {
			t.Errorf("reason: got %q, want that it was cancelled", got.Reason)
		}
	})
}

// TestDesk_MovedElsewhere: a page that waits for a case looks as soon as another process says that it moved on.
func TestDesk_MovedElsewhere(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid, here := f.MustSubmit(t, ana, nil), f.Desk
	waited := make(chan desk.CaseState, 1)
	go func() {
		state, err := here.Wait(t.Context(), ana, uid, time.Hour)
		if err != nil {
			t.Error(err)
		}
		waited <- state
	}()
	f.MustOpen(t, func(c *desk.Config) { c.Moved = here.MovedElsewhere })
	f.MustRun(t)
	select {
	case got := <-waited:
		if got.State != desk.Answered {
			t.Errorf("got %s, want that it is answered", got.State)
		}
	case <-time.After(noProgress):
		t.Fatal("nobody looked")
	}
}

func TestDesk_Wait(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	inside, release := make(chan struct{}), make(chan struct{})
	f.service.onSend = func(context.Context, authorization.Dispatch) { inside <- struct{}{}; <-release }
	f.MustRun(t)
	uid := f.MustSubmit(t, ana, nil)
	<-inside

	t.Run("TimeIsOver", func(t *testing.T) {
		if standing, err := f.Wait(ctx, ana, uid, time.Millisecond); standing.State != desk.Sending || err != nil {
			t.Errorf("got %+v, %v, want what stands", standing, err)
		}
	})
	t.Run("ErrCancelled", func(t *testing.T) {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := f.Wait(gone, ana, uid, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want cancelled", err)
		}
	})
	t.Run("ErrOtherUnit", func(t *testing.T) {
		if _, err := f.Wait(ctx, bia, uid, time.Hour); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
	t.Run("Sent", func(t *testing.T) {
		if err := f.WaitSent(ctx, ana, uid, time.Millisecond); err != nil {
			t.Errorf("got %v, want what stands", err)
		}
		if err := f.WaitSent(ctx, bia, uid, time.Millisecond); !problem.Is(err, problem.NotFound) {
			t.Errorf("of another unit: got %v, want not found", err)
		}
	})
	t.Run("Told", func(t *testing.T) {
		told := make(chan desk.CaseState, 20)
		for i := range cap(told) {
			go func() {
				if i%2 == 0 {
					_ = f.WaitSent(ctx, ana, uid, time.Hour)
					standing, _ := f.CaseState(ctx, ana, uid)
					told <- standing
					return
				}
				standing, _ := f.Wait(ctx, ana, uid, time.Hour)
				told <- standing
			}()
		}
		close(release)
		for range cap(told) {
			if got := <-told; got.State != desk.Answered {
				t.Errorf("got %+v, want answered", got)
			}
		}
	})
}

// TestDesk_RunDue sends without Run what is due, and leaves alone what waits.
func TestDesk_RunDue(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	later := outcome(authorization.OutcomeRetry, "http_503")
	later.RetryAfter = 5 * time.Minute
	f.service.Script(answered("A"), later, answered("N"))
	first, second := f.MustSubmit(t, ana, nil), f.MustSubmit(t, ana, nil)
	for _, want := range [][2]desk.State{{desk.Answered, desk.Queued}, {desk.Answered, desk.Queued}, {desk.Answered, desk.Answered}} {
		if err := f.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, uid := range []uuid.UUID{first, second} {
			if got, err := f.CaseState(t.Context(), ana, uid); err != nil || got.State != want[i] {
				t.Errorf("case %d: got %s, %v, want %s", i, got.State, err, want[i])
			}
		}
		f.clock.Advance(3 * time.Minute)
	}
}
