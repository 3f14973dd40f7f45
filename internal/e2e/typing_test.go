package e2e_test

import (
	"fmt"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

const firstCode, secondCode = "#procedimentos-0-codigoProcedimento", "#procedimentos-1-codigoProcedimento"

// typedOperator is what a person types at once, and where it belongs.
const typedOperator = "aro⏎Maria Lopes⇥123"

func checkTypedOperator(b *browser) {
	b.t.Helper()
	b.waitFor("the operator is chosen", "document.querySelector('#credencialId').value !== ''")
	b.checkValues(map[string]string{"#Busca": "Aroeira Planos", "#nomeBeneficiario": "Maria Lopes", "#numeroCarteira": "123"})
}

const typedProcedures = "40304361⏎2⏎40316521⏎3"

func checkTypedProcedures(b *browser) {
	b.t.Helper()
	b.waitFor("the second procedure is chosen", "document.querySelector('#procedimentos-1-nomeProcedimento')?.readOnly")
	b.waitFor("the first procedure is chosen", "document.querySelector('#procedimentos-0-nomeProcedimento').readOnly")
	b.checkValues(map[string]string{
		firstCode: "40304361", "#procedimentos-0-quantidade": "2", secondCode: "40316521", "#procedimentos-1-quantidade": "3",
	})
}

// TestTyping_AnyMoment releases the answer of the search after each of the keys:
// whenever it comes, what was typed is where it was typed.
func TestTyping_AnyMoment(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn("recepcao")
	for _, tt := range []struct {
		name, start, list, keys string
		first                   int // keys until something is searched for
		check                   func(*browser)
	}{
		{"Operator", "#Busca", "#credenciais", typedOperator, 1, checkTypedOperator},
		{"Who", "#Quem", "#conhecidos", typedOperator, 1, checkTypedOperator},
		{"Procedure", firstCode, "#procedimentos-0-lista", typedProcedures, 1, checkTypedProcedures},
	} {
		all := keys(tt.keys)
		for after := tt.first; after <= len(all); after++ {
			t.Run(fmt.Sprintf("%s/%d", tt.name, after), func(t *testing.T) {
				b := b.in(t)
				release := l.hold()
				defer release()
				b.open("/nova")
				b.focus(tt.start)
				b.pressAll(all[:after])
				apptest.Eventually(t, "a search is under way", l.searching)
				release()
				b.waitFor("answered", "document.querySelector('"+tt.list+" [role=option]') !== null")
				b.pressAll(all[after:])
				tt.check(b)
			})
		}
	}
}

// TestTyping_SlowList: a list that the browser is slow to settle, as on a busy
// machine, is not taken for an empty one when "Buscando…" falls due meanwhile.
func TestTyping_SlowList(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/nova")
	eval[int](b, "htmx.config.defaultSettleDelay = 1000")
	b.focus("#Busca")
	b.typeKeys("a")
	b.waitFor("a first list", "document.querySelector('#credenciais [data-value]') !== null")
	b.typeKeys("ro⏎Maria Lopes⇥123")
	checkTypedOperator(b)
}

// TestTyping_Pace types at the pace of people over lines of several lengths: an answer comes within a key, after
// one, and after several. It runs alone, for its pace to be kept.
func TestTyping_Pace(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn("recepcao")
	for _, pace := range []struct{ late, gap time.Duration }{
		{0, 40}, {0, 80}, {80, 40}, {80, 120}, {150, 40}, {150, 80}, {150, 200}, {400, 40}, {400, 120},
	} {
		t.Run(fmt.Sprintf("%dms/%dms", pace.late, pace.gap), func(t *testing.T) {
			b := b.in(t)
			l.delay(pace.late * time.Millisecond)
			for _, start := range []string{"#Quem", "#Busca"} {
				b.open("/nova")
				b.focus(start)
				b.typeAt(pace.gap*time.Millisecond, typedOperator)
				checkTypedOperator(b)
			}
			b.focus(firstCode)
			b.typeAt(pace.gap*time.Millisecond, typedProcedures)
			checkTypedProcedures(b)
		})
	}
}

// TestTyping_Unseen: of several hits that nobody saw none is taken; the field keeps
// what was typed and says so, and sending leads back to it.
func TestTyping_Unseen(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p, "422")
	b.logIn("recepcao")
	for _, tt := range []struct{ name, field, keys, want, chosen, beside, besideHolds, flag string }{
		{"Operator", "#Busca", "a⏎Maria", "a", "#credencialId", "#nomeBeneficiario", "Maria", "serve a mais de uma operadora"},
		{"OperatorByTab", "#Busca", "a⇥Maria", "a", "#credencialId", "#nomeBeneficiario", "Maria", "serve a mais de uma operadora"},
		{"NoOperator", "#Busca", "zzz⏎Maria", "zzz", "#credencialId", "#nomeBeneficiario", "Maria", "Nenhuma operadora"},
		{"Procedure", firstCode, "hemo⏎2", "hemo", "#procedimentos-0-nomeProcedimento", "#procedimentos-0-quantidade", "2",
			"serve a mais de um procedimento"},
		{"ProcedureByTab", firstCode, "hemo⇥2", "hemo", "#procedimentos-0-nomeProcedimento", "#procedimentos-0-quantidade", "2",
			"serve a mais de um procedimento"},
		{"UnknownCode", firstCode, "99999999⏎2", "99999999", "#procedimentos-0-nomeProcedimento", "#procedimentos-0-quantidade", "2",
			"não está no cadastro"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := b.in(t)
			release := l.hold()
			defer release()
			b.open("/nova")
			b.focus(tt.field)
			b.typeKeys(tt.keys)
			release()
			b.waitFor("the field is flagged", "document.querySelector('"+tt.field+"').getAttribute('aria-invalid') === 'true'")
			b.checkValues(map[string]string{tt.field: tt.want, tt.chosen: "", tt.beside: tt.besideHolds})
			message := "document.getElementById(document.querySelector('" + tt.field + "').getAttribute('aria-describedby')).innerText"
			b.waitFor("it says why", message+".includes('"+tt.flag+"')")
		})
	}
	t.Run("SendingAsks", func(t *testing.T) {
		b := b.in(t)
		b.open("/nova")
		b.focus("#Busca")
		b.typeKeys("a⏎Maria")
		b.press(kb.F8)
		b.waitFor("back in the field, with its list", "document.activeElement.id === 'Busca' && "+
			"!document.querySelector('#credenciais').hidden")
		b.look("nova-operadora-a-escolher")
		b.typeKeys("↓↓⏎")
		b.checkValues(map[string]string{"#Busca": "Boa Guarida", "#nomeBeneficiario": "Maria"})
		if eval[bool](b, "document.querySelector('#Busca').hasAttribute('aria-invalid')") {
			t.Error("the field is still flagged after a choice")
		}
	})
	t.Run("SendingWaits", func(t *testing.T) {
		b := b.in(t)
		release := l.hold()
		defer release()
		b.open("/nova")
		b.focus("#Busca")
		b.typeKeys("aro⏎Maria")
		b.press(kb.F8)
		apptest.Eventually(t, "a search is under way", l.searching)
		if b.text("#erros") != "" {
			t.Error("it was sent without waiting for the search")
		}
		release()
		b.see("#erros")
		b.checkValues(map[string]string{"#Busca": "Aroeira Planos", "#nomeBeneficiario": "Maria"})
	})
	t.Run("NameWrittenMeanwhile", func(t *testing.T) {
		b := b.in(t)
		release := l.hold()
		defer release()
		b.open("/nova")
		b.focus(firstCode)
		b.typeKeys("40304361")
		apptest.Eventually(t, "a search is under way", l.searching)
		b.focus("#procedimentos-0-nomeProcedimento")
		b.typeKeys("Hemo")
		release()
		b.answered()
		b.typeKeys("grama")
		b.checkValues(map[string]string{firstCode: "40304361", "#procedimentos-0-nomeProcedimento": "Hemograma"})
	})
}

// TestTyping_Enter: Enter in an ordinary field leads to the next one, as card
// readers send it, and never sends.
func TestTyping_Enter(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.focus("#nomeBeneficiario")
	for _, next := range []string{"numeroCarteira", "validadeCarteira", "planoBeneficiario", "pacienteNoLocal", "atendimentoRN",
		"nomeSolicitante", "siglaConselhoSolicitante", "crmSolicitante", "ufSolicitante", "profissionalExecutanteId",
		"especialidadeExecutanteId", "unidadeId", "pontoAtendimentoId", "procedimentos-0-codigoProcedimento", "arquivo"} {
		b.press(kb.Enter)
		if got := b.focused(); got != next {
			t.Fatalf("Enter leads to %q, want %q", got, next)
		}
	}
	if got := b.text("#erros"); got != "" {
		t.Errorf("it was sent: %s", got)
	}
	t.Run("LastFieldLeadsToTheButton", func(t *testing.T) {
		b := b.in(t)
		b.click("details.disclosure summary")
		b.focus("#retorno")
		b.press(kb.Enter)
		if got := eval[string](b, "document.activeElement.dataset.shortcut ?? ''"); got != "F8" {
			t.Errorf("after the last field the focus is on %q", b.focused())
		}
	})
	t.Run("NewLine", func(t *testing.T) {
		b := b.in(t)
		b.focus("#observacoes")
		b.typeKeys("a⏎b")
		b.checkValues(map[string]string{"#observacoes": "a\nb"})
	})
	t.Run("NewbornsFields", func(t *testing.T) {
		b := b.in(t)
		b.focus("#atendimentoRN")
		b.press(" ")
		b.press(kb.Enter)
		if got := b.focused(); got != "nomeRecemNascido" {
			t.Errorf("Enter leads to %q, want the newborn's name", got)
		}
	})
}
