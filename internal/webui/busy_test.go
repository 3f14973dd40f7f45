package webui_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/audit"
	"guiche/internal/client/faultservice"
	"guiche/internal/limittest"
)

// outOfReach is what everybody is told while another program keeps a database.
const outOfReach = "O Guichê não alcança os seus dados neste momento."

// wantOutOfReach wants a page that says in place of a number that the same may be done in
// a moment.
func wantOutOfReach(t *testing.T, page *apptest.Page, where string) {
	t.Helper()
	page.Check(t, apptest.Want{Status: http.StatusServiceUnavailable, Text: map[string]string{where: outOfReach},
		Count: map[string]int{".empty-state .code": 0}})
	if got := page.Header.Get("Retry-After"); got != "5" {
		t.Errorf("got Retry-After %q, want 5", got)
	}
}

// as is a client of a subtest with the session of another.
func as(t *testing.T, c *apptest.Client) *apptest.Client {
	t.Helper()
	twin := c.Twin()
	twin.T = t
	return twin
}

// TestBusy: while another program keeps the database, reading goes on, whoever writes is
// told so and keeps what was typed, and what was refused can be done afterwards, once.
func TestBusy(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	ana, celia, vera := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision), server.LogIn(t, apptest.Administration)
	remove := server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Cut(20)})
	unknown := ana.Submit(ana.NewDraft()).Path
	remove()
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	form.Set("versao", "1")
	typed := apptest.With(form, map[string]string{"observacoes": "uma linha a mais"})
	resend := apptest.With(celia.Get(unknown).Form("#reenvio"), map[string]string{"reenvio-contato": "Marta", "reenvio-confirmo": "S"})
	person := url.Values{"nome": {"Rui Prado"}, "usuario": {"rui.prado"}, "papeis": {"administracao"}}
	again := map[string]func() *apptest.Page{}

	release := limittest.Occupy(t, server.Database(t))
	defer release()
	var mu sync.Mutex
	t.Run("Kept", func(t *testing.T) {
		var visits sync.WaitGroup
		defer visits.Wait()
		for name, visit := range map[string]func(*testing.T){
			"Queue": func(t *testing.T) { as(t, ana).Get("/fila").Check(t, apptest.Want{Status: http.StatusOK}) },
			"Case":  func(t *testing.T) { as(t, ana).Get(unknown).Check(t, apptest.Want{Status: http.StatusOK}) },
			"Autosave": func(t *testing.T) {
				wantOutOfReach(t, as(t, ana).PostHTMX(address, typed), "[data-unsaved=por-ora]")
			},
			"Draft": func(t *testing.T) {
				page := as(t, ana).Post(address, typed)
				wantOutOfReach(t, page, "#erros")
				page.Check(t, apptest.Want{Status: page.Status, Value: map[string]string{"#observacoes": "uma linha a mais"}})
			},
			"Send": func(t *testing.T) {
				page := as(t, ana).Post(address+"/enviar", nil)
				wantOutOfReach(t, page, "#erros")
				page.Check(t, apptest.Want{Status: page.Status, Text: map[string]string{"#rascunho": "Rascunho salvo, ainda não enviado."}})
			},
			"Upload": func(t *testing.T) {
				page := as(t, ana).Upload(address+"/anexos", typed, map[string][]byte{"pedido.pdf": apptest.PDF(100)})
				wantOutOfReach(t, page, "#erros")
			},
			"LogIn": func(t *testing.T) {
				page := server.Client(t).Post("/entrar", url.Values{"usuario": {"recepcao"}, "senha": {"x"}})
				wantOutOfReach(t, page, "main")
			},
			"Piece": func(t *testing.T) {
				wantOutOfReach(t, as(t, celia).PostHTMX(unknown+"/reenviar", resend), "[role=alert]")
			},
			"Resend": func(t *testing.T) {
				page := as(t, celia).Post(unknown+"/reenviar", resend)
				wantOutOfReach(t, page, "main")
				mu.Lock()
				defer mu.Unlock()
				again["Resend"] = func() *apptest.Page { return celia.Post(page.Attr("main form", "action"), page.Form("main form")) }
			},
			"Person": func(t *testing.T) {
				page := as(t, vera).Post("/pessoas/nova", person)
				wantOutOfReach(t, page, "main")
				mu.Lock()
				defer mu.Unlock()
				again["Person"] = func() *apptest.Page { return vera.Post(page.Attr("main form", "action"), page.Form("main form")) }
			},
		} {
			visits.Go(func() { t.Run(name, visit) }) // each waits for the database, all at once
		}
	})
	release()
	ana.PostHTMX(address, typed).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#versao": "2"}})
	for name, post := range again {
		if page := post(); page.Status != http.StatusOK {
			t.Errorf("%s once more: got %d at %s: %s", name, page.Status, page.Path, page.Text("#erros"))
		}
	}
	form.Set("versao", "2")
	ana.Submit(address, form)
	apptest.Eventually(t, "the repetition and the new request were sent", func() bool {
		return len(server.Faults.ActedOn()) == 2
	})
	for guide, times := range server.Faults.ActedOn() {
		if times != 1 {
			t.Errorf("guide %s was sent %d times", guide, times)
		}
	}
}

// TestBusy_Ledger: who reads the ledger, or the trail, is in the trail afterwards, and reads
// although nothing can be written now.
func TestBusy_Ledger(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	vera := server.LogIn(t, apptest.Administration)
	server.Partner(t, server.APIKey()).Authorize()
	entry := vera.Get("/servico/registro").Attr("td a[href^='/servico/registro/']", "href")
	release := limittest.Occupy(t, server.Database(t))
	defer release()
	var visits sync.WaitGroup
	for _, path := range []string{"/servico/registro", entry, "/auditoria"} {
		visits.Go(func() { vera.Twin().Get(path).Check(t, apptest.Want{Status: http.StatusOK}) })
	}
	visits.Wait()
	release()
	server.Stop()
	looks := 0
	err := server.Database(t).QueryRowContext(t.Context(), `SELECT COUNT(*) FROM audit_entry WHERE event = ?`, audit.LedgerRead).Scan(&looks)
	if looks != 3 || err != nil {
		t.Errorf("got %d looks at the ledger in the trail, %v, want the one before and two meanwhile", looks, err)
	}
}

// TestBusy_Console: an act in the console changes nothing, and its form comes back.
func TestBusy_Console(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	vera := server.LogIn(t, apptest.Administration)
	release := limittest.Occupy(t, server.ServiceDatabase(t))
	defer release()
	form := apptest.PartnerForm("Laboratório Aurora")
	page := vera.Post("/servico/parceiros/novo", form)
	wantOutOfReach(t, page, "main")
	again := page.Form("main form")
	release()
	vera.Post(page.Attr("main form", "action"), again).Check(t, apptest.Want{Status: http.StatusOK})
	if got := vera.Entry("/servico/parceiros", "Laboratório Aurora"); got == "" {
		t.Error("the partner is not there")
	}
}
