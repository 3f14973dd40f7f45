package version_test

import (
	"testing"

	"guiche/internal/problem"
	"guiche/internal/version"
)

type entry struct {
	Name  string
	Parts []string
}

func TestCheck(t *testing.T) {
	seen := version.Of(entry{"Centro", []string{"Sala 1", "Sala 2"}})
	for name, now := range map[string]struct {
		entry   entry
		changed bool
	}{
		"Same":       {entry{"Centro", []string{"Sala 1", "Sala 2"}}, false},
		"OtherName":  {entry{"Norte", []string{"Sala 1", "Sala 2"}}, true},
		"OtherPart":  {entry{"Centro", []string{"Sala 1", "Sala 3"}}, true},
		"OtherOrder": {entry{"Centro", []string{"Sala 2", "Sala 1"}}, true},
		"Less":       {entry{"Centro", []string{"Sala 1"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			err := version.Check(seen, now.entry)
			if got := problem.IsChanged(problem.FieldsOf(err)); got != now.changed || (err != nil) != now.changed {
				t.Errorf("got %v, want that it changed: %t", err, now.changed)
			}
			if err := version.Check("", now.entry); err != nil {
				t.Errorf("over no version: got %v", err)
			}
		})
	}
}
