package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestHistory_Keyboard finds a case from the queue without the mouse.
func TestHistory_Keyboard(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	v.SubmitWith(map[string]string{"nomeBeneficiario": "Helena Duarte", "numeroCarteira": "0310004512063345"})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/fila")
	b.press(kb.F4)
	b.press("helena\r")
	b.see("table.history-table")
	if got := b.text("table.history-table td:nth-child(2) a"); got != "Helena Duarte" {
		t.Errorf("found %q", got)
	}
	for field, want := range map[string]string{"#de": "01/11/2026", "#ate": "30/11/2026"} {
		b.fill(field, "11/2026")
		b.press(kb.Tab)
		if got := b.value(field); got != want {
			t.Errorf("%s of 11/2026 is %q, want %q", field, got, want)
		}
	}
	b.open("/nova")
	b.press(kb.F4)
	if got := b.focused(); got != "Quem" {
		t.Errorf("F4 on the form: focus on %q, want \"Quem é?\"", got)
	}
}
