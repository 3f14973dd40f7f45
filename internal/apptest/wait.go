package apptest

import (
	"context"
	"testing"
	"time"
)

// Eventually waits until a condition holds and fails the test after 20 s. It is
// for what the program does by itself; what a page answers needs no waiting.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("did not happen: %s", what)
		case <-tick.C:
		}
	}
}
