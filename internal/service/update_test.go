package service_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// erratic is an operator that decides one authorization for each step and then
// tells the step's end, whether it can be or not.
type erratic struct {
	steps []step
}

type step struct{ before, after authorization.Status }

func (o erratic) Authorize(context.Context, service.OperatorRequest) (service.Decision, error) {
	d := service.Decision{PollAfter: time.Second}
	for _, s := range o.steps {
		d.Authorizations = append(d.Authorizations, authorization.Authorization{Status: s.before})
	}
	return d, nil
}

func (o erratic) LookUp(context.Context, service.OperatorRequest) (service.Decision, error) {
	return service.Decision{}, service.ErrNotKnown
}

func (o erratic) PollStatus(_ context.Context, at service.OpenAuthorization) (service.Update, error) {
	return service.Update{Authorization: authorization.Authorization{Status: o.steps[at.Authorization.Number-1].after}}, nil
}

// reach is what each status leads to by the schema's table, over others too.
func (e *env) reach() map[step]bool {
	e.tb.Helper()
	leads := map[step]bool{}
	for _, pair := range e.Transitions() {
		codes := slices.Collect(strings.SplitSeq(pair, ""))
		leads[step{authorization.Status(codes[0]), authorization.Status(codes[1])}] = true
	}
	all := authorization.Statuses()
	for _, over := range all {
		for _, before := range all {
			for _, after := range all {
				if leads[step{before.Code, over.Code}] && leads[step{over.Code, after.Code}] {
					leads[step{before.Code, after.Code}] = true
				}
			}
		}
	}
	return leads
}

// TestService_ImpossibleUpdates: whatever an operator tells later, an authorization
// goes only where row 19 leads, over every step between, and a code that is none of
// the 18 moves nothing.
func TestService_ImpossibleUpdates(t *testing.T) {
	e := MustEnv(t, limits{})
	var o erratic
	for _, before := range authorization.Statuses() {
		for _, after := range authorization.Statuses() {
			o.steps = append(o.steps, step{before.Code, after.Code})
		}
		o.steps = append(o.steps, step{before.Code, "Q"})
	}
	e.Operator.Operator = o
	answer := e.Post(body(nil), nil)
	entries := answer.Entries("autorizacoes")
	if len(entries) != len(o.steps) {
		t.Fatalf("got %d with %d authorizations, want %d", answer.Status, len(entries), len(o.steps))
	}
	e.Clock.Move(time.Second)
	e.RunDue()
	leads := e.reach()
	for i, s := range o.steps {
		id := entries[i]["guiaId"].(string)
		want := s.before
		if leads[s] {
			want = s.after
		}
		stood, err := e.Store().LedgerAuthorization(t.Context(), uuid.MustParse(id))
		if err != nil || stood.Authorization.Status != want {
			t.Errorf("%s told to be %s: stands at %s, %v, want %s", s.before, s.after, stood.Authorization.Status, err, want)
		}
		history := e.History(id)
		for j := range history[1:] {
			if !service.Follows(authorization.Status(history[j]), authorization.Status(history[j+1])) {
				t.Errorf("%s to %s: the ledger goes %v", s.before, s.after, history)
			}
		}
		if history[0] != string(s.before) || history[len(history)-1] != string(want) {
			t.Errorf("%s to %s: the ledger says %v", s.before, s.after, history)
		}
	}
}
