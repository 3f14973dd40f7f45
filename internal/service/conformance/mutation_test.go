package conformance_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/service/conformance"
)

// mutation is a service with one fault, and the sentence that it breaks.
type mutation struct {
	chapter, sentence string
	name              string // what the service does
	asks              change // to a request before the service sees it
	answers           change // to an answer
}

// String names a mutation by the sentence that it breaks.
func (m mutation) String() string { return m.breaks() + "/" + m.name }

func (m mutation) breaks() string { return m.chapter + "/" + m.sentence }

// request is a fault in how a service takes requests.
func request(sentence, name string, c change) mutation {
	return mutation{sentence: sentence, name: name, asks: c}
}

// answer is a fault in what a service answers.
func answer(sentence, name string, c change) mutation {
	return mutation{sentence: sentence, name: name, answers: c}
}

// in says which chapter has the sentences that mutations break.
func in(chapter string, all ...mutation) []mutation {
	for i := range all {
		all[i].chapter = chapter
	}
	return all
}

// mutations lists all faults.
func mutations() []mutation {
	return slices.Concat(section1Mutations(), section2Mutations(), section2_3Mutations(), section2_5Mutations(), fieldMutations(),
		section4Mutations(), section5Mutations(), section7Mutations(), section8Mutations(),
		fieldRowMutations(), orderRowMutations(), endpointRowMutations(), accessRowMutations())
}

// TestMutations proves that the suite notices: each mutation is caught by the sentence
// that it breaks. One of the specification fails any service; one of our decisions fails
// Guichê's own, and is reported of others.
func TestMutations(t *testing.T) {
	good := MustDemo(t)
	foreign := MustForeign(t, good)
	open := openSentences(t, foreign)
	var tried, caught atomic.Int64
	t.Run("Of", func(t *testing.T) {
		for _, m := range mutations() {
			t.Run(m.String(), func(t *testing.T) {
				t.Parallel()
				tried.Add(1)
				target := MustMutate(t, good.BaseURL, m)
				if isCaught(t, m, good, foreign, target, open) {
					caught.Add(1)
				}
			})
		}
	})
	t.Logf("mutations: caught %d of %d", caught.Load(), tried.Load())
	if caught.Load() != tried.Load() {
		t.Errorf("%d mutations were missed", tried.Load()-caught.Load())
	}
}

// isCaught reports whether a mutated service gets the verdict that is due to it.
func isCaught(t *testing.T, m mutation, good, foreign conformance.Config, target string, open map[string]bool) bool {
	t.Helper()
	good.BaseURL, foreign.BaseURL = target, target
	switch {
	case !strings.HasPrefix(m.chapter, "Row"):
		return gets(t, m, foreign, conformance.Broken)
	case open[m.breaks()]: // for want of the simulated operators
		return gets(t, m, good, conformance.Broken) && gets(t, m, foreign, conformance.Open, conformance.Differs)
	}
	return gets(t, m, good, conformance.Broken) && gets(t, m, foreign, conformance.Differs)
}

// gets makes the check that a mutation breaks, and says whether it has such a verdict.
func gets(t *testing.T, m mutation, service conformance.Config, want ...conformance.Verdict) bool {
	t.Helper()
	suite := conformance.New(service, nil)
	chapter, check := find(t, suite, m.breaks())
	r := suite.Run(t.Context(), chapter, check)
	is := slices.Contains(want, r.Verdict)
	if !is {
		t.Errorf("Guichê's own %v: got %s %q %q, want %s", service.Guiche, r.Verdict, r.Problems, r.Findings, want)
	}
	return is
}

// TestMutations_EverySentence holds that no check is there that cannot fail, but
// for those that only report.
func TestMutations_EverySentence(t *testing.T) {
	caught := map[string]bool{}
	for _, m := range mutations() {
		if caught[m.String()] {
			t.Errorf("%s is there twice", m)
		}
		caught[m.String()], caught[m.breaks()] = true, true
	}
	for _, chapter := range append(conformance.Specification(), conformance.Decisions()...) {
		for _, check := range chapter.Checks {
			if name := chapter.Name + "/" + check.Name; caught[name] == check.Reports() {
				t.Errorf("%s: caught by a mutation: %v, only reports: %v", name, caught[name], check.Reports())
			}
		}
	}
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
