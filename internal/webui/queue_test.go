package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/google/uuid"
)

// startAt starts the demo at an hour of a day in the desk's zone and logs the
// receptionist in.
func startAt(t *testing.T, year int, month time.Month, day, hour, minute int) (*apptest.Server, *apptest.Client) {
	t.Helper()
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	server := apptest.Start(t, apptest.Options{Now: time.Date(year, month, day, hour, minute, 0, 0, zone)})
	return server, server.LogIn(t, apptest.Reception)
}

// TestQueue_Row: a row says when, who, what, how it stands and what is next.
func TestQueue_Row(t *testing.T) {
	t.Parallel()
	server, ana := startAt(t, 2099, time.November, 20, 14, 5)
	address, form := ana.NewDraft()
	apptest.SetProcedure(form, "0", "40316521", "TSH", "2")
	apptest.SetProcedure(form, "1", "40304361", "Hemograma", "2")
	apptest.SetProcedure(form, "2", "40302040", "Glicose", "1")
	form.Set("validadeCarteira", "31/12/2100")
	form.Set("numeroCarteira", "99990200")
	form.Set("pacienteNoLocal", "S")
	page := ana.Submit(address, form)
	ana.SubmitWith(map[string]string{"numeroCarteira": "0310004512063345", "nomeBeneficiario": "Outra", "validadeCarteira": "31/12/2100"})
	list := ana.Get("/fila")
	if got := list.Attr("#fila tbody tr:nth-child(1) td:nth-child(2) a", "href"); got != page.Path {
		t.Fatalf("the first row leads to %s, want the patient at the counter, %s", got, page.Path)
	}
	for css, want := range map[string]string{
		"h1 + span": "sexta-feira, 20 de novembro · atualizada às 14:05", "title": "Fila",
		"tr:nth-child(1) td:nth-child(1)": "14:05 no balcão", "tr:nth-child(2) td:nth-child(1)": "14:05 agendado",
		"tr:nth-child(1) td:nth-child(2) p": "Aroeira Planos · 99990200",
		"tr:nth-child(2) td:nth-child(2) p": "Aroeira Planos · 0310 …3345",
		"tr:nth-child(1) td:nth-child(3)":   "TSH40316521 · mais 2",
		"tr:nth-child(2) td:nth-child(3)":   "Tireoestimulante, hormônio (TSH)40316521",
		"tr:nth-child(1) td:nth-child(4) p": "2 de 3 itens · operadora, agora", "tr:nth-child(2) td:nth-child(4) p": "operadora, agora",
		"tr:nth-child(1) td:nth-child(6)": "Conferir itens",
	} {
		css = strings.Replace(css, "tr:", "#fila tbody tr:", 1)
		if got := list.Text(css); !strings.HasPrefix(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("%s: got %q, want %q", css, got, want)
		}
	}
	if !strings.Contains(list.Text("body"), "SIMULAÇÃO") {
		t.Error("simulated answers without the banner")
	}
	t.Run("Later", func(t *testing.T) {
		for by, want := range map[time.Duration][2]string{ // since the sending: the clock's hour and the age
			59 * time.Second: {"14:05", "agora"}, 12 * time.Minute: {"14:05", "há 12 min"}, 59 * time.Minute: {"14:05", "há 59 min"},
			65 * time.Minute: {"14:05", "há 1 h 05"}, 25 * time.Hour: {"20/11 14:05", "há 1 dia"}, 47 * time.Hour: {"20/11 14:05", "há 1 dia"},
			49 * time.Hour: {"20/11 14:05", "há 2 dias"}, 240 * time.Hour: {"20/11 14:05", "há 10 dias"},
			59 * 24 * time.Hour: {"20/11/2099 14:05", "há 59 dias"}, 60 * 24 * time.Hour: {"20/11/2099 14:05", "há 2 meses"},
			729 * 24 * time.Hour: {"20/11/2099 14:05", "há 24 meses"}, 1094 * 24 * time.Hour: {"20/11/2099 14:05", "há 2 anos"},
		} {
			server.Clock.Set(time.Date(2099, time.November, 20, 17, 5, 0, 0, time.UTC).Add(by))
			ana.LogInAgain()
			list := ana.Get("/fila")
			if got := list.Text("#fila tbody tr:first-child td:nth-child(1)"); !strings.HasPrefix(got, want[0]+" no balcão") {
				t.Errorf("after %s: arrived at %q, want %q", by, got, want[0])
			}
			if got := list.Text("#fila tbody tr:first-child td:nth-child(4) p"); strings.TrimPrefix(got,
				"2 de 3 itens · ") != "operadora, "+want[1] {
				t.Errorf("after %s: the answer is %q old, want %q", by, got, want[1])
			}
			day := "hoje, 14:05 ("
			if by > 24*time.Hour {
				day = "20/11/2099, 14:05 ("
			}
			if got := ana.Get(page.Path).Text("#veredito"); !strings.Contains(got, "Resposta da operadora: "+day+want[1]+").") {
				t.Errorf("after %s: the case says %q", by, got)
			}
		}
	})
}

// TestQueue_Counters: how many wait in each group, and how long; pressing a group
// filters, pressing it again does not.
func TestQueue_Counters(t *testing.T) {
	t.Parallel()
	server, ana := startAt(t, 2099, time.November, 20, 14, 0)
	for _, card := range []string{"99990100", "99990400", "99990401", "99990900"} {
		ana.SubmitWith(map[string]string{"numeroCarteira": card, "validadeCarteira": "31/12/2100", "nomeBeneficiario": "Carteira " + card})
		server.Clock.Advance(2 * time.Minute)
	}
	want := map[string]string{"vez": "1 mais antigo há 2 min", "cor": "0 nenhum", "neg": "2 mais antigo há 6 min",
		"ok": "1 mais antigo há 8 min", "esp": "0 nenhum", "fim": "0 nenhum"}
	list := ana.Get("/fila")
	for group, words := range want {
		if got := strings.TrimSpace(list.Text("#grupo-"+group+" b") + " " + list.Text("#grupo-"+group+" small")); got != words {
			t.Errorf("%s: got %q, want %q", group, got, words)
		}
		if got := list.Attr("#grupo-"+group, "href"); got != "/fila?grupo="+group || list.Has("#grupo-"+group+"[aria-current]") {
			t.Errorf("%s leads to %q", group, got)
		}
	}
	denied := ana.Get("/fila?grupo=neg")
	if got := denied.Texts("#fila tbody td:nth-child(2) a"); !slices.Equal(got, []string{"Carteira 99990400", "Carteira 99990401"}) {
		t.Errorf("denied are %q", got)
	}
	if denied.Attr("#grupo-neg", "href") != "/fila" || denied.Attr("#grupo-neg", "aria-current") != "true" ||
		denied.Count("[aria-current=true]") != 1 {
		t.Errorf("the group that is shown leads to %q", denied.Attr("#grupo-neg", "href"))
	}
	for address, want := range map[string]string{"/fila?grupo=esp": "Nada em Aguardar.",
		"/fila?grupo=sem-resposta": "Nada em Enviado sem resposta."} {
		if got := ana.Get(address); got.Text("#fila h2") != want || got.Has("#fila table") {
			t.Errorf("%s: got %q, want %q", address, got.Text("#fila h2"), want)
		}
	}
	for address, want := range map[string]int{"/fila?grupo=zzz": 404, "/fila?antes=x": 404, "/fila?grupo=": 200} {
		if got := ana.Get(address); got.Status != want {
			t.Errorf("GET %s: got %d, want %d", address, got.Status, want)
		}
	}
	t.Run("WhatIsListedIsCounted", func(t *testing.T) {
		server.Clock.Advance(8 * 24 * time.Hour)
		ana.LogInAgain()
		list := ana.Get("/fila")
		got := list.Text("#grupo-neg b") + list.Text("#grupo-neg small")
		if list.Count("#fila tbody tr") != 4 || got != "2mais antigo há 8 dias" {
			t.Errorf("after eight days %d rows, counted %q", list.Count("#fila tbody tr"), got)
		}
	})
}

// TestQueue_Corrected: when its correction was sent, a denied case leaves the queue, leads
// there and keeps what the operator said; the history has both.
func TestQueue_Corrected(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	denied := ana.SubmitWith(map[string]string{"numeroCarteira": "99990400"})
	copied := ana.Post(denied.Path+"/copiar", nil)
	if got := ana.Get("/fila?grupo=neg").Count("#fila tbody tr"); got != 1 {
		t.Errorf("while it is being corrected %d rows, want 1", got)
	}
	correction := ana.Submit(copied.Path, apptest.With(copied.Form("#pedido"), map[string]string{"numeroCarteira": "99990100"}))
	queue := ana.Get("/fila")
	if got := queue.Count("#fila tbody tr"); got != 1 || queue.Attr("#fila tbody td:nth-child(2) a", "href") != correction.Path {
		t.Errorf("%d rows, the first leads to %s", got, queue.Attr("#fila tbody td:nth-child(2) a", "href"))
	}
	queue.Check(t, apptest.Want{Text: map[string]string{"#grupo-neg b": "0", "#grupo-ok small": "agora"},
		Not: map[string]string{"#grupo-ok small": "mais antigo"}})
	old := ana.Get(denied.Path)
	const next = "section[aria-label='Situação'] .btn-primary"
	old.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Negado",
		"#veredito": "O que vale é o pedido corrigido.", next: "Ver o pedido corrigido"},
		Count: map[string]int{next: 1}})
	if got := old.Attr(next, "href"); got != correction.Path {
		t.Errorf("it leads to %s, want %s", got, correction.Path)
	}
	if got := ana.Get("/historico").Texts("tbody td>b[class]"); !slices.Equal(got, []string{"Autorizado", "Negado"}) {
		t.Errorf("the history says %q", got)
	}
}

// TestQueue_Fragment: the page that renews itself gets its body alone, at the
// address that it shows.
func TestQueue_Fragment(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	for _, address := range []string{"/fila", "/fila?grupo=neg"} {
		got := ana.GetHTMX(address)
		got.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#fila": 1, "title": 0, "main": 0}})
		if got.Attr("#fila", "hx-get") != address || !slices.Contains(got.Header.Values("Vary"), "HX-Request") {
			t.Errorf("%s renews itself at %q, varies by %q", address, got.Attr("#fila", "hx-get"), got.Header.Values("Vary"))
		}
	}
	ana.Get("/fila").Check(t, apptest.Want{Count: map[string]int{"#fila": 1, "title": 1, `main #fila [href="/nova"]`: 2},
		Text: map[string]string{"#fila h2": "Nenhum pedido espera por você."}})
}

// TestQueue_Pages leads from the newest page to the older one and back.
func TestQueue_Pages(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	server.AddCases(t, 60)
	celia := server.LogIn(t, apptest.Supervision)
	first := celia.Get("/fila")
	older := first.Attr(`nav[aria-label="Páginas"] a`, "href")
	if first.Count(`nav[aria-label="Páginas"] a`) != 1 || !strings.HasPrefix(older, "/fila?antes=") {
		t.Fatalf("the newest page leads to %q", first.Attrs(`nav[aria-label="Páginas"] a`, "href"))
	}
	second := celia.Get(older)
	if got := second.Attrs(`nav[aria-label="Páginas"] a`, "href"); !slices.Equal(got, []string{"/fila"}) {
		t.Errorf("the older page leads to %q", got)
	}
	if n, m := first.Count("#fila tbody tr"), second.Count("#fila tbody tr"); n+m != 60 || n <= m {
		t.Errorf("got pages of %d and %d, want 60 cases", n, m)
	}
	denied := celia.Get("/fila?grupo=neg")
	if got := denied.Count("#fila tbody tr"); got != 6 {
		t.Errorf("%d denied, want 6", got)
	}
	t.Run("OfAGroup", func(t *testing.T) {
		ready := celia.Get("/fila?grupo=ok")
		older := ready.Attr(`nav[aria-label="Páginas"] a`, "href")
		address, err := url.Parse(older)
		if err != nil || address.Query().Get("grupo") != "ok" || uuid.Validate(address.Query().Get("antes")) != nil {
			t.Fatalf("the older page is at %q", older)
		}
		if got := celia.Get(older); ready.Count("#fila tbody tr")+got.Count("#fila tbody tr") != 54 {
			t.Errorf("got pages of %d and %d, want 54 authorized", ready.Count("#fila tbody tr"), got.Count("#fila tbody tr"))
		}
	})
}

// TestQueue_Drafts: what one has not finished stands beside the queue, named as
// far as it goes.
func TestQueue_Drafts(t *testing.T) {
	t.Parallel()
	_, ana := startAt(t, 2099, time.November, 20, 9, 30)
	const list = `[aria-labelledby="rascunhos-title"]`
	if got := ana.Get("/fila").Text(list); !strings.HasPrefix(got, "Meus rascunhos0") || !strings.Contains(got, "Nada por terminar.") {
		t.Errorf("without drafts: %q", got)
	}
	credential := ana.Credential("aroeira")
	for i, form := range []url.Values{
		{"nomeBeneficiario": {"Com operadora"}, "credencialId": {credential}, "numeroCarteira": {"031000451206"}},
		{"numeroCarteira": {"0310004512063345"}},
		{"nomeBeneficiario": {"Sem nada"}, "credencialId": {"01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}},
	} {
		form.Set("versao", "0")
		if got := ana.Post(ana.DraftPath(), form); got.Status != http.StatusOK {
			t.Fatalf("draft %d: %d", i, got.Status)
		}
	}
	page := ana.Get("/fila")
	if got := page.Text(list + " header span"); got != "3" {
		t.Errorf("%s drafts", got)
	}
	want := []string{"Sem nada|09:30|", "Sem nome ainda|09:30|carteira 0310 …3345", "Com operadora|09:30|Aroeira Planos"}
	var got []string
	for i := range page.Count(list + " li") {
		row := fmt.Sprintf("%s li:nth-child(%d) ", list, i+1)
		got = append(got, page.Text(row+"a")+"|"+page.Text(row+"span")+"|"+page.Text(row+"small"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestQueue_Order: what needs somebody comes before what does not, by group; in a group that
// waits for somebody the first comes first.
func TestQueue_Order(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for _, card := range []string{"99990100", "99990400", "99990900", "99990401", "99990100"} {
		ana.SubmitWith(map[string]string{"numeroCarteira": card, "pacienteNoLocal": ""})
	}
	got := ana.Get("/fila").Texts("#fila tbody td:nth-child(4) b")
	if want := []string{"Falta anexo", "Negado", "Negado", "Autorizado", "Autorizado"}; len(got) != 5 || !slices.Equal(got[1:], want[1:]) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestQueue_Conclude: a case that somebody concludes leaves the queue, is closed for the day,
// and says so; a second time it is not offered.
func TestQueue_Conclude(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for card, want := range map[string]string{"99990100": "Marcar atendido", "99990400": "Concluir"} {
		shown := ana.SubmitWith(map[string]string{"numeroCarteira": card})
		const button = `[action$="/concluir"] button`
		if got := shown.Text(button); !strings.HasPrefix(got, want) || shown.Attr(button, "data-shortcut") != "F8" {
			t.Errorf("%s: the button says %q under %q", card, got, shown.Attr(button, "data-shortcut"))
		}
		queue := ana.Post(shown.Path+"/concluir", nil)
		queue.Check(t, apptest.Want{Path: "/fila", Text: map[string]string{"main .notice": "Pedido concluído e fora da fila."}})
		if queue.Has("[href='" + shown.Path + "']") {
			t.Errorf("%s stands in the queue", card)
		}
		closed := ana.Get("/fila?grupo=fim")
		row := "tr:has([href='" + shown.Path + "']) td:last-child span"
		if got := closed.Text(row); got != "Ver" {
			t.Errorf("%s: its next step is %q", card, got)
		}
		after := ana.Get(shown.Path)
		if got := after.Text("#veredito"); !strings.Contains(got, "fora da fila. Nada mais a fazer.") {
			t.Errorf("%s: what was concluded advises %q", card, got)
		}
		if after.Has(button) || !strings.Contains(after.Text("body"), "Concluído e tirado da fila por ") {
			t.Errorf("%s: the case offers it again, or does not tell", card)
		}
	}
	if got := ana.Get("/fila").Text("#grupo-fim b"); got != "2" {
		t.Errorf("%s are closed today", got)
	}
}

// TestQueue_ConcludeSeen: a case that stands otherwise than its page showed is not concluded unseen.
func TestQueue_ConcludeSeen(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	shown := ana.SubmitWith(map[string]string{"numeroCarteira": "99990400"})
	seen := shown.Attr(`[action$="/concluir"] [name=situacaoVista]`, "value")
	if row := ana.Get("/fila").Attr("#fila tbody tr", "data-conclude"); seen != "N" || row != seen {
		t.Errorf("the case says %q and its row %q", seen, row)
	}
	ana.Post(shown.Path+"/concluir", url.Values{"situacaoVista": {"A"}}).Check(t, apptest.Want{Path: shown.Path,
		Text: map[string]string{"main .notice": "Este pedido mudou depois que a página foi aberta, e continua na fila."}})
	ana.Post(shown.Path+"/concluir", url.Values{"situacaoVista": {seen}}).Check(t, apptest.Want{Path: "/fila",
		Text: map[string]string{"main .notice": "Pedido concluído e fora da fila."}})
}

// TestQueue_Next: F9 leads to the case that somebody looks at next, then to the one that
// follows it, and round again; with none it says so.
func TestQueue_Next(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	ana.SubmitWith(nil)
	ana.Get("/fila/proximo").Check(t, apptest.Want{Path: "/fila",
		Text: map[string]string{"main .notice": "Nenhum pedido depende de você agora."}})
	first := ana.SubmitWith(map[string]string{"numeroCarteira": "99990400"}).Path
	second := ana.SubmitWith(map[string]string{"numeroCarteira": "99990401"}).Path
	at := ana.Get("/fila").Attr("[data-shortcut=F9]", "href")
	for _, want := range []string{first, second, first} {
		page := ana.Get(at)
		if page.Path != want {
			t.Errorf("%s leads to %s, want %s", at, page.Path, want)
		}
		at = page.Attr("[data-shortcut=F9]", "href")
		if page.Attr("[data-shortcut=Escape]", "href") != "/fila" {
			t.Error("Esc leads nowhere")
		}
	}
	if got := ana.Get("/fila/proximo?depois=x"); got.Status != http.StatusNotFound {
		t.Errorf("after nothing: got %d", got.Status)
	}
}

// TestQueue_Banners: a queue that stays open shows what has become true since it was opened.
func TestQueue_Banners(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	const banners = "hx-partial[hx-target='#faixas']"
	if got := ana.GetHTMX("/fila").Text(banners); strings.Contains(got, "SIMULAÇÃO") {
		t.Errorf("without a case: %q", got)
	}
	ana.SubmitWith(nil)
	if got := ana.GetHTMX("/fila").Text(banners); !strings.Contains(got, "SIMULAÇÃO") || ana.Get("/fila").Text("#faixas") != got {
		t.Errorf("with a simulated answer: %q", got)
	}
}

// TestQueue_Beside: senhas that end soon and the latest drafts stand beside the queue, and
// lead to all of them.
func TestQueue_Beside(t *testing.T) {
	t.Parallel()
	server, ana := startAt(t, 2099, time.November, 20, 9, 30)
	for i := range 7 {
		form := url.Values{"nomeBeneficiario": {fmt.Sprint("Rascunho ", i)}, "versao": {"0"}}
		ana.Post(ana.DraftPath(), form)
		server.Clock.Advance(time.Minute)
	}
	page := ana.Get("/fila")
	const drafts = `[aria-labelledby="rascunhos-title"]`
	if got := page.Texts(drafts + " li > a"); len(got) != 5 || got[0] != "Rascunho 6" || page.Text(drafts+" header span") != "7" {
		t.Errorf("drafts: %q of %s", got, page.Text(drafts+" header span"))
	}
	if all := ana.Get(page.Attr(drafts+" p a", "href")); all.Count(drafts+" li") != 7 || all.Has(drafts+" p a") {
		t.Errorf("all drafts: %d", all.Count(drafts+" li"))
	}
	const ending = `[aria-labelledby="vencendo-title"]`
	ana.SubmitWith(map[string]string{"validadeCarteira": "31/12/2100", "nomeBeneficiario": "Pedro Reis"})
	if got := ana.Get("/fila"); got.Has(ending + " li") {
		t.Errorf("30 days before: %q", got.Text(ending))
	}
	day, _, _ := strings.Cut(ana.Get("/fila").Text("#fila tbody td:nth-child(5)"), " ")
	until, err := time.Parse("02/01/2006", day)
	if err != nil {
		t.Fatal(err)
	}
	server.Clock.Set(until.AddDate(0, 0, -3).Add(15 * time.Hour))
	ana.LogInAgain()
	page = ana.Get("/fila")
	if got := page.Text(ending + " li"); !strings.Contains(got, "Pedro Reis") || !strings.Contains(got, until.Format("02/01")) ||
		!strings.Contains(got, "vence em 3 dias") {
		t.Errorf("three days before: %q", got)
	}
	if all := ana.Get(page.Attr(ending+" p a", "href")); all.Count("#fila tbody tr") != 1 {
		t.Errorf("all senhas: %d rows", all.Count("#fila tbody tr"))
	} else if got := all.Text("#fila-lista"); got != "Senhas a vencer em 7 dias · Ver a fila toda Esc" || page.Has("#fila-lista") {
		t.Errorf("the list of senhas calls itself %q", got)
	}
}
