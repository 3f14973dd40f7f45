package form_test

import (
	"fmt"
	"net/url"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/webui/form"

	"github.com/google/go-cmp/cmp"
)

// procedures is a request's form with rows of procedures.
func procedures(button string, codes ...string) url.Values {
	values := url.Values{"acao": {button}}
	for i, code := range codes {
		prefix := fmt.Sprintf("procedimentos[%d].", i)
		values.Set(prefix+"codigoProcedimento", code)
		values.Set(prefix+"nomeProcedimento", "Exame "+code)
		values.Set(prefix+"quantidade", "1")
		if code == "" {
			values.Set(prefix+"nomeProcedimento", "")
		}
	}
	return values
}

func codes(rows []desk.ProcedureRow) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row.Code)
	}
	return all
}

func TestReadRequest(t *testing.T) {
	values := procedures("rascunho", "40304361")
	values.Set("versao", "3")
	values.Set("Busca", " vale ")
	values.Set("nomeBeneficiario", " Helena  Duarte ")
	values.Set("dataNascimentoRecemNascido", "")
	values.Set("naoExiste", "x")
	got := form.ReadRequest(values)
	want := form.Request{Version: 3, Button: form.ButtonLater, Search: " vale ", Form: desk.Form{
		Values:     map[string]string{"nomeBeneficiario": " Helena  Duarte ", "dataNascimentoRecemNascido": ""},
		Procedures: []desk.ProcedureRow{{Code: "40304361", Name: "Exame 40304361", Quantity: "1"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if empty := form.ReadRequest(nil); empty.Version != 0 || empty.Form.Procedures != nil || len(empty.Form.Values) != 0 {
		t.Errorf("got %+v of nothing", empty)
	}
	for pressed, want := range map[string]string{"rascunho": form.ButtonLater, "buscar": form.ButtonSearch} {
		if got := form.ReadRequest(url.Values{"acao": {pressed}}).Button; got != want {
			t.Errorf("got the button %q, want %q", got, want)
		}
	}
	if garbled := form.ReadRequest(url.Values{"versao": {"x"}}); garbled.Version != 0 {
		t.Errorf("got version %d, want that of a draft never saved", garbled.Version)
	}
}

func TestReadRequest_Procedures(t *testing.T) {
	many := make([]string, authorization.MaxProcedures+5)
	for i := range many {
		many[i] = "1"
	}
	if got := len(form.ReadRequest(procedures("", many...)).Form.Procedures); got != authorization.MaxProcedures+1 {
		t.Errorf("got %d rows, want one more than a request may have", got)
	}
	gap := procedures("", "1", "2", "3")
	gap.Del("procedimentos[1].codigoProcedimento")
	for name, c := range map[string]struct {
		posted url.Values
		want   []string
	}{
		"EmptyAtTheEnd":  {procedures("", "1", "2", "", ""), []string{"1", "2"}},
		"EmptyInBetween": {procedures("", "1", "", "2"), []string{"1", "", "2"}},
		"EndsAtGap":      {gap, []string{"1"}},
		"NoneFilled":     {procedures("", ""), nil},
	} {
		if diff := cmp.Diff(c.want, codes(form.ReadRequest(c.posted).Form.Procedures)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRequest_WithoutRemoved(t *testing.T) {
	for button, want := range map[string][]string{
		"":           {"1", "2", "3"},
		"remover-0":  {"2", "3"},
		"remover-2":  {"1", "2"},
		"remover-3":  {"1", "2", "3"},
		"remover--1": {"1", "2", "3"},
		"remover-x":  {"1", "2", "3"},
		"1":          {"1", "2", "3"},
	} {
		r := form.ReadRequest(procedures(button, "1", "2", "3"))
		if diff := cmp.Diff(want, codes(r.WithoutRemoved().Procedures)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", button, diff)
		}
		if diff := cmp.Diff([]string{"1", "2", "3"}, codes(r.Form.Procedures)); diff != "" {
			t.Errorf("%q changed what was typed:\n%s", button, diff)
		}
	}
}
