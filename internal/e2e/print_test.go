package e2e_test

import (
	"context"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
)

// word is one of a printed page, with where it stands.
type word struct {
	Bottom float64 `xml:"yMax,attr"`
	Right  float64 `xml:"xMax,attr"`
	Text   string  `xml:",chardata"`
}

// words are those of a printed page.
type words struct {
	Pages []struct {
		Height float64 `xml:"height,attr"`
		Width  float64 `xml:"width,attr"`
		Words  []word  `xml:"word"`
	} `xml:"body>doc>page"`
}

// print prints the page on the screen, on A4 as the page itself asks, and returns its words.
func (b *browser) print(name string) (w words) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "printed.pdf")
	b.do("print "+name, cd.Func(func(ctx context.Context, _ *cd.Target) error {
		printed, err := cd.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true), PrintBackground: new(true)})
		if err != nil {
			return err
		}
		return os.WriteFile(path, printed.Data, 0o600)
	}))
	if *pictures != "" {
		picture := filepath.Join(*pictures, "papel-"+name)
		if err := exec.CommandContext(b.t.Context(), "pdftoppm", "-png", "-r", "80", path, picture).Run(); err != nil {
			b.t.Fatal(err)
		}
	}
	found, err := exec.CommandContext(b.t.Context(), "pdftotext", "-bbox", path, "-").Output()
	if err == nil {
		err = xml.Unmarshal(found, &w)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return w
}

// TestPrint: the receipt fits half a sheet of A4 in whatever state, and a case fits one or two
// with nothing of what is only pressed.
func TestPrint(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.open("/entrar")
	b.logIn("recepcao")
	v := p.LogIn(t, apptest.Reception)
	for name, card := range map[string]string{"autorizado": "0310004512063345", "negado": "99990400", "duas-guias": "99991900"} {
		path := send2(v, t, card)
		b.open(path + "/comprovante")
		b.look("comprovante-" + name)
		b.theme("dark")
		receipt := b.print("comprovante-" + name)
		b.theme("light")
		if n := len(receipt.Pages); n != 1 {
			t.Fatalf("%s: the receipt has %d pages", name, n)
		}
		for _, w := range receipt.Pages[0].Words {
			if w.Bottom > receipt.Pages[0].Height/2 {
				t.Errorf("%s: %q stands below the half of the sheet", name, w.Text)
				break
			}
		}
		b.open(path)
		for i, one := range b.print("caso-" + name).Pages {
			for _, w := range one.Words {
				if w.Text == "Anotar" || w.Text == "Concluir" || w.Text == "F9" {
					t.Errorf("%s: page %d of the case has %q on it", name, i+1, w.Text)
				}
			}
		}
	}
}

// TestPrint_Lists: a list is a table on paper, as on a screen, though A4 is as narrow as a phone's layout: with its
// heads and whole columns, without what is pressed or filled in. One that does not fit one page begins on the first.
func TestPrint_Lists(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	send2(p.LogIn(t, apptest.Reception), t, "99990400")
	for path, columns := range map[string][]string{
		"/fila":      {"Chegada", "Beneficiário", "Procedimento", "Situação", "Validade", "Próximo"},
		"/historico": {"Enviado", "Beneficiário", "Carteira", "Operadora", "Procedimentos", "Situação", "Senha", "Usuário"},
	} {
		b.open(path)
		b.see("main tbody tr")
		eval[bool](b, `(row => {
			for (let i = 1; i <= 40; i++) row.before(row.cloneNode(true));
			document.querySelector('main tbody tr a').textContent = 'Primeira';
			return true;
		})(document.querySelector('main tbody tr'))`)
		printed := b.print("lista" + strings.ReplaceAll(path, "/", "-"))
		first := printed.Pages[0]
		for _, text := range append(columns, "Primeira") {
			if i := slices.IndexFunc(first.Words, func(w word) bool { return w.Text == text }); i < 0 || first.Words[i].Right > first.Width {
				t.Errorf("%s: %q is not on the first page", path, text)
			}
		}
		for _, w := range first.Words {
			if slices.Contains([]string{"Até", "Palavras", "Todas", "PDF", "Filtrar"}, w.Text) {
				t.Errorf("%s: %q is on paper", path, w.Text)
			}
		}
		if n := len(printed.Pages); n < 2 || n > 4 {
			t.Errorf("%s: forty rows take %d pages", path, n)
		}
	}
	b.open("/historico")
	b.searchHistory("99990400")
	if eval[bool](b, `document.querySelector('.on-paper').checkVisibility()`) {
		t.Error("the words of the filter are on the screen, too")
	}
	first := b.print("lista-filtrada").Pages[0]
	for _, text := range []string{"Filtro:", "Palavras:", "99990400"} {
		if !slices.ContainsFunc(first.Words, func(w word) bool { return w.Text == text }) {
			t.Errorf("%q is not on the paper of a filtered history", text)
		}
	}
}

// TestReceipt_LongWord: on a phone the longest word of a procedure stays on the receipt's sheet.
func TestReceipt_LongWord(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	apptest.SetProcedure(form, "0", "50000160", "Fisioterapia em disfunção "+strings.Repeat("musculoesquelético", 2), "10")
	path := v.Submit(address, form).Path
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.size(390, 844)
	b.open(path + "/comprovante")
	if over := eval[int](b, "(e => e.scrollWidth - e.clientWidth)(document.querySelector('.receipt'))"); over > 0 {
		t.Errorf("it sticks out by %d px", over)
	}
}
