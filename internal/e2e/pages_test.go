package e2e_test

import (
	"os"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestPages opens every page and state in all sizes and both themes: no checker of
// accessibility finds anything, nothing sticks out to the side. With -screenshots it
// writes the pictures.
func TestPages(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "404", "403")
	b.open("/entrar")
	b.look("entrar")
	b.logIn("recepcao")
	b.look("fila-vazia")

	v := p.LogIn(t, apptest.Reception)
	b.lookAtForm(v)
	send2(v, t, "99990200") // authorized in part
	send2(v, t, "99990400") // denied
	b.lookAtHistory()
	b.open("/ajuda")
	b.look("ajuda")
	b.open("/nada")
	b.look("erro-404")
	b.lookAtPeople()
	b.lookAtDirectory()
	b.lookAtAudit()
}

// lookAtForm pictures the form in all its states.
func (b *browser) lookAtForm(v *apptest.Client) {
	b.t.Helper()
	b.open("/nova")
	b.look("nova")
	b.fill("#Busca", "a")
	b.see("#credenciais [role=option][data-value]")
	b.look("nova-busca")
	b.chooseCredential("vale")
	b.fillRequest()
	b.attach(pngFile(b.t, "pedido-medico.png"), pdfFile(b.t, "laudo-anterior.pdf", 300_000))
	b.waitFor("saved", "document.querySelector('#rascunho').innerText.includes('salvo')")
	b.look("nova-preenchida")
	b.press(kb.F8)
	b.see("#erros")
	b.look("nova-erros")
	b.fill("#nomeRecemNascido", "RN de Helena Duarte")
	b.fill("#dataNascimentoRecemNascido", "12112026")
	b.press(kb.F8)
	b.see("#revisao")
	b.look("nova-revisao")
	b.press(kb.Escape)
	refused, _ := v.SubmitWithoutAttachment()
	b.open(refused.Path)
	b.look("caso-sem-anexo")
	b.open(v.Post(refused.Path+"/copiar", nil).Path)
	b.see("#anexos-error")
	b.look("nova-copia-de-recusado")
	address, form := v.NewDraft()
	form.Set("nomeBeneficiario", "")
	v.Post(address+"/revisar", form)
}

// send2 submits a request for a card, with two procedures, and returns the
// address of its case.
func send2(v *apptest.Client, t testing.TB, card string) string {
	t.Helper()
	address, form := v.NewDraft()
	form.Set("numeroCarteira", card)
	form.Set("pacienteNoLocal", "S")
	apptest.SetProcedure(form, "1", "40304361", "Hemograma com contagem de plaquetas ou frações", "2")
	return v.Submit(address, form).Path
}

// sendSlow submits a request whose operator answers after the page was shown.
func sendSlow(v *apptest.Client, t testing.TB) string {
	t.Helper()
	address, form := v.NewDraft()
	form.Set("numeroCarteira", "99992400")
	return v.Submit(address, form).Path
}

// screens are the windows in which pages are looked at. A window of 1280 by 1024 points
// that is enlarged to 200 % or 400 % is one of 640 by 512 or 320 by 256 to the page.
var screens = []struct {
	name          string
	width, height int64
	pictured      bool
}{
	{"400 %", 320, 256, false},
	{"200 %", 640, 512, false},
	{"tablet", 768, 1024, false},
	{"390", 390, 844, true},
	{"1366", 1366, 768, true},
}

// outside gives the elements that stick out of a page which can be moved to the side.
const outside = `(({clientWidth: width, scrollWidth}) => scrollWidth <= width ? [] : [...document.body.querySelectorAll('*')]
	.filter(e => e.getBoundingClientRect().right > width).map(e => e.tagName + '#' + e.id + '.' + e.className + ' '
	+ Math.ceil(e.getBoundingClientRect().right - width)))(document.documentElement)`

// look checks the page on the screen in all sizes and both themes, and pictures it.
func (b *browser) look(name string) {
	b.t.Helper()
	b.waitFor("the page is whole", "document.readyState === 'complete' && document.querySelector('h1') !== null")
	b.accessible(name)
	b.styled(name)
	for _, s := range screens {
		b.size(s.width, s.height)
		if over := eval[[]string](b, outside); len(over) > 0 {
			b.t.Errorf("%s at %s: these stick out to the side: %q", name, s.name, over)
		}
		if !s.pictured || *pictures == "" && os.Getenv("GUICHE_TEST_PICTURES") == "" {
			continue
		}
		for _, theme := range []string{"light", "dark"} {
			b.theme(theme)
			b.picture(name + "-" + s.name + "-" + theme)
		}
		b.theme("light")
	}
}
