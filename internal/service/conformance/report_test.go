package conformance_test

import (
	"strings"
	"testing"

	"guiche/internal/service/conformance"
)

// TestReport holds what a report says of each verdict, and what would try more.
func TestReport(t *testing.T) {
	var b strings.Builder
	err := conformance.Report(&b, []conformance.Result{
		{Chapter: "Section1", Check: "A", Sentence: "First.", Verdict: conformance.Kept},
		{Chapter: "Section2_1", Check: "B", Sentence: "Second.", Verdict: conformance.Broken, Problems: []string{"no"}},
		{Chapter: "Section4_7", Check: "C", Sentence: "Third.", Verdict: conformance.Open, Findings: []string{"not tried: no oauth"}},
		{Chapter: "Section5", Check: "D", Sentence: "Fourth.", Verdict: conformance.Open, Findings: []string{"not tried: no oauth"}},
		{Chapter: "Row05_AbsentNullEmpty", Check: "E", Sentence: "Fifth.", Verdict: conformance.Differs, Problems: []string{"senha is absent"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"kept     Section1/A", "First.", "BROKEN Section2_1/B: no", "ABERTO Section4_7/C: not tried: no oauth",
		"differs Row05_AbsentNullEmpty/E: senha is absent", "give oauth to try 2 sentences more",
		"5 sentences: 1 kept, 1 broken, 1 differ from a decision of Guichê, 2 open",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, &b)
		}
	}
}
