package operatortest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/operatortest"
)

// noted is a testing.TB that notes what would fail.
type noted struct {
	testing.TB
	said []string
}

func (n *noted) Helper() {}

func (n *noted) Error(args ...any) { n.said = append(n.said, fmt.Sprint(args...)) }

func (n *noted) Errorf(format string, args ...any) {
	n.said = append(n.said, fmt.Sprintf(format, args...))
}

func (n *noted) Fatalf(format string, args ...any) { n.Errorf(format, args...); runtime.Goexit() }

// operator answers as the fields say.
type operator struct {
	decided, found service.Decision
	authorizeErr   error
	lookUpErr      error
	update         service.Update
	spoil          bool
	ineligible     bool
}

func (o operator) Authorize(_ context.Context, r service.OperatorRequest) (service.Decision, error) {
	if o.spoil {
		r.Request.Procedures[0].Quantity++
	}
	return o.decided, o.authorizeErr
}

func (o operator) LookUp(context.Context, service.OperatorRequest) (service.Decision, error) {
	return o.found, o.lookUpErr
}

func (o operator) PollStatus(context.Context, service.OpenAuthorization) (service.Update, error) {
	return o.update, nil
}

func (o operator) Cancel(context.Context, service.OpenAuthorization, string) (service.Update, error) {
	return service.Update{}, nil
}

func (o operator) CheckEligibility(context.Context, service.EligibilityRequest) (service.Eligibility, error) {
	return service.Eligibility{Eligible: !o.ineligible}, nil
}

func one(status authorization.Status, password string) service.Decision {
	return service.Decision{Authorizations: []authorization.Authorization{{Status: status, Senha: password}}}
}

// TestCheck: each fault is told, and nothing of an operator without one.
func TestCheck(t *testing.T) {
	for want, o := range map[string]operator{
		"": {decided: one("R", ""), lookUpErr: service.ErrNotKnown,
			update: service.Update{Authorization: authorization.Authorization{Status: "A"}}},
		"neither authorizations nor errors": {},
		"broken line":                       {authorizeErr: errors.New("broken line")},
		`status "Q" is not one of the 18`:   {decided: one("Q", "")},
		"does not begin with SIM":           {decided: service.Decision{Simulated: true, Authorizations: one("A", "1").Authorizations}},
		"changed the request":               {decided: one("A", ""), found: one("A", ""), spoil: true},
		"want a decision or ErrNotKnown":    {decided: one("A", ""), lookUpErr: errors.New("slow")},
		"want what Authorize said: A":       {decided: one("A", ""), found: one("N", "")},
		"PollStatus: A never follows N": {decided: one("N", ""), found: one("N", ""),
			update: service.Update{Authorization: authorization.Authorization{Status: "A"}}},
		"PollStatus in R: PollAfter is -1ns":  {decided: one("R", ""), found: one("R", ""), update: service.Update{PollAfter: -1}},
		"want a reason where the card is not": {decided: one("A", ""), found: one("A", ""), ineligible: true},
	} {
		n := &noted{TB: t}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r := service.OperatorRequest{Request: authorization.Request{Procedures: []authorization.Procedure{{Code: "1", Quantity: 1}}}}
			operatortest.Check(n, o, r)
		}()
		<-ended
		if said := strings.Join(n.said, "\n"); !strings.Contains(said, want) || (want == "") != (said == "") {
			t.Errorf("got %q, want %q", said, want)
		}
	}
}
