package e2e_test

import (
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestCase_OneLine: a browser that opens a case with its guide leaves one line in the
// audit trail, however often its viewer asks for the PDF.
func TestCase_OneLine(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	path := ana.Submit(ana.NewDraft()).Path
	apptest.Eventually(t, "there is a guide", func() bool { return ana.Get(path).Has("#guia-quadro") })
	looks := func() (lines []string) {
		for _, e := range p.Trail(t) {
			if e.Name == "caso.visto" || e.Name == "guia.aberta" {
				lines = append(lines, e.Name+" "+e.Detail)
			}
		}
		return lines
	}
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	p.Clock.Advance(5 * time.Minute)
	before := len(looks())
	b.open(path)
	apptest.Eventually(t, "the guide is asked for", func() bool { return p.Log.Contains(`"route":"/casos/:uid/guias/:indice"`) })
	b.open("/fila")
	if got := looks()[before:]; strings.Join(got, ", ") != "caso.visto guia=1" {
		t.Errorf("got %q, want one line", got)
	}
}

// TestCase_Phone: a phone, whose browser shows no PDF within a page, loads none.
func TestCase_Phone(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	path := ana.Submit(ana.NewDraft()).Path
	apptest.Eventually(t, "there is a guide", func() bool { return ana.Get(path).Has("#guia-quadro") })
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.size(390, 844)
	b.open(path)
	const columns = "new Set([...document.querySelectorAll('.key-facts > div')].map(d => Math.round(d.getBoundingClientRect().x))).size"
	if got := eval[int](b, columns); got != 2 {
		t.Errorf("the numbers stand in %d columns, want 2", got)
	}
	eval[bool](b, "(window.scrollTo(0, document.body.scrollHeight), true)")
	b.waitFor("the page is quiet", "document.readyState === 'complete' && scrollY > 0")
	if p.Log.Contains(`"route":"/casos/:uid/guias/:indice"`) || eval[bool](b, "document.querySelector('#guia-quadro').checkVisibility()") {
		t.Error("the guide is loaded")
	}
	b.see("#guias a[download]")
}
