package retry_test

import (
	"context"
	"errors"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/retry"
)

func TestCommit(t *testing.T) {
	for name, tc := range map[string]struct {
		fails error
		tries int // until it succeeds, or its error is final
		want  error
	}{
		"AtOnce":      {nil, 1, nil},
		"Full":        {errors.New("disk full"), 4, nil},
		"NoSpace":     {problem.New(problem.NoSpace, ""), 3, nil},
		"Permanent":   {problem.ErrPermanent, 1, problem.ErrPermanent},
		"Application": {problem.New(problem.Conflict, ""), 1, problem.New(problem.Conflict, "")},
	} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			err := retry.Commit(t.Context(), func(context.Context) error {
				if tries++; tries < tc.tries || tc.want != nil {
					return tc.fails
				}
				return nil
			})
			if !errors.Is(err, tc.want) || tries != tc.tries {
				t.Errorf("got %v after %d tries, want %v after %d", err, tries, tc.want, tc.tries)
			}
		})
	}
	t.Run("Stopped", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		tries, full := 0, errors.New("disk full")
		err := retry.Commit(ctx, func(ctx context.Context) error {
			tries++
			return errors.Join(full, ctx.Err())
		})
		if !errors.Is(err, full) || errors.Is(err, context.Canceled) || tries != 1 {
			t.Errorf("got %v after %d tries, want one whole try", err, tries)
		}
	})
}
