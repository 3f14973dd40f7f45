package e2e_test

import (
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
				return Math.max(d.scrollWidth - d.clientWidth, ...Array.from(d.querySelectorAll('dd > *'), e => Math.ceil(right(e) - right(e.closest('dl')))));
			})()`); over > 0 {
				t.Errorf("%d digits at %v stick out by %d", digits, size, over)
			}
		}
	}
}
