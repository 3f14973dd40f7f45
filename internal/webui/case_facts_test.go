package webui_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"

	"github.com/PuerkitoBio/goquery"
)

// TestCase_AllNumbers: every number and date of an authorization is on its case; the
// service's guiaPrestador only where it is not ours.
func TestCase_AllNumbers(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"482017739",
		"guiaParceiro":"PAR-77","numeroSolicitacao":"778812","dataAutorizacao":"2026-11-20T14:00:00","guiaPrestador":"OUTRA-1",
		"procedimentos":[]}`))
	page := ana.Submit(ana.NewDraft())
	for term, want := range map[string]string{"Guia do parceiro": "PAR-77", "Nº da solicitação": "778 812",
		"Autorizado em": "20/11/2026 14:00", "Guia do prestador no serviço": "OUTRA-1"} {
		if got := page.Fact(`[aria-label="Situação"] dl`, term); got != want {
			t.Errorf("%s: got %q, want %q", term, got, want)
		}
	}
	t.Run("NothingElse", func(t *testing.T) {
		t.Parallel()
		ours := ""
		server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(e faultservice.Entry) (int, []byte) {
			ours = e.Guide
			return http.StatusOK, []byte(authorized("", entryOf("A", `,"guiaPrestador":"`+ours+`"`)))
		}}})
		ana := server.LogIn(t, apptest.Reception)
		page := ana.Submit(ana.NewDraft())
		if ours == "" || page.Has(`[aria-label="Situação"] dl.facts`) {
			t.Errorf("beside the guide %q it says %q", ours, page.Text(`[aria-label="Situação"] dl.facts`))
		}
	})
}

// TestCase_Unsettled: what the operator has not decided yet is no zero.
func TestCase_Unsettled(t *testing.T) {
	t.Parallel()
	status := ""
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusOK, []byte(authorized("", `{"sucesso":true,"situacaoAutorizacao":"`+status+`","procedimentos":[
			{"codigoProcedimento":"40316521","nomeProcedimento":"TSH","quantidade":1,"quantidadeAutorizada":0,"quantidadeExecutada":0}]}`))
	}}})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	for code, want := range map[string]string{
		"R": "1 | em análise | –", "K": "1 | – | –", "S": "1 | – | –", "H": "1 | – | –", "M": "1 | – | –",
		"QQ": "1 | – | –", "N": "1 | 0 | 0", "C": "1 | 0 | 0",
	} {
		status = code
		page := ana.Submit(address, form)
		address = ana.DraftPath()
		if got := page.Rows("table"); len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
		if red := page.Has("td.tone-error"); red != (code == "N") {
			t.Errorf("%s: the quantity is marked as reduced: %v", code, red)
		}
	}
}

// reasonsOf are the reasons below the headline, each with whose words it is.
func reasonsOf(page *apptest.Page) []string {
	return page.Find(`[aria-label="Situação"] .notice`).Map(func(_ int, s *goquery.Selection) string {
		return strings.Join(strings.Fields(s.Find("p").Text()), " ") + " | " + s.Find(".small").Text()
	})
}

// TestCase_Reason: why something was denied stands below the headline, once, and whose
// words these are.
func TestCase_Reason(t *testing.T) {
	t.Parallel()
	item := func(code, why string) string {
		return `{"codigoProcedimento":"` + code + `","nomeProcedimento":"Exame ` + code + `","quantidade":1,` +
			`"quantidadeAutorizada":0,"justificativa":"` + why + `"}`
	}
	denied := func(errors, items string) string {
		return authorized("", `{"sucesso":false,"situacaoAutorizacao":"N","erros":[`+errors+`],"procedimentos":[`+items+`]}`)
	}
	for _, tt := range []struct {
		name, answer string
		want         []string
		rows         bool // the table repeats none of it
	}{
		{"OneForAll", denied("", item("1", "Sem cobertura.")+","+item("2", "Sem cobertura.")),
			[]string{"Sem cobertura. | Nas palavras da operadora"}, true},
		{"OneEach", denied("", item("1", "Sem cobertura.")+","+item("2", "Em carência.")),
			[]string{"Exame 1: Sem cobertura. | Nas palavras da operadora", "Exame 2: Em carência. | Nas palavras da operadora"}, true},
		{"ErrorWithCode", denied(`{"codigo":"1438","mensagem":"Não atende a DUT."}`, item("1", "Não atende a DUT.")),
			[]string{"Não atende a DUT. | Motivo 1438, nas palavras da operadora"}, true},
		{"None", denied("", item("1", "")), []string{"A operadora não informou o motivo. | "}, true},
		{"MissingAttachment", strings.Replace(denied("", item("1", "Falta o laudo.")), `"N"`, `"S"`, 1),
			[]string{"Falta o laudo. | Nas palavras da operadora"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ana := startAnswering(t, tt.answer)
			page := ana.Submit(ana.NewDraft())
			if got := reasonsOf(page); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			for _, row := range page.Rows("table") {
				if strings.Contains(row, "cobertura") || strings.Contains(row, "DUT") || strings.Contains(row, "laudo") {
					t.Errorf("the table says it again: %q", row)
				}
			}
		})
	}
	t.Run("OfTwoAuthorizations", func(t *testing.T) {
		t.Parallel()
		ana := startAnswering(t, authorized("", entryOf("A", ""),
			`{"sucesso":true,"situacaoAutorizacao":"N","procedimentos":[`+item("9", "Sem cobertura.")+`]}`))
		page := ana.Submit(ana.NewDraft())
		if got := reasonsOf(page); !slices.Equal(got, []string{"Autorização 2: Sem cobertura. | Nas palavras da operadora"}) {
			t.Errorf("got %q", got)
		}
	})
}

// TestCase_OurFindings: what the desk itself found in an answer is nobody else's words.
func TestCase_OurFindings(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized(`"pdfGuia":"bm8gcGRm",`,
		entryOf("A", `,"pdfGuiaAutorizacao":"bm8gcGRm","validadeSenha":"30 dias","erros":[{"codigo":"1423","mensagem":"Confirme."}]`)))
	page := ana.Submit(ana.NewDraft())
	var ours int
	for _, notice := range reasonsOf(page) {
		if strings.Contains(notice, "PDF") || strings.Contains(notice, "30 dias") {
			ours++
			if strings.Contains(notice, "palavras da operadora") || !strings.Contains(notice, "Observação do Guichê") ||
				strings.Contains(notice, "pdf_invalido") || strings.Contains(notice, "validadeSenha") {
				t.Errorf("got %q", notice)
			}
		}
	}
	if ours != 3 {
		t.Errorf("got %d findings, want three: %q", ours, reasonsOf(page))
	}
}

// TestSimulated_EveryCase: whatever went to simulated operators says so, with a senha,
// with another answer and without any: on the case, in the queue and in the history.
func TestSimulated_EveryCase(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for name, card := range map[string]string{"authorized": "99990100", "analysis": "99990300", "denied": "99990400", "attachment": "99990900",
		"cancelled": "99990600", "biometrics": "99991300", "beneficiary": "99991600", "refused": "99992100", "unknown": "99992200",
		"pending": "99992400"} {
		page := v.SubmitWith(map[string]string{"numeroCarteira": card})
		if got := page.Text(".banner"); !strings.HasPrefix(got, "SIMULAÇÃO") {
			t.Errorf("%s (%s): the strip says %q", name, page.Text(".verdict"), got)
		}
	}
	for _, address := range []string{"/fila?grupo=neg", "/historico"} {
		if got := v.Get(address).Text(".banner"); !strings.HasPrefix(got, "SIMULAÇÃO") {
			t.Errorf("%s: the strip says %q", address, got)
		}
	}
}

// TestSimulated_Form: where a request is made that simulated operators will decide, it says
// so before anything is sent.
func TestSimulated_Form(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ana  *apptest.Client
		want bool
	}{
		"Simulated": {apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception), true},
		"Real":      {startAnswering(t, authorized("")), false},
	} {
		t.Run(name, func(t *testing.T) {
			address, form := tt.ana.NewDraft()
			for _, page := range []*apptest.Page{tt.ana.Get("/nova"), tt.ana.Post(address, form), tt.ana.Get(address),
				tt.ana.Post(address+"/revisar", tt.ana.Get(address).Form("#pedido")), tt.ana.Post(address+"/revisar", form)} {
				if got := strings.HasPrefix(page.Text(".banner"), "SIMULAÇÃO"); got != tt.want {
					t.Errorf("%d %s says SIMULAÇÃO: %v, want %v", page.Status, page.Path, got, tt.want)
				}
			}
		})
	}
}
