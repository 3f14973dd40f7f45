package webui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// looks are the entries about cases, as event and detail, of one look or several.
func looks(trail []apptest.Event) (all []string) {
	for _, e := range trail {
		if e.Name == "caso.visto" || e.Name == "guia.aberta" || e.Name == "anexo.aberto" {
			all = append(all, strings.TrimSpace(e.Name+" "+e.Detail))
		}
	}
	return all
}

// look does what a browser does that opens a case: the page, and the guide in it, which
// some viewers ask for several times.
func look(c *apptest.Client, path string) {
	page := c.Get(path)
	if frame := page.Attr("iframe", "src"); frame != "" {
		frame, _, _ = strings.Cut(frame, "#")
		c.Get(frame)
		c.Get(frame)
	}
}

// TestAudit_Look: a look at a case is one line, whatever the browser asks for with it.
func TestAudit_Look(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	p := apptest.Start(t, apptest.Options{Now: now})
	ana := p.LogIn(t, apptest.Reception)
	path := ana.Submit(ana.NewDraft()).Path
	apptest.Eventually(t, "there is a guide", func() bool { return ana.Get(path).Has("iframe") })
	p.Clock.Set(now.Add(2 * time.Minute))

	want := looks(p.Trail(t))
	step := func(name string, do func(), lines ...string) {
		t.Helper()
		do()
		want = append(want, lines...)
		if got := looks(p.Trail(t)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
			want = got
		}
		p.Clock.Advance(2 * time.Minute)
	}
	step("Look", func() { look(ana, path) }, "caso.visto guia=1")
	step("Reloaded", func() { look(ana, path); look(ana, path) }, "caso.visto guia=1")
	step("FrameAlone", func() { ana.Get(strings.Split(ana.Get(path).Attr("iframe", "src"), "#")[0]) }, "caso.visto guia=1")
	step("Opened", func() { ana.Get(path + "/guias/0"); ana.Get(path + "/guias/0") }, "guia.aberta guia=1 modo=aberta")
	step("Downloaded", func() { ana.Get(path + "/guias/0?baixar") }, "guia.aberta guia=1 modo=baixada")
	celia := p.LogIn(t, apptest.Supervision)
	step("SomebodyElse", func() { look(ana, path); look(celia, path) }, "caso.visto guia=1", "caso.visto guia=1")
	step("LookAndDownload", func() { look(ana, path); ana.Get(path + "/guias/0?baixar") },
		"caso.visto guia=1", "guia.aberta guia=1 modo=baixada")
}
