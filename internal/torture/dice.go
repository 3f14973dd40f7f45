package torture

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// dice are random numbers of a seed, for several goroutines.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
}

func newDice(seed uint64, stream string) *dice {
	var n uint64
	for _, b := range []byte(stream) {
		n = n*131 + uint64(b)
	}
	return &dice{random: rand.New(rand.NewPCG(seed, n))} //nolint:gosec // a run is to be repeated
}

// chance is true in so many of all cases.
func (d *dice) chance(share float64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.Float64() < share
}

// between is a number from low to high, without high.
func (d *dice) between(low, high int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return low + d.random.IntN(high-low)
}

// pause waits, less when ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
