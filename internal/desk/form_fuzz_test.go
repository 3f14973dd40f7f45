package desk_test

import (
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"

	"github.com/google/go-cmp/cmp"
)

// FuzzForm_Request types anything into every kind of field: reading never fails,
// each problem names a field that the form has, and a request without problems
// reads the same when it is shown and typed again.
func FuzzForm_Request(f *testing.F) {
	for _, seed := range [][4]string{
		{"31122027", "0310 0045", "Lia", "1"}, {"1/2/27", "-", " ", ""}, {"00000000", "\u200b", "e\u0301", "999"},
		{"S", "N", "\x00", "+1"}, {"31/12/1899", "\u00a0", "\xff", "1e3"}, {"²²1227", "٣", "👩🏽‍⚕️", "9999999999999999999"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, date, card, name, quantity string) {
		form := fullForm()
		for field, typed := range map[string]string{
			"validadeCarteira": date, "dataNascimentoRecemNascido": date, "numeroCarteira": card, "nomeBeneficiario": name,
			"nomeRecemNascido": name, "atendimentoRN": quantity, "observacoes": name, "indicacaoClinica": name,
		} {
			form.Values[field] = typed
		}
		form.Procedures = append(form.Procedures, desk.ProcedureRow{Code: card, Name: name, Quantity: quantity})
		r, problems := form.Request(today, authorization.Rules{})
		for _, p := range problems {
			if _, ok := form.Values[p.Path]; !ok && !strings.HasPrefix(p.Path, "procedimentos[") {
				t.Errorf("problem of a field that the form does not have: %s", p.Path)
			}
		}
		if len(problems) > 0 {
			return
		}
		again, problems := desk.FormOf(r).Request(today, authorization.Rules{})
		if diff := cmp.Diff(again, r, cmpTimes); diff != "" || problems != nil {
			t.Errorf("typed again: got, want (%v)\n%s", paths(problems), diff)
		}
	})
}
