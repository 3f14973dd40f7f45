package e2e_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/emulation"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chromium is one browser process for all tests; each test gets a context of
// its own, with its own cookies and cache.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// pagesOfItsOwn are those that Chromium keeps ready with each window for its address bar: a tenth of the tests' time.
const pagesOfItsOwn = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"

func startChromium() {
	folder, err := os.MkdirTemp("", "guiche-browser-")
	if err != nil {
		chromium.err = err
		return
	}
	options := append(cd.DefaultExecAllocatorOptions[:],
		cd.NoSandbox, cd.DisableGPU, cd.UserDataDir(folder), cd.WindowSize(1366, 768),
		cd.Flag("disable-quic", true), cd.Flag("disable-component-update", true),
		cd.Flag("use-fake-device-for-media-stream", true), cd.Flag("use-fake-ui-for-media-stream", true),
		cd.Flag("disable-background-networking", true), cd.Flag("disable-sync", true),
		cd.Flag("disable-features", "Translate,BlinkGenPropertyTrees,"+pagesOfItsOwn),
		cd.Flag("host-resolver-rules", "MAP "+publicName+" 127.0.0.1"))
	allocator, freeAllocator := cd.NewExecAllocator(context.Background(), options...)
	ctx, cancel := cd.NewContext(allocator)
	chromium.ctx, chromium.err = ctx, cd.Do(ctx)
	chromium.stop = func() {
		_ = cd.Cancel(ctx)
		cancel()
		freeAllocator()
		_ = os.RemoveAll(folder)
	}
}

// patience is more than anything takes that a test waits for, on a machine that has much else to do.
const patience = time.Minute

// browser is one window of one person.
type browser struct {
	t    testing.TB
	ctx  context.Context
	p    *apptest.Server
	base string // where the program is, as this window sees it

	*notes
}

// notes are the complaints of a window's console.
type notes struct {
	mu       sync.Mutex
	troubles []string
}

// MustBrowse opens a window on the program. Any console error, exception or CSP
// report fails the test at its end, but for those that contain a tolerated text.
func MustBrowse(t testing.TB, p *apptest.Server, tolerated ...string) *browser {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		t.Fatalf("start chromium: %v (make test installs it)", chromium.err)
	}
	tab, cancelTab := cd.NewContext(chromium.ctx, cd.WithNewBrowserContext())
	if err := cd.Do(tab); err != nil {
		cancelTab()
		t.Fatalf("open window: %v", err)
	}
	ctx, cancel := context.WithTimeout(tab, 10*time.Minute) // a browser that hangs, not a slow machine
	b := &browser{t: t, ctx: ctx, p: p, base: p.URL, notes: &notes{}}
	messages := cd.Console(tab)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.note(m, tolerated)
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			b.picture("failed")
		}
		cancel()
		_ = cd.Cancel(tab)
		cancelTab()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, trouble := range b.troubles {
			t.Errorf("console: %s", trouble)
		}
	})
	return b
}

func (b *browser) note(m cd.ConsoleMessage, tolerated []string) {
	if m.Type != cd.ConsoleError && m.Type != cd.ConsoleException && m.Type != cd.ConsoleWarning {
		return
	}
	for _, text := range tolerated {
		if strings.Contains(m.Text, text) {
			return
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.troubles = append(b.troubles, fmt.Sprintf("%s (%s)", m, m.URL))
}

// replaced are the browser's words for an element of a page that was loaded anew meanwhile, and for an
// address that was left for another: a page that follows its case may load itself at that moment.
var replaced = regexp.MustCompile(`Could not find node with given id|net::ERR_ABORTED`)

// do runs steps, once more where the page was loaded anew meanwhile, and fails the test
// with the page's text when one fails.
func (b *browser) do(what string, steps ...cd.Action[cd.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	err := cd.Do(ctx, steps...)
	for err != nil && ctx.Err() == nil && replaced.MatchString(err.Error()) {
		err = cd.Do(ctx, steps...)
	}
	if err != nil {
		b.t.Fatalf("%s: %v; at %s the page says:\n%s", what, err, b.path(), b.text("body"))
	}
}

// openWithin is more than a page takes to open, see open.
const openWithin = 8 * time.Second

// open opens a page, again where nobody says that it has loaded: a page that follows its case may load
// itself in the middle of it.
func (b *browser) open(path string) {
	b.t.Helper()
	for range 2 {
		ctx, cancel := context.WithTimeout(b.ctx, openWithin)
		err := cd.Do(ctx, cd.Navigate(b.base+path))
		cancel()
		if err == nil {
			return
		}
	}
	b.do("open "+path, cd.Navigate(b.base+path))
}

// in is the same window in a subtest.
func (b *browser) in(t testing.TB) *browser {
	return &browser{t: t, ctx: b.ctx, p: b.p, base: b.base, notes: b.notes}
}

func (b *browser) focus(css string) {
	b.t.Helper()
	b.do("focus "+css, cd.Focus(cd.CSS(css)))
}

func (b *browser) click(css string) {
	b.t.Helper()
	b.do("click "+css, cd.Click(cd.CSS(css)))
}

// fill replaces what an input holds by typing.
func (b *browser) fill(css, text string) {
	b.t.Helper()
	b.do("focus "+css, cd.Focus(cd.CSS(css)))
	eval[bool](b, "document.activeElement.select(), true")
	if text == "" {
		text = kb.Delete
	}
	b.press(text)
}

func (b *browser) press(keys string, options ...cd.KeyOption) {
	b.t.Helper()
	b.do("press", cd.KeyEvent(keys, options...))
}

func (b *browser) pressAll(keys []string) {
	b.t.Helper()
	for _, key := range keys {
		b.press(key)
	}
}

func (b *browser) see(css string) {
	b.t.Helper()
	b.do("see "+css, cd.WaitVisible(cd.CSS(css)))
}

// waitFor asks for a JavaScript condition until it holds, across page loads.
func (b *browser) waitFor(what, expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		holds, err := cd.Run(ctx, cd.Evaluate[bool](expression))
		if err == nil && holds {
			return
		}
		select {
		case <-ctx.Done():
			b.t.Fatalf("%s: %v; at %s the fields hold %s; the page says:\n%s", what, err, b.path(), b.fields(), b.text("body"))
		case <-tick.C:
		}
	}
}

// fields are what the fields of the page hold, each by its id; the one with the focus has a star.
func (b *browser) fields() string {
	return eval[string](b, `(() => {
		const here = document.activeElement, all = document.querySelectorAll('input:not([type=hidden]),select,textarea');
		const held = Array.from(all, f => (f === here ? '*' : '') + (f.id || f.name) + '=' + (f.type === 'checkbox' ? f.checked : f.value));
		return held.join(', ') + (Array.from(all).includes(here) ? '' : '; the focus is on ' + here?.outerHTML.slice(0, 200));
	})()`)
}

// eval returns the value of an expression, awaiting a promise.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := cd.Run(ctx, cd.Evaluate[T](expression, cd.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("evaluate %.80s: %v", expression, err)
	}
	return v
}

func (b *browser) path() string { return eval[string](b, "location.pathname") }

// text returns the visible text of the first match, "" without one.
func (b *browser) text(css string) string {
	return eval[string](b, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", css))
}

func (b *browser) value(css string) string {
	return eval[string](b, fmt.Sprintf("document.querySelector(%q)?.value ?? ''", css))
}

// focused returns the id of the element with the focus.
func (b *browser) focused() string { return eval[string](b, "document.activeElement?.id ?? ''") }

// logIn enters as the person with a role.
func (b *browser) logIn(role string) {
	b.t.Helper()
	b.enter(b.p.Login(role))
}

// enter logs in by keyboard.
func (b *browser) enter(user, password string) {
	b.t.Helper()
	b.open("/entrar")
	b.fill("#usuario", user)
	b.fill("#senha", password)
	b.press("\r")
	b.waitFor("logged in", "location.pathname !== '/entrar'")
}

// theme emulates the system's choice of light or dark, and of no transitions, so
// that colours are there at once.
func (b *browser) theme(name string) {
	b.t.Helper()
	b.do("theme "+name, cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

func (b *browser) size(width, height int64) {
	b.t.Helper()
	b.do("size", cd.EmulateViewport(width, height))
}
