package simulated_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/service"
	"guiche/internal/service/operatortest"
	"guiche/internal/service/simulated"
)

// TestOperator_KeepsThePort: every card of the catalogue whose operator answers.
func TestOperator_KeepsThePort(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock, Sleep: func(context.Context, time.Duration) error { return nil }})
	checked := 0
	for _, example := range o.Catalogue() {
		r := request(example.Card+"000000", 2, 1)
		if _, err := o.LookUp(t.Context(), r); err == nil {
			checked++
			t.Run(example.Card, func(t *testing.T) { operatortest.Check(t, o, r) })
		}
	}
	if checked < 18 {
		t.Errorf("got %d cards, want those of all codes", checked)
	}
	var _ service.Canceller = o
}
