// Package simulated answers as operators do, by rules in a data file: for the
// demo, for training and for tests. Every decision says that it is simulated and
// every senha and every protocol begins with SIM.
//
// The first rule that fits a request decides. An ordinary card fits the last one
// and is authorized at once; cards that begin with 9999 and two digits fit the
// others (see Operator.Catalogue). What follows later stands in the rules too: an
// operator keeps nothing and computes it anew from the request and the time.
package simulated

import (
	"context"
	"errors"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

// Config is how an Operator is made. The zero value has the embedded rules.
type Config struct {
	Rules []Rule                                           // nil means the embedded ones
	Clock func() time.Time                                 // nil means time.Now
	Sleep func(ctx context.Context, d time.Duration) error // nil waits with a timer until ctx ends
}

// Operator satisfies service.Operator. It keeps nothing: the same request always
// fits the same rule.
type Operator struct {
	rules []Rule
	clock func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

var _ service.Operator = (*Operator)(nil)

// New returns a simulated operator.
func New(c Config) *Operator {
	o := &Operator{rules: c.Rules, clock: c.Clock, sleep: c.Sleep}
	if o.rules == nil {
		o.rules = embedded()
	}
	if o.clock == nil {
		o.clock = time.Now
	}
	if o.sleep == nil {
		o.sleep = sleep
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errFailure is what an operator that fails returns.
var errFailure = errors.New("simulated: the rule says that the operator fails")

// Authorize implements service.Operator.
func (o *Operator) Authorize(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	then := o.outcome(r)
	if err := o.await(ctx, then); err != nil {
		return service.Decision{}, err
	}
	return o.decide(then, r), nil
}

// LookUp implements service.Operator: at once what Authorize would have said, and
// nothing of a request that failed.
func (o *Operator) LookUp(_ context.Context, r service.OperatorRequest) (service.Decision, error) {
	then := o.outcome(r)
	if then.Fails {
		return service.Decision{}, service.ErrNotKnown
	}
	return o.decide(then, r), nil
}

// outcome is that of the first rule that fits; without any, authorized.
func (o *Operator) outcome(r service.OperatorRequest) Outcome {
	for _, rule := range o.rules {
		if rule.When.fits(r) {
			return rule.Then
		}
	}
	return ordinary
}

// ordinary is what happens without a rule.
var ordinary = Outcome{Authorizations: []Entry{{Status: authorization.Authorized}}}
