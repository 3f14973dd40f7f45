package desk_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// follows is a service that tells how authorizations stand later.
var follows = authorization.Recourse{Status: true}

// Stand makes the service tell of an authorization from now on.
func (s *service) Stand(a authorization.Authorization) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.standing == nil {
		s.standing = map[string]authorization.Authorization{}
	}
	s.standing[a.GuideID] = a
}

// Looked returns which authorizations were asked about so far.
func (s *service) Looked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.looked)
}

// MustFollow lets a time pass and asks about what is due then.
func (f *fixture) MustFollow(t *testing.T, after time.Duration) {
	t.Helper()
	f.clock.Advance(after)
	MustDo(t, f.FollowDue(t.Context()))
}

// MustAnalyse returns a case on which the operator has not decided, of a service that tells
// when it has.
func (f *fixture) MustAnalyse(t *testing.T) uuid.UUID {
	t.Helper()
	f.service.recourse = follows
	f.service.Stand(analysed("1", 1))
	return f.MustAnswer(t, analysed("1", 1))
}

// TestDesk_Follow: an open case is asked about with pauses that grow, and what the
// operator changed is another answer, told with its own event.
func TestDesk_Follow(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnalyse(t)
	for _, pause := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute,
		30 * time.Minute, time.Hour, time.Hour} {
		before := len(f.service.Looked())
		f.MustFollow(t, pause-time.Second)
		if n := len(f.service.Looked()); n != before {
			t.Errorf("asked before %s were over", pause)
		}
		f.MustFollow(t, time.Second)
		if n := len(f.service.Looked()); n != before+1 {
			t.Errorf("after %s: asked %d times more, want once", pause, n-before)
		}
	}
	c := f.MustCase(t, uid)
	if !c.FollowedAt.Equal(f.clock.Now()) || len(c.Answers) != 1 || len(c.Events) != 3 {
		t.Errorf("nothing new: got %d answers, %d events, last look %s", len(c.Answers), len(c.Events), c.FollowedAt)
	}
	decided := analysed("1", 7)
	decided.Status, decided.Senha, decided.Protocol = authorization.Authorized, "48", ""
	f.service.Stand(decided)
	f.MustFollow(t, time.Hour)
	c = f.MustCase(t, uid)
	got := c.Answer.Authorizations[0]
	if c.Status != authorization.Authorized || c.Origin != desk.OriginOperator ||
		got.Senha != "48" || got.Protocol != "P1" || got.Number != 1 {
		t.Errorf("got %+v with %+v", c.CaseSummary, got)
	}
	if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventUpdated || len(c.Answers) != 2 {
		t.Errorf("got %+v and %d answers", last, len(c.Answers))
	}
	before := len(f.service.Looked())
	f.MustFollow(t, 59*time.Minute)
	f.MustFollow(t, time.Minute)
	if n := len(f.service.Looked()); n != before+1 {
		t.Errorf("authorized: asked %d times in an hour, want once", n-before)
	}
}

// TestDesk_Follow_Ends: what is final is not asked about, nor what has not changed for
// thirty days, nor a service that does not tell.
func TestDesk_Follow_Ends(t *testing.T) {
	t.Parallel()
	t.Run("Final", func(t *testing.T) {
		f := MustDesk(t)
		f.service.recourse = follows
		uid := f.MustAnswer(t, authorization.Authorization{Status: authorization.Denied, Success: true, GuideID: "1"})
		f.MustFollow(t, time.Hour)
		if got := f.service.Looked(); len(got) != 0 || !f.MustCase(t, uid).FollowAt.IsZero() {
			t.Errorf("asked about %v", got)
		}
	})
	t.Run("Old", func(t *testing.T) {
		f := MustDesk(t)
		uid := f.MustAnalyse(t)
		f.MustFollow(t, 31*24*time.Hour)
		if got := f.service.Looked(); len(got) != 0 || !f.MustCase(t, uid).FollowAt.IsZero() {
			t.Errorf("asked about %v", got)
		}
	})
	t.Run("NotAnnounced", func(t *testing.T) {
		f := MustDesk(t)
		uid := f.MustAnalyse(t)
		f.service.recourse = authorization.Recourse{LookUp: true}
		f.MustFollow(t, time.Hour)
		if got := f.service.Looked(); len(got) != 0 || f.MustCase(t, uid).FollowAt.IsZero() {
			t.Errorf("asked about %v", got)
		}
	})
	t.Run("OtherService", func(t *testing.T) {
		f := MustDesk(t)
		f.MustAnalyse(t)
		f.service.name = "https://outro.example"
		f.MustFollow(t, time.Hour)
		if got := f.service.Looked(); len(got) != 0 {
			t.Errorf("another service was asked about %v", got)
		}
	})
}

// TestDesk_Follow_Recorded: what a person recorded stands until the service tells
// something else than it told last.
func TestDesk_Follow_Recorded(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnalyse(t)
	told := reply
	told.Answers = 1
	MustDo(t, f.RecordReply(t.Context(), celia, uid, told))
	f.MustFollow(t, 30*time.Second)
	c := f.MustCase(t, uid)
	if len(f.service.Looked()) != 1 || c.Origin != desk.OriginPerson || c.Status != authorization.Authorized {
		t.Errorf("the service knows nothing new: got %+v", c.CaseState)
	}
	denied := analysed("1", 1)
	denied.Status = authorization.Denied
	f.service.Stand(denied)
	f.MustFollow(t, time.Hour)
	if c = f.MustCase(t, uid); c.Origin != desk.OriginOperator || c.Status != authorization.Denied || len(c.Answers) != 3 {
		t.Errorf("it knows otherwise: got %+v", c.CaseState)
	}
}

// TestDesk_Follow_ByNumber: what has no identifier is asked for by number, where the
// service can be asked so.
func TestDesk_Follow_ByNumber(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourse = authorization.Recourse{Status: true, LookUp: true}
	uid := f.MustAnswer(t, analysed("", 1))
	guide := f.MustCase(t, uid).ProviderGuide
	told := answered(authorization.PartiallyAuthorized).Answer
	f.service.Know(guide, told)
	f.MustFollow(t, 30*time.Second)
	if c := f.MustCase(t, uid); c.Status != authorization.PartiallyAuthorized || len(f.service.Looked()) != 0 {
		t.Errorf("got %+v", c.CaseState)
	}
}

// TestDesk_Follow_ByNumber_Same: what the service told before is no other answer; what has
// more authorizations than before is taken whole.
func TestDesk_Follow_ByNumber_Same(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourse = authorization.Recourse{Status: true, LookUp: true}
	uid := f.MustAnswer(t, analysed("", 1))
	guide := f.MustCase(t, uid).ProviderGuide
	f.service.Know(guide, authorization.Answer{Success: true, Authorizations: []authorization.Authorization{analysed("", 1)}})
	f.MustFollow(t, 30*time.Second)
	before := len(f.MustCase(t, uid).Answers) // the number was new
	f.MustFollow(t, time.Hour)
	if c := f.MustCase(t, uid); len(c.Answers) != before || !c.FollowedAt.Equal(f.clock.Now()) {
		t.Errorf("the same: got %d answers, want %d, last look %s", len(c.Answers), before, c.FollowedAt)
	}
	f.service.Know(guide, answered("A", "N").Answer)
	f.MustFollow(t, time.Hour)
	if c := f.MustCase(t, uid); len(c.Answers) != before+1 || len(c.Answer.Authorizations) != 2 {
		t.Errorf("two: got %d answers, the last %+v", len(c.Answers), c.Answer)
	}
}

// TestDesk_Follow_ByNumber_OtherOrder: a service that lists the latest change first speaks of the same authorizations: each
// keeps its own guide.
func TestDesk_Follow_ByNumber_OtherOrder(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourse = authorization.Recourse{Status: true, LookUp: true}
	first := authorization.Authorization{Number: 1, Success: true, Status: authorization.Authorized, GuideNumber: "7", Senha: "48",
		GuidePDF: blob.Ref(strings.Repeat("7", 64))}
	second := authorization.Authorization{Number: 2, Success: true, Status: authorization.UnderAnalysis, GuideNumber: "8"}
	outcome := answered()
	outcome.Answer.Authorizations = []authorization.Authorization{first, second}
	uid := f.MustEnd(t, outcome)[0]
	guide := f.MustCase(t, uid).ProviderGuide
	first.ProviderGuide, first.GuidePDF = guide, ""
	second.ProviderGuide, second.Status, second.Senha = guide, authorization.Authorized, "49"
	f.service.Know(guide, authorization.Answer{Success: true, Authorizations: []authorization.Authorization{second, first}})
	f.MustFollow(t, 30*time.Second)
	var got []string
	for _, a := range f.MustCase(t, uid).Answer.Authorizations {
		got = append(got, fmt.Sprintf("%d: guia %s, senha %s, PDF %.1s", a.Number, a.GuideNumber, a.Senha, a.GuidePDF))
	}
	if want := []string{"1: guia 7, senha 48, PDF 7", "2: guia 8, senha 49, PDF "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDesk_Follow_Foreign: a word about another authorization changes nothing.
func TestDesk_Follow_Foreign(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*authorization.Authorization){
		"Guide":    func(a *authorization.Authorization) { a.GuideID = "2" },
		"Number":   func(a *authorization.Authorization) { a.ProviderGuide = "26112010000012300001" },
		"NoStatus": func(a *authorization.Authorization) { a.Status = "" },
	} {
		f := MustDesk(t)
		uid := f.MustAnalyse(t)
		other := analysed("1", 1)
		other.Status = authorization.Authorized
		change(&other)
		f.service.mu.Lock()
		f.service.standing["1"] = other
		f.service.mu.Unlock()
		f.MustFollow(t, time.Hour)
		if c := f.MustCase(t, uid); c.Status != authorization.UnderAnalysis || !c.FollowedAt.IsZero() || len(f.service.Looked()) != 1 {
			t.Errorf("%s: got %+v", name, c.CaseState)
		}
	}
}

// TestDesk_Follow_Trouble: a service that asks to wait is left alone for as long, and one
// that does not answer about an operator is asked seldom about that operator.
func TestDesk_Follow_Trouble(t *testing.T) {
	t.Parallel()
	unavailable := problem.New(problem.Unavailable, "")
	for name, tc := range map[string]struct {
		err   error
		quiet time.Duration
	}{
		"Busy":        {&authorization.Busy{After: 10 * time.Minute, Err: unavailable}, 10 * time.Minute},
		"BusyForEver": {&authorization.Busy{After: 24 * time.Hour, Err: unavailable}, time.Hour},
		"Silent":      {unavailable, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.recourse = follows
			for _, id := range []string{"1", "2", "3", "4", "5"} {
				f.service.Stand(analysed(id, 1))
				f.MustAnswer(t, analysed(id, 1))
			}
			f.service.statusErr = tc.err
			f.MustFollow(t, 30*time.Second)
			f.MustFollow(t, tc.quiet-time.Second)
			if n := len(f.service.Looked()); n != 1 {
				t.Errorf("asked %d times, want once", n)
			}
			f.service.statusErr = nil
			f.MustFollow(t, time.Second)
			if n := len(f.service.Looked()); n != 6 {
				t.Errorf("asked %d times, want again about all five", n)
			}
		})
	}
}

// TestDesk_Follow_NoSlots: whoever is asked about open cases and hangs keeps no request
// waiting.
func TestDesk_Follow_NoSlots(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Slots = desk.Slots{All: 1, PerCredential: 1} })
	f.MustAnalyse(t)
	hang, asked := make(chan struct{}), make(chan struct{}, 9)
	f.service.onStatus = func() { asked <- struct{}{}; <-hang }
	defer close(hang)
	f.clock.Advance(time.Minute)
	f.MustRun(t)
	<-asked
	f.service.Script(answered(authorization.Authorized))
	uid := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, uid, desk.Answered)
}

// TestDesk_Follow_Race: what a person records while the service is being asked is not
// undone by an answer to what stood before.
func TestDesk_Follow_Race(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnalyse(t)
	decided := analysed("1", 1)
	decided.Status = authorization.Denied
	f.service.Stand(decided)
	told := reply
	told.Answers = 1
	var recorded error
	f.service.onStatus = func() { recorded = f.RecordReply(t.Context(), celia, uid, told); f.service.onStatus = nil }
	f.MustFollow(t, 30*time.Second)
	MustDo(t, recorded)
	if c := f.MustCase(t, uid); c.Status != authorization.Authorized || c.Origin != desk.OriginPerson {
		t.Errorf("got %+v, want what the person recorded", c.CaseState)
	}
	f.MustFollow(t, 5*time.Minute)
	if c := f.MustCase(t, uid); c.Status != authorization.Denied {
		t.Errorf("asked again: got %s, want the service's word", c.Status)
	}
}

// TestDesk_DecidedWhileFound: of a person who ends a doubt and the service that is found to
// know, the first ends it, and what is told later is another answer or nothing.
func TestDesk_DecidedWhileFound(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	uid := f.MustSubmit(t, ana, nil)
	MustDo(t, f.RunDue(t.Context()))
	f.MustBecome(t, uid, desk.Unknown)
	f.service.recourse = lookUp
	f.service.Know(f.MustCase(t, uid).ProviderGuide, answered("N").Answer)
	var decided error
	found := make(chan struct{})
	f.service.onFind = func() {
		decided = f.RecordReply(t.Context(), celia, uid, reply)
		f.service.onFind = nil
		close(found)
	}
	stop := f.MustRun(t)
	<-found
	stop()
	MustDo(t, decided)
	c := f.MustCase(t, uid)
	if c.Status != authorization.Authorized || c.Origin != desk.OriginPerson || len(c.Answers) != 1 || len(c.Decisions) != 1 {
		t.Errorf("got %+v with %d answers", c.CaseState, len(c.Answers))
	}
	if f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(desk.EventFound)) != 0 {
		t.Error("the doubt ended twice")
	}
}

// TestDesk_Follow_OnlyRecorded: where only a person spoke, what they said tells how soon the
// service is asked again.
func TestDesk_Follow_OnlyRecorded(t *testing.T) {
	t.Parallel()
	for status, want := range map[authorization.Status]time.Duration{
		authorization.UnderAnalysis: time.Minute, authorization.Authorized: 2 * time.Hour,
	} {
		f := MustDesk(t)
		f.service.recourse = follows
		f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
		uid := f.MustSubmit(t, ana, nil)
		MustDo(t, f.RunDue(t.Context()))
		f.MustBecome(t, uid, desk.Unknown)
		told := reply
		if told.Status = status; status == authorization.UnderAnalysis {
			told.Senha, told.SenhaValidUntil = "", authorization.LocalTime{}
		}
		MustDo(t, f.RecordReply(t.Context(), celia, uid, told))
		first := f.MustCase(t, uid).FollowAt.Sub(f.clock.Now())
		f.MustFollow(t, first)
		if got := f.MustCase(t, uid).FollowAt.Sub(f.clock.Now()); got != want {
			t.Errorf("%s: asked again after %s, want %s", status, got, want)
		}
	}
}

// TestDesk_Follow_KeepsTrying: an error of the service is no look, and the case is asked
// about again.
func TestDesk_Follow_KeepsTrying(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnalyse(t)
	f.service.statusErr = errors.New("no such guide")
	f.MustFollow(t, 30*time.Second)
	if c := f.MustCase(t, uid); !c.FollowedAt.IsZero() || !c.FollowAt.Equal(f.clock.Now().Add(time.Minute)) {
		t.Errorf("last look %s, next %s", c.FollowedAt, c.FollowAt)
	}
}

// TestDesk_Follow_Final: what the operator has decided is not asked about again.
func TestDesk_Follow_Final(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.recourse = follows
	decided := analysed("1", 1)
	decided.Status = authorization.Executed
	f.service.Stand(analysed("2", 2))
	uid := f.MustAnswer(t, decided, analysed("2", 2))
	f.MustFollow(t, 30*time.Second)
	if got := f.service.Looked(); !slices.Equal(got, []string{"2"}) {
		t.Errorf("asked about %q, want the open one", got)
	}
	if c := f.MustCase(t, uid); len(c.Answers) != 1 {
		t.Errorf("got %d answers, want the first", len(c.Answers))
	}
}
