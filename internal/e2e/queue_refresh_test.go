package e2e_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
)

// hurries makes the pages of a window refresh themselves soon, and without what only
// browsers newer than the oldest we serve can do for the focus.
const hurries = `const inTime = window.setInterval;
window.setInterval = (act, every) => inTime(act, every === 20000 ? 200 : every);
delete Element.prototype.moveBefore;`

// TestQueue_Refresh: while the queue renews itself, the focus and the rows stay where they
// were; of a row that leaves, the focus goes to the next one.
func TestQueue_Refresh(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for range 8 {
		v.SubmitWith(nil)
	}
	denied := v.SubmitWith(map[string]string{"numeroCarteira": "99990400"}).Path
	for range 8 {
		v.SubmitWith(nil)
	}
	b := MustBrowse(t, p)
	b.do("hurry", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hurries})
		return err
	}))
	b.logIn("recepcao")
	b.theme("light") // and no smooth scrolling
	const link = "td:nth-child(2) a"
	t.Run("Name", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila")
		row := fmt.Sprintf("document.querySelector(%q).closest('tr')", "a[href='"+denied+"']")
		eval[bool](b, fmt.Sprintf("(%s.querySelector(%q).focus(), %[1]s.scrollIntoView({block: 'center'}), true)", row, link))
		before := eval[float64](b, row+".getBoundingClientRect().top")
		p.Clock.Advance(time.Minute) // every row says so
		newer := v.SubmitWith(nil).Path
		b.see("a[href='" + newer + "']")
		b.focusedIs("after the list was renewed", "#fila "+link+"[href='"+denied+"']")
		if after := eval[float64](b, row+".getBoundingClientRect().top"); after < before-1 || after > before+1 {
			t.Errorf("the row moved from %v to %v", before, after)
		}
	})
	t.Run("Row", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila")
		b.click("td:last-child:has(b)") // no link is there, and the row leads to it all the same
		b.see("#caso")
		b.open("/fila")
	})
	t.Run("Left", func(t *testing.T) {
		b := b.in(t)
		next := eval[string](b, fmt.Sprintf("document.querySelector(%q).closest('tr').nextElementSibling.querySelector('a').getAttribute('href')",
			"a[href='"+denied+"']"))
		eval[bool](b, fmt.Sprintf("(document.querySelector(%q).focus(), true)", "td:nth-child(2) a[href='"+denied+"']"))
		p.Clock.Advance(time.Minute)
		copied := v.Post(denied+"/copiar", nil)
		v.Submit(copied.Path, copied.Form("#pedido"))
		b.waitFor("the row is gone", fmt.Sprintf("!document.querySelector(%q)", "a[href='"+denied+"']"))
		b.focusedIs("after its row has left", "td:nth-child(2) a[href='"+next+"']")
	})
	t.Run("Drafts", func(t *testing.T) {
		b := b.in(t)
		first, form := v.NewDraft()
		v.Post(first, form)
		b.see("a[href='" + first + "']")
		eval[bool](b, fmt.Sprintf("(document.querySelector(%q).focus(), true)", "a[href='"+first+"']"))
		newer, form := v.NewDraft()
		v.Post(newer, form)
		b.see("a[href='" + newer + "']")
		b.focusedIs("after the drafts were renewed", "a[href='"+first+"']")
	})
}
