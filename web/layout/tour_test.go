package layout_test

import (
	"strings"
	"testing"

	"guiche/web/layout"
)

// TestTour: each step has a title, a sentence, an address of ours and the control it is about;
// what shows of it without a script is nothing.
func TestTour(t *testing.T) {
	if got := MustRender(t, layout.Page{Title: "Fila"}).Find("#apresentacao").Length(); got != 0 {
		t.Fatalf("got %d tours on a page without one", got)
	}
	panel := MustRender(t, layout.Page{Title: "Fila", Tour: 2}).Find("#apresentacao[hidden]")
	if got := panel.AttrOr("data-step", ""); got != "2" {
		t.Errorf("got step %q, want 2", got)
	}
	steps := panel.Find("[data-target][hidden]")
	if steps.Length() != layout.TourSteps() || layout.TourSteps() != 6 || layout.TourCase >= layout.TourSteps() {
		t.Errorf("got %d steps of %d", steps.Length(), layout.TourSteps())
	}
	for _, s := range steps.EachIter() {
		if s.Find("h2").Text() == "" || len(s.Find("p").Text()) < 40 || !strings.HasPrefix(s.AttrOr("data-href", ""), "/") {
			t.Errorf("a step lacks something: %s", s.Text())
		}
	}
}
