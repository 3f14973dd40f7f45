package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestReceipt: the paper for the patient says what became of the request in plain words, whom to
// call, and that a simulated answer is worth nothing; the trail has who made it.
func TestReceipt(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, admin := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	setPhone(t, admin, "/cadastros/unidades", "Centro", "(11) 4000-0101")
	setPhone(t, admin, "/cadastros/credenciais", "Aroeira Planos", "0800 000 0404")
	shown := map[string]*apptest.Page{}
	for name, tt := range map[string]struct{ card, verdict, words string }{
		"Authorized": {"99990100", "Autorizado", "A operadora autorizou. Traga este papel no dia do atendimento."},
		"Partly":     {"99990200", "Autorizado em parte", "autorizou uma parte"},
		"Denied":     {"99990400", "Negado", "A operadora não autorizou. O motivo que ela deu está abaixo."},
		"Waiting":    {"99990300", "Em análise", "ainda não decidiu"},
	} {
		one := ana.SubmitWith(map[string]string{"numeroCarteira": tt.card})
		page := ana.Get(one.Attr("nav a[href$='/comprovante']", "href"))
		page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{".receipt .verdict": tt.verdict,
			".receipt-simulated": "SIMULAÇÃO — SEM VALOR"}, Count: map[string]int{"[data-print-page]": 1, ".banner": 0}})
		if got := page.Text(".receipt-verdict p"); !strings.Contains(got, tt.words) {
			t.Errorf("%s: it says %q", name, got)
		}
		shown[name] = page
	}
	for term, want := range map[string]string{"Senha": "SIM", "Senha vale até": "/20"} {
		if got := shown["Authorized"].Fact(".receipt-numbers", term); !strings.Contains(got, want) {
			t.Errorf("authorized: %s is %q", term, got)
		}
	}
	denied := shown["Denied"].Text(".receipt")
	for _, want := range []string{"Procedimento não autorizado pela auditoria", "telefone 0800 000 0404", "ANS: 0800 701 9656",
		"telefone (11) 4000-0101", "por Ana Prado"} {
		if !strings.Contains(denied, want) {
			t.Errorf("denied: %q is not in %q", want, denied)
		}
	}
	trail := server.Trail(t)
	if last := trail[len(trail)-1]; last.Name != "comprovante.aberto" || last.Detail != "" {
		t.Errorf("the trail ends with %v", last)
	}
}

// setPhone types a telephone into the entry of a list.
func setPhone(t *testing.T, admin *apptest.Client, list, name, phone string) {
	t.Helper()
	entry := admin.Get(list).Attr("td a:contains('"+name+"')", "href")
	form := admin.Get(entry).Form("#cadastro")
	form.Set("telefone", phone)
	admin.Post(entry, form)
	if got := admin.Get(entry).Value("#telefone"); got != phone {
		t.Errorf("%s: the telephone is %q", name, got)
	}
}
