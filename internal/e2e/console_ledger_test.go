package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// numbers are the guiaPrestador of the ledger's rows.
func (a answer) numbers() []string {
	a.t.Helper()
	var all []string
	a.doc().Find("td.cell-name a").Each(func(_ int, s *selection) { all = append(all, strings.TrimSpace(s.Text())) })
	return all
}

func TestConsole_Ledger(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	clerk, admin := MustVisit(t, p, "recepcao"), MustVisit(t, p, "administracao")
	if got := admin.get("/servico/registro"); got.status != http.StatusOK || !strings.Contains(got.text("section.empty-state"), "Nenhum pedido ainda") {
		t.Fatalf("empty: got %d %q", got.status, got.text("main"))
	}
	send := func(card string) string {
		address, form := clerk.newDraft()
		form.Set("numeroCarteira", card)
		clerk.upload(address+"/anexos", form, map[string][]byte{"pedido-confidencial.pdf": pdfBytes(1000)})
		form.Set("versao", "1")
		clerk.submit(address, form)
		return admin.get("/servico/registro").numbers()[0]
	}
	authorized, denied, failed := send("0310004512063345"), send("99990400"), send("99992200")
	search := func(form url.Values) answer { return admin.post("/servico/registro", form) }
	t.Run("NewestFirst", func(t *testing.T) {
		got := admin.get("/servico/registro")
		if fmt.Sprint(got.numbers()) != fmt.Sprint([]string{failed, denied, authorized}) {
			t.Errorf("got %v, want %s, %s, %s", got.numbers(), failed, denied, authorized)
		}
		if !strings.Contains(got.text("tbody tr:last-child"), "1 anexo") || !strings.Contains(got.text("tbody tr:last-child"), "Autorizado") {
			t.Errorf("got %q", got.text("tbody tr:last-child"))
		}
	})
	entry := admin.get(admin.entryOf("/servico/registro", authorized))
	guide := strings.Fields(entry.text(".facts dt:last-of-type"))
	t.Run("Filters", func(t *testing.T) {
		own := admin.get("/servico/registro").option("#parceiro", "Guichê desta instalação")
		demo := admin.get("/servico/registro").option("#parceiro", "Parceiro da demonstração")
		if len(guide) != 2 {
			t.Fatalf("the entry shows no guide number: %v", guide)
		}
		for name, c := range map[string]struct {
			form url.Values
			want []string
		}{
			"GuiaPrestador": {url.Values{"numero": {" " + denied + " "}}, []string{denied}},
			"GuideNumber":   {url.Values{"numero": {guide[1]}}, []string{authorized}},
			"GuideID":       {url.Values{"numero": {entry.text(".facts dd:last-of-type")}}, []string{authorized}},
			"PartOfNumber":  {url.Values{"numero": {denied[:19]}}, nil},
			"Denied":        {url.Values{"situacao": {"N"}}, []string{denied}},
			"Failed":        {url.Values{"situacao": {"falha"}}, []string{failed}},
			"Partner":       {url.Values{"parceiro": {own}}, []string{failed, denied, authorized}},
			"OtherPartner":  {url.Values{"parceiro": {demo}}, nil},
			"Before":        {url.Values{"ate": {"01/01/2020"}}, nil},
			"After":         {url.Values{"de": {"01/01/2020"}}, []string{failed, denied, authorized}},
			"Odd":           {url.Values{"numero": {"'; DROP TABLE request; --"}}, nil},
		} {
			if got := search(c.form); got.status != http.StatusOK || fmt.Sprint(got.numbers()) != fmt.Sprint(c.want) {
				t.Errorf("%s: got %d with %v, want %v", name, got.status, got.numbers(), c.want)
			}
		}
		for name, form := range map[string]url.Values{"de": {"de": {"31/02/2026"}}, "ate": {"de": {"02/01/2026"}, "ate": {"01/01/2026"}},
			"parceiro": {"parceiro": {"x"}}, "situacao": {"situacao": {"Q"}}} {
			if got := search(form); got.status != http.StatusUnprocessableEntity || got.text("#"+name+"-e") == "" {
				t.Errorf("%s: got %d, %q", name, got.status, got.text("#erros"))
			}
		}
	})
	t.Run("Life", func(t *testing.T) {
		life := entry.text("section:last-of-type tbody")
		if !strings.Contains(life, "Pedido recebido") || !strings.Contains(life, ", chave …") || !strings.Contains(life, "Resposta da operadora") || !strings.Contains(life, "Situação: Autorizado") || !strings.Contains(life, "simulada") {
			t.Errorf("got %q", life)
		}
		trouble := admin.get(admin.entryOf("/servico/registro", failed))
		if !strings.Contains(trouble.text("main"), "Falha da operadora") {
			t.Errorf("got %q", trouble.text("main"))
		}
	})
	t.Run("NoPayload", func(t *testing.T) {
		for _, path := range []string{"/servico/registro", admin.entryOf("/servico/registro", authorized), "/servico/trafego"} {
			body := string(admin.get(path).body)
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
	p := MustRun(t)
	clerk, admin := MustVisit(t, p, "recepcao"), MustVisit(t, p, "administracao")
	const sent = 53
	for range sent {
		clerk.submit(clerk.newDraft())
	}
	first := admin.post("/servico/registro", url.Values{"situacao": {"A"}})
	older := first.doc().Find("button[name=antes]").AttrOr("value", "")
	second := admin.post("/servico/registro", url.Values{"situacao": {first.value("form[aria-label='Páginas'] [name=situacao]")}, "antes": {older}})
	seen := map[string]bool{}
	for _, number := range append(first.numbers(), second.numbers()...) {
		seen[number] = true
	}
	if len(first.numbers()) != 50 || len(second.numbers()) != sent-50 || len(seen) != sent {
		t.Errorf("got %d and %d rows, %d of them different, want 50, %d, %d", len(first.numbers()), len(second.numbers()), len(seen), sent-50, sent)
	}
	if second.doc().Find("button[name=antes]").Length() != 0 {
		t.Error("the last page leads on")
	}
	if got := admin.post("/servico/registro", url.Values{"antes": {"x"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a page that is none: got %d, want 422", got.status)
	}
}

func TestConsole_Traffic(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	key := admin.mint(t, admin.addPartner("Contador")+"/chaves", nil, 1)[0]
	MustCall(t, p, "x-api-key", key).credentials()
	MustCall(t, p, "x-api-key", "gch_errada").credentials()
	MustCall(t, p, "x-api-key", key).send(http.MethodGet, "/api/v9/nada", "", "")
	got := admin.get("/servico/trafego")
	rows := map[string]string{}
	got.doc().Find("tbody tr").Each(func(_ int, s *selection) {
		rows[strings.TrimSpace(s.Find("td").First().Text())] = strings.Join(strings.Fields(s.Find("li").Text()), " ")
	})
	if rows["/api/v2/credenciais"] != "200 1 vez401 1 vez" || rows["endereço desconhecido"] != "404 1 vez" {
		t.Errorf("got %v", rows)
	}
	if piece := admin.send(http.MethodGet, "/servico/trafego", "", nil, http.Header{"Hx-Request": {"true"}}); strings.Contains(string(piece.body), "<html") || piece.doc().Find("#trafego[hx-get]").Length() != 1 {
		t.Error("htmx gets the whole page, or nothing that refreshes itself")
	}
}

// Every act is in the trail before anything else says that it was done.
func TestConsole_Audit(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	address := admin.addPartner("Auditado")
	key := admin.mint(t, address+"/chaves", nil, 1)[0]
	admin.post(admin.get(address).doc().Find("#chaves form[action$='/revogar']").AttrOr("action", ""), nil)
	admin.mint(t, address+"/clientes", url.Values{"cliente": {"Nome que não se conta"}}, 2)
	user := admin.mint(t, address+"/usuarios", url.Values{"usuario": {"usuario-que-nao-se-conta"}}, 2)
	admin.post(address, partnerForm("Auditado"))
	admin.post(address+"/desativar", nil)
	admin.get("/servico/registro")
	trail := admin.get("/auditoria").text("tbody")
	for _, want := range []string{"Parceiro criado", "Chave criada", "Chave revogada", "Cliente OAuth criado", "Usuário do serviço criado", "Parceiro alterado",
		"Parceiro desativado", "Registro do serviço consultado", "metodos=chave,senha,oauth"} {
		if !strings.Contains(trail, want) {
			t.Errorf("nothing about %q", want)
		}
	}
	for _, secret := range []string{key, user[1], "que-nao-se-conta", "que não se conta"} {
		if strings.Contains(trail, secret) || secret != "que não se conta" && strings.Contains(p.logs.String(), secret) {
			t.Errorf("%q is told", secret)
		}
	}
}
