package app

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/postgres"
)

const (
	// clockEvery is how often a process compares its clock with that of the database server.
	clockEvery = time.Minute
	// clockApart is how much they may differ. Processes tell by their clocks whether a lease is over: one that is
	// ahead by a lease takes from the others what they are sending.
	clockApart = presentFor / 4
)

// watchClock has the log tell of a clock that is not that of the database server, and so of other processes.
func (s *baseServer) watchClock(db database) {
	s.whileShared(db, clockEvery, "the clock of this machine is wrong, or that of the database server", func(ctx context.Context) error {
		return checkClock(ctx, db)
	})
}

func checkClock(ctx context.Context, db database) error {
	server, ok := db.(*postgres.DB)
	if !ok {
		return nil
	}
	switch ahead, err := server.ClockAhead(ctx); {
	case err != nil:
		return err
	case ahead > clockApart:
		return fmt.Errorf("it is %s ahead: what other processes are sending may be taken from them", ahead.Round(time.Second))
	case ahead < -clockApart:
		return fmt.Errorf("it is %s behind: what this process is sending may be taken from it", (-ahead).Round(time.Second))
	}
	return nil
}
