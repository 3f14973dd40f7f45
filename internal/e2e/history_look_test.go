package e2e_test

import (
	"github.com/chromedp/chromedp/kb"
)

// lookAtHistory pictures the history in all its states.
func (b *browser) lookAtHistory() {
	b.t.Helper()
	b.open("/historico")
	b.see("table.history-table")
	b.look("historico")
	b.choose("#situacao", "neg")
	b.submit("#filtro button")
	b.see("table.history-table")
	b.look("historico-filtro")
	b.press(kb.F4)
	b.press("zzz nada\r")
	b.see("section.empty-state")
	b.look("historico-vazio")
	b.fill("#de", "31022026")
	b.submit("#filtro button")
	b.see("#erros")
	b.look("historico-erros")
	b.size(1366, 768)
	if got := b.shape("#de-error"); got[1] > 65 { // three lines
		b.t.Errorf("the message about a date is %v", got)
	}
	if got := b.shape("#ate"); got[0] < 130 { // DD/MM/AAAA
		b.t.Errorf("a date's field is %v beside Limpar", got)
	}
}

// submit presses the button of a form and waits until the page it leads to is whole.
func (b *browser) submit(button string) {
	b.t.Helper()
	eval[bool](b, "document.documentElement.dataset.antes = 'sim'; true")
	b.click(button)
	b.waitFor("the next page", "!document.documentElement.dataset.antes && document.readyState === 'complete'")
}

// shape is how wide and how high something is.
func (b *browser) shape(css string) []float64 {
	b.t.Helper()
	return eval[[]float64](b, "(r => [r.width, r.height])(document.querySelector('"+css+"').getBoundingClientRect())")
}
