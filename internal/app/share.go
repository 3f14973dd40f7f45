package app

import (
	"context"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// shareEvery is how often processes tell each other what they count in memory, so that no
// request waits for it.
const shareEvery = time.Second

// share tells what this process counted to those that use the same database.
func (s *baseServer) share(db engine.DB, what string, tell func(context.Context) error) {
	s.whileShared(db, shareEvery, "other processes are not told yet what was counted of "+what, tell)
}

// tellMoved returns how other processes are told that a case moved on, nil where there are none, and has
// the desk hear what they tell.
func (a *App) tellMoved() func(uuid.UUID) {
	db, shared := a.data.db.(*postgres.DB)
	if !shared {
		return nil
	}
	signals := db.Signals()
	a.inBackground(func(ctx context.Context) {
		signals.Run(ctx, func(word string) {
			if uid, err := uuid.Parse(word); err == nil {
				a.desk.MovedElsewhere(uid)
			}
		})
	})
	return func(uid uuid.UUID) { signals.Tell(uid.String()) }
}

// whileShared does something from time to time until Run ends, where other processes may use the
// database. Trouble is what an error is logged with.
func (s *baseServer) whileShared(db engine.DB, every time.Duration, trouble string, do func(context.Context) error) {
	if !db.Shared() {
		return
	}
	s.inBackground(func(ctx context.Context) {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			if err := do(ctx); err != nil && !problem.Passing(err) && ctx.Err() == nil {
				s.config.Logger.ErrorContext(ctx, trouble, "error", err)
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})
}
