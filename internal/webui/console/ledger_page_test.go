package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestLedger_Row: a request by its numbers, times and sizes.
func TestLedger_Row(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	for _, name := range []string{"a.pdf", "b.pdf"} {
		ana.Upload(address+"/anexos", nil, map[string][]byte{name: apptest.PDF(100)})
	}
	ana.Submit(address, form)
	ana.SubmitWith(map[string]string{"numeroCarteira": "99991900", "procedimentos[1].codigoProcedimento": "40304361",
		"procedimentos[1].nomeProcedimento": "Hemograma", "procedimentos[1].quantidade": "1"})
	ana.SubmitWith(map[string]string{"numeroCarteira": "99992100"})
	ana.SubmitWith(map[string]string{"numeroCarteira": "99992200"})
	list := rui.Get("/servico/registro")
	rows := list.Rows("main table")
	if len(rows) != 4 {
		t.Fatalf("got %q", rows)
	}
	for i, want := range []struct{ attachments, situation string }{{"", "Operadora falhou"}, {"", "Só erros"},
		{"", "AutorizadoEm análise"}, {"2 anexos", "Autorizado"}} {
		cells := strings.Split(rows[i], " | ")
		if len(cells[0]) != 20 || cells[1] != "20/11/2026 14:05:00" || cells[3] != "Guichê desta instalação" ||
			cells[4] != "Aroeira Planos" || cells[5] != want.attachments ||
			strings.ReplaceAll(cells[7], " ", "") != strings.ReplaceAll(want.situation, " ", "") {
			t.Errorf("row %d: got %q, want %+v", i, cells, want)
		}
		if failed := cells[6] == ""; failed != (i == 0) {
			t.Errorf("row %d: the answer is %q", i, cells[6])
		}
	}
	list.Check(t, apptest.Want{Text: map[string]string{"title": "Registro", "body": "SIMULAÇÃO"},
		Count: map[string]int{"form[aria-label='Páginas']": 0, "#filtro a": 0}})
}

// setDecision changes how long the operator of the newest request took and how much
// it answered, in the ledger itself.
func setDecision(t *testing.T, server *apptest.Server, took time.Duration, size int64) {
	t.Helper()
	db := server.ServiceDatabase(t)
	rows, err := db.QueryContext(t.Context(), `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'decision'`)
	if err != nil {
		t.Fatal(err)
	}
	var triggers []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		triggers = append(triggers, name)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range triggers {
		if _, err := db.ExecContext(t.Context(), `DROP TRIGGER `+name); err != nil {
			t.Fatal(err)
		}
	}
	server.ExecServiceRows(t, `UPDATE decision SET checksum = NULL, size = ?,
		at = (SELECT received_at FROM request WHERE id = request_id) + ?`, size, took.Microseconds())
}

// TestLedger_Sizes: how long an answer took and how large it was, in words that a
// person can compare.
func TestLedger_Sizes(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	server.LogIn(t, apptest.Reception).SubmitWith(nil)
	for _, tt := range []struct {
		took time.Duration
		size int64
		want string
	}{
		{0, 1, "0 ms, 1 B"}, {350 * time.Millisecond, 812, "350 ms, 812 B"}, {999 * time.Millisecond, 999, "999 ms, 999 B"},
		{time.Second, 1000, "1,0 s, 1,0 kB"},
		{1240 * time.Millisecond, 14_100, "1,2 s, 14,1 kB"}, {90 * time.Second, 999_900, "90,0 s, 999,9 kB"},
		{2 * time.Second, 1_000_000, "2,0 s, 1,0 MB"}, {3 * time.Second, 2_340_000, "3,0 s, 2,3 MB"},
		{119 * time.Second, 1, "119,0 s, 1 B"}, {2 * time.Minute, 1, "2 min, 1 B"}, {2*time.Hour - 1, 1, "119 min, 1 B"},
		{2 * time.Hour, 1, "2 h, 1 B"}, {48*time.Hour - 1, 1, "47 h, 1 B"}, {48 * time.Hour, 1, "2 dias, 1 B"},
		{-time.Hour, 1, "0 ms, 1 B"},
	} {
		setDecision(t, server, tt.took, tt.size)
		list := rui.Get("/servico/registro")
		if got := list.Text("main tbody td:nth-child(7)"); got != tt.want {
			t.Errorf("%s, %d bytes: got %q, want %q", tt.took, tt.size, got, tt.want)
		}
		if got := rui.Get(list.Attr("main tbody a", "href")).Fact("dl", "Resposta"); got != tt.want {
			t.Errorf("%s, %d bytes: the entry says %q, want %q", tt.took, tt.size, got, tt.want)
		}
	}
}

// TestLedger_NoAnswer: how an operator failed is said in words, a word of a later
// version as it is, and so is that nothing came yet.
func TestLedger_NoAnswer(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	server.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "99992200"})
	setDecision(t, server, time.Second, 0)
	for failure, want := range map[string]string{
		"tempo_operadora": "Operadora não respondeu a tempo",
		"falha_operadora": "Operadora falhou",
		"falha_futura":    "falha_futura",
	} {
		server.ExecServiceRows(t, `UPDATE decision SET checksum = NULL, failure = ?`, failure)
		if got := rui.Get("/servico/registro").Text("main tbody td:nth-child(8)"); got != want {
			t.Errorf("%s: got %q, want %q", failure, got, want)
		}
	}
	if _, err := server.ServiceDatabase(t).ExecContext(t.Context(), "DELETE FROM decision"); err != nil {
		t.Fatal(err)
	}
	if got := rui.Get("/servico/registro").Text("main tbody td:nth-child(8)"); got != "Sem resposta ainda" {
		t.Errorf("got %q of a request without an answer", got)
	}
}

// TestLedger_Filter: what was typed stays, at no address; each thing that cannot be
// has its message, and then nothing is listed.
func TestLedger_Filter(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	ana := server.LogIn(t, apptest.Reception)
	ana.SubmitWith(nil)
	page := rui.Get("/servico/registro")
	if got := page.Texts(`#parceiro option[value!=""]`); !slices.Equal(got, []string{"Guichê desta instalação",
		"Parceiro da demonstração"}) {
		t.Errorf("one can choose the partners %q", got)
	}
	if got := page.Texts(`#situacao option[value!=""]`); len(got) != 19 || got[0] != "Operadora falhou" ||
		!slices.Contains(got, "A · Autorizado") || page.Option("#situacao", "Operadora falhou") != "falha" {
		t.Errorf("one can choose the situations %q", got)
	}
	typed := url.Values{"de": {"20/11/2026"}, "ate": {"21/11/2026"},
		"parceiro": {page.Option("#parceiro", "Guichê desta instalação")}, "situacao": {"A"}, "numero": {""}}
	found := rui.Post("/servico/registro", typed)
	found.Check(t, apptest.Want{Status: http.StatusOK, Path: "/servico/registro", Count: map[string]int{"main tbody tr": 1, "#filtro a": 1}})
	found.CheckKept(t, typed)
	for name, form := range map[string]url.Values{"Yesterday": {"ate": {"19/11/2026"}}, "Tomorrow": {"de": {"21/11/2026"}},
		"Number": {"numero": {"123"}}, "Failed": {"situacao": {"falha"}}} {
		none := rui.Post("/servico/registro", form)
		none.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"main h2": "Nenhum pedido com este filtro."},
			Count: map[string]int{"main table": 0, "#filtro a": 1}})
		none.CheckKept(t, form)
		if name == "Tomorrow" {
			server.Clock.Advance(24 * time.Hour)
			rui.LogInAgain()
			ana.LogInAgain()
			ana.SubmitWith(nil)
			if got := rui.Post("/servico/registro", form).Count("main tbody tr"); got != 1 {
				t.Errorf("from tomorrow on there are %d", got)
			}
		}
	}
	for field, form := range map[string]url.Values{"de": {"de": {"31/02/2026"}}, "ate": {"ate": {"x"}},
		"parceiro": {"parceiro": {"x"}}, "situacao": {"situacao": {"Q"}}} {
		wrong := rui.Post("/servico/registro", form)
		wrong.CheckProblems(t, field)
		wrong.Check(t, apptest.Want{Count: map[string]int{"main table": 0, "main section.empty-state": 0, "#filtro a": 1}})
	}
	lost := rui.Post("/servico/registro", url.Values{"antes": {"x"}})
	lost.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#erros": "A página pedida não existe. Comece de novo."}})
	end := rui.Post("/servico/registro", url.Values{"antes": {"00000000-0000-7000-8000-000000000001"}})
	if end.Status == http.StatusOK && end.Text("main h2") != "Não há pedidos mais antigos." {
		t.Errorf("before everything: %q", end.Text("main"))
	}
	trail := rui.Get("/auditoria").Rows("table.audit-table")
	told := 0
	for _, row := range trail {
		if strings.Contains(row, "Registro do serviço consultado") && strings.Contains(row, "Guichê") ||
			strings.Contains(row, "Registro do serviço consultado | Rui Barreto 127.0.0.1 | Parceiro") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d readings are told with their partner, want the one:\n%s", told, strings.Join(trail, "\n"))
	}
	for path, want := range map[string]int{"/servico/registro/x": 404, "/servico/registro/" + nobody: 404} {
		if got := rui.Get(path); got.Status != want {
			t.Errorf("GET %s: got %d, want %d", path, got.Status, want)
		}
	}
}

// TestLedger_Life: what happened to a request, whoever did it, in its order.
func TestLedger_Life(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	address := rui.AddPartner("Serra")
	key := rui.Mint(t, address+"/chaves", nil, 1)[0]
	user := rui.Mint(t, address+"/usuarios", url.Values{"usuario": {"serra"}}, 2)
	access, _ := server.Partner(t, "").LogIn(user[0], user[1])
	client := rui.Mint(t, address+"/clientes", url.Values{"cliente": {"Lote"}}, 2)
	_, granted := server.Partner(t, "").Send(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded",
		url.Values{"grant_type": {"client_credentials"}, "client_id": {client[0]}, "client_secret": {client[1]}}.Encode())
	token, _ := granted["access_token"].(string)
	for who, caller := range map[string]*apptest.Partner{"Serra, chave …" + key[len(key)-4:]: server.Partner(t, key),
		"Serra, usuário serra": server.Bearer(t, access), "Serra, cliente Lote": server.Bearer(t, token)} {
		request := caller.Request()
		request["numeroCarteira"] = "99990900" // an attachment is missing
		if got := caller.Ask(request); got != http.StatusOK {
			t.Fatalf("%s: %d", who, got)
		}
		entry := rui.Get(rui.Get("/servico/registro").Attr("main tbody a", "href"))
		rows := entry.Rows("[aria-labelledby=vida-title] table")
		if len(rows) < 3 || !strings.HasPrefix(rows[0], "Pedido recebido | 20/11/2026 14:05:00 | ") || !strings.Contains(rows[0], who) {
			t.Fatalf("%s: got %q", who, rows)
		}
		if !strings.HasPrefix(rows[1], "Resposta da operadora | ") || !strings.Contains(rows[2], "Situação: Falta anexo") {
			t.Errorf("%s: then %q", who, rows[1:])
		}
		entry.Check(t, apptest.Want{Text: map[string]string{"h1": "Pedido ", "main .title a": "Registro", "body": "SIMULAÇÃO"}})
		if got := entry.Fact("dl", "guiaPrestador"); entry.Text("h1") != "Pedido "+got ||
			entry.Fact("dl", "Identificador") != strings.TrimPrefix(entry.Path, "/servico/registro/") || entry.Fact("dl", "Parceiro") != "Serra" {
			t.Errorf("%s: the entry is %q of %q", who, entry.Text("h1"), entry.Fact("dl", "Parceiro"))
		}
		guide := entry.Text("dl dd:last-of-type")
		status, _ := caller.Send(http.MethodPost, "/api/v2/autorizacoes/"+guide+"/cancelamento", "application/json", `{}`)
		after := entry
		apptest.Eventually(t, "the act is in the ledger", func() bool {
			after = rui.Get(entry.Path)
			return strings.Contains(after.Text("[aria-labelledby=vida-title]"), "Cancelamento pedido")
		})
		for _, row := range after.Rows("[aria-labelledby=vida-title] table") {
			if strings.HasPrefix(row, "Cancelamento pedido") && (!strings.Contains(row, who) || !strings.Contains(row, "…"+guide[28:])) {
				t.Errorf("%s: cancelling with %d is told as %q", who, status, row)
			}
		}
	}
}

// TestTraffic_Page: nobody has asked; then each address with its answers, the
// unknown ones together.
func TestTraffic_Page(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Standalone: true, Now: time.Date(2026, time.November, 20, 17, 5, 0, 0, time.UTC)})
	rui := server.LogIn(t, apptest.Administration)
	rui.Get("/servico/trafego").Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Tráfego",
		"#trafego": "Ninguém pediu nada ainda.", "#trafego h2": "Desde hoje, 14:05", "#trafego header span": "respondendo agora: 0"},
		Count: map[string]int{"#trafego table": 0}})
	caller := server.Partner(t, server.APIKey())
	for range 3 {
		caller.Credentials()
	}
	for _, path := range []string{"/api/v9/nada", "/api/v8/nada"} {
		caller.Send(http.MethodGet, path, "", "")
	}
	server.Partner(t, "gch_errada").Credentials()
	rows := rui.Get("/servico/trafego").Rows("#trafego table")
	want := map[string]string{"/api/v2/credenciais": "4 | 200 3 vezes401 1 vez", "endereço desconhecido": "2 | 404 2 vezes"}
	for _, row := range rows {
		route, counts, _ := strings.Cut(row, " | ")
		if strings.ReplaceAll(counts, " ", "") != strings.ReplaceAll(want[route], " ", "") {
			t.Errorf("%s: got %q, want %q", route, counts, want[route])
		}
	}
	if len(rows) != 2 {
		t.Errorf("got the rows %q", rows)
	}
	if got := rui.Get("/servico").Text("section:has(a[href='/servico/trafego']) header"); got != "Tráfego6 pedidos" {
		t.Errorf("the first page says %q", got)
	}
}

// TestHome_Cards: how much there is of everything, switched off or not, and what
// the service is for here.
func TestHome_Cards(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options apptest.Options
		told    string
		link    string
		counts  map[string]string
	}{
		"Desk": {apptest.Options{}, "Serviço embutido em uso.", "/servico/conexao",
			map[string]string{"parceiros": "2 parceiros", "credenciais": "5 credenciais", "unidades": "2 unidades",
				"profissionais": "3 profissionais", "registro": "", "descricao": ""}},
		"Standalone": {apptest.Options{Standalone: true}, "Serviço no ar.", "/servico/descricao",
			map[string]string{"parceiros": "1 parceiro", "credenciais": "5 credenciais", "unidades": "2 unidades",
				"profissionais": "3 profissionais"}},
		"Empty": {apptest.Options{Standalone: true, Empty: true}, "Nenhuma operadora ligada.", "",
			map[string]string{"parceiros": "1 parceiro", "credenciais": "0 credenciais", "unidades": "0 unidades",
				"profissionais": "0 profissionais", "trafego": "0 pedidos"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := apptest.Start(t, tt.options).LogIn(t, apptest.Administration).Get("/servico")
			page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Serviço", "main .notice b": tt.told}})
			if got := page.Attr("main .notice a", "href"); got != tt.link {
				t.Errorf("the notice leads to %q, want %q", got, tt.link)
			}
			for card, count := range tt.counts {
				if got := page.Text("section:has(a[href='/servico/" + card + "']) header span"); got != count {
					t.Errorf("%s: got %q, want %q", card, got, count)
				}
			}
		})
	}
	t.Run("AnotherService", func(t *testing.T) {
		t.Parallel()
		rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
		rui.ConnectTo(t, apptest.StartOtherService(t, nil), nil)
		got := rui.Get("/servico")
		got.Check(t, apptest.Want{Text: map[string]string{
			"main .notice": "Os pedidos dela vão para 127.0.0.1. O serviço embutido, abaixo, continua",
		}, Count: map[string]int{"main section": 7}})
	})
	t.Run("FixedToAnother", func(t *testing.T) {
		t.Parallel()
		other := apptest.StartOtherService(t, nil)
		rui := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
			c.Demo, c.Simulated, c.Connection.BaseURL, c.APIKey = false, false, other.URL, apptest.ServiceSecret
		}}).LogIn(t, apptest.Administration)
		got := rui.Get("/servico")
		got.Check(t, apptest.Want{Status: http.StatusOK,
			Text: map[string]string{
				"main .notice": "Outro serviço em uso. Os pedidos da recepção vão para 127.0.0.1; parceiros, credenciais e registro " +
					"ficam no console dele.",
			}, Count: map[string]int{"main section": 0}})
		for _, path := range []string{"/servico/parceiros", "/servico/parceiros/novo", "/servico/unidades", "/servico/registro",
			"/servico/trafego", "/servico/descricao"} {
			if got := rui.Get(path); got.Status != http.StatusNotFound || !strings.Contains(got.Text("main"), "ficam no console dele") {
				t.Errorf("GET %s: got %d, %q", path, got.Status, got.Text("main"))
			}
		}
	})
}

// TestLedger_Damaged: a request that is damaged is named as such, with nothing that it
// says, and the others are shown as ever.
func TestLedger_Damaged(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	ana := server.LogIn(t, apptest.Reception)
	ana.SubmitWith(nil)
	ana.SubmitWith(nil)
	db := server.ServiceDatabase(t)
	for _, statement := range []string{`DROP TRIGGER decision_fixed`, `UPDATE decision SET answer = 'x' || answer WHERE id = 1`} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	list := rui.Get("/servico/registro")
	list.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"main tbody tr": 2}})
	if got := list.Rows("main table")[1]; got != "Pedido danificado |  |  |  |  |  |  | Danificado" {
		t.Errorf("the damaged one: got %q", got)
	}
	if got := list.Text("main tbody tr:nth-child(1) td:nth-child(4)"); got == "" {
		t.Error("the whole one has no partner")
	}
	rui.Get(list.Attr("main tbody tr:nth-child(2) a", "href")).Check(t, apptest.Want{Status: http.StatusInternalServerError,
		Text:  map[string]string{"h1": "O que estava guardado está danificado", "main": "Em Integridade está o que restaurar."},
		Count: map[string]int{"main a.btn-primary[href='/integridade']": 1, "main .code": 0}})
	apptest.Eventually(t, "the page of damage names the row", func() bool {
		words := rui.Get("/integridade").Text("#danos")
		return strings.Contains(words, "decision 1") && strings.Contains(words, "do serviço de autorização")
	})
}
