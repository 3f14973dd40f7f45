package app

import (
	"context"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// shareEvery is how often processes tell each other what they count in memory, so that no
// request waits for it.
const shareEvery = time.Second

// share tells what this process counted to those that use the same database, until Run ends.
// Where there are none nothing is told.
func (s *baseServer) share(db engine.DB, what string, tell func(context.Context) error) {
	if !db.Shared() {
		return
	}
	s.inBackground(func(ctx context.Context) {
		tick := time.NewTicker(shareEvery)
		defer tick.Stop()
		for {
			if err := tell(ctx); err != nil && !problem.Passing(err) && ctx.Err() == nil {
				s.config.Logger.ErrorContext(ctx, "what was counted is not told to other processes yet", "what", what, "error", err)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})
}
