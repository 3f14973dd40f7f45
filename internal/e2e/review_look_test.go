package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestReview_LongCard: a number wraps within its column.
func TestReview_LongCard(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	for _, digits := range []int{32, 60} {
		address, form := p.LogIn(t, apptest.Reception).NewDraft()
		form.Set("numeroCarteira", strings.Repeat("9", digits))
		p.LogIn(t, apptest.Reception).Post(address, form)
		for _, size := range [][2]int64{{1366, 768}, {390, 844}} {
			b.size(size[0], size[1])
			b.open(address)
			b.press(kb.F8)
			b.see("#revisao")
			if over := eval[int](b, `(() => {
				const d = document.querySelector('#revisao'), right = e => e.getBoundingClientRect().right;
				return Math.max(d.scrollWidth - d.clientWidth,
					...Array.from(d.querySelectorAll('dd > *'), e => Math.ceil(right(e) - right(e.closest('dl')))));
			})()`); over > 0 {
				t.Errorf("%d digits at %v stick out by %d", digits, size, over)
			}
		}
	}
}

// TestReview_LongOperator: the button that sends stays within the review, however long the name of the operator is.
func TestReview_LongOperator(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	v.Post(address, form)
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open(address)
	b.press(kb.F8)
	b.focusedIs("in the review", "#enviar-confirma")
	name := strings.TrimSpace(strings.Repeat("Cooperativa de Trabalho Médico ", 6))
	eval[bool](b, "(document.activeElement.querySelector('.while-idle').firstChild.textContent = 'Confirmar e enviar à "+name+" ', true)")
	for _, size := range [][2]int64{{1366, 768}, {820, 1180}, {390, 844}} {
		b.size(size[0], size[1])
		if over := eval[int](b, "(d => d.scrollWidth - d.clientWidth)(document.querySelector('#revisao'))"); over > 0 {
			t.Errorf("at %v it sticks out by %d", size, over)
		}
	}
}

// TestReview_ButtonsInView: what has the focus is on the screen however long the request is,
// also at 200 % zoom (683 by 384 points), and covers nothing that Tab leads to.
func TestReview_ButtonsInView(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	v := p.LogIn(t, apptest.Reception)
	v.Submit(v.NewDraft())
	address, form := v.NewDraft()
	v.Post(address, form)
	for name, size := range map[string][2]int64{"Desk": {1366, 500}, "Phone": {390, 500}, "200%": {683, 384}} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			b.size(size[0], size[1])
			b.open(address)
			b.press(kb.F8)
			b.see("#revisao")
			b.focusedIs("in the review", "#enviar-confirma")
			if got := eval[string](b, inReview); got != "0" {
				t.Errorf("at first: %s", got)
			}
			b.press(kb.Tab)
			b.focusedIs("after Tab", "#revisao [method=dialog] button")
			for _, scroll := range []int{0, 9999} {
				eval[bool](b, fmt.Sprintf("(document.activeElement.blur(), document.querySelector('#revisao').scrollTop = %d, true)", scroll))
				b.focus("#revisao .notice a")
				if got := eval[string](b, inReview); strings.Contains(got, " ") {
					t.Errorf("the link in a warning, from %d: %s", scroll, got)
				}
			}
		})
	}
}

// inReview is how far the review is scrolled, or what is wrong with the place of what has the focus.
const inReview = `(() => {
	const dialog = document.querySelector('#revisao'), bar = dialog.querySelector('.dialog-actions'), focused = document.activeElement;
	const at = focused.getBoundingClientRect(), [d, r] = [dialog, bar].map(e => e.getBoundingClientRect());
	if (dialog.scrollHeight <= dialog.clientHeight) return 'nothing to scroll';
	if (Math.ceil(at.bottom) + 5 > d.bottom || at.top < d.top) return 'out of view, ' + at.bottom;
	return !bar.contains(focused) && at.bottom > r.top ? 'covered by buttons' : String(dialog.scrollTop);
})()`
