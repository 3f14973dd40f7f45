package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// What one process at a time does for all demos of a database.
const (
	fillingDemo = "fill"
	makingPast  = "past"
)

// How long a demo that is killed keeps others from going on, and how often they look.
const (
	aloneFor   = 15 * time.Second
	aloneRenew = aloneFor / 3
	aloneLook  = 100 * time.Millisecond
)

// alone does work that no other demo of the same database does meanwhile: they wait. Abandoned
// says that another one began it and was killed.
func (a *App) alone(ctx context.Context, what string, work func(ctx context.Context, abandoned bool) error) error {
	if !a.config.Demo || !a.config.onServer() {
		return work(ctx, false)
	}
	l := aloneLease{app: a, id: demoID("lease", what)}
	abandoned, err := l.claim(ctx)
	if err != nil {
		return fmt.Errorf("wait for another demo: %w", err)
	}
	if err = l.during(ctx, func(ctx context.Context) error { return work(ctx, abandoned) }); err != nil {
		ended, done := context.WithTimeout(context.WithoutCancel(ctx), aloneRenew)
		defer done()
		return errors.Join(err, a.cases.RenewLease(ended, l.id, l.until, time.Now())) // the next one begins it anew
	}
	return a.cases.EndLease(ctx, l.id, l.until)
}

// aloneLease is a lease by the time of the machine: the demo's clock is set back meanwhile.
type aloneLease struct {
	app   *App
	id    uuid.UUID
	until time.Time
}

// claim waits until no other process holds the lease.
func (l *aloneLease) claim(ctx context.Context) (abandoned bool, err error) {
	for {
		now := time.Now()
		l.until = now.Add(aloneFor)
		abandoned, err = l.app.cases.ClaimLease(ctx, l.id, now, l.until)
		if !problem.Is(err, problem.Conflict) {
			return abandoned, err
		}
		select {
		case <-time.After(aloneLook):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// during renews the lease while the work is done, which ends when the lease is lost.
func (l *aloneLease) during(ctx context.Context, work func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(ctx, end)
	}()
	err := work(ctx)
	if err == nil {
		err = context.Cause(ctx)
	}
	end(nil)
	<-renewed
	return err
}

// renew keeps the lease until the work is done, and ends the work when it is lost.
func (l *aloneLease) renew(ctx context.Context, lost context.CancelCauseFunc) {
	for {
		select {
		case <-time.After(aloneRenew):
		case <-ctx.Done():
			return
		}
		until := time.Now().Add(aloneFor)
		if err := l.app.cases.RenewLease(ctx, l.id, l.until, until); err != nil {
			lost(fmt.Errorf("another demo has taken over: %w", err))
			return
		}
		l.until = until
	}
}
