package e2e_test

import (
	"context"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/emulation"
	cd "github.com/chromedp/chromedp"
)

// TestPages_Open opens what opens on a page: the list of procedures, the optional fields, the
// menu, and the queue with two hundred rows.
func TestPages_Open(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.AddCases(t, 250)
	p.ExecRows(t, `UPDATE submission_state SET checksum = NULL,
		password_until = strftime('%Y-%m-%dT00:00:00', 'now', '+' || (2 + submission_id % 4) || ' day') WHERE status = 'A'`)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open("/fila?senhas=vencendo")
	if got := eval[int](b, "document.querySelectorAll('#fila tbody tr').length"); got != 200 {
		t.Errorf("%d rows", got)
	}
	b.look("fila-200")
	b.size(1366, 768)
	b.click(".user-menu > summary")
	b.look("fila-menu")
	b.size(1366, 768)
	b.open("/nova")
	b.click("#pedido > details > summary")
	b.focus(firstCode)
	b.typeKeys("hemo")
	b.see("#procedimentos-0-lista [role=option][data-value]")
	b.look("nova-procedimento")
	rui := p.LogIn(t, apptest.Administration)
	link := rui.Post(rui.PersonPath("celia")+"/convite", nil).Invitation()
	guest := MustBrowse(t, p)
	guest.open(link)
	guest.look("ativar")
}

// TestPages_ForcedColours: where the system sets the colours, what has the focus is still
// told apart, and icons and the chosen tab can be seen.
func TestPages_ForcedColours(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized := send2(v, t, "99990100001")
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.do("forced colours", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
	for name, path := range map[string]string{"fila": "/fila?grupo=ok", "nova": "/nova", "caso": authorized} {
		b.open(path)
		b.waitFor("the page is whole", "document.readyState === 'complete'")
		if unseen := eval[[]string](b, unseenWhereForced); len(unseen) > 0 {
			t.Errorf("%s: cannot be seen: %q", name, unseen)
		}
		if narrow := eval[[]string](b, narrowWhereForced); len(narrow) > 0 {
			t.Errorf("%s: a border touches the words of %q", name, narrow)
		}
		b.picture("cores-forcadas-" + name)
		for range 12 {
			b.press("\t")
			if eval[bool](b, `((e, s) => ![document.body, document.querySelector('iframe')].includes(e) &&
				(s.outlineStyle === 'none' || s.outlineWidth === '0px'))(
				document.activeElement, getComputedStyle(document.activeElement))`) {
				t.Errorf("%s: no outline around %s", name, eval[string](b, "document.activeElement.outerHTML.slice(0, 120)"))
			}
		}
	}
	b.open("/nova")
	b.fill("#Busca", "a")
	b.waitFor("options are offered", "document.querySelector('#credenciais [data-combobox-option-default]') !== null")
	if !eval[bool](b, `[...document.querySelectorAll('#credenciais [data-value]')].every(e =>
		(getComputedStyle(e).outlineStyle !== 'none') === e.hasAttribute('data-combobox-option-default'))`) {
		t.Error("the option that Enter takes looks like the others")
	}
}

// narrowWhereForced are buttons that look like links elsewhere, and have a border here.
const narrowWhereForced = `[...document.querySelectorAll('.btn-link')].filter(e => e.checkVisibility() &&
	parseFloat(getComputedStyle(e).paddingLeft) < 4).map(e => e.innerText)`

// unseenWhereForced are icons of the page's own colour, and current links like all others.
const unseenWhereForced = `(page => [
	...[...document.querySelectorAll('.icon')].filter(e => e.checkVisibility() && getComputedStyle(e).backgroundColor === page),
	...[...document.querySelectorAll('[aria-current]')].filter(e => e.checkVisibility() && getComputedStyle(e).outlineStyle === 'none'),
].map(e => e.outerHTML.slice(0, 120)))(getComputedStyle(document.documentElement).backgroundColor)`

// TestMotion: nothing moves where the system asks for calm.
func TestMotion(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.theme("light") // which asks for it
	for _, path := range []string{sendSlow(v, t), "/fila", "/nova"} {
		b.open(path)
		b.waitFor("the page is whole", "document.readyState === 'complete'")
		if moving := eval[int](b, "document.getAnimations().length"); moving > 0 {
			t.Errorf("%d parts of the page move", moving)
		}
	}
}
