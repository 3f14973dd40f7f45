package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// numbers are the guiaPrestador of the ledger's rows.
func numbers(a *apptest.Page) []string {
	a.T.Helper()
	var all []string
	a.Find("td.cell-name a").Each(func(_ int, s *goquery.Selection) { all = append(all, strings.TrimSpace(s.Text())) })
	return all
}

// TestConsole_LedgerActive: an entry says that an attachment does more than show pages.
func TestConsole_LedgerActive(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	clerk, admin := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	address, form := clerk.NewDraft()
	clerk.Upload(address+"/anexos", form, map[string][]byte{"a.pdf": apptest.ActivePDF(), "b.pdf": apptest.PDF(1000)})
	form.Set("versao", "1")
	clerk.Submit(address, form)
	entry := admin.Get(admin.Entry("/servico/registro", numbers(admin.Get("/servico/registro"))[0]))
	if want := "2 anexos, 1 com comandos, programas ou arquivos dentro"; !strings.Contains(entry.Text(".facts"), want) {
		t.Errorf("got %q, want it to say %q", entry.Text(".facts"), want)
	}
}

func TestConsole_Ledger(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	clerk, admin := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	if got := admin.Get("/servico/registro"); got.Status != http.StatusOK ||
		!strings.Contains(got.Text("section.empty-state"), "Nenhum pedido ainda") {
		t.Fatalf("empty: got %d %q", got.Status, got.Text("main"))
	}
	send := func(card string) string {
		address, form := clerk.NewDraft()
		form.Set("numeroCarteira", card)
		clerk.Upload(address+"/anexos", form, map[string][]byte{"pedido-confidencial.pdf": apptest.PDF(1000)})
		form.Set("versao", "1")
		clerk.Submit(address, form)
		return numbers(admin.Get("/servico/registro"))[0]
	}
	authorized, denied, failed := send("0310004512063345"), send("99990400"), send("99992200")
	search := func(form url.Values) *apptest.Page { return admin.Post("/servico/registro", form) }
	t.Run("NewestFirst", func(t *testing.T) {
		got := admin.Get("/servico/registro")
		if fmt.Sprint(numbers(got)) != fmt.Sprint([]string{failed, denied, authorized}) {
			t.Errorf("got %v, want %s, %s, %s", numbers(got), failed, denied, authorized)
		}
		if !strings.Contains(got.Text("tbody tr:last-child"), "1 anexo") || !strings.Contains(got.Text("tbody tr:last-child"), "Autorizado") {
			t.Errorf("got %q", got.Text("tbody tr:last-child"))
		}
	})
	entry := admin.Get(admin.Entry("/servico/registro", authorized))
	guide := strings.Fields(entry.Text(".facts dt:last-of-type"))
	t.Run("Filters", func(t *testing.T) {
		own := admin.Get("/servico/registro").Option("#parceiro", "Guichê desta instalação")
		demo := admin.Get("/servico/registro").Option("#parceiro", "Parceiro da demonstração")
		if len(guide) != 2 {
			t.Fatalf("the entry shows no guide number: %v", guide)
		}
		for name, c := range map[string]struct {
			form url.Values
			want []string
		}{
			"GuiaPrestador": {url.Values{"numero": {" " + denied + " "}}, []string{denied}},
			"GuideNumber":   {url.Values{"numero": {guide[1]}}, []string{authorized}},
			"GuideID":       {url.Values{"numero": {entry.Text(".facts dd:last-of-type")}}, []string{authorized}},
			"PartOfNumber":  {url.Values{"numero": {denied[:19]}}, nil},
			"Denied":        {url.Values{"situacao": {"N"}}, []string{denied}},
			"Failed":        {url.Values{"situacao": {"falha"}}, []string{failed}},
			"Partner":       {url.Values{"parceiro": {own}}, []string{failed, denied, authorized}},
			"OtherPartner":  {url.Values{"parceiro": {demo}}, nil},
			"Before":        {url.Values{"ate": {"01/01/2020"}}, nil},
			"After":         {url.Values{"de": {"01/01/2020"}}, []string{failed, denied, authorized}},
			"Odd":           {url.Values{"numero": {"'; DROP TABLE request; --"}}, nil},
		} {
			if got := search(c.form); got.Status != http.StatusOK || fmt.Sprint(numbers(got)) != fmt.Sprint(c.want) {
				t.Errorf("%s: got %d with %v, want %v", name, got.Status, numbers(got), c.want)
			}
		}
		for name, form := range map[string]url.Values{"de": {"de": {"31/02/2026"}}, "ate": {"de": {"02/01/2026"}, "ate": {"01/01/2026"}},
			"parceiro": {"parceiro": {"x"}}, "situacao": {"situacao": {"Q"}}} {
			if got := search(form); got.Status != http.StatusUnprocessableEntity || got.Text("#"+name+"-error") == "" {
				t.Errorf("%s: got %d, %q", name, got.Status, got.Text("#erros"))
			}
		}
	})
	t.Run("Life", func(t *testing.T) {
		life := entry.Text("section:last-of-type tbody")
		if !strings.Contains(life, "Pedido recebido") || !strings.Contains(life, ", chave …") ||
			!strings.Contains(life, "Resposta da operadora") || !strings.Contains(life, "Situação: Autorizado") ||
			!strings.Contains(life, "simulada") {
			t.Errorf("got %q", life)
		}
		trouble := admin.Get(admin.Entry("/servico/registro", failed))
		if !strings.Contains(trouble.Text("main"), "Falha da operadora") {
			t.Errorf("got %q", trouble.Text("main"))
		}
	})
	t.Run("NoPayload", func(t *testing.T) {
		for _, path := range []string{"/servico/registro", admin.Entry("/servico/registro", authorized), "/servico/trafego"} {
			body := string(admin.Get(path).Body)
			for _, secret := range []string{"Beneficiária", "0310004512063345", "Solicitante", "confidencial", "Tireoestimulante", "SIM"} {
				if strings.Contains(strings.ReplaceAll(body, "SIMULAÇÃO", ""), secret) {
					t.Errorf("%s shows %q", path, secret)
				}
			}
		}
	})
}

// Pages follow each other without a gap and without repeating a row, and the
// filter goes along.
func TestConsole_LedgerPages(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	clerk, admin := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	const sent = 53
	for range sent {
		clerk.Submit(clerk.NewDraft())
	}
	first := admin.Post("/servico/registro", url.Values{"situacao": {"A"}})
	older := first.Find("button[name=antes]").AttrOr("value", "")
	second := admin.Post("/servico/registro", url.Values{"situacao": {first.Value("form[aria-label='Páginas'] " +
		"[name=situacao]")}, "antes": {older}})
	seen := map[string]bool{}
	for _, number := range append(numbers(first), numbers(second)...) {
		seen[number] = true
	}
	if len(numbers(first)) != 50 || len(numbers(second)) != sent-50 || len(seen) != sent {
		t.Errorf("got %d and %d rows, %d of them different, want 50, %d, %d", len(numbers(first)), len(numbers(second)), len(seen),
			sent-50, sent)
	}
	if second.Count("button[name=antes]") != 0 {
		t.Error("the last page leads on")
	}
	if got := admin.Post("/servico/registro", url.Values{"antes": {"x"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a page that is none: got %d, want 422", got.Status)
	}
}

// Every act is in the trail before anything else says that it was done.
func TestConsole_Audit(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address := admin.AddPartner("Auditado")
	key := admin.Mint(t, address+"/chaves", nil, 1)[0]
	admin.Post(admin.Get(address).Find("#chaves form[action$='/revogar']").AttrOr("action", ""), nil)
	admin.Mint(t, address+"/clientes", url.Values{"cliente": {"Nome que não se conta"}}, 2)
	user := admin.Mint(t, address+"/usuarios", url.Values{"usuario": {"usuario-que-nao-se-conta"}}, 2)
	admin.Post(address, apptest.PartnerForm("Auditado"))
	admin.Post(address+"/desativar", nil)
	admin.Get("/servico/registro")
	trail := admin.Get("/auditoria").Text("tbody")
	for _, want := range []string{"Parceiro criado", "Chave criada", "Chave revogada", "Cliente OAuth criado",
		"Usuário do serviço criado", "Parceiro alterado",
		"Parceiro desativado", "Registro do serviço consultado", "metodos=chave,senha,oauth"} {
		if !strings.Contains(trail, want) {
			t.Errorf("nothing about %q", want)
		}
	}
	for _, secret := range []string{key, user[1], "que-nao-se-conta", "que não se conta"} {
		if strings.Contains(trail, secret) || secret != "que não se conta" && p.Log.Contains(secret) {
			t.Errorf("%q is told", secret)
		}
	}
}

// TestLedger_TypedDates: the period takes dates as people type them, of a month its
// first day for the beginning and its last for the end; what is no date is said
// beside it and stays there.
func TestLedger_TypedDates(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t) // 20/11/2026, 14:05
	clerk := server.LogIn(t, apptest.Reception)
	clerk.Submit(clerk.NewDraft())
	post := func(from, until string) *apptest.Page {
		return rui.Post("/servico/registro", url.Values{"de": {from}, "ate": {until}})
	}
	for _, found := range []struct{ from, until string }{
		{"20/11/2026", "20/11/2026"}, {"2026-11-20", "2026-11-20"}, {"11/2026", "11/2026"}, {" 1/11/26 ", "30.11.2026"},
		{"20112026", "201126"}, {"", "11/2026"}, {"11/2026", ""}, {"12/2025", "12/2027"}, {"2026-11-01", "2027-12-31"},
	} {
		page := post(found.from, found.until)
		if page.Status != http.StatusOK || len(numbers(page)) != 1 {
			t.Errorf("%+v: got %d with %d requests, want one", found, page.Status, len(numbers(page)))
		}
		if de, ate := page.Attr("#de", "value"), page.Attr("#ate", "value"); de != strings.TrimSpace(found.from) || ate != found.until {
			t.Errorf("%+v: the fields show %q and %q", found, de, ate)
		}
	}
	for _, none := range []struct{ from, until string }{
		{"21/11/2026", ""}, {"2026-11-21", "2027-12-31"}, {"12/2026", ""}, {"", "19/11/2026"}, {"", "2026-11-19"}, {"", "10/2026"},
	} {
		if page := post(none.from, none.until); page.Status != http.StatusOK || len(numbers(page)) != 0 {
			t.Errorf("%+v: got %d with %d requests, want none", none, page.Status, len(numbers(page)))
		}
	}
	const none, unreadable = "esta data não existe. Confira dia, mês e ano.", "informe a data como DD/MM/AAAA."
	for typed, message := range map[string]string{"31/02/2026": none, "13/2026": none, "2026-13-01": none, "2026-02-30": none,
		"20/11": unreadable, "2026": unreadable, "ontem": unreadable, "20/11/2026 14:05": unreadable} {
		page := post(typed, "")
		page.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Value: map[string]string{"#de": typed},
			Text: map[string]string{"#de-error": "De: " + message}})
		page = post("", typed)
		page.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Value: map[string]string{"#ate": typed},
			Text: map[string]string{"#ate-error": "Até: " + message}})
	}
	page := post("12/2026", "2026-11-30")
	page.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"#ate-error": "O fim vem antes do começo."}})
}
