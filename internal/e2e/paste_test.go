package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestPaste: a picture in the clipboard goes up from wherever the focus is, text stays text;
// beside them stand what was sent before, and several photos become one file.
func TestPaste(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	v.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	v.Upload(address+"/anexos", nil, map[string][]byte{"pedido de outubro.pdf": apptest.PDF(1000)})
	form.Set("versao", v.Get(address).Value("#versao"))
	v.Submit(address, form)
	next, form := v.NewDraft()
	v.PostHTMX(next, form).Check(t, apptest.Want{Status: http.StatusOK})

	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open(next)
	b.focus("#nomeBeneficiario")
	paste := func(width int, add string) bool { // the same picture is taken once
		return eval[bool](b, fmt.Sprintf(`new Promise(done => {
			const data = new DataTransfer(), canvas = document.createElement('canvas');
			canvas.width = %d;
			canvas.toBlob(blob => {
				`+add+`
				done(document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })));
			});
		})`, width))
	}
	if !paste(300, `data.setData('text/plain', 'Ana');`) {
		t.Error("pasted text does not reach its field")
	}
	const picture = `data.items.add(new File([blob], 'image.png', { type: 'image/png' }));`
	for n := range 2 {
		if paste(300+n, picture) {
			t.Error("a pasted picture reaches the field")
		}
		b.waitFor("it is kept", "document.querySelectorAll('#anexos .thumbnail img').length === "+string(rune('1'+n)))
	}
	b.waitFor("joining is offered", "!document.querySelector('#juntar-fotos').hidden")
	b.click("#enviados summary")
	b.look("nova-anexos")
	b.click("#juntar-fotos")
	b.waitFor("one file", "document.querySelector('#anexos').innerText.includes('fotos.pdf') && "+
		"document.querySelectorAll('#anexos li').length === 1")
	b.click("[name=enviado]") // what was sent before still stands open
	b.waitFor("both", "document.querySelectorAll('#anexos li').length === 2")
	if got := b.focused(); got != "arquivo" {
		t.Errorf("the focus is in %q", got)
	}
}

// TestPaste_Unseen: marks of direction and spaces that do not break, which messages put around a number, hide from
// nobody that it is a date or a card.
func TestPaste_Unseen(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("recepcao")
	b.open("/nova")
	paste := func(css, text string) {
		b.focus(css)
		eval[bool](b, fmt.Sprintf("document.execCommand('insertText', false, %q)", text))
	}
	paste("#validadeCarteira", "\u202a1/2/2027\u202c")
	b.press(kb.Tab)
	b.checkValues(map[string]string{"#validadeCarteira": "01/02/2027"})
	b.click("#atendimentoRN")
	paste("#dataNascimentoRecemNascido", "01\u00a012\u00a02026")
	b.press(kb.Tab)
	b.checkValues(map[string]string{"#dataNascimentoRecemNascido": "01/12/2026"})
	paste("#Quem", "\u202a5500 123\u202c")
	b.answered()
	b.press(kb.Enter)
	b.waitFor("the card has it", "document.querySelector('#numeroCarteira').value.includes('5500 123')")
	b.checkValues(map[string]string{"#nomeBeneficiario": ""})
}
