package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestHistory_Row: a row says when, who, what and how it went, and leads to the
// case and its guide.
func TestHistory_Row(t *testing.T) {
	t.Parallel()
	_, ana := startAt(t, 2026, time.November, 20, 14, 5)
	address, form := ana.NewDraft()
	for row, code := range []string{"40316521", "40304361", "40302040"} {
		apptest.SetProcedure(form, string(rune('0'+row)), code, "Exame "+code, "1")
	}
	whole := ana.Submit(address, form)
	ana.SubmitWith(map[string]string{"numeroCarteira": "99990400", "nomeBeneficiario": "Negada"})
	refused, _ := ana.SubmitWithoutAttachment()
	list := ana.Get("/historico")
	rows := list.Rows("table.history-table")
	want := []string{
		"20/11/2026 14:05 | Beneficiária de Teste | 0310 …3345 | Vale Sereno | 40901122 | Não aceito |  | Ana Prado | ",
		"20/11/2026 14:05 | Negada | 99990400 | Aroeira Planos | 40316521 | Negado |  | Ana Prado | ",
		"20/11/2026 14:05 | Beneficiária de Teste | 0310 …3345 | Aroeira Planos | 40316521 e mais 2 | Autorizado | ",
	}
	if len(rows) != 3 || !strings.HasPrefix(rows[0], want[0]) || !strings.HasPrefix(rows[2], want[2]) ||
		!strings.HasPrefix(rows[1], want[1]) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	if got := list.Attrs("table.history-table td:nth-child(2) a", "href"); len(got) != 3 || got[0] != refused.Path || got[2] != whole.Path {
		t.Errorf("the rows lead to %q", got)
	}
	if got := list.Attr("table.history-table tbody tr:last-child a[download]", "href"); got != whole.Path+"/guias/0?baixar" {
		t.Errorf("the guide is at %q", got)
	}
	if list.Has("table.history-table tbody tr:first-child a[download]") {
		t.Error("what was refused has a guide")
	}
	list.Check(t, apptest.Want{Text: map[string]string{"title": "Histórico", "body": "SIMULAÇÃO"},
		Count: map[string]int{`nav[aria-label="Páginas"]`: 0}})
}

// TestHistory_Choices: the filter offers what there is, and all situations.
func TestHistory_Choices(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, celia := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	empty := celia.Get("/historico")
	empty.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{`#operadora option[value!=""]`: 0,
		`#usuario option[value!=""]`: 0, "table.history-table": 0}})
	ana.Submit(ana.NewDraft())
	page := celia.Get("/historico")
	for css, want := range map[string][]string{"#operadora": {"Aroeira Planos"}, "#unidade": {"Centro"}, "#usuario": {"Ana Prado"}} {
		if got := page.Texts(css + ` option[value!=""]`); !slices.Equal(got, want) {
			t.Errorf("%s offers %q, want %q", css, got, want)
		}
	}
	groups := page.Texts(`#situacao optgroup[label="O que fazer"] option`)
	if want := []string{"Sua vez", "Corrigir e reenviar", "Negado", "Pode atender", "Aguardar",
		"Encerrado"}; len(groups) < len(want) || !slices.Contains(groups, "Enviado sem resposta") || !slices.Contains(groups, "Sua vez") {
		t.Errorf("the groups are %q", groups)
	}
	codes := page.Texts(`#situacao optgroup[label="Código da operadora"] option`)
	if len(codes) != 18 || !slices.Contains(codes, "A · Autorizado") || page.Option("#situacao", "A · Autorizado") != "A" ||
		page.Option("#situacao", "Negado") != "neg" {
		t.Errorf("the codes are %q", codes)
	}
}

// TestHistory_Filter: every field narrows, is kept at its own address, and can be
// cleared; an address is good only for whoever made it.
func TestHistory_Filter(t *testing.T) {
	t.Parallel()
	server, ana := startAt(t, 2026, time.November, 20, 14, 5)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Hoje Um"})
	server.Clock.Advance(24 * time.Hour)
	ana.LogInAgain()
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Amanhã Dois", "numeroCarteira": "99990400"})
	page := ana.Get("/historico")
	both := []string{"Amanhã Dois", "Hoje Um"}
	for name, tt := range map[string]struct {
		form url.Values
		want []string
	}{
		"From":      {url.Values{"de": {"21/11/2026"}}, both[:1]},
		"Until":     {url.Values{"ate": {"20/11/2026"}}, both[1:]},
		"Both":      {url.Values{"de": {"20/11/2026"}, "ate": {"21/11/2026"}}, both},
		"Situation": {url.Values{"situacao": {"ok"}}, both[1:]},
		"Code":      {url.Values{"situacao": {"N"}}, both[:1]},
		"Operator":  {url.Values{"operadora": {page.Option("#operadora", "Aroeira Planos")}}, both},
		"Unit":      {url.Values{"unidade": {page.Option("#unidade", "Centro")}}, both},
		"Sender":    {url.Values{"usuario": {page.Option("#usuario", "Ana Prado")}}, both},
		"Words":     {url.Values{"texto": {"dois amanha"}}, both[:1]},
		"None":      {url.Values{"texto": {"dois hoje"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := search(ana, tt.form)
			if !slices.Equal(rows(got), tt.want) {
				t.Errorf("got %q, want %q", rows(got), tt.want)
			}
			for field, typed := range tt.form {
				if kept := got.Value("#" + field); kept != typed[0] {
					t.Errorf("%s: kept %q, want %q", field, kept, typed[0])
				}
			}
			if !got.Has("#filtro a[href='/historico']") && !got.Has("main a[href='/historico']") {
				t.Error("nothing leads back to everything")
			}
		})
	}
	wrong := url.Values{"unidade": {page.Option("#unidade", "Centro")}, "de": {"31/02/2026"}}
	chosen := ana.Post("/historico", wrong) // shown as it was sent
	if kept := chosen.Value("#unidade"); len(kept) > 3 || kept != page.Option("#unidade", "Centro") {
		t.Errorf("a wrong filter: kept %q", kept)
	}
	const identifier = "01a1fd53-a165-77ef-a4fa-dae39f9cda2f" // pages of before sent these
	if kept := search(ana, url.Values{"unidade": {identifier}}).Value("#unidade"); kept != identifier {
		t.Errorf("an identifier: kept %q", kept)
	}
	for name, form := range map[string]url.Values{
		"Reversed": {"de": {"02/01/2026"}, "ate": {"01/01/2026"}}, "Situation": {"situacao": {"zzz"}},
		"Operator": {"operadora": {"x"}}, "Unit": {"unidade": {"x"}}, "Sender": {"usuario": {"x"}},
	} {
		got := ana.Post("/historico", form)
		if got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != 1 || got.Has("table.history-table") ||
			!strings.HasPrefix(got.Text("title"), "Erro: ") {
			t.Errorf("%s: %d, %q", name, got.Status, got.Text("#erros"))
		}
	}
	for path, want := range map[string]int{"/historico/x": 404, "/historico/01a1fd53-a165-77ef-a4fa-dae39f9cda2f": 404,
		"/historico?antes=x": 404} {
		if got := ana.Get(path); got.Status != want {
			t.Errorf("GET %s: got %d, want %d", path, got.Status, want)
		}
	}
	if got := ana.Send(http.MethodPost, "/historico", "application/x-www-form-urlencoded", strings.NewReader("texto=%zz"),
		nil); got.Status != http.StatusBadRequest {
		t.Errorf("a form that is none: %d, want 400", got.Status)
	}
	if got := ana.Send(http.MethodPost, "/historico", "application/x-www-form-urlencoded",
		strings.NewReader("texto="+strings.Repeat("x", 3<<20)), nil); got.Status < 400 || got.Status >= 500 {
		t.Errorf("3 MiB: %d", got.Status)
	}
}

// TestAudit_Position: the pages of the trail go from the newest entry to the first,
// each once, in the order in which they were written.
func TestAudit_Position(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	for range 55 {
		rui.Get("/auditoria?evento=guia.aberta")
	}
	address := "/auditoria?evento=auditoria.consultada"
	first := rui.Get(address)
	older := first.Attrs(`nav[aria-label="Páginas"] a`, "href")
	if n := first.Count("table.audit-table tbody tr"); n != 50 || len(older) != 1 {
		t.Fatalf("the first page has %d rows and leads to %q", n, older)
	}
	last := first.Text("table.audit-table tbody tr:last-child td:last-child")
	query, err := url.ParseQuery(strings.TrimPrefix(older[0], "/auditoria?"))
	if err != nil || query.Get("antes") != last || query.Get("evento") != "auditoria.consultada" {
		t.Errorf("the last row is number %s, and the older page is at %s", last, older[0])
	}
	second := rui.Get(older[0])
	if n := second.Count("table.audit-table tbody tr"); n < 5 || n > 7 {
		t.Errorf("the second page has %d rows", n)
	}
	if got := second.Attrs(`nav[aria-label="Páginas"] a`, "href"); !slices.Equal(got, []string{address}) {
		t.Errorf("the second page leads to %q, want %q", got, address)
	}
	numbers := append(first.Texts("table.audit-table tbody td:last-child"), second.Texts("table.audit-table tbody td:last-child")...)
	seen := map[string]bool{}
	for _, n := range numbers {
		if seen[n] {
			t.Errorf("entry %s is shown twice", n)
		}
		seen[n] = true
	}
	end := rui.Get("/auditoria?evento=auditoria.consultada&antes=1")
	end.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"main h2": "Não há registros mais antigos.",
		"main section a": "Voltar aos mais novos"}})
	if got := end.Attr("main section.empty-state a", "href"); got != address {
		t.Errorf("back at %q", got)
	}
	for path, want := range map[string]int{"/auditoria?antes=0": 404, "/auditoria?antes=-5": 404,
		"/auditoria?antes=99999999999999999999": 404, "/auditoria?antes=": 200} {
		if got := rui.Get(path); got.Status != want {
			t.Errorf("GET %s: got %d, want %d", path, got.Status, want)
		}
	}
}

// TestAudit_Words: who did what to whom, people by their names, things by the end
// of their identifier; what nobody did says so.
func TestAudit_Words(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 17, 5, 9, 0, time.UTC)})
	server.Client(t).LogIn("ninguem", "errada")
	rui := server.LogIn(t, apptest.Administration)
	ana := rui.PersonPath("ana")
	rui.Post(ana+"/desativar", nil)
	uid := strings.TrimPrefix(ana, "/pessoas/")
	for event, want := range map[string]string{
		"entrada.recusada":  "ninguém identificado",
		"pessoa.desativada": "Rui Barreto 127.0.0.1 | Pessoa Ana Prado …" + uid[28:],
		"entrada.feita":     "Rui Barreto 127.0.0.1 | Sessão …",
	} {
		rows := rui.Post("/auditoria", url.Values{"evento": {event}}).Rows("table.audit-table")
		if len(rows) == 0 || !strings.Contains(rows[0], want) || !strings.HasPrefix(rows[0], "20/11/2026 14:05:09 | ") {
			t.Errorf("%s: got %q, want %q", event, rows, want)
		}
	}
	page := rui.Get("/auditoria")
	if got := page.Attr("table.audit-table span[title='"+uid+"']", "title"); got != uid {
		t.Errorf("the whole identifier is %q", got)
	}
	if got := page.Texts(`#pessoa option[value!=""]`); !slices.Equal(got, []string{"Ana Prado", "Célia Nunes", "Rui Barreto"}) {
		t.Errorf("one can choose the people %q", got)
	}
	if page.Count("#evento optgroup") < 3 || page.Option("#evento", "Guia aberta ou baixada") != "guia.aberta" {
		t.Errorf("one can choose %d groups of events", page.Count("#evento optgroup"))
	}
	filtered := rui.Get("/auditoria?pessoa=" + uid)
	if got := rui.Post("/auditoria", url.Values{"evento": {"auditoria.consultada"},
		"pessoa": {page.Option("#pessoa", "Rui Barreto")}}).Rows("table.audit-table"); len(got) == 0 ||
		!strings.Contains(strings.Join(got, "\n"), "Pessoa Ana Prado …"+uid[28:]) {
		t.Errorf("reading about a person is told as %q", got)
	}
	if got := filtered.Rows("table.audit-table"); len(got) != 0 && !strings.Contains(got[0], "Ana Prado") {
		t.Errorf("of Ana alone: %q", got)
	}
}

// TestAudit_Chain: administração sees whether the trail is as it was written, and
// can have it checked.
func TestAudit_Chain(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "the trail is checked once by itself",
		func() bool { return strings.Contains(rui.Get("/auditoria").Text("#corrente"), "Corrente inteira.") })
	checked := rui.Post("/auditoria/conferir", nil)
	checked.Check(t, apptest.Want{Status: http.StatusOK, Path: "/auditoria",
		Text: map[string]string{"main [role=status]": "Corrente conferida: está inteira.", "#corrente": "Conferida hoje, "}})
	if got := rui.Post("/auditoria", url.Values{"evento": {"auditoria.conferida"}}).Rows("table.audit-table"); len(got) != 1 ||
		!strings.Contains(got[0], "inteira") {
		t.Errorf("the check is told as %q", got)
	}
	tamper(t, server, `UPDATE audit_entry SET detail = 'outra' WHERE id = 2`)
	broken := rui.Post("/auditoria/conferir", nil)
	broken.Check(t, apptest.Want{Text: map[string]string{"main [role=status]": "Corrente conferida: há um problema.",
		"#corrente b": "Corrente rompida no registro nº 2."}})
	if got := rui.Post("/auditoria", url.Values{"evento": {"auditoria.conferida"}}).Rows("table.audit-table"); len(got) != 2 ||
		!strings.Contains(got[0], "rompida=2") {
		t.Errorf("the check is told as %q", got)
	}
}
