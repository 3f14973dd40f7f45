package desk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// sequences is a service with a script of its own for each submission.
type sequences struct {
	*service
	mu      sync.Mutex
	scripts map[string][]authorization.Outcome // by beneficiary
	sent    map[string]int
}

func (s *sequences) Send(_ context.Context, d authorization.Dispatch) authorization.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := d.Request.BeneficiaryName
	turn := s.sent[who]
	s.sent[who]++
	// a status, for silence would be an outage, which makes everybody wait
	return authorization.Exchange{ContentType: fmt.Sprintf("%s %d", who, turn), HTTPStatus: 200, Complete: true}
}

// all is how many attempts arrived.
func (s *sequences) all() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sent := range s.sent {
		n += sent
	}
	return n
}

func (s *sequences) Interpret(_ context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	var who string
	var turn int
	if _, err := fmt.Sscanf(x.ContentType, "%s %d", &who, &turn); err != nil {
		return authorization.Outcome{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scripts[who][turn], nil
}

// expected follows a script by the outcome table: where it ends, and after how
// many attempts.
func expected(script []authorization.Outcome) (state desk.State, sends int) {
	for i, o := range script {
		switch o.Kind {
		case authorization.OutcomeRetry, authorization.OutcomeBusy, authorization.OutcomeHeld:
			continue // what is held goes on when the access is accepted
		case authorization.OutcomeAnswered:
			return desk.Answered, i + 1
		case authorization.OutcomeRefused:
			return desk.Refused, i + 1
		default:
			return desk.Unknown, i + 1
		}
	}
	return "", len(script)
}

// TestDesk_Sequences sends many submissions at once, each with random outcomes
// one after the other: each ends where the table says, after as many attempts as
// the table says, whatever the others do.
func TestDesk_Sequences(t *testing.T) {
	t.Parallel()
	kinds := []authorization.OutcomeKind{
		authorization.OutcomeRetry, authorization.OutcomeBusy, authorization.OutcomeRetry, authorization.OutcomeBusy,
		authorization.OutcomeRefused,
		authorization.OutcomeHeld, authorization.OutcomeConflict, authorization.OutcomeUnknown, authorization.OutcomeAnswered,
	}
	seed := uint64(time.Now().UnixNano()) // printed, so that a failure can be repeated
	random := rand.New(rand.NewPCG(seed, 0))
	s := &sequences{scripts: map[string][]authorization.Outcome{}, sent: map[string]int{}}
	f := MustDesk(t, func(c *desk.Config) {
		s.service, c.BackoffBase, c.BackoffCap = c.Service.(*service), time.Nanosecond, time.Nanosecond
		c.Service = s
	})
	cases := map[string]desk.Case{}
	for i := range 60 {
		who := fmt.Sprintf("P%d", i)
		var script []authorization.Outcome
		for range random.IntN(6) {
			o := outcome(kinds[random.IntN(len(kinds))], "motivo")
			if o.Kind == authorization.OutcomeAnswered {
				o = answered("R")
			}
			o.RetryAfter = time.Nanosecond
			script = append(script, o)
		}
		s.scripts[who] = append(script, answered("A"))
		cases[who] = f.MustCase(t, f.MustSubmit(t, ana, map[string]string{"nomeBeneficiario": who}))
	}
	f.MustRun(t)
	for who, c := range cases {
		want, sends := expected(s.scripts[who])
		eventually(t, func() string {
			f.accepted(t)
			standing, err := f.CaseState(t.Context(), celia, c.UID)
			MustDo(t, err)
			if standing.State != want {
				return fmt.Sprintf("seed %d: %v: got %s, want %s, after %d attempts in all", seed, kindsOf(s.scripts[who]), standing.State, want,
					s.all())
			}
			return ""
		})
		if got := len(f.MustCase(t, c.UID).Attempts); got != sends {
			t.Errorf("seed %d: %v: got %d attempts, want %d", seed, kindsOf(s.scripts[who]), got, sends)
		}
		s.mu.Lock()
		if got := s.sent[who]; got != sends {
			t.Errorf("seed %d: %v: got %d sent, want %d", seed, kindsOf(s.scripts[who]), got, sends)
		}
		s.mu.Unlock()
	}
}

func kindsOf(script []authorization.Outcome) string {
	var kinds []string
	for _, o := range script {
		kinds = append(kinds, string(o.Kind))
	}
	return strings.Join(kinds, " ")
}
