package simulated_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"guiche/internal/service/simulated"
)

// FuzzLoad: whatever a file holds, it is refused with a line that it has, or its
// rules can be worked with.
func FuzzLoad(f *testing.F) {
	brought, err := os.ReadFile("rules.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(brought), "", "[]", "{}", "null", "[null]", "[[]]", "[{}]", "\xff", "[{\"then\":\n{\"fails\":1}}]",
		`[{"then":{"delay":"9999999h","fails":true}}]`,
		`[{"when":{"card":"*","maxAttachments":0},"then":{"authorizations":[{"status":"Ç","next":{"H":{"status":"T","after":"-1s"}}}]}}]`,
		`[{"a":1,"a":2}]`, `[{"then":{"errors":[{}]}}] x`,
		`[{"when":{"newborn":null},"then":{"authorizations":[{"status":"K","next":{"K":{"status":"A"}}}]}}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := simulated.Load([]byte(text))
		if err != nil {
			var line int
			if _, scanErr := fmt.Sscanf(err.Error(), "simulated: line %d: ", &line); scanErr != nil || line < 1 ||
				line > 1+strings.Count(text, "\n") {
				t.Fatalf("got %q, want one of %d lines", err, 1+strings.Count(text, "\n"))
			}
			return
		}
		o := simulated.New(simulated.Config{Rules: rules, Clock: clock})
		d, err := o.LookUp(t.Context(), request("1", 1))
		for _, a := range d.Authorizations {
			if !a.Status.Known() || err != nil {
				t.Fatalf("got %+v, %v", a, err)
			}
		}
		o.Catalogue()
	})
}
