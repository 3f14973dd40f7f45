package authorization_test

import (
	"testing"

	"guiche/internal/authorization"
)

func TestParseStatus(t *testing.T) {
	for in, want := range map[string]authorization.Status{
		"A": "A", " a ": "A", "Ç": "Ç", "ç": "Ç", "C\u0327": "Ç", "c\u0327": "Ç", "\u00c3\u2021": "Ç",
		"-": "-", "": "", "Q": "Q", "q9": "q9", " novo ": "novo",
	} {
		if got := authorization.ParseStatus(in); got != want {
			t.Errorf("ParseStatus(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStatuses(t *testing.T) {
	all := authorization.Statuses()
	if len(all) != 18 {
		t.Fatalf("statuses: got %d, want the 18 of the specification", len(all))
	}
	seen := map[authorization.Status]bool{}
	for _, s := range all {
		if seen[s.Code] {
			t.Errorf("%q stands twice", s.Code)
		}
		seen[s.Code] = true
		if s.Label == "" || s.Advice == "" || s.Group.Info().Slug == "" || s.Group == authorization.Unrecognized {
			t.Errorf("%q lacks label, advice or group: %+v", s.Code, s)
		}
	}
	for _, code := range []authorization.Status{"A", "Z", "R", "N", "K", "C", "P", "E", "S", "M", "I", "Ç", "H", "T", "X", "V", "W", "-"} {
		if !seen[code] {
			t.Errorf("%q is missing", code)
		}
	}
}

func TestStatus_Info(t *testing.T) {
	t.Run("Unknown", func(t *testing.T) {
		info := authorization.Status("Q7").Info()
		if info.Group != authorization.Unrecognized || info.Label != "Situação Q7" {
			t.Errorf("got %+v", info)
		}
	})
	t.Run("LongCodeIsCut", func(t *testing.T) {
		if got := authorization.Status("çççççççççççççççç").Info().Label; got != "Situação çççççççççççç" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("Missing", func(t *testing.T) {
		if got := authorization.Status("").Info().Label; got != "Situação não informada" {
			t.Errorf("got %q", got)
		}
	})
}

func TestMostUrgent(t *testing.T) {
	for _, tt := range []struct {
		in   []authorization.Status
		want authorization.Status
	}{
		{nil, ""}, {[]authorization.Status{"A"}, "A"}, {[]authorization.Status{"A", "S", "N"}, "S"},
		{[]authorization.Status{"E", "A"}, "A"}, {[]authorization.Status{"A", "N"}, "N"}, {[]authorization.Status{"A", "??"}, "??"},
	} {
		if got := authorization.MostUrgent(tt.in...); got != tt.want {
			t.Errorf("MostUrgent(%v) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
