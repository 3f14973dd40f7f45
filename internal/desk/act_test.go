package desk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// acts is what the service of a test says to acts on authorizations.
type acts struct {
	offers   authorization.Offers
	asked    []authorization.Act
	reasons  []string
	captures []authorization.Capture
	files    [][]authorization.Attachment
	until    time.Time // which files were given
	told     authorization.Authorization
	err      error
	onAct    func()

	questions   []authorization.EligibilityQuestion
	eligibility authorization.Eligibility
}

func (s *service) Offers() authorization.Offers { return s.acts.offers }

func (s *service) Cancel(_ context.Context, act authorization.Act, reason string) (authorization.Authorization, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts.reasons = append(s.acts.reasons, reason)
	return s.acted(act)
}

func (s *service) Biometrics(_ context.Context, act authorization.Act, all []authorization.Capture) (authorization.Authorization, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts.captures = append(s.acts.captures, all...)
	return s.acted(act)
}

func (s *service) AddAttachments(ctx context.Context, act authorization.Act,
	files []authorization.Attachment) (authorization.Authorization, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts.until, _ = ctx.Deadline()
	s.acts.files = append(s.acts.files, files)
	return s.acted(act)
}

func (s *service) acted(act authorization.Act) (authorization.Authorization, error) {
	s.acts.asked = append(s.acts.asked, act)
	if s.acts.onAct != nil {
		s.acts.onAct()
	}
	return s.acts.told, s.acts.err
}

// MustAuthorize submits a request that is answered with an authorization of a status, which the
// service knows as "g-1".
func (f *fixture) MustAuthorize(tb testing.TB, status authorization.Status) uuid.UUID {
	tb.Helper()
	outcome := answered(status)
	outcome.Answer.Authorizations[0].GuideID, outcome.Answer.Authorizations[0].Senha = "g-1", "4711"
	f.service.Script(outcome)
	f.service.setRecourse(authorization.Recourse{})
	uid := f.MustSubmit(tb, ana, nil)
	f.MustBecome(tb, uid, desk.Answered)
	return uid
}

// offersCancelling makes the service cancel: the authorization waits for it then.
func (f *fixture) offersCancelling() {
	f.service.acts = acts{offers: authorization.Offers{Cancellation: true},
		told: authorization.Authorization{GuideID: "g-1", Success: true, Status: authorization.AwaitingCancellation}}
}

func (f *fixture) MustCancel(tb testing.TB, uid uuid.UUID, reason string) desk.Case {
	tb.Helper()
	MustDo(tb, f.Cancel(tb.Context(), celia, uid, desk.Cancellation{Answers: len(f.MustCase(tb, uid).Answers), Reason: reason}))
	MustDo(tb, f.AwaitAct(tb.Context(), celia, uid, time.Minute))
	return f.MustCase(tb, uid)
}

func TestDesk_Cancel(t *testing.T) {
	t.Parallel()
	t.Run("BecomesAnotherAnswer", func(t *testing.T) {
		f := MustDesk(t)
		f.MustRun(t)
		uid := f.MustAuthorize(t, authorization.Authorized)
		f.offersCancelling()
		c := f.MustCancel(t, uid, " Paciente desistiu ")
		if c.Status != authorization.AwaitingCancellation || c.Senha != "4711" || len(c.Answers) != 2 || c.FollowAt.IsZero() {
			t.Errorf("the case: %s with senha %q, %d answers, followed at %v", c.Status, c.Senha, len(c.Answers), c.FollowAt)
		}
		act, ok := c.LastAct()
		if !ok || act.State != desk.ActDone || act.By.Name != "Célia Brito" || act.Reason != "Paciente desistiu" {
			t.Errorf("the act: %+v", act)
		}
		got := f.service.acts
		if len(got.asked) != 1 || got.asked[0].GuideID != "g-1" || got.asked[0].Key != act.UID.String() || got.reasons[0] != act.Reason {
			t.Errorf("the service was asked %+v with %q", got.asked, got.reasons)
		}
		kinds := []desk.EventKind{}
		for _, e := range c.Events[len(c.Events)-2:] {
			kinds = append(kinds, e.Kind)
		}
		if !slices.Equal(kinds, []desk.EventKind{desk.EventActAsked, desk.EventUpdated}) {
			t.Errorf("the last events: %v", kinds)
		}
	})
	t.Run("StandsBeforeItLeaves", func(t *testing.T) {
		f := MustDesk(t)
		f.MustRun(t)
		uid := f.MustAuthorize(t, authorization.Authorized)
		f.offersCancelling()
		var seen desk.Case
		f.service.acts.onAct = func() { seen = f.MustCase(t, uid) }
		f.MustCancel(t, uid, "")
		if act, ok := seen.LastAct(); !ok || act.State != desk.ActUnderWay || !seen.ActPending() {
			t.Errorf("while it was on the wire: %+v", act)
		}
	})
}

// TestDesk_Cancel_NotDone: what the service did not do, and what nobody knows, stands on the case.
func TestDesk_Cancel_NotDone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err   error
		state desk.ActState
		words string
	}{
		"Refused": {problem.New(problem.Conflict, "Não pode mais ser cancelada."), desk.ActRefused, "Não pode mais ser cancelada."},
		"Unsent":  {problem.New(problem.Unavailable, "Nada foi enviado."), desk.ActUnsent, "Nada foi enviado."},
		"Doubtful": {&authorization.Doubtful{Err: problem.New(problem.Unavailable, "Não respondeu.")}, desk.ActDoubtful,
			"Não respondeu."},
		"Cut": {&authorization.Doubtful{Err: errors.New("cut")}, desk.ActDoubtful, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.MustRun(t)
			uid := f.MustAuthorize(t, authorization.Authorized)
			f.offersCancelling()
			f.service.acts.err = tc.err
			c := f.MustCancel(t, uid, "Desistência")
			act, _ := c.LastAct()
			if act.State != tc.state || act.Message != tc.words || c.Status != authorization.Authorized || len(c.Answers) != 1 {
				t.Errorf("got %+v of a case that is %s", act, c.Status)
			}
			if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventActEnded || last.Reason != string(desk.ActCancel) {
				t.Errorf("the last event: %+v", last)
			}
			if c.FollowAt.After(f.clock.Now()) {
				t.Errorf("asked how it stands at %v only", c.FollowAt)
			}
		})
	}
}

// TestDesk_Cancel_Told: an answer that does not say how the authorization stands leaves a doubt,
// in words that are true of it.
func TestDesk_Cancel_Told(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		told  authorization.Authorization
		state desk.ActState
		words string
	}{
		"NoStatus":  {authorization.Authorization{GuideID: "g-1"}, desk.ActDoubtful, "sem dizer a situação"},
		"Other":     {authorization.Authorization{GuideID: "g-2", Status: "X"}, desk.ActDoubtful, "sobre outra guia"},
		"OtherCase": {authorization.Authorization{GuideID: "G-1", Status: "X"}, desk.ActDone, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.MustRun(t)
			uid := f.MustAuthorize(t, authorization.Authorized)
			f.offersCancelling()
			f.service.acts.told = tc.told
			act, _ := f.MustCancel(t, uid, "Desistência").LastAct()
			if act.State != tc.state || !strings.Contains(act.Message, tc.words) {
				t.Errorf("got %s: %q, want %s: %q", act.State, act.Message, tc.state, tc.words)
			}
		})
	}
}

// beforeEnd is a store in which something happens right before the end of an act is kept.
type beforeEnd struct {
	desk.Store
	happens func()
}

func (b *beforeEnd) EndAct(ctx context.Context, uid uuid.UUID, end desk.ActEnd,
	settle func(desk.Followed) (desk.Settlement, bool)) error {
	b.happens()
	return b.Store.EndAct(ctx, uid, end, settle)
}

// TestDesk_Cancel_Moved: what the service tells of an act goes to the authorization that it is about, also where the service
// named others before it meanwhile.
func TestDesk_Cancel_Moved(t *testing.T) {
	t.Parallel()
	store := &beforeEnd{}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	outcome := answered(authorization.Authorized)
	first := outcome.Answer.Authorizations[0]
	first.GuideID = "g-1"
	outcome.Answer.Authorizations = []authorization.Authorization{first, {Number: 2, Success: true, Status: authorization.UnderAnalysis}}
	uid := f.MustEnd(t, outcome)[0]
	guide := f.MustCase(t, uid).ProviderGuide
	f.offersCancelling()
	store.happens = func() {
		standing := answered(authorization.Authorized).Answer
		standing.Authorizations = nil
		for _, id := range []string{"g-2", "g-1", "g-3"} {
			a := first
			a.GuideID, a.ProviderGuide = id, guide
			f.service.Stand(a)
			standing.Authorizations = append(standing.Authorizations, a)
		}
		f.service.setRecourse(authorization.Recourse{Status: true, LookUp: true})
		f.service.known = map[string]authorization.Answer{guide: standing}
		f.MustFollow(t, 30*time.Second)
	}
	MustDo(t, f.Cancel(t.Context(), celia, uid, desk.Cancellation{Answers: 1}))
	MustDo(t, f.AwaitAct(t.Context(), celia, uid, 10*time.Second))
	var got []string
	for _, a := range f.MustCase(t, uid).Answer.Authorizations {
		got = append(got, a.GuideID+" "+string(a.Status))
	}
	if want := []string{"g-2 A", "g-1 X", "g-3 A"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDesk_Cancel_AskedAgain: after a doubt the same act goes out with the same key and reason;
// after a refusal it is another one.
func TestDesk_Cancel_AskedAgain(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustAuthorize(t, authorization.Authorized)
	f.offersCancelling()
	f.service.acts.err = &authorization.Doubtful{Err: errors.New("cut")}
	f.MustCancel(t, uid, "Desistência")
	f.service.acts.err = problem.New(problem.Conflict, "Agora não.")
	f.MustCancel(t, uid, "outro motivo")
	f.service.acts.err = nil
	c := f.MustCancel(t, uid, "Desta vez sim")
	got := f.service.acts
	if len(c.Acts) != 2 || got.asked[0] != got.asked[1] || got.asked[1] == got.asked[2] ||
		!slices.Equal(got.reasons, []string{"Desistência", "Desistência", "Desta vez sim"}) {
		t.Errorf("%d acts, asked %+v with %q", len(c.Acts), got.asked, got.reasons)
	}
}

// TestDesk_Cancel_Abandoned: an act of a process that ended is in doubt when its time is over.
func TestDesk_Cancel_Abandoned(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	stop := f.MustRun(t)
	uid := f.MustAuthorize(t, authorization.Authorized)
	f.offersCancelling()
	left, ended := make(chan struct{}), make(chan struct{})
	f.service.acts.onAct = func() { close(left); <-ended }
	MustDo(t, f.Cancel(t.Context(), celia, uid, desk.Cancellation{Answers: 1}))
	<-left
	if err := f.Cancel(t.Context(), celia, uid, desk.Cancellation{Answers: 1}); !problem.Is(err, problem.Conflict) {
		t.Errorf("another beside it: got %v", err)
	}
	f.clock.Advance(6 * time.Minute)
	if act, _ := f.MustCase(t, uid).LastAct(); act.State != desk.ActDoubtful {
		t.Errorf("later: %+v", act)
	}
	close(ended)
	MustDo(t, f.AwaitAct(t.Context(), celia, uid, time.Minute))
	eventually(t, func() string {
		if c := f.MustCase(t, uid); c.Status != authorization.AwaitingCancellation {
			return "the answer that came late was lost: " + string(c.Status)
		}
		return ""
	})
	stop()
}

// TestDesk_Cancel_ClockPutBack: nor is it under way until a clock that was put back has come so far.
func TestDesk_Cancel_ClockPutBack(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	stop := f.MustRun(t)
	uid := f.MustAuthorize(t, authorization.Authorized)
	f.offersCancelling()
	ended := make(chan struct{})
	f.service.acts.onAct = func() { <-ended }
	MustDo(t, f.Cancel(t.Context(), celia, uid, desk.Cancellation{Answers: 1}))
	for back, want := range map[time.Duration]desk.ActState{4 * time.Minute: desk.ActUnderWay, 24 * time.Hour: desk.ActDoubtful} {
		f.clock.Advance(-back)
		if act, _ := f.MustCase(t, uid).LastAct(); act.State != want {
			t.Errorf("%s back: got %s, want %s", back, act.State, want)
		}
		f.clock.Advance(back)
	}
	close(ended)
	MustDo(t, f.AwaitAct(t.Context(), celia, uid, 10*time.Second))
	stop()
}

// TestDesk_Cancel_Denied: who may not, what is not announced and what has ended is not cancelled.
func TestDesk_Cancel_Denied(t *testing.T) {
	t.Parallel()
	decider := permission.Actor{User: biaID, Name: "Bia", Units: []uuid.UUID{praiaID}, Roles: []permission.Role{permission.Decision}}
	for name, tc := range map[string]struct {
		by     permission.Actor
		status authorization.Status
		ask    desk.Cancellation
		change func(*service)
		code   problem.Code
	}{
		"Reception":   {ana, authorization.Authorized, desk.Cancellation{Answers: 1}, nil, problem.Forbidden},
		"OtherUnit":   {decider, authorization.Authorized, desk.Cancellation{Answers: 1}, nil, problem.NotFound},
		"Ended":       {celia, authorization.Denied, desk.Cancellation{Answers: 1}, nil, problem.Conflict},
		"Executed":    {celia, authorization.PartiallyExecuted, desk.Cancellation{Answers: 1}, nil, problem.Conflict},
		"Changed":     {celia, authorization.Authorized, desk.Cancellation{Answers: 2}, nil, problem.Conflict},
		"NoSuchPlace": {celia, authorization.Authorized, desk.Cancellation{Answers: 1, Authorization: 1}, nil, problem.Conflict},
		"NotAnnounced": {celia, authorization.Authorized, desk.Cancellation{Answers: 1},
			func(s *service) { s.acts.offers.Cancellation = false }, problem.Conflict},
		"OtherService": {celia, authorization.Authorized, desk.Cancellation{Answers: 1},
			func(s *service) { s.name = "https://outro.example" }, problem.Conflict},
		"LongReason": {celia, authorization.Authorized, desk.Cancellation{Answers: 1, Reason: string(make([]byte, 501))}, nil, problem.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.MustRun(t)
			uid := f.MustAuthorize(t, tc.status)
			f.offersCancelling()
			if tc.change != nil {
				tc.change(f.service)
			}
			if err := f.Cancel(t.Context(), tc.by, uid, tc.ask); !problem.Is(err, tc.code) {
				t.Errorf("got %v, want %s", err, tc.code)
			}
			if len(f.service.acts.asked) != 0 || len(f.MustCase(t, uid).Acts) != 0 {
				t.Error("the service was asked, or an act was kept")
			}
		})
	}
}
