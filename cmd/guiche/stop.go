package main

import (
	"context"
	"log/slog"
	"os"
	"time"
)

// endWithin ends the process so long after ctx, unless done was called by then. What waits
// that long after it was told to stop waits for somebody else, as for a lock of a process that
// hangs; the next start finds what it leaves as after a kill.
func endWithin(ctx context.Context, within time.Duration, logger *slog.Logger) (done func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		select {
		case <-ended:
		case <-time.After(within):
			logger.Error("it has not ended in time: it ends with work under way", "within", within.String())
			os.Exit(1)
		}
	}()
	return func() { close(ended) }
}
