package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/service/conformance"
)

// deviation is a service with one fault, and the sentence that notices.
type deviation struct {
	caught string // chapter/check
	fault  change
}

// TestDeviations proves that the checks can fail: each seeded fault is caught by the
// check that is there for it.
func TestDeviations(t *testing.T) {
	good := MustDemo(t)
	for _, d := range deviations() {
		t.Run(d.caught, func(t *testing.T) {
			t.Parallel()
			broken := good
			broken.BaseURL = MustBreak(t, good.BaseURL, d.fault)
			suite := conformance.New(broken, nil)
			chapter, check := find(t, suite, d.caught)
			if r := suite.Run(t.Context(), chapter, check); r.Verdict != conformance.Broken {
				t.Errorf("got %s %q, want the fault to be caught", r.Verdict, r.Findings)
			}
		})
	}
}

// TestDeviations_EverySentence holds that no check is there that cannot fail, but
// for those that only report.
func TestDeviations_EverySentence(t *testing.T) {
	caught := map[string]bool{}
	for _, d := range deviations() {
		caught[d.caught] = true
	}
	for _, chapter := range append(conformance.Specification(), conformance.Decisions()...) {
		for _, check := range chapter.Checks {
			if name := chapter.Name + "/" + check.Name; caught[name] == check.Reports() {
				t.Errorf("%s: caught by a deviation: %v, only reports: %v", name, caught[name], check.Reports())
			}
		}
	}
}

// TestSilence holds that no service is failed for what the specification does not
// show, nor for what the configuration lacks.
func TestSilence(t *testing.T) {
	good := MustDemo(t)
	t.Run("ForeignService", func(t *testing.T) {
		foreign := conformance.Config{BaseURL: MustBreak(t, good.BaseURL, decidesOtherwise), APIKey: good.APIKey}
		if open := tryAll(t, conformance.New(foreign, nil), ""); open < 50 { // everything that needs a card, a login or a client
			t.Errorf("%d sentences are open, want most of them", open)
		}
	})
	t.Run("KeyAlone", func(t *testing.T) {
		tryAll(t, conformance.New(conformance.Config{BaseURL: good.BaseURL, Guiche: true, APIKey: good.APIKey}, nil), "Section", "Row2")
	})
	t.Run("ClientAlone", func(t *testing.T) {
		tryAll(t, conformance.New(conformance.Config{BaseURL: good.BaseURL + "/", Guiche: true, OAuth: good.OAuth}, nil), "Section", "Row2")
	})
}

// decidesOtherwise is a service that took other decisions where nothing is shown.
func decidesOtherwise(x *traffic) {
	on("/api/v2/unidades", unknown)(x)
	drop("errosDetalhados")(x)
	drop("data.items.*.credencialElegibilityId")(x)
	header("WWW-Authenticate", "")(x)
	if x.status >= 400 {
		put("erros", []any{map[string]any{"motivo": "outra forma"}})(x)
	}
}

// tryAll makes all checks of the chapters whose names begin so, none of which may
// fail, and counts what is open.
func tryAll(t *testing.T, suite *conformance.Suite, chapters ...string) (open int) {
	t.Helper()
	for _, chapter := range suite.Chapters() {
		if !slices.ContainsFunc(chapters, func(c string) bool { return strings.HasPrefix(chapter.Name, c) }) {
			continue
		}
		for _, check := range chapter.Checks {
			r := suite.Run(t.Context(), chapter, check)
			if r.Verdict == conformance.Broken {
				t.Errorf("%s/%s is broken: %q", r.Chapter, r.Check, r.Problems)
			}
			if r.Verdict == conformance.Open {
				open++
			}
		}
	}
	return open
}

func find(t *testing.T, suite *conformance.Suite, name string) (conformance.Chapter, conformance.Check) {
	t.Helper()
	for _, chapter := range suite.Chapters() {
		for _, check := range chapter.Checks {
			if chapter.Name+"/"+check.Name == name {
				return chapter, check
			}
		}
	}
	t.Fatalf("there is no check %s", name)
	return conformance.Chapter{}, conformance.Check{}
}

// MustDemo returns the demo that is judged, or one of its own where another service
// is.
func MustDemo(t *testing.T) conformance.Config {
	t.Helper()
	if *configFile == "" {
		return judged.config
	}
	c, stop, err := startDemo()
	t.Cleanup(stop)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// deviations lists all faults: one for each field, and those seeded by hand.
func deviations() []deviation {
	all := append(specificationFaults(), decisionFaults()...)
	for _, chapter := range conformance.Specification() {
		place := map[string]string{"Section2_2": "data.items.*.", "Section2_5_Entry": "data.autorizacoes.*.",
			"Section2_5_Procedure": "data.autorizacoes.*.procedimentos.*."}[chapter.Name]
		for _, check := range chapter.Checks {
			if place != "" {
				all = append(all, deviation{chapter.Name + "/" + check.Name, put(place+check.Name, map[string]any{"valor": 1})})
			}
		}
	}
	return all
}
