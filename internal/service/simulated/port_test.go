package simulated_test

import (
	"context"
	"os"
	"strings"
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
}

// TestLoad_Readme: the file that the README shows works, and does what it says.
func TestLoad_Readme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(readme), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	rules, err := simulated.Load([]byte(text))
	if err != nil || len(rules) != 3 {
		t.Fatalf("got %d rules, %v", len(rules), err)
	}
	o := simulated.New(simulated.Config{Rules: rules, Clock: clock, Sleep: func(context.Context, time.Duration) error { return nil }})
	if got := statuses(mustAuthorize(t, o, request("1", 1, 1, 1))); got != "S" {
		t.Errorf("an ultrasound: got %q, want S", got)
	}
	if got := mustAuthorize(t, o, request("7712", 1)); len(got.Errors) != 1 || len(got.Authorizations) != 0 {
		t.Errorf("another operator's card: got %+v", got)
	}
	if got := statuses(mustAuthorize(t, o, request("1", 1, 1))); got != "AN" {
		t.Errorf("in two parts: got %q, want AN", got)
	}
}

func statuses(d service.Decision) (all string) {
	for _, a := range d.Authorizations {
		all += string(a.Status)
	}
	return all
}
