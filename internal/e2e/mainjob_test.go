package e2e_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestMainJob is the receptionist's whole way by keyboard: log in, find the
// credential, fill the form, be told about the newborn, correct it, attach two
// files, review, send, read the guide, find the case again, save the PDF.
func TestMainJob(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422") // the browser reports our 422 answers as failed loads
	b.open("/entrar")
	b.accessible("entrar")
	b.logIn("recepcao")
	b.see("#fila")
	b.accessible("fila vazia")

	b.press(kb.F2)
	b.see("#pedido")
	b.accessible("nova")
	b.chooseCredential("aroeira")
	b.fillRequest()
	b.accessible("nova preenchida")

	t.Run("NewbornIsAsked", func(t *testing.T) {
		b.press(kb.F8)
		b.see("#erros")
		if got := b.focused(); got != "erros" {
			t.Errorf("focus on %q, want the error summary", got)
		}
		if got := b.text("#erros"); !strings.Contains(got, "recém-nascido") {
			t.Errorf("summary says %q", got)
		}
		if got := eval[string](b, "document.title"); !strings.HasPrefix(got, "Erro: ") {
			t.Errorf("title %q, want it to begin with Erro", got)
		}
		if got := b.value("#nomeBeneficiario"); got != "Helena Duarte" {
			t.Errorf("name is %q after the error, want it kept", got)
		}
		b.accessible("nova com erros")
		b.fill("#nomeRecemNascido", "RN de Helena Duarte")
		b.fill("#dataNascimentoRecemNascido", "12112026")
	})

	b.attach(pngFile(t, "pedido-medico.png"), pdfFile(t, "laudo anterior.pdf", 200_000))
	b.press(kb.F8)
	b.see("#revisao")
	b.accessible("revisão")
	if got := b.text("#revisao"); !strings.Contains(got, "12/11/2026") || !strings.Contains(got, "pedido-medico.png") {
		t.Errorf("review does not show the newborn's birth or the attachment:\n%s", got)
	}
	b.press(kb.Enter)
	b.waitFor("the case", "location.pathname.startsWith('/casos/')")
	b.see("#veredito")

	t.Run("Result", func(t *testing.T) {
		b.waitFor("authorized", "document.querySelector('#veredito .verdict')?.innerText === 'Autorizado'")
		if got := b.text(".key-facts"); !strings.Contains(got, "SIM") {
			t.Errorf("the password of a simulation must begin with SIM: %s", got)
		}
		if got := b.text("body"); !strings.Contains(got, "SIMULAÇÃO") {
			t.Error("the page of a simulated answer carries no banner")
		}
		b.seesPDF()
		b.accessible("caso autorizado")
	})

	t.Run("Download", func(t *testing.T) {
		got := eval[string](b, `fetch(document.querySelector('a[download]').href).then(async r => `+
			`r.headers.get('content-disposition') + ' ' + (await r.text()).slice(0, 5))`)
		if !strings.HasPrefix(got, "attachment") || !strings.HasSuffix(got, "%PDF-") {
			t.Errorf("got %q, want an attachment that is a PDF", got)
		}
	})

	t.Run("List", func(t *testing.T) {
		address := b.path()
		b.open("/fila")
		b.accessible("fila")
		if got := b.text("#fila table td>b[class]"); got != "Autorizado" {
			t.Errorf("the list says %q", got)
		}
		b.click("#fila table td:nth-child(2) a")
		b.waitFor("back on the case", "location.pathname === '"+address+"'")
	})
	t.Run("Help", func(t *testing.T) {
		b.open("/ajuda")
		b.accessible("ajuda")
	})
}

// chooseCredential types what only one operator has in its name and presses Enter at
// once: it is taken when it comes.
func (b *browser) chooseCredential(text string) {
	b.t.Helper()
	b.fill("#Busca", text)
	b.press(kb.Enter)
	b.waitFor("credential chosen", "document.querySelector('#credencialId').value !== ''")
}

// fillRequest fills what a receptionist fills for a newborn, but for the
// newborn's name and birth.
func (b *browser) fillRequest() {
	b.t.Helper()
	b.fill("#nomeBeneficiario", "Helena Duarte")
	b.fill("#numeroCarteira", "0310 0045 1206 3345")
	b.fill("#validadeCarteira", "31122027")
	b.click("#atendimentoRN")
	b.fill("#nomeSolicitante", "Dr. Caio Leme")
	b.fill("#crmSolicitante", "104552")
	b.choose("#ufSolicitante", "SP")
	b.choose("#profissionalExecutanteId", "")
	b.choose("#especialidadeExecutanteId", "")
	b.choose("#unidadeId", "")
	b.choose("#pontoAtendimentoId", "")
	b.do("type the procedure", cd.SendKeys(cd.CSS("#procedimentos-0-codigoProcedimento"), "tsh"))
	b.see("#procedimentos-0-lista [role=option][data-value]")
	b.typeKeys("↓⏎")
	b.waitFor("procedure chosen", "document.querySelector('#procedimentos-0-nomeProcedimento').value !== ''")
}

// choose picks an option of a select, the first real one for "".
func (b *browser) choose(css, value string) {
	b.t.Helper()
	eval[bool](b, `(() => { const s = document.querySelector('`+css+`');
		if (s.value && '`+value+`' === '') return true;
		s.value = '`+value+`' || [...s.options].find(o => o.value && !o.hidden && !o.disabled).value;
		s.dispatchEvent(new Event('input', {bubbles: true}));
		s.dispatchEvent(new Event('change', {bubbles: true})); return true; })()`)
}

// attach chooses files and waits until each is stored.
func (b *browser) attach(paths ...string) {
	b.t.Helper()
	b.do("choose files", cd.SetUploadFiles(cd.CSS("#arquivo"), paths))
	b.waitFor("files stored", "document.querySelectorAll('#anexos a.thumbnail').length === "+string(rune('0'+len(paths))))
}

// seesPDF fails unless the frame shows a page: much white, some ink.
func (b *browser) seesPDF() {
	b.t.Helper()
	b.see("#guia-quadro")
	b.do("scroll to the guide", cd.ScrollIntoView(cd.CSS("#guia-quadro")))
	apptest.Eventually(b.t, "the guide is drawn in the page", func() bool {
		white, ink := b.inkOf("#guia-quadro")
		return white > 0.25 && ink > 0.002
	})
}

// inkOf returns the shares of white and of dark points of an element's picture.
func (b *browser) inkOf(css string) (white, ink float64) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	shot, err := cd.Run(ctx, cd.Screenshot(cd.CSS(css)))
	if err != nil {
		b.t.Fatalf("picture of %s: %v", css, err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	return shares(img)
}

func shares(img image.Image) (white, ink float64) {
	r := img.Bounds()
	total := float64(r.Dx() * r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := img.At(x, y).RGBA()
			switch sum := red + green + blue; {
			case sum > 3*0xf800:
				white++
			case sum < 3*0x5000:
				ink++
			}
		}
	}
	return white / total, ink / total
}
