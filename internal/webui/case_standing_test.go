package webui_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// entryOf is an authorization of a code; more goes beside it.
func entryOf(code, more string) string {
	return `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"` + code + `","procedimentos":[]` + more + `}`
}

// TestCase_NotSettled: of two authorizations the one that is not settled gives headline,
// badge and group, whichever comes first.
func TestCase_NotSettled(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"AuthorizedFirst": authorized("", entryOf("A", `,"senha":"11"`), entryOf("R", "")),
		"AnalysisFirst":   authorized("", entryOf("R", ""), entryOf("A", `,"senha":"11"`)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ana := startAnswering(t, answer)
			page := ana.Submit(ana.NewDraft())
			page.Check(t, apptest.Want{
				Text: map[string]string{"#veredito .verdict": "Em análise", "#veredito": "1 de 2 autorizados; 1 em análise.", "title": "Em análise"},
				Not:  map[string]string{`#veredito`: "Encaminhe"},
			})
			list := ana.Get("/fila")
			list.Check(t, apptest.Want{
				Text:  map[string]string{"#fila tbody td:nth-child(4)": "Em análise", "#fila tbody td:nth-child(4) p": "1 de 2 autorizados"},
				Count: map[string]int{`#grupo-esp b:contains("1")`: 1, `#grupo-ok b:contains("1")`: 0},
			})
			if got := ana.Get("/fila?grupo=esp").Count("#fila tbody tr"); got != 1 {
				t.Errorf("in the group that waits: got %d, want it", got)
			}
			if got := ana.Get("/historico").Text("tbody td>b[class]"); got != "Em análise" {
				t.Errorf("the history says %q", got)
			}
		})
	}
}

// TestCase_Contradiction: a status that authorizes beside a sucesso that says no sends
// nobody to be attended.
func TestCase_Contradiction(t *testing.T) {
	t.Parallel()
	failed := strings.Replace(entryOf("A", `,"senha":"11","erros":["Falha ao gravar."]`), `"sucesso":true`, `"sucesso":false`, 1)
	for name, answer := range map[string]string{
		"Authorization": authorized("", failed),
		"WholeAnswer":   strings.Replace(authorized("", entryOf("A", `,"senha":"11"`)), `"sucesso":true`, `"sucesso":false`, 1),
		"OneOfTwo":      authorized("", entryOf("A", ""), failed),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ana := startAnswering(t, answer)
			page := ana.Submit(ana.NewDraft())
			page.Check(t, apptest.Want{
				Text: map[string]string{"#veredito .verdict": "Resposta contraditória", "#veredito": "Confira com a operadora antes de atender"},
				Not:  map[string]string{"#veredito": "Encaminhe"},
			})
			list := ana.Get("/fila?grupo=vez")
			list.Check(t, apptest.Want{
				Text: map[string]string{"#fila tbody td>b[class]": "Resposta contraditória", "#fila tbody td:nth-child(6)": "Conferir"}})
			if got := ana.Get("/historico").Text("tbody td>b[class]"); got != "Resposta contraditória" {
				t.Errorf("the history says %q", got)
			}
		})
	}
	t.Run("NotSaid", func(t *testing.T) {
		t.Parallel()
		ana := startAnswering(t, `{"data":{"autorizacoes":[{"situacaoAutorizacao":"A","senha":"1"}]}}`)
		if got := ana.Submit(ana.NewDraft()).Text("#veredito .verdict"); got != "Autorizado" {
			t.Errorf("without sucesso: got %q", got)
		}
	})
}

// TestCase_MainAction: one button is filled, what is to be done next, and the queue
// calls it by the same words.
func TestCase_MainAction(t *testing.T) {
	t.Parallel()
	answer := ""
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{Answer: func(faultservice.Entry) (int, []byte) {
		return http.StatusOK, []byte(answer)
	}}})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	pdf := `,"pdfGuiaAutorizacao":"` + base64.StdEncoding.EncodeToString(apptest.PDF(100)) + `"`
	for _, tt := range []struct {
		codes, filled, step string
		printing            bool // "Imprimir guia" stands beside it
	}{
		{"A", "Imprimir guia", "Imprimir guia", true}, {"W", "Imprimir guia", "Imprimir guia", true},
		{"P", "Imprimir guia", "Imprimir guia", true}, {"Z", "Conferir itens", "Conferir itens", true},
		{"S", "Reenviar com anexo", "Reenviar com anexo", true}, {"H", "Reenviar com biometria", "Reenviar com biometria", true},
		{"T", "Reenviar com biometria", "Reenviar com biometria", true}, {"V", "Corrigir e reenviar", "Corrigir e reenviar", true},
		{"I", "Corrigir e reenviar", "Corrigir e reenviar", true}, {"Ç", "Corrigir e reenviar", "Corrigir e reenviar", true},
		{"M", "Corrigir e reenviar", "Corrigir e reenviar", true}, {"N", "Corrigir e reenviar", "Corrigir e reenviar", true},
		{"R", "", "Acompanhar", true}, {"K", "", "Acompanhar", true}, {"X", "", "Acompanhar", true},
		{"E", "", "Ver", true}, {"C", "", "Ver", true}, {"-", "", "Ver", true}, {"QQ", "", "Conferir", true},
		{"A R", "", "Acompanhar", true}, {"S A", "Reenviar com anexo", "Reenviar com anexo", true},
	} {
		var entries []string
		for _, code := range strings.Fields(tt.codes) {
			entries = append(entries, entryOf(code, pdf))
		}
		answer = authorized("", entries...)
		page := ana.Submit(address, form)
		address = ana.DraftPath()
		if got := strings.Join(page.Texts("#caso .btn-primary"), ", "); got != tt.filled {
			t.Errorf("%s: filled is %q, want %q", tt.codes, got, tt.filled)
		}
		if got := slices.Contains(page.Texts("#caso .btn"), "Imprimir guia"); got != tt.printing {
			t.Errorf("%s: the guide can be printed: %v", tt.codes, got)
		}
		step := "#fila tr:has([href='" + page.Path + "']) td:nth-child(6)"
		if got := ana.Get("/fila").Text(step) + ana.Get("/fila?grupo=fim").Text(step); got != tt.step {
			t.Errorf("%s: the queue calls it %q, want %q", tt.codes, got, tt.step)
		}
	}
}
