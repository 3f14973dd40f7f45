package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestTyping_WrittenMeanwhile: a search for what stands in its field no more holds nothing up, and a row that was
// added in the middle of one does not go on searching.
func TestTyping_WrittenMeanwhile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p, "422")
	b.logIn("recepcao")
	putOperator := "document.dispatchEvent(new CustomEvent('credential:put', {detail: {value: 'x', label: 'Outra', providerCode: '1'}}))"
	for name, tt := range map[string]struct {
		field string
		write func(*browser)
	}{
		"RowTakenOut": {firstCode, func(b *browser) { b.click("[data-remove-row]") }},
		"Operator":    {"#Busca", func(b *browser) { eval[bool](b, putOperator) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			release := l.hold()
			defer release()
			b.open("/nova")
			b.focus(tt.field)
			b.typeKeys("resso")
			apptest.Eventually(t, "a search is under way", l.searching)
			tt.write(b)
			b.press(kb.F8)
			release()
			b.see("#erros")
		})
	}
	t.Run("NewRow", func(t *testing.T) {
		b := b.in(t)
		release := l.hold()
		defer release()
		b.open("/nova")
		b.focus(firstCode)
		b.typeKeys("40304361")
		apptest.Eventually(t, "a search is under way", l.searching)
		b.typeKeys("⏎⏎")
		b.focusedIs("in the new row", secondCode)
		if eval[bool](b, "document.activeElement.matches('[aria-busy],[data-searching]')") {
			t.Error("the new row searches")
		}
	})
}
