package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
)

// knownPatients sends requests of three patients, who are known from then on.
func knownPatients(v *apptest.Client) {
	for name, card := range map[string]string{"Maria Antunes Prado": "99990100001", "Maria das Dores": "7719 0001", "Rui Prado": "0310 7719"} {
		v.SubmitWith(map[string]string{"nomeBeneficiario": name, "numeroCarteira": card, "planoBeneficiario": "Pleno"})
	}
}

// pause waits as long as a person needs to have read a list.
func (b *browser) pause() {
	b.t.Helper()
	eval[bool](b, "(window.readSince = performance.now(), true)")
	b.waitFor("the list can have been read", "performance.now() - window.readSince > 300")
}

// TestWho_Seen: what is chosen from the list fills the form and leads to the work.
func TestWho_Seen(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	knownPatients(p.LogIn(t, apptest.Reception))
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	for _, tt := range []struct{ name, keys, seen, then, focused, shown string }{
		{"Beneficiary", "prado anT", "#conhecidos [data-fields]", "⏎", "procedimentos-0-codigoProcedimento", "Maria Antunes Prado"},
		{"Card", "9999.0100-0", "#conhecidos [data-fields]", "⏎", "procedimentos-0-codigoProcedimento", "Maria Antunes Prado"},
		{"Second", "prado", "#conhecidos [data-fields]", "↓↓⏎", "procedimentos-0-codigoProcedimento", ""},
		{"OtherOfTheName", "Maria das", "#conhecidos [data-fields]", "⇥", "Busca", "Maria das"},
		{"Nobody", "Zuleica Reis", "#conhecidos [aria-disabled]", "⏎", "Busca", "Zuleica Reis"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := b.in(t)
			b.open("/nova")
			if got := b.focused(); got != "Quem" {
				t.Fatalf("the form opens in %q", got)
			}
			b.typeKeys(tt.keys)
			b.waitFor("the list", "document.querySelector('#conhecidos:not([hidden])') !== null && "+
				"document.querySelector('"+tt.seen+"') !== null && !document.querySelector('#Quem').hasAttribute('data-searching')")
			b.pause()
			b.typeKeys(tt.then)
			if got := b.focused(); got != tt.focused {
				t.Errorf("the focus is in %q, want %q", got, tt.focused)
			}
			if tt.shown != "" {
				b.checkValues(map[string]string{"#nomeBeneficiario": tt.shown})
			}
			if tt.name == "Beneficiary" {
				b.checkValues(map[string]string{"#numeroCarteira": "99990100001", "#planoBeneficiario": "Pleno", "#Busca": "Aroeira Planos",
					"#crmSolicitante": "104552", "#ufSolicitante": "SP"})
				b.see("#ultimos li")
			}
		})
	}
}

// TestWho_Unseen: of what nobody saw only a single hit is taken, and nothing typed ahead is lost.
func TestWho_Unseen(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	knownPatients(p.LogIn(t, apptest.Reception))
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn("recepcao")
	for _, tt := range []struct {
		name, keys string
		want       map[string]string
		flag       string
	}{
		{"Single", "antunes⏎", map[string]string{"#nomeBeneficiario": "Maria Antunes Prado", "#Busca": "Aroeira Planos"}, ""},
		{"Exact", "77190001⏎", map[string]string{"#nomeBeneficiario": "Maria das Dores"}, ""},
		{"Several", "maria⏎", map[string]string{"#Quem": "maria", "#nomeBeneficiario": ""}, "serve a mais de um"},
		{"WrittenMeanwhile", "antunes⏎Outra", map[string]string{"#nomeBeneficiario": "Outra", "#numeroCarteira": ""}, "é conhecido aqui"},
		{"Operator", typedOperator, map[string]string{"#Busca": "Aroeira Planos", "#nomeBeneficiario": "Maria Lopes",
			"#numeroCarteira": "123"}, ""},
		{"Name", "Zuleica Reis⏎", map[string]string{"#Quem": "", "#nomeBeneficiario": "Zuleica Reis"}, ""},
		{"NameThenCard", "Zuleica Reis⏎⇥5500 123", map[string]string{"#Quem": "", "#nomeBeneficiario": "Zuleica Reis",
			"#numeroCarteira": "5500 123"}, ""},
		{"NameTwice", "Zuleica Reis⏎Outra", map[string]string{"#Quem": "Zuleica Reis", "#nomeBeneficiario": "Outra"}, "Ninguém conhecido"},
		{"NewCard", "5500 123⏎", map[string]string{"#Quem": "", "#numeroCarteira": "5500 123"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := b.in(t)
			release := l.hold()
			defer release()
			b.open("/nova")
			b.typeKeys(tt.keys)
			apptest.Eventually(t, "a search is under way", l.searching)
			release()
			b.answered()
			b.waitFor("the search is over", "!document.querySelector('#Quem').hasAttribute('data-searching')")
			b.checkValues(tt.want)
			if tt.flag != "" {
				b.waitFor("it says why", fmt.Sprintf("document.querySelector('#Quem-search')?.innerText.includes('%s')", tt.flag))
			}
		})
	}
}

// TestWho_AnotherAfterwards: what was filled in for one beneficiary does not stay in the request of another one.
func TestWho_AnotherAfterwards(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"nomeBeneficiario": "Maria Antunes", "numeroCarteira": "99990100001",
		"planoBeneficiario": "Pleno", "nomeContato": "Filha da Maria", "dddContato": "11", "telefoneContato": "900000001"})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	gone := map[string]string{"#planoBeneficiario": "", "#nomeContato": "", "#telefoneContato": "", "#crmSolicitante": "",
		"#Busca": "Aroeira Planos"}
	stays := map[string]string{"#planoBeneficiario": "Pleno", "#nomeContato": "Filha da Maria", "#crmSolicitante": "104552"}
	for _, tt := range []struct {
		name       string
		then       map[string]string // typed over, by field
		want, also map[string]string
	}{
		{"Unknown", map[string]string{"Quem": "Zuleica Reis⏎"}, gone,
			map[string]string{"#nomeBeneficiario": "Zuleica Reis", "#numeroCarteira": ""}},
		{"TypedOver", map[string]string{"nomeBeneficiario": "Zuleica Reis⇥", "numeroCarteira": "5500⇥"}, gone,
			map[string]string{"#nomeBeneficiario": "Zuleica Reis", "#numeroCarteira": "5500"}},
		{"Corrected", map[string]string{"nomeBeneficiario": "Maria Antunes Prado⇥"}, stays,
			map[string]string{"#numeroCarteira": "99990100001"}},
		{"ChangedBefore", map[string]string{"planoBeneficiario": "Outro⇥", "Quem": "Zuleica Reis⏎"}, map[string]string{"#nomeContato": ""},
			map[string]string{"#planoBeneficiario": "Outro"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := b.in(t)
			b.open("/nova")
			b.typeKeys("antunes⏎")
			b.waitFor("the form is filled", "document.querySelector('#planoBeneficiario').value === 'Pleno'")
			for _, field := range []string{"planoBeneficiario", "nomeBeneficiario", "numeroCarteira", "Quem"} {
				if keys := tt.then[field]; keys != "" {
					eval[bool](b, fmt.Sprintf("(document.querySelector('#%s').select(), document.querySelector('#%[1]s').focus(), true)", field))
					b.typeKeys(keys)
				}
			}
			b.waitFor("the search is over", "!document.querySelector('#Quem').hasAttribute('data-searching')")
			b.waitFor("the last is there", fmt.Sprintf("document.querySelector('#nomeContato').value === '%s'", tt.want["#nomeContato"]))
			b.checkValues(tt.want)
			b.checkValues(tt.also)
		})
	}
}

// TestWho_AnotherAfterReload: a form that was loaded again still knows what was filled in for whom, and what was changed by hand.
func TestWho_AnotherAfterReload(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Maria Antunes", "numeroCarteira": "99990100001",
		"planoBeneficiario": "Pleno", "nomeContato": "Filha da Maria", "dddContato": "11", "telefoneContato": "900000001"})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/nova")
	b.typeKeys("antunes⏎")
	b.waitFor("the form is filled", "document.querySelector('#planoBeneficiario').value === 'Pleno'")
	b.fill("#planoBeneficiario", "Outro")
	b.typeKeys("⇥")
	apptest.Eventually(t, "it is saved", func() bool { return ana.Get(b.path()).Value("#planoBeneficiario") == "Outro" })
	if got := eval[string](b, "JSON.stringify(history.state)"); strings.Contains(got, "Maria") || strings.Contains(got, "planoBeneficiario") {
		t.Errorf("the browser keeps %s", got)
	}
	b.do("reload", cd.Reload())
	b.fill("#nomeBeneficiario", "Zuleica Reis")
	b.typeKeys("⇥")
	b.fill("#numeroCarteira", "5500")
	b.typeKeys("⇥")
	b.waitFor("the contact is gone", "document.querySelector('#nomeContato').value === ''")
	b.checkValues(map[string]string{"#planoBeneficiario": "Outro", "#nomeBeneficiario": "Zuleica Reis", "#numeroCarteira": "5500",
		"#telefoneContato": "", "#crmSolicitante": ""})
}

// TestRequester_Completed: a requester of before fills council, number and state; another may
// be typed over.
func TestRequester_Completed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"nomeSolicitante": "Caio Leme"})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	for keys, want := range map[string]map[string]string{
		"leme|⏎":     {"#nomeSolicitante": "Caio Leme", "#crmSolicitante": "104552", "#ufSolicitante": "SP"},
		"1045|⏎":     {"#nomeSolicitante": "Caio Leme", "#crmSolicitante": "104552", "#ufSolicitante": "SP"},
		"Caio|⇥":     {"#nomeSolicitante": "Caio", "#crmSolicitante": "", "#ufSolicitante": ""},
		"Íris Reis⇥": {"#nomeSolicitante": "Íris Reis", "#crmSolicitante": ""},
	} {
		t.Run(keys, func(t *testing.T) {
			b := b.in(t)
			b.open("/nova")
			b.focus("#nomeSolicitante")
			for i, part := range strings.Split(keys, "|") {
				if i > 0 {
					b.waitFor("the list", "document.querySelector('#solicitantes:not([hidden]) [data-value]') !== null")
					b.pause()
				}
				b.typeKeys(part)
			}
			b.checkValues(want)
		})
	}
}

// TestRequester_TypedOn: who has read the list and types on takes with Enter what alone still
// fits, before a newer answer; of several nothing is taken.
func TestRequester_TypedOn(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for name, number := range map[string]string{"Caio Leme": "104552", "Lea Pinho": "77120", "Lea Prado": "88120"} {
		v.SubmitWith(map[string]string{"nomeSolicitante": name, "crmSolicitante": number})
	}
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn("recepcao")
	for _, tt := range []struct{ name, then, key, requester, number, focused string }{
		{"Name", "me", "⏎", "Caio Leme", "104552", "procedimentos-0-codigoProcedimento"},
		{"Tab", "me", "⇥", "leme", "", "siglaConselhoSolicitante"},
		{"Several", "a p", "⏎", "lea p", "", "siglaConselhoSolicitante"},
		{"Nobody", "onor", "⏎", "leonor", "", "siglaConselhoSolicitante"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := b.in(t)
			b.open("/nova")
			b.focus("#nomeSolicitante")
			b.typeKeys("le")
			b.waitFor("the list", "document.querySelectorAll('#solicitantes:not([hidden]) [data-value]').length === 3")
			b.pause()
			release := l.hold()
			defer release()
			b.typeKeys(tt.then + tt.key)
			b.checkValues(map[string]string{"#nomeSolicitante": tt.requester, "#crmSolicitante": tt.number})
			if got := b.focused(); got != tt.focused {
				t.Errorf("the focus is in %q, want %q", got, tt.focused)
			}
			release()
			b.answered()
			b.checkValues(map[string]string{"#nomeSolicitante": tt.requester, "#crmSolicitante": tt.number})
			if got := b.focused(); got != tt.focused {
				t.Errorf("after the answer the focus is in %q, want %q", got, tt.focused)
			}
		})
	}
}

// TestWho_NameBegun: the focus stays with a name that was begun before the search for a new
// card is answered.
func TestWho_NameBegun(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn("recepcao")
	release := l.hold()
	defer release()
	b.open("/nova")
	b.typeKeys("5500 123⏎Hel")
	apptest.Eventually(t, "a search is under way", l.searching)
	release()
	b.waitFor("the card is known to nobody", "document.querySelector('#numeroCarteira').value === '5500 123'")
	b.typeKeys("ena")
	b.checkValues(map[string]string{"#Quem": "", "#nomeBeneficiario": "Helena", "#Busca": ""})
}

// TestPages_Who looks at the list of "Quem é?" and at the form that it filled.
func TestPages_Who(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	v.SubmitWith(map[string]string{"nomeBeneficiario": "Aroldo Antunes", "numeroCarteira": "99990400", "validadeCarteira": "01/02/2020"})
	v.SubmitWith(map[string]string{"nomeBeneficiario": "Maria Aroeira da Silva Antunes", "numeroCarteira": "99990100001",
		"planoBeneficiario": "Essencial"})
	b := MustBrowse(t, p)
	b.open("/entrar")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#Quem", "aro")
	b.see("#conhecidos [data-provider-code]")
	b.look("nova-quem")
	b.fill("#Quem", "antunes maria")
	b.waitFor("one", "document.querySelectorAll('#conhecidos [data-fields]').length === 1")
	b.pause()
	b.typeKeys("⏎")
	b.see("#ultimos li")
	b.look("nova-conhecido")
	b.fill("#nomeBeneficiario", "Outra Pessoa")
	b.see("#carteira-conhecida span")
	b.look("nova-outro-nome")
	b.fill("#Quem", "zzz")
	b.see("#conhecidos [aria-disabled]")
	b.look("nova-ninguem")
	b.fill("#nomeSolicitante", "solic")
	b.see("#solicitantes [data-value]")
	b.look("nova-solicitante")
}
