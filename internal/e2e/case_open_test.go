package e2e_test

import (
	"fmt"
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// farActions says of each thing that can be done with the case on the screen how many presses
// of Tab it is away from the focus, where those are more than four; what has a key of its own
// is never far, nor what stands in the form that the focus leads to.
const farActions = `(() => {
	const stops = [...document.querySelectorAll('a[href],button,input,select,textarea,iframe')]
		.filter(e => e.checkVisibility() && e.tabIndex >= 0);
	const at = stops.indexOf(document.activeElement), form = document.activeElement.hash;
	return [...document.querySelectorAll('#caso .btn')].filter(e => !e.closest('[data-shortcut]') && !(form && e.closest(form)))
		.filter(e => e.checkVisibility())
		.map(e => [e.innerText, Math.abs(stops.indexOf(e) - at)]).filter(([, far]) => at < 0 || far > 4).map(a => a.join(': '));
})()`

// TestPages_CaseOpens: a case opens where it begins, with what is to be done next in the
// focus, and anything else that can be done with it at most four presses of Tab away. A denial
// has each of its forms in sight once that is asked for.
func TestPages_CaseOpens(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	b.open("/entrar")
	b.logIn("supervisao")
	v := p.LogIn(t, apptest.Reception)
	for _, state := range []struct{ name, card string }{{"autorizado", "0310004512063345"}, {"em-parte", "99990200"}, {"negado", "99990400"},
		{"falta-anexo", "99990900"}, {"em-analise", "99990300"}, {"beneficiario-invalido", "99991600"}} {
		t.Run(state.name, func(t *testing.T) {
			b := b.in(t)
			path := send2(v, t, state.card)
			for _, end := range []string{"", "#veredito"} {
				for _, size := range [][2]int64{{1366, 768}, {390, 844}} {
					b.do("leave", cd.Navigate("about:blank")) // where the same page is opened again, it opens where it was left
					b.size(size[0], size[1])
					b.open(path + end)
					b.waitFor("the focus is set", "document.readyState === 'complete' && document.activeElement !== document.body")
					if y := eval[float64](b, "scrollY"); y != 0 {
						t.Errorf("at %d%s it opens %v points down", size[0], end, y)
					}
				}
			}
			b.open(path)
			b.waitFor("the focus is set", "document.readyState === 'complete' && document.activeElement !== document.body")
			if far := eval[[]string](b, farActions); eval[bool](b, "document.activeElement.matches('.btn')") && len(far) > 0 {
				t.Errorf("these are far: %q", far)
			}
		})
	}
	t.Run("forms", func(t *testing.T) {
		b := b.in(t)
		path := send2(v, t, "99990400")
		b.open(path)
		b.look("negado-saidas")
		for _, form := range []string{"reanalise", "particular", "anotar"} {
			b.open(path + "/" + form)
			b.focusedIs("in the form", fmt.Sprintf("#%s :is(input,textarea)", form))
			b.look("negado-" + form)
		}
		b.open(path + "/anotar")
		b.typeKeys("Mãe avisada por telefone; volta na quinta com o laudo.")
		b.press(kb.Tab)
		b.press(kb.Enter)
		b.waitFor("it stands there", "document.querySelector('#tempo .note-text') !== null && location.pathname === '"+path+"'")
		b.look("negado-anotado")
	})
}

// TestFocus_ConcludeRow: F8 on a row of the queue does what it does on the case, the queue says
// so and takes it back, and the next row has the focus.
func TestFocus_ConcludeRow(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	first, second := send2(v, t, "99990100001"), send2(v, t, "99990100002")
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.see("#fila tbody tr")
	link := func(path string) string { return fmt.Sprintf("#fila td a[href='%s']", path) }
	b.focus(link(second))
	b.press(kb.F8)
	b.waitFor("it is said", "document.querySelector('main > .notice form[action=\""+second+"/reabrir\"]') !== null")
	b.focusedIs("after F8 on a row", link(first))
	if eval[bool](b, "document.querySelector(\"#fila td a[href='"+second+"']\") !== null") {
		t.Error("the case stands in the queue")
	}
	b.focus("main > .notice button")
	b.press(kb.Enter)
	b.waitFor("it is back", "location.pathname === '"+second+"'")
	b.open("/fila")
	eval[string](b, "(document.querySelector('#fila tr[data-conclude]').dataset.conclude = 'N')")
	b.focus("#fila tr[data-conclude] a")
	b.press(kb.F8)
	b.waitFor("what was shown otherwise is looked at first", "location.pathname.startsWith('/casos/')")
}
