package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// startsWithPast is the demo as guiche demo starts it.
func startsWithPast(t *testing.T) *apptest.Server {
	t.Helper()
	return apptest.Start(t, apptest.Options{Past: true})
}

// TestTour: the demo opens with it, once for a browser, and nowhere else does it come by itself.
func TestTour(t *testing.T) {
	t.Parallel()
	p := startsWithPast(t)
	const panel = "#apresentacao[hidden]"
	ana := p.Client(t)
	if got := ana.LogIn(p.Login(apptest.Reception)); got.Path != "/fila" || got.Attr(panel, "data-step") != "1" {
		t.Errorf("the first page is %s with step %q, want /fila with 1", got.Path, got.Attr(panel, "data-step"))
	}
	ana.Post("/sair", nil)
	if got := ana.LogIn(p.Login(apptest.Supervision)); got.Path != "/fila" || got.Has(panel) {
		t.Error("it comes back in the same browser")
	}
	for path, want := range map[string]string{"/fila": "", "/nova": "", "/nova?apresentacao=3": "3", "/fila?apresentacao=1": "1",
		"/fila?apresentacao=7": "", "/fila?apresentacao=0": "", "/fila?apresentacao=x": "", "/ajuda?apresentacao=6": "6"} {
		if got := ana.Get(path).Attr(panel, "data-step"); got != want {
			t.Errorf("%s: got step %q, want %q", path, got, want)
		}
	}
	if !ana.Get("/ajuda").Has(`a[href="/fila?apresentacao=1"]`) {
		t.Error("the help does not lead to it")
	}
	another := p.Client(t).StayOnRedirect()
	another.LogIn(p.Login(apptest.Reception))
	if another.GetHTMX("/fila").Has(panel) || !another.Get("/fila").Has(panel) {
		t.Error("in another browser the first queue that a person opens has no tour, or one that renews itself has")
	}
	rui := p.LogIn(t, apptest.Administration)
	if rui.Get("/pessoas?apresentacao=1").Has(panel) || rui.Get("/ajuda").Has(`a[href^="/fila"]`) {
		t.Error("administração, which has no queue, is offered the tour")
	}
}

// TestTour_Quiet: a desk that is not the demo of guiche demo keeps it for the help.
func TestTour_Quiet(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	if ana.Get("/fila").Has("#apresentacao") {
		t.Error("the tour opens by itself")
	}
	if got := ana.Get(ana.Get("/ajuda").Attr(`a[href*="apresentacao"]`, "href")).Attr("#apresentacao", "data-step"); got != "1" {
		t.Errorf("from the help: got step %q, want 1", got)
	}
}

// TestTour_Case: its example is a simulated case that may be attended, or else the queue.
func TestTour_Case(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	if got := ana.Get("/ajuda/exemplo"); got.Status != http.StatusOK || got.Path != "/fila" || got.Attr("#apresentacao", "data-step") != "5" {
		t.Errorf("without a case: got %d %s with step %q", got.Status, got.Path, got.Attr("#apresentacao", "data-step"))
	}
	sent := ana.Submit(ana.NewDraft())
	got := ana.Get("/ajuda/exemplo")
	if got.Path != sent.Path || got.Attr("#apresentacao", "data-step") != "5" || !strings.Contains(got.Text("main"), "Autorizado") {
		t.Errorf("got %s, want %s with the tour", got.Path, sent.Path)
	}
}
