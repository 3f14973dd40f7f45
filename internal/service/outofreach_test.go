package service_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/problem"
)

// TestService_OutOfReach: of a request that found the data out of reach nothing was done,
// and it may come again in a moment. Once its operator was asked nobody is told so.
func TestService_OutOfReach(t *testing.T) {
	for name, tc := range map[string]struct {
		method, code string
		after        int
		status       int
		asked        int64
	}{
		"Check":   {"References", "indisponivel", 0, http.StatusServiceUnavailable, 0},
		"Receive": {"Receive", "indisponivel", 0, http.StatusServiceUnavailable, 0},
		"Answer":  {"Request", "interno", 0, http.StatusInternalServerError, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e, f := MustFaultyEnv(t)
			f.cause = problem.NewBusy(errors.New("locked"))
			f.set(tc.method, tc.after)
			r := e.Post(body(nil), key("k"))
			checkRefusal(t, r, tc.status)
			after := map[int]string{http.StatusServiceUnavailable: "5"}[tc.status]
			if got := r.Header.Get("Retry-After"); got != after || !strings.Contains(r.Text, `"codigo":"`+tc.code+`"`) {
				t.Errorf("got Retry-After %q, %s, want %q and %s", got, r.Text, after, tc.code)
			}
			if got := e.Operator.Authorized.Load(); got != tc.asked {
				t.Errorf("the operator was asked %d times, want %d", got, tc.asked)
			}
			if again := e.Post(body(nil), key("k")); again.Status != http.StatusOK || e.Operator.Authorized.Load() != 1 {
				t.Errorf("again: got %d, the operator was asked %d times", again.Status, e.Operator.Authorized.Load())
			}
		})
	}
}

// TestService_OutOfReach_Action is the same for what a partner does to an authorization.
func TestService_OutOfReach_Action(t *testing.T) {
	for method, want := range map[string]int{"AddAction": http.StatusServiceUnavailable, "Action": http.StatusInternalServerError} {
		e, f := MustFaultyEnv(t)
		id, _ := e.MustAuthorize("0310004512063345")
		f.cause = problem.NewBusy(errors.New("locked"))
		f.set(method, 0)
		checkRefusal(t, e.Act(id, "cancelamento", someReason, key("k")), want)
		if again := e.Act(id, "cancelamento", someReason, key("k")); again.Status != http.StatusOK || e.Operator.Acted.Load() != 1 {
			t.Errorf("%s, again: got %d, the operator was told %d times", method, again.Status, e.Operator.Acted.Load())
		}
	}
}
