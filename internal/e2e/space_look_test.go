package e2e_test

import (
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/limittest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPages_Space opens what people see while the disk is nearly full, while it is full,
// and while another program keeps the database.
func TestPages_Space(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	var free atomic.Int64
	free.Store(100 * mib)
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return free.Load(), nil }
	}})
	b, rui := MustBrowse(t, p, "507", "503"), MustBrowse(t, p, "503")
	b.logIn(apptest.Reception)
	rui.logIn(apptest.Administration)
	b.open("/nova")
	b.do("choose a file", cd.SetUploadFiles(cd.CSS("#arquivo"), []string{pdfFile(t, "pedido-medico.pdf", 4000)}))
	b.see("#anexos .tone-error")
	b.look("espaco-arquivos")
	rui.open("/pessoas")
	rui.look("espaco-arquivos-pessoas")

	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.Post(address, form)
	b.open(address)
	free.Store(10 * mib)
	b.fill("#planoBeneficiario", "Essencial")
	b.press(kb.Tab)
	b.see("[data-unsaved]")
	b.waitFor("the header says so, too", "document.querySelector('#falta-espaco').innerText.includes('Nada novo')")
	b.look("espaco-rascunho")
	b.press(kb.F8)
	b.see("#erros")
	b.look("espaco-revisar")
	b.open("/fila")
	b.look("espaco-fila")
	rui.open("/auditoria")
	rui.look("espaco-auditoria")

	free.Store(1000 * mib)
	rui.open("/pessoas/nova")
	rui.fill("#nome", "Nova Pessoa")
	rui.fill("#usuario", "nova.pessoa")
	rui.click("input[name=papeis][value=administracao]")
	release := limittest.Occupy(t, p.Database(t))
	defer release()
	rui.press(kb.Enter)
	rui.waitFor("it says so", "document.querySelector('h1')?.innerText === 'O Guichê não consegue responder agora'")
	rui.look("ocupado")
}
