// Package retry repeats commits about what already happened outside: an answer that came
// over the wire, a decision of an operator. Nobody can be asked for it again, so that a
// disk which is full for a while, or a database in use, must not lose it.
package retry

import (
	"context"
	"errors"
	"time"

	"guiche/internal/problem"
)

// The pauses between two tries.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Commit repeats a commit until it succeeds or ctx is done, with pauses that double. The
// commit's own context is never done: it is tried once in any case, and not cut. A
// permanent error is final, and so is an application error that does not pass by itself.
func Commit(ctx context.Context, commit func(context.Context) error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := commit(context.WithoutCancel(ctx))
		if err == nil || final(err) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// final reports whether the same commit would fail again.
func final(err error) bool {
	var answer *problem.Error
	return errors.Is(err, problem.ErrPermanent) || errors.As(err, &answer) && !problem.Passing(err)
}
