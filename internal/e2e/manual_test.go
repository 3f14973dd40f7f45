package e2e_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/static"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var drawManual = flag.Bool("draw-manual", false, "draw the pictures of the manual anew (make manual)")

// manualFolder is where the pictures of the manual and what is recorded of them lie.
const manualFolder = "../../static/manual"

// manualDay is when the pages of the manual are drawn: a Wednesday afternoon at the counter.
var manualDay = time.Date(2026, time.November, 18, 17, 30, 0, 0, time.UTC)

// illustrator draws the pictures of the manual.
type illustrator struct {
	*browser
	drawn map[string]static.ManualPicture
}

// TestManual draws what the pictures of the manual show, and fails where the pages say
// something else by now. With -draw-manual it writes the pictures.
func TestManual(t *testing.T) {
	t.Parallel()
	ahead := time.Until(manualDay)
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Past, c.Clock = true, func() time.Time { return time.Now().Add(ahead) }
	}})
	p.LogIn(t, apptest.Reception) // waits for the past, however long that takes to be made
	i := &illustrator{browser: MustBrowse(t, p), drawn: map[string]static.ManualPicture{}}
	i.window(1000)
	i.logIn(apptest.Reception)
	i.pointsAt("1", ".status-counts")
	i.leavesTour("#conteudo")
	i.drawQueue()
	i.drawForm()
	i.drawCases()
	i.drawLacking(p)
	i.drawRoles(p)
	if *drawManual {
		i.record()
		return
	}
	for name, want := range static.Manual() {
		if got := i.drawn[name].Texts; !slices.Equal(got, want.Texts) {
			t.Errorf("the picture %s of the manual shows other words than its page (make manual draws it anew):\n%q, now\n%q", name, want.Texts, got)
		}
	}
	if got, want := len(i.drawn), len(static.Manual()); got != want {
		t.Errorf("%d pictures are drawn and %d are recorded (make manual)", got, want)
	}
}

// window makes the window so wide that parts have the size of the picture, and high enough
// for all of the page; its points are sharp on paper.
func (i *illustrator) window(width int64) {
	i.t.Helper()
	i.do("a sharp window", cd.EmulateViewport(width, 2400, cd.EmulateScale(1.5)))
}

func (i *illustrator) drawQueue() {
	i.t.Helper()
	i.show("/fila")
	i.draw("fila", "#fila .status-counts", ".queue-table thead", ".queue-table tbody tr:nth-child(5)")
	i.window(1200)
	i.draw("senhas", "[aria-labelledby=vencendo-title]")
}

func (i *illustrator) drawForm() {
	i.t.Helper()
	i.open("/nova")
	i.focus("#Quem")
	i.press("val")
	i.see("#conhecidos [data-fields]")
	i.draw("quem", "#Quem", "#pedido legend", "#conhecidos")
	i.open("/fila")
	i.show(eval[string](i.browser, `Array.from(document.querySelectorAll('.own-draft a'))
		.find(a => a.textContent.startsWith('Rafael')).getAttribute('href')`)) // the draft that is ready to be sent
	i.draw("formulario", "#pedido")
	i.draw("anexos", "#soltar", "#anexos", "#enviados")
	i.press(kb.F8)
	i.see("#revisao")
	i.draw("revisao", "#revisao")
}

func (i *illustrator) drawCases() {
	i.t.Helper()
	i.window(800)
	const verdict = "section:has(#veredito)"
	for _, of := range []struct{ name, group string }{{"autorizado", "ok"}, {"sem-resposta", "sem-resposta"}, {"negado", "neg"}} {
		i.show(i.link("/fila?grupo="+of.group, ".queue-table tbody td:nth-child(2) a"))
		i.draw(of.name, verdict)
	}
	i.draw("saida", "#saida") // of the denial
}

// drawLacking pictures a case that lacks an attachment, which goes out from there.
func (i *illustrator) drawLacking(p *apptest.Server) {
	i.t.Helper()
	sent := p.LogIn(i.t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "9999250000", "nomeBeneficiario": "Nair Lacerda"})
	i.show(sent.Path)
	i.draw("falta-anexo", "section:has(#veredito)")
}

// drawRoles pictures where administração chooses what somebody may do.
func (i *illustrator) drawRoles(p *apptest.Server) {
	i.t.Helper()
	rui := MustBrowse(i.t, p)
	rui.logIn(apptest.Administration)
	other := &illustrator{rui, i.drawn}
	other.window(800)
	other.show("/pessoas/nova")
	other.draw("papeis", "fieldset:has([name=papeis])")
}

// show opens a page without a ring around what has the focus.
func (i *illustrator) show(path string) {
	i.t.Helper()
	i.open(path)
	i.waitFor("the page is whole", "document.readyState === 'complete' && document.fonts.status === 'loaded'")
	eval[bool](i.browser, "document.activeElement.blur(), true")
}

// link is where the first link leads that a page has there.
func (i *illustrator) link(path, css string) string {
	i.t.Helper()
	i.open(path)
	i.see(css)
	return eval[string](i.browser, fmt.Sprintf("document.querySelector(%q).getAttribute('href')", css))
}

// pictured gives the box around some elements with a margin, and what does not change in it:
// the words of labels, buttons and headings.
const pictured = `(selectors => {
	const parts = selectors.map(s => document.querySelector(s)), boxes = parts.map(p => p.getBoundingClientRect());
	const left = Math.floor(Math.min(...boxes.map(b => b.left)) - 8), top = Math.floor(Math.min(...boxes.map(b => b.top)) - 8);
	const below = parts[parts.length - 1].matches('tr') ? 0 : 8; // no part of the next row
	const right = Math.ceil(Math.max(...boxes.map(b => b.right)) + 8), bottom = Math.ceil(Math.max(...boxes.map(b => b.bottom)) + below);
	const inside = b => b.width > 0 && b.left >= left && b.right <= right && b.top >= top && b.bottom <= bottom;
	const words = 'h1,h2,h3,legend,label,button,a.btn,summary,thead th,dt,.status-counts span,.verdict,section > div > .small';
	const texts = Array.from(document.querySelectorAll(words)).filter(e => inside(e.getBoundingClientRect()) && !e.closest('[aria-hidden]'))
		.map(e => e.textContent.replace(/\s+/g, ' ').trim()).filter(Boolean);
	return { x: left, y: top, width: right - left, height: bottom - top, texts: texts };
})`

// draw pictures a part of the page, which begins and ends with some elements.
func (i *illustrator) draw(name string, parts ...string) {
	i.t.Helper()
	for _, css := range parts {
		i.see(css)
	}
	i.theme("light")
	selectors, err := json.Marshal(parts)
	if err != nil {
		i.t.Fatal(err)
	}
	box := eval[struct {
		X, Y, Width, Height float64
		Texts               []string
	}](i.browser, pictured+"("+string(selectors)+")")
	if len(box.Texts) == 0 {
		i.t.Errorf("the picture %s shows no words by which it could be held true", name)
	}
	one := static.ManualPicture{Width: int(box.Width), Height: int(box.Height), Texts: box.Texts}
	if *drawManual {
		one.SHA256 = i.shoot(name, page.Viewport{X: box.X, Y: box.Y, Width: box.Width, Height: box.Height, Scale: 1})
	}
	i.drawn[name] = one
}

// pictureQuality is that of WebP: small letters stay sharp.
var pictureQuality int64 = 60

// shoot writes the picture of a box and returns its sum.
func (i *illustrator) shoot(name string, box page.Viewport) string {
	i.t.Helper()
	ctx, cancel := context.WithTimeout(i.ctx, patience)
	defer cancel()
	var content []byte
	_, err := cd.Run(ctx, cd.Func(func(ctx context.Context, _ *cd.Target) error {
		shot, err := cd.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatWebp, Quality: &pictureQuality, Clip: &box})
		content = shot.Data
		return err
	}))
	if err == nil {
		err = os.WriteFile(filepath.Join(manualFolder, name+".webp"), content, 0o644) // it is part of the source
	}
	if err != nil {
		i.t.Fatalf("picture %s: %v", name, err)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// record writes what is known of the pictures beside them, and removes those that are not
// drawn any more.
func (i *illustrator) record() {
	i.t.Helper()
	old, err := filepath.Glob(filepath.Join(manualFolder, "*.webp"))
	if err != nil {
		i.t.Fatal(err)
	}
	for _, file := range old {
		if _, ok := i.drawn[strings.TrimSuffix(filepath.Base(file), ".webp")]; !ok {
			_ = os.Remove(file)
		}
	}
	text, err := json.MarshalIndent(i.drawn, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(manualFolder, "pictures.json"), append(text, '\n'), 0o644) // it is part of the source
	}
	if err != nil {
		i.t.Fatal(err)
	}
}

// TestManual_Page: the pictures come, each in its own proportions, the contents lead to the
// chapters, and on paper nothing is left out. With -screenshots it writes the print.
func TestManual_Page(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open("/ajuda")
	b.look("manual")
	eval[bool](b, `Promise.all(Array.from(document.querySelectorAll('.picture'), i => {
		i.loading = 'eager' // those further down wait until somebody scrolls to them
		return i.decode().catch(() => {})
	})).then(() => true)`)
	if wrong := eval[[]string](b, `Array.from(document.querySelectorAll('.picture')).filter(i => !i.complete || !i.naturalWidth
		|| Math.abs(i.naturalWidth / i.naturalHeight - i.width / i.height) > .02).map(i => i.src)`); len(wrong) > 0 {
		t.Errorf("these pictures do not come, or are drawn out of shape: %q", wrong)
	}
	if lost := eval[[]string](b, `Array.from(document.querySelectorAll('.manual-contents a'))
		.filter(a => !document.querySelector(a.hash + '[aria-labelledby]')).map(a => a.hash)`); len(lost) > 0 {
		t.Errorf("the contents lead nowhere: %q", lost)
	}
	file := b.printManual()
	text, err := exec.CommandContext(t.Context(), "pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatalf("read the print: %v (make test installs pdftotext)", err)
	}
	for _, title := range eval[[]string](b, "Array.from(document.querySelectorAll('main h2')).map(h => h.textContent)") {
		if !strings.Contains(string(text), title) {
			t.Errorf("the print lacks %q", title)
		}
	}
}

// printManual prints the page on A4 and returns the file.
func (b *browser) printManual() string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	pdf, err := cd.Run(ctx, cd.PrintToPDF(cd.PDFPaper(cd.PaperA4)))
	if err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(b.t.TempDir(), "manual.pdf")
	if *pictures != "" {
		file = filepath.Join(*pictures, "manual.pdf")
	}
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return file
}

// TestManual_PrintedAtOnce: who prints the page without scrolling through it has its pictures, too.
func TestManual_PrintedAtOnce(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn(apptest.Reception)
	b.open("/ajuda")
	listed, err := exec.CommandContext(t.Context(), "pdfimages", "-list", b.printManual()).Output()
	if err != nil {
		t.Fatalf("read the print: %v (make test installs pdfimages)", err)
	}
	drawn := strings.Count(string(listed), "\n") - 2 // the head of the list
	if want := eval[int](b, "document.querySelectorAll('.picture').length"); drawn != want {
		t.Errorf("%d of %d pictures are on paper:\n%s", drawn, want, listed)
	}
}
