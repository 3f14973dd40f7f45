package authorization_test

import (
	"strings"
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

// TestStatuses holds every code of the specification (3) to its group, and to
// whether anything may follow it (row 19).
func TestStatuses(t *testing.T) {
	want := []struct {
		code  authorization.Status
		group string
		final bool
	}{
		{"S", "vez", false}, {"H", "vez", false}, {"T", "vez", false}, {"Z", "vez", false},
		{"V", "cor", true}, {"I", "cor", true}, {"Ç", "cor", true}, {"M", "cor", true},
		{"N", "neg", true},
		{"A", "ok", false}, {"W", "ok", false}, {"P", "ok", false},
		{"R", "esp", false}, {"K", "esp", false}, {"X", "esp", false},
		{"E", "fim", true}, {"C", "fim", true}, {"-", "fim", true},
	}
	all := authorization.Statuses()
	if len(all) != len(want) {
		t.Fatalf("got %d statuses, want the %d of the specification", len(all), len(want))
	}
	for i, w := range want {
		s := all[i]
		if s.Code != w.code || s.Group.Info().Slug != w.group || s.Final != w.final {
			t.Errorf("got %q of %q, final %v, want %+v", s.Code, s.Group.Info().Slug, s.Final, w)
		}
		if s.Label == "" || !strings.HasSuffix(s.Advice, ".") {
			t.Errorf("%q: got label %q and advice %q, want a label and a sentence", s.Code, s.Label, s.Advice)
		}
		if !s.Code.Known() || s.Code.Info() != s || s.Code.Group() != s.Group {
			t.Errorf("%q: got %+v for its code, want %+v", s.Code, s.Code.Info(), s)
		}
	}
	t.Run("CallersMayChangeTheList", func(t *testing.T) {
		all[0].Label = "changed"
		if authorization.Statuses()[0].Label == "changed" {
			t.Error("got the change of another caller")
		}
	})
}

func TestGroups(t *testing.T) {
	var slugs []string
	icons := map[string]bool{}
	for _, g := range append(authorization.Groups(), authorization.Unrecognized) {
		info := g.Info()
		slugs = append(slugs, info.Slug)
		if info.Label == "" || info.Icon == "" || icons[info.Icon] || !strings.HasSuffix(info.Advice, ".") {
			t.Errorf("%s: got %+v, want label, an icon of its own and advice", info.Slug, info)
		}
		icons[info.Icon] = true
	}
	if got, want := strings.Join(slugs, " "), "vez cor neg ok esp fim nao"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := authorization.Group(0).Info(); got != (authorization.GroupInfo{}) {
		t.Errorf("got %+v for no group, want nothing", got)
	}
}

func TestStatus_Info(t *testing.T) {
	t.Run("Unknown", func(t *testing.T) {
		info := authorization.Status("Q7").Info()
		if info.Code != "Q7" || info.Group != authorization.Unrecognized || info.Label != "Situação Q7" || info.Advice == "" || info.Final {
			t.Errorf("got %+v, want one that says that the code is unknown", info)
		}
		if authorization.Status("Q7").Known() || authorization.Status("a").Known() || authorization.Status("").Known() {
			t.Error("got an unknown code taken for a known one")
		}
	})
	t.Run("TwelveCharactersAreShown", func(t *testing.T) {
		if got := authorization.Status("çççççççççççç").Info().Label; got != "Situação çççççççççççç" {
			t.Errorf("got %q", got)
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

// TestStatus_Settled: what an operator has decided has quantities; what it has not
// is no zero.
func TestStatus_Settled(t *testing.T) {
	settled := ""
	for _, s := range authorization.Statuses() {
		if s.Code.Settled() {
			settled += string(s.Code)
		}
	}
	if settled != "ZNAWPXEC" || authorization.Status("Q7").Settled() {
		t.Errorf("got %q, an unknown code %v", settled, authorization.Status("Q7").Settled())
	}
}
