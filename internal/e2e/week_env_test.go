package e2e_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// practice is two desks at which people work by keyboard.
type practice struct {
	p            *apptest.Server
	first, other *browser
	clicks       atomic.Int64
}

// clerk is somebody at a desk.
type clerk struct {
	*typist
	w *practice
}

func (w *practice) at(t *testing.T, b *browser) *clerk { return &clerk{&typist{browser: b.in(t)}, w} }

// enters takes the place of whoever sat at the desk.
func (w *practice) enters(k *clerk, who string) {
	k.t.Helper()
	user, password := who, apptest.Password
	if who != "bia" {
		user, password = w.p.Login(who)
	}
	k.enter(user, password)
	k.see("#fila")
}

// leaves logs out by the menu.
func (k *clerk) leaves() {
	k.t.Helper()
	k.w.clicks.Add(int64(k.clicked()))
	k.to(".user-menu > summary")
	k.press(kb.Enter)
	k.to(".menu form button")
	k.leads(kb.Enter, "#usuario")
}

// morning is who comes to a desk. The desks take turns: a part that waits for its turn among
// all tests would keep both waiting.
func (w *practice) morning(t *testing.T, b *browser, who string, all []patient) {
	k := w.at(t, b)
	w.enters(k, who)
	for _, p := range all {
		if p.then == repeats {
			k.repeatsFor(p.name)
		} else {
			k.asks(p)
		}
		k.attendsNow()
	}
	if b == w.other {
		k.leaves()
	}
}

// asks sends the request of somebody who was never here.
func (k *clerk) asks(p patient) {
	k.t.Helper()
	k.leads(kb.F2, "#pedido")
	k.typeKeys(p.card)
	k.reads("#conhecidos:not([hidden]) [aria-disabled]")
	k.typeKeys("⏎aro")
	k.reads("#credenciais:not([hidden]) [data-value]")
	k.typeKeys("⏎" + p.name + "⇥⇥31122027⇥⇥⇥⇥leme")
	k.reads("#solicitantes:not([hidden]) [data-value]")
	k.typeKeys("⏎")
	k.enters("40304361")
	if strings.HasPrefix(p.card, "999919") { // as many guides as procedures
		k.typeKeys("⏎")
		k.enters("40316521")
	}
	k.sends()
}

// repeatsFor sends the latest request of somebody once more.
func (k *clerk) repeatsFor(name string) {
	k.t.Helper()
	k.repeats(name)
	k.to(firstCode)
	k.sends()
}

// verdict is what the case on the screen says, once it does.
func (k *clerk) verdict() string {
	k.t.Helper()
	k.waitFor("a verdict", `(text => text && !['Enviando…', 'Na fila de envio'].includes(text))(
		document.querySelector('#veredito .verdict')?.innerText) === true`)
	return k.text("#veredito .verdict")
}

// attendsNow marks the case on the screen as attended, if the patient may be.
func (k *clerk) attendsNow() {
	k.t.Helper()
	switch k.verdict() {
	case "Autorizado", "Aguardando execução", "Executado em parte":
		k.leads(kb.F8, "#fila")
	}
}

// clears goes through what depends on somebody with F9, then attends whoever may be
// attended; who decides may do what others leave. Then the desk is left.
func (w *practice) clears(t *testing.T, b *browser) {
	k := w.at(t, b)
	k.back()
	for seen := map[string]bool{}; ; {
		k.leads(kb.F9, "main")
		path := k.path()
		if path == "/fila" || seen[path] {
			break
		}
		seen[path] = true
		k.handles()
	}
	k.back()
	for k.text("#grupo-ok b") != "0" {
		k.to("#grupo-ok")
		k.leads(kb.Enter, "#grupo-ok[aria-current]")
		k.to("tbody td:nth-child(2) a")
		k.leads(kb.Enter, "[data-shortcut=F8]")
		k.leads(kb.F8, "#fila")
	}
	k.leaves()
}

// back leads to the queue.
func (k *clerk) back() {
	k.t.Helper()
	if k.path() != "/fila" {
		k.leads(kb.Escape, "#fila")
	}
}

// handles does what the case on the screen asks for.
func (k *clerk) handles() {
	k.t.Helper()
	switch thenOf(k.text("h1")) {
	case corrects:
		k.copies()
		k.to("#numeroCarteira")
		k.typeKeys("99990100002")
		k.sends()
		k.attendsNow()
	case attaches:
		k.copies()
		k.chooses(pngFile(k.t, "pedido.png"))
		k.sends()
		k.attendsNow()
	case tells, attends:
		k.leads(kb.F8, "#fila")
	case records:
		if eval[bool](k.browser, "document.querySelector('#decidir, a[href$=\"/retorno#retorno\"]') !== null") {
			k.records()
		}
	default:
		k.t.Errorf("nobody knows what to do about %q: %s", k.text("h1"), k.text("#veredito"))
	}
}

// copies leads from a case to its copy: by the main action, unless that takes biometrics or a file.
func (k *clerk) copies() {
	k.t.Helper()
	if eval[bool](k.browser, "document.querySelector('a.btn-primary:is([href=\"#biometria\"], [href=\"#anexar\"])') !== null") {
		k.to("[action$='/copiar'] button")
	}
	k.leads(kb.Enter, "#pedido")
}

// records writes down that the operator authorized.
func (k *clerk) records() {
	k.t.Helper()
	if !eval[bool](k.browser, "document.querySelector('#decidir') !== null") {
		k.to("a[href$='/retorno#retorno']")
		k.leads(kb.Enter, "form#retorno")
	}
	k.to("#situacao")
	for k.value("#situacao") != "A" {
		k.press(kb.ArrowDown)
	}
	k.typeKeys("⇥48201⇥20122026⇥⇥Marta, central")
	k.to("#retorno button")
	k.leads(kb.Enter, "#veredito")
	k.attendsNow()
}

// night lets the operators decide what they have to decide, but for what stays with them.
func (w *practice) night(t *testing.T) {
	t.Helper()
	w.p.Clock.Advance(12 * time.Hour)
	apptest.Eventually(t, "the operators have decided", func() bool {
		w.p.Clock.Advance(time.Minute)
		return w.count(t, `SELECT COUNT(*) FROM queue_case q JOIN submission s ON s.id = q.submission_id
			WHERE q.queue_group = 6 AND s.card_number NOT LIKE '999919%'`) == 0
	})
}

// count is the number that a query gives.
func (w *practice) count(t *testing.T, query string) (n int) {
	t.Helper()
	if err := w.p.Database(t).QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
