package e2e_test

import (
	"net/url"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestPages_TwoTabs looks at two tabs of one draft, in both of which somebody types.
func TestPages_TwoTabs(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	first, second := MustBrowse(t, p), MustBrowse(t, p, "409")
	first.logIn(apptest.Reception)
	second.logIn(apptest.Reception)
	first.open("/nova")
	first.fill("#nomeBeneficiario", "Helena Duarte da Silva")
	first.saved()
	address := first.path()
	second.open(address)
	second.look("nova-segunda-aba")
	first.fill("#nomeBeneficiario", "Helena Duarte")
	first.savedAs("Helena Duarte", address)
	second.fill("#planoBeneficiario", "Pleno")
	second.see("#rascunho [data-conflict] a")
	second.look("nova-outra-aba-salvou")
	if got := first.text("#rascunho"); got == "" || eval[bool](first, "document.querySelector('[data-conflict]') !== null") {
		t.Errorf("the tab that saved says %q", got)
	}
	first.look("nova-primeira-aba")
}

// TestPages_LateReview looks at a denial whose review the operator was asked for, and has not
// answered in a week: it waits, and then depends on somebody again.
func TestPages_LateReview(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, time.November, 9, 13, 0, 0, 0, time.UTC)
	p := apptest.Start(t, apptest.Options{Now: asked})
	v := p.LogIn(t, apptest.Reception)
	denied := send2(v, t, "99990400")
	v.Post(denied+"/reanalise", url.Values{"reanalise-contato": {"Central, Marta"}, "reanalise-protocolo": {"5512"},
		"reanalise-observacao": {"laudo novo em anexo"}})
	b := MustBrowse(t, p)
	look := func(name string) {
		b.logIn(apptest.Reception)
		b.open("/fila")
		b.look("fila-reanalise-" + name)
		b.open(denied)
		b.look("caso-reanalise-" + name)
	}
	look("pedida")
	p.Clock.Set(asked.AddDate(0, 0, 8))
	b.open("/entrar")
	look("atrasada")
	b.waitFor("it is to be asked after", "document.querySelector('.outcomes li:first-child').innerText.includes('Cobrar reanálise') && "+
		"document.querySelector('#veredito').innerText.includes('continua sem resposta')")
	b.open("/fila")
	b.waitFor("so says the queue", "document.querySelector('#fila tbody').innerText.includes('Cobrar reanálise')")
}
