package torture_test

import (
	"testing"

	"guiche/internal/torture"
)

// TestFaults: there are enough of them, and the ledger names each.
func TestFaults(t *testing.T) {
	rules := torture.FaultRules()
	for name, rule := range rules {
		if rule != name {
			t.Errorf("the rule of %q is called %q", name, rule)
		}
	}
	if len(rules) < 29 {
		t.Errorf("got %d faults", len(rules))
	}
}
