package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// unwhole lists what an element with the selector shows broken or cut: words that go over
// two lines, and texts that end in dots or stick out.
const unwhole = `(css) => [...document.querySelectorAll(css)].flatMap(e => {
	const bad = [];
	if (!e.checkVisibility()) return bad;
	if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline') bad.push('cut: ' + e.innerText);
	const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let n; (n = texts.nextNode());) for (const m of n.data.matchAll(/\S+/g)) {
		range.setStart(n, m.index); range.setEnd(n, m.index + m[0].length);
		const lines = new Set([...range.getClientRects()].filter(r => r.width > 1).map(r => Math.round(r.top)));
		if (lines.size > 1) bad.push('broken: ' + m[0]);
	}
	return bad;
}).join(' | ')`

// whole fails the test for each name or code that the page shows broken or cut.
func (b *browser) whole(page, css string) {
	b.t.Helper()
	for _, size := range []struct{ width, height int64 }{{390, 844}, {1366, 768}} {
		b.size(size.width, size.height)
		if bad := eval[string](b, "("+unwhole+")("+quoted(css)+")"); bad != "" {
			b.t.Errorf("%s at %d: %s", page, size.width, bad)
		}
	}
}

func quoted(css string) string { return "'" + strings.ReplaceAll(css, "'", `\'`) + "'" }

// TestPages_Cases opens a case in every state, and the queue with all of them: axe finds
// nothing, nothing sticks out, and no name or code is broken inside or cut. The four key
// facts stand in one row.
func TestPages_Cases(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.open("/entrar")
	b.logIn("recepcao")
	v := p.LogIn(t, apptest.Reception)
	s := startTroubled(t, p)
	s.says(http.StatusGatewayTimeout, "")
	b.lookAtCase("sem-resposta", send2(v, t, "0310004512063345"), "Enviado sem resposta")
	p.LogIn(t, apptest.Administration).ConnectTo(t, s.OtherService, url.Values{"servico": {"embutido"}})
	for _, state := range []struct{ name, card string }{
		{"autorizado", "0310004512063345"}, {"em-parte", "99990200"}, {"em-analise", "99990300"}, {"negado", "99990400"},
		{"cancelado", "99990600"}, {"falta-anexo", "99990900"}, {"falta-biometria", "99991300"}, {"beneficiario-invalido", "99991600"},
		{"duas-guias", "99991900"}, {"com-aviso", "99992000"}, {"recusado", "99992100"}, {"conferindo", "99992200"},
	} {
		b.open(send2(v, t, state.card))
		b.look("caso-" + state.name)
		b.whole(state.name, caseTexts)
		if rows := eval[int](b, "new Set([...document.querySelectorAll('#caso .key-facts')].flatMap(l => [...l.children].map(d => "+
			"l.getBoundingClientRect().top + ' ' + d.offsetTop))).size - document.querySelectorAll('#caso .key-facts').length"); rows != 0 {
			t.Errorf("%s: key facts stand in %d rows more than one", state.name, rows)
		}
	}
	b.open(sendSlow(v, t))
	b.look("caso-enviando")
	v.SubmitWith(map[string]string{"nomeBeneficiario": "Rosângela Teixeira de Albuquerque Monteverde", "numeroCarteira": "99990900",
		"pacienteNoLocal": "S"})
	b.open("/fila")
	b.look("fila")
	b.whole("fila", "#fila td:nth-child(2) > *, #fila td:nth-child(3) > *, #fila td:nth-child(6) :is(b,span), #fila td>b, "+
		"#fila td:nth-child(4) p")
	b.open("/fila?grupo=neg")
	b.look("fila-negados")
}
