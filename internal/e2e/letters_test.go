package e2e_test

import (
	"context"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
)

// letters sets how large letters are that nobody sized: the browser's own setting, 16 without one.
func (b *browser) letters(pixels int64) {
	b.t.Helper()
	b.do("letters", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: pixels}})
		return err
	}))
}

// TestLargeLetters: with letters that the browser was set to enlarge, pages have the layout for as many of them as there
// is room for, and nothing stands beyond the window.
func TestLargeLetters(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "99990400"}).Path
	for role, pages := range map[string][]string{
		apptest.Supervision:    {"/fila", "/historico", path, "/nova"},
		apptest.Administration: {"/pessoas", "/cadastros/procedimentos", "/auditoria", "/servico/conexao"},
	} {
		b := MustBrowse(t, p)
		b.logIn(role)
		for _, window := range []struct{ letters, width, height int64 }{{32, 1366, 768}, {24, 390, 844}} {
			b.letters(window.letters)
			b.size(window.width, window.height)
			for _, page := range pages {
				b.open(page)
				if beyond := eval[int](b, "document.documentElement.scrollWidth - innerWidth"); beyond > 0 {
					t.Errorf("%s with letters of %d: %d pixels beyond a window of %d", page, window.letters, beyond, window.width)
				}
			}
		}
	}
}
