package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
)

// TestDesk_Follow_ClockPutBack: a pause that a wrong clock planned does not go on until the right
// one has come so far.
func TestDesk_Follow_ClockPutBack(t *testing.T) {
	t.Parallel()
	unavailable := problem.New(problem.Unavailable, "")
	for name, fails := range map[string]func(*service){
		"Silent":  func(s *service) { s.statusErr = unavailable },
		"Busy":    func(s *service) { s.statusErr = &authorization.Busy{After: time.Hour, Err: unavailable} },
		"Unasked": func(s *service) { s.recourseErr = unavailable },
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.recourse = follows
			f.service.Stand(analysed("1", 1))
			f.MustAnswer(t, analysed("1", 1))
			fails(f.service)
			f.MustFollow(t, 30*time.Second)
			f.service.statusErr, f.service.recourseErr = nil, nil
			before := len(f.service.Looked())
			f.MustFollow(t, -3*24*time.Hour)
			if n := len(f.service.Looked()) - before; n != 1 {
				t.Errorf("asked %d times, want once", n)
			}
		})
	}
}

// TestDesk_Follow_ClockAhead: a clock that was a year ahead for a moment leaves off no case for good,
// also where the process ended meanwhile; what nobody has answered for long stays left off.
func TestDesk_Follow_ClockAhead(t *testing.T) {
	t.Parallel()
	for name, restarted := range map[string]bool{"PutBack": false, "PutBackAndRestarted": true} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.recourse = follows
			f.service.Stand(analysed("1", 1))
			f.MustAnswer(t, analysed("1", 1))
			const year = 365 * 24 * time.Hour
			f.MustFollow(t, year)
			if restarted {
				d, err := desk.New(f.config)
				MustDo(t, err)
				f.Desk = d
			}
			before := len(f.service.Looked())
			f.MustFollow(t, -year)
			if n := len(f.service.Looked()) - before; n != 1 {
				t.Errorf("put back: asked %d times, want once", n)
			}
			before = len(f.service.Looked())
			f.MustFollow(t, year)
			f.MustFollow(t, -time.Hour)
			if n := len(f.service.Looked()) - before; n != 0 {
				t.Errorf("a year later: asked %d times, want never", n)
			}
		})
	}
}

// TestDesk_DoubtAsked_ClockPutBack: nor is a doubt left alone until then.
func TestDesk_DoubtAsked_ClockPutBack(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "corte"))
	f.service.recourse = lookUp
	f.service.findGuide = problem.New(problem.Unavailable, "")
	f.MustRun(t)
	f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Unknown)
	asked := 0
	for range 3 {
		eventually(t, func() string {
			if f.service.Asked() == asked {
				return "not asked again"
			}
			return ""
		})
		asked = f.service.Asked()
		f.clock.Advance(-time.Hour)
	}
}
