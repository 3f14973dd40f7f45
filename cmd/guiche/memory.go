package main

import (
	"context"
	"log/slog"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// memoryShare is how much of its memory the machine or the container gives the program
// before it collects garbage more often: the rest is for what Go does not count.
const memoryShare = 0.8

// limitMemory has the program stay within the memory of the machine, or of the container
// that it runs in. GOMEMLIMIT wins. The log says at that level how much it is.
func limitMemory(ctx context.Context, logger *slog.Logger, level slog.Level) {
	limit, err := memlimit.Set(memlimit.WithRatio(memoryShare), memlimit.WithProvider(memory))
	if err != nil {
		logger.WarnContext(ctx, "no memory limit", "error", err)
		return
	}
	logger.Log(ctx, level, "memory limit", "bytes", limit)
}

// memory is that of the container or of the machine, whichever is less.
func memory() (uint64, error) {
	container, err := memlimit.FromCgroup()
	if err != nil { // there is none, or it has no limit
		return memlimit.FromSystem()
	}
	machine, err := memlimit.FromSystem()
	return min(container, machine), err
}
