package service_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/servicetest"
)

const (
	someDays = 2 * 24 * time.Hour
	year     = 365 * 24 * time.Hour
)

// TestService_Work_ClockPutBack: a request that was accepted by a clock that was ahead is decided
// once the clock is right, and not when the right one has come so far.
func TestService_Work_ClockPutBack(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Clock.Move(someDays)
	accepted := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	e.Clock.Move(-someDays)
	e.RunDue()
	e.StandsAt(accepted, "A")
}

// TestService_Polls_ClockPutBack: a clock that was ahead for a moment neither puts off for long what
// operators are asked, nor ends it; what has waited for a month stays left alone.
func TestService_Polls_ClockPutBack(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"Days": someDays, "Year": year} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			e.Operator.Operator = waiting{servicetest.Fixed{Decision: service.Decision{
				Authorizations: []authorization.Authorization{{Status: "R"}}, PollAfter: someDays}}}
			e.MustAuthorize("1")
			asked := func(move time.Duration) int64 {
				before := e.Operator.Polled.Load()
				e.Clock.Move(move)
				e.RunDue()
				return e.Operator.Polled.Load() - before
			}
			asked(ahead)
			if n := asked(time.Hour - ahead); n != 1 {
				t.Errorf("put back: asked %d times, want once", n)
			}
			asked(year)
			if n := asked(-time.Hour); n != 0 {
				t.Errorf("a year later: asked %d times, want never", n)
			}
		})
	}
}
