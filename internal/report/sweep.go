package report

import (
	"context"
	"time"
)

// filterLife is how long a filter is kept without being used.
const filterLife = 30 * 24 * time.Hour

// sweepEvery is the pause between two sweeps.
const sweepEvery = time.Hour

// Sweep deletes the filters that nobody used for 30 days: what was typed into
// them may be about patients.
func (h *History) Sweep(ctx context.Context) error {
	_, err := h.config.Store.SweepFilters(ctx, h.now().Add(-filterLife))
	return err
}

// Run sweeps now and every hour until ctx is done.
func (h *History) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := h.Sweep(ctx); err != nil && ctx.Err() == nil {
			h.config.Logger.ErrorContext(ctx, "sweep filters of the history", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
