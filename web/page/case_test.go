package page_test

import (
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/static"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/PuerkitoBio/goquery"
)

func TestCasePage_States(t *testing.T) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			doc := MustRender(t, page.CasePage(c.model))
			wantText(t, doc, ".verdict", c.model.Situation.Label)
			wantCount(t, doc, `section[aria-label="Situação"] > .`+string(c.model.Situation.Tone)+` .verdict-icon`, 1)
			wantAttr(t, doc, "#veredito", "aria-live", "polite")
			wantCount(t, doc, ".timeline li", len(c.model.Timeline))
			polls := 0
			if c.model.Refresh != "" {
				polls = 1
			}
			wantCount(t, doc, `#caso[hx-get^="/casos/`+uid+`/estado"][hx-trigger="every 1s"]`, polls)
			wantCount(t, doc, "#caso[hx-get]", polls)
			wantCount(t, doc, `#veredito .no-js a[href="/casos/`+uid+`"]`, polls)
		})
	}
}

func TestCasePage_Answered(t *testing.T) {
	doc := MustRender(t, page.CasePage(answeredCase(authorization.Authorized)))
	for _, label := range []string{"senha", "guia", "protocolo"} {
		wantCount(t, doc, `button[aria-label="Copiar `+label+`"]`, 1)
	}
	wantAttr(t, doc, "[data-copy]", "data-copy", "SIM482017739")
	wantText(t, doc, ".key-facts > div:nth-child(2) .code", "900 114 556 02")
	wantText(t, doc, ".key-facts > div:nth-child(4) dd", "não há")
	wantText(t, doc, ".key-facts > div:last-child dd", "20/12/2026")
	wantCount(t, doc, `.banner:contains("SIMULAÇÃO — sem valor")`, 1)
	wantAttr(t, doc, "iframe", "src", "/casos/"+uid+"/guias/1?tela=1#view=FitH&navpanes=0")
	wantAttr(t, doc, "a[download]", "href", "/casos/"+uid+"/guias/1?baixar")
	wantCount(t, doc, ".guide-viewer .tabs", 0)
	wantText(t, doc, ".data-table tbody tr:last-child td:nth-child(3)", "0")
	wantText(t, doc, ".data-table tbody tr:last-child small", "1438 · não atende a diretriz de utilização (DUT)")
	wantAttr(t, doc, `form[action="/casos/`+uid+`/copiar"]`, "method", "post")
}

func TestCasePage_SeveralAuthorizations(t *testing.T) {
	doc := MustRender(t, page.CasePage(severalCase()))
	wantCount(t, doc, `section[aria-label^="Autorização"]`, 2)
	wantText(t, doc, `section[aria-label="Autorização 2"] .status-badge`, "Negado")
	wantText(t, doc, `section[aria-label="Situação"] .notice p`, "Autorização 2: Não atende a DUT.")
	wantText(t, doc, "#veredito b", "1 de 2 autorizados; 1 negado.")
	wantCount(t, doc, ".guide-viewer .tabs a", 3)
	wantText(t, doc, ".guide-viewer .tabs a[aria-current]", "Todas (2)")
	wantAttr(t, doc, ".guide-viewer .tabs a:last-child", "href", "/casos/"+uid+"?guia=2")
	wantAttr(t, doc, "iframe", "src", "/casos/"+uid+"/guias/0?tela=1#view=FitH&navpanes=0")
}

// TestCasePage_Biometrics: how they are collected stands within the form for them, or alone where
// the service takes none; nothing stands where nothing was written.
func TestCasePage_Biometrics(t *testing.T) {
	const inForm, alone = "form#biometria .note-text", "section#biometria .note-text"
	for name, tc := range map[string]struct {
		service       page.ServiceView
		inForm, alone string
	}{
		"InForm":    {page.ServiceView{Collect: &page.CollectView{}, CollectHow: "No leitor."}, "No leitor.", ""},
		"Alone":     {page.ServiceView{CollectHow: "No leitor."}, "", "No leitor."},
		"Unwritten": {page.ServiceView{Collect: &page.CollectView{}}, "", ""},
		"Nothing":   {page.ServiceView{}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := answeredCase(authorization.AwaitingBiometrics)
			c.Service = tc.service
			doc := MustRender(t, page.CasePage(c))
			if got := doc.Find(inForm).Text(); got != tc.inForm {
				t.Errorf("in the form: got %q, want %q", got, tc.inForm)
			}
			if got := doc.Find(alone).Text(); got != tc.alone {
				t.Errorf("alone: got %q, want %q", got, tc.alone)
			}
		})
	}
}

func TestCasePage_Unknown(t *testing.T) {
	doc := MustRender(t, page.CasePage(unknownCase()))
	wantAttr(t, doc, "[data-copy]", "data-copy", "26112013310812300031")
	wantCount(t, doc, ".tone-error", 0)
	wantCount(t, doc, "form[action*=copiar]", 0)
	wantText(t, doc, "#pedido-enviado h2", "O que foi enviado")
	wantAttr(t, doc, "#pedido-enviado a", "href", "/casos/"+uid+"/anexos/a1")
}

func TestCasePage_Refused(t *testing.T) {
	doc := MustRender(t, page.CasePage(refusedCase()))
	wantText(t, doc, ".notice p", "Número da carteira: A carteira não confere com o padrão da operadora.")
	wantText(t, doc, ".notice + .notice p", "Credencial sem contrato para este procedimento.")
	wantText(t, doc, "button.btn-primary", "Corrigir e reenviar")
}

func TestCasePage_Pending(t *testing.T) {
	doc := MustRender(t, page.CasePage(pendingCase(component.Queued)))
	wantAttr(t, doc, "#caso", "hx-get", "/casos/"+uid+"/estado?de=queued")
	wantAttr(t, doc, "#caso", "hx-headers", layout.PollHeaders())
	wantAttr(t, doc, `form[action="/casos/`+uid+`/retirar"] button`, "data-confirm", "Retirar este pedido da fila? Nada será enviado.")
	sending := MustRender(t, page.CasePage(pendingCase(component.Sending)))
	wantCount(t, sending, ".verdict-icon .spin", 1)
	wantText(t, sending, "#veredito .js-only", component.Sending.Advice)
}

func TestQueuePage(t *testing.T) {
	doc := MustRender(t, page.QueuePage(queue()))
	t.Run("RefreshesItself", func(t *testing.T) {
		wantAttr(t, doc, "#fila", "hx-get", "/fila")
		wantAttr(t, doc, "#fila", "hx-trigger", "every 20s")
		wantAttr(t, doc, "#fila", "hx-swap", "outerMorph")
		wantAttr(t, doc, "#fila", "hx-headers", layout.PollHeaders())
		wantCount(t, MustRender(t, page.QueueBody(queue())), "body > #fila", 1)
	})
	t.Run("EveryBadge", func(t *testing.T) {
		for _, status := range authorization.Statuses() {
			group := status.Group.Info()
			badges := doc.Find("tr." + string(component.GroupTone(status.Group)) + " td>b.i-" + group.Icon +
				":not(.local)").FilterFunction(func(_ int, s *goquery.Selection) bool { return words(s) == status.Label })
			if badges.Length() == 0 {
				t.Errorf("%s: no badge with its word, colour and icon", status.Code)
			}
		}
		wantCount(t, doc, `tr.tone-unknown td>b.local:contains("Situação X9")`, 1)
		wantCount(t, doc, `tr.tone-unknown td>b.local:contains("Situação não informada")`, 1)
	})
	t.Run("Counters", func(t *testing.T) {
		wantCount(t, doc, ".status-counts a", 6)
		wantAttr(t, doc, ".status-counts a.tone-attention", "href", "/fila?grupo=vez")
		wantText(t, doc, ".status-counts a.urgent b", "3")
		wantCount(t, doc, ".status-counts a[aria-current]", 1)
	})
	t.Run("Rows", func(t *testing.T) {
		wantText(t, doc, "tbody tr td:last-child span", "Ver caso")
		wantCount(t, doc, "tbody tr", len(queue().Cases))
		wantText(t, doc, "tbody tr:first-child td:nth-child(5)", "")
		wantCount(t, doc, "tbody tr:first-child a", 1)
		wantCount(t, doc, "td:nth-child(5) .tone-attention", 3)
	})
	t.Run("Asides", func(t *testing.T) {
		wantAttr(t, doc, `[aria-label="Resultado desconhecido"] a.btn`, "href", "/casos/"+uid)
		wantCount(t, doc, `aside .items li`, 2)
		wantAttr(t, doc, `nav[aria-label="Páginas"] a`, "href", "/fila?antes=b2xk")
		wantText(t, doc, "main > .notice[role=status]", "Rascunho descartado.")
	})
	t.Run("Empty", func(t *testing.T) {
		empty := MustRender(t, page.QueuePage(emptyQueue("")))
		wantCount(t, empty, "table", 0)
		wantText(t, empty, ".empty-state h2", "Nenhum pedido espera por você.")
		wantText(t, MustRender(t, page.QueuePage(emptyQueue("Negado"))), ".empty-state h2", "Nada em Negado.")
	})
	t.Run("OlderPage", func(t *testing.T) {
		older := queue()
		older.Newest, older.Older = false, ""
		wantText(t, MustRender(t, page.QueuePage(older)), `nav[aria-label="Páginas"] a`, "Início da fila")
	})
}

func TestHelpPage(t *testing.T) {
	doc := MustRender(t, page.HelpPage(demoHelp()))
	table := doc.Find("#situacoes-title").Closest("section")
	for _, status := range authorization.Statuses() {
		row := table.Find("tr." + string(component.GroupTone(status.Group)))
		badge := row.Find(`.status-badge:contains("` + status.Label + `")`).Parent()
		if codes := strings.Fields(badge.Find(".small").Text()); !strings.Contains(strings.Join(codes, " "), string(status.Code)) {
			t.Errorf("%s: got codes %v beside its badge, want it among them", status.Code, codes)
		}
	}
	if got := table.Find(`.status-badge:contains("Inconsistência na operadora")`).Length(); got != 1 {
		t.Errorf("got %d badges for I and Ç, want 1", got)
	}
	wantCount(t, doc, "#demo-title", 1)
	wantCount(t, doc, "main section[id]", doc.Find(".manual-contents a").Length())
	for _, link := range doc.Find(".manual-contents a").EachIter() {
		wantText(t, doc, "section"+link.AttrOr("href", "")+" h2", words(link))
	}
	wantCount(t, doc, ".chapter .picture[width][height]", len(static.Manual()))
	for name := range static.Manual() {
		wantCount(t, doc, `.picture[src="`+static.Path("manual-"+name+".webp")+`"]`, 1)
	}
	wantText(t, doc, ".keyboard .used:nth-child(2)", "F2Nova")
	wantText(t, doc, ".keyboard .used:nth-child(9)", "F9Próximo")
	wantCount(t, MustRender(t, page.HelpPage(page.HelpView{Page: desk("Ajuda", layout.NoTab)})), "#demo-title", 0)
}

func TestFailurePage(t *testing.T) {
	doc := MustRender(t, page.FailurePage(failure(500)))
	wantText(t, doc, "p.code", "7f3c-91aa")
	wantCount(t, doc, `.banner:contains("Falta configurar")`, 1)
	for _, status := range []int{403, 404, 405, 413, 418} {
		doc := MustRender(t, page.FailurePage(failure(status)))
		if words(doc.Find("h1")) == "" || doc.Find("main a.btn").Length() != 1 {
			t.Errorf("%d: no words or no way on", status)
		}
	}
	if got, want := page.FailureOf(418).Heading, page.FailureOf(500).Heading; got != want {
		t.Errorf("unknown status: got %q, want %q", got, want)
	}
}

func TestLoginPage(t *testing.T) {
	doc := MustRender(t, page.LoginPage(page.LoginView{Page: layout.Page{Title: "Entrar"}, Return: "/casos/x", Demo: demoLogins()}))
	wantAttr(t, doc, "form", "action", "/entrar")
	wantAttr(t, doc, "input[name=volta]", "value", "/casos/x")
	wantCount(t, doc, "#usuario[autofocus][autocomplete=username]", 1)
	wantCount(t, doc, "tbody tr", 3)
	wantCount(t, doc, "header, nav", 0)
	wrong := MustRender(t, page.LoginPage(page.LoginView{User: "ana", Problem: "Usuário ou senha não conferem."}))
	wantAttr(t, wrong, "#usuario", "value", "ana")
	wantCount(t, wrong, "#senha[autofocus]:not([value])", 1)
	wantText(t, wrong, "[role=alert]", "Usuário ou senha não conferem.")
	wantCount(t, wrong, "input[name=volta], .demo", 0)
}

func TestActivatePage(t *testing.T) {
	first := MustRender(t, page.ActivatePage(firstAdministrator()))
	wantAttr(t, first, "form", "action", "/ativar/abc")
	wantAttr(t, first, "#nome", "value", "Rui Sá")
	wantText(t, first, "#usuario-error", "Erro: Informe um usuário.")
	wantAttr(t, first, "#senha", "aria-describedby", "senha-hint")
	wantText(t, first, "#senha2-error", "Erro: As duas senhas diferem.")
	wantCount(t, first, `.banner.tone-error`, 1)
	wantCount(t, first, "#usuario[autofocus]", 1) // the first that is wrong
	wantCount(t, first, "[autofocus]", 1)
	other := MustRender(t, page.ActivatePage(page.ActivateView{Token: "abc", Name: "Célia", MinLen: 10}))
	wantCount(t, other, "#nome, #usuario", 0)
	wantText(t, other, "form .muted", "Célia, escolha sua senha.")
	wantCount(t, other, "#senha[autofocus]", 1)
}
