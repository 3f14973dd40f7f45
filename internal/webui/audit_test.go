package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/web/layout"

	"github.com/PuerkitoBio/goquery"
)

// count returns how many entries tell of an event.
func count(trail []apptest.Event, event string) (n int) {
	for _, e := range trail {
		if strings.HasPrefix(e.String(), event) {
			n++
		}
	}
	return n
}

// TestAudit_Tells goes through a request's whole life: each look is an entry, and
// no entry holds anything about the patient.
func TestAudit_Tells(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	marked := map[string]string{
		"nomeBeneficiario": "Xaxim Quixote Wanderwille", "numeroCarteira": "0310998877663345", "nomeContato": "Yolanda Kowarick",
		"telefoneContato": "987651234", "emailContato": "kowarick@exemplo.example", "nomeSolicitante": "Zuleica Wyszynska",
		"crmSolicitante": "777123",
		"observacoes":    "segredo-das-observacoes", "indicacaoClinica": "segredo-da-indicacao",
	}
	stranger := p.Client(t)
	stranger.Post("/entrar", url.Values{"usuario": {"Xaxim Quixote"}, "senha": {"segredo-da-senha"}})
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft() // searches a credential once
	for name, value := range marked {
		form.Set(name, value)
	}
	ana.Upload(address+"/anexos", form, map[string][]byte{"segredo-do-arquivo.pdf": apptest.PDF(1000)})
	form.Set("versao", "1")
	page := ana.Submit(address, form)
	senha := page.Text(`dt:contains("Senha") + dd .code`)
	attachment := page.AttachmentPath()
	if senha == "" || attachment == "" {
		t.Fatalf("the case shows senha %q, attachment %q", senha, attachment)
	}
	for _, path := range []string{"/guias/0", "/guias/0?baixar", attachment} {
		if got := ana.Get(page.Path + path); got.Status != http.StatusOK {
			t.Fatalf("GET %s: %d", path, got.Status)
		}
	}
	for range 5 { // polling is no look
		ana.Send(http.MethodGet, page.Path+"/estado?de=enviando", "", nil, http.Header{layout.PollHeader: {"1"}})
	}
	search(ana, url.Values{"texto": {marked["nomeBeneficiario"]}})
	ana.Post(page.Path+"/copiar", nil)
	ana.Post("/sair", nil)

	trail := p.Trail(t)
	for event, want := range map[string]int{
		"entrada.recusada": 1, "credencial.buscada": 1, "pedido.enviado caso": 1, "caso.visto caso": 1, "guia.aberta caso": 2,
		"anexo.aberto caso": 1, "historico.buscado filtro": 1, "caso.copiado caso": 1, "saida.feita sessao": 1,
	} {
		if got := count(trail, event); got != want {
			t.Errorf("%s: got %d entries, want %d, of\n%s", event, got, want, fmt.Sprint(trail))
		}
	}
	secrets := []string{senha, strings.ReplaceAll(senha, " ", ""), "segredo", "Quixote"}
	for _, value := range marked {
		secrets = append(secrets, value)
	}
	all := strings.ToLower(fmt.Sprint(trail))
	for _, secret := range secrets {
		if strings.Contains(all, strings.ToLower(secret)) {
			t.Errorf("the trail holds %q", secret)
		}
	}
}

func TestAudit_Page(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	ana.Get(page.Path + "/guias/0")
	rui := p.LogIn(t, apptest.Administration)
	personID := strings.TrimPrefix(rui.PersonPath("ana"), "/pessoas/")

	t.Run("Newest", func(t *testing.T) {
		p.Trail(t) // every entry has its place then
		rows := rui.Get("/auditoria").Rows("table.audit-table")
		if len(rows) < 3 || !strings.Contains(rows[0], " | Entrou | Rui Barreto 127.0.0.1 | Sessão …") || !strings.Contains(rows[1],
			" | Guia aberta | Ana Prado 127.0.0.1 | Caso …"+page.Path[len(page.Path)-8:]+" | guia 1 | ") {
			t.Errorf("got %q", rows)
		}
	})
	t.Run("Filter", func(t *testing.T) {
		today := "01/01/2020"
		got := rui.Post("/auditoria", url.Values{"pessoa": {personID}, "evento": {"guia.aberta"}, "de": {today}, "ate": {"31122099"}})
		if got.Status != http.StatusOK || got.Path != "/auditoria" || got.Value("#pessoa") != personID ||
			got.Value("#evento") != "guia.aberta" ||
			got.Value("#de") != today || got.Value("#ate") != "31/12/2099" {
			t.Errorf("got %d at %s with %q %q %q %q", got.Status, got.Path, got.Value("#pessoa"), got.Value("#evento"), got.Value("#de"),
				got.Value("#ate"))
		}
		if rows := got.Rows("table.audit-table"); len(rows) != 1 || !strings.Contains(rows[0], " | Guia aberta | Ana Prado 127.0.0.1 | ") {
			t.Errorf("got %q, want the one guide", rows)
		}
		if got := rui.Post("/auditoria", url.Values{"ate": {today}}); len(got.Rows("table.audit-table")) != 0 ||
			got.Text(".empty-state h2") != "Nenhum registro com este filtro." {
			t.Errorf("before all began: got %q and %q", got.Rows("table.audit-table"), got.Text(".empty-state h2"))
		}
	})
	t.Run("SameName", func(t *testing.T) {
		for _, login := range []string{"lia.um", "lia.dois"} {
			rui.Post("/pessoas/nova", url.Values{"nome": {"Lia Rosa"}, "usuario": {login}, "papeis": {"recepcao"}})
		}
		p.Trail(t)
		page := rui.Get("/auditoria")
		if rows := strings.Join(page.Rows("table.audit-table"), "\n"); !strings.Contains(rows, "Pessoa Lia Rosa · lia.um") {
			t.Errorf("got %q, want of two of one name which", rows)
		}
		for _, label := range []string{"Lia Rosa · lia.um", "Lia Rosa · lia.dois", "Ana Prado"} {
			if page.Option("#pessoa", label) == "" {
				t.Errorf("the filter lacks %q", label)
			}
		}
	})
	t.Run("RolesInWords", func(t *testing.T) {
		rui.Post("/pessoas/nova", url.Values{"nome": {"Bia Nova"}, "usuario": {"bia"}, "papeis": {"recepcao", "supervisao"}})
		rui.Post(rui.PersonPath("bia"), url.Values{"nome": {"Bia Nova"}, "papeis": {"recepcao"}})
		p.Trail(t)
		for event, want := range map[string]string{
			"pessoa.criada": "| Recepção, Supervisão |", "pessoa.alterada": "| Recepção em nenhuma unidade |",
		} {
			if rows := rui.Post("/auditoria", url.Values{"evento": {event}}).Rows("table.audit-table"); !strings.Contains(rows[0], want) {
				t.Errorf("%s: got %q, want %q", event, rows, want)
			}
		}
	})
	t.Run("IsAReadingToo", func(t *testing.T) {
		rui.Get("/auditoria?pessoa=" + personID)
		rows := rui.Post("/auditoria", url.Values{"evento": {"auditoria.consultada"}}).Rows("table.audit-table")
		if len(rows) == 0 || !strings.Contains(rows[0], " | Auditoria consultada | Rui Barreto 127.0.0.1 | Pessoa Ana Prado …"+personID[28:]) {
			t.Errorf("got %q", rows)
		}
	})
	t.Run("Wrong", func(t *testing.T) {
		typed := url.Values{"de": {"31/02/2026"}, "ate": {"amanhã"}, "pessoa": {"x"}, "evento": {"y"}}
		got := rui.Post("/auditoria", typed)
		if got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != 4 || got.Count("table.audit-table") != 0 {
			t.Errorf("got %d, %q", got.Status, got.Text("#erros"))
		}
		if got.Value("#de") != "31/02/2026" || got.Value("#ate") != "amanhã" || got.Text("#de-error") == "" || got.Text("#ate-error") == "" {
			t.Errorf("not kept or not told: %q %q", got.Value("#de"), got.Value("#ate"))
		}
		if got := rui.Post("/auditoria", url.Values{"de": {"02/01/2026"},
			"ate": {"01/01/2026"}}); got.Text("#ate-error") != "Erro: O fim vem antes do começo." {
			t.Errorf("turned round: got %d, %q", got.Status, got.Text("#ate-error"))
		}
		for path, want := range map[string]int{"/auditoria?antes=x": 404, "/auditoria?antes=-1": 404, "/auditoria?de=x": 422,
			"/auditoria?evento=x": 422} {
			if got := rui.Get(path); got.Status != want {
				t.Errorf("GET %s: got %d, want %d", path, got.Status, want)
			}
		}
	})
	t.Run("Pages", func(t *testing.T) {
		for range 60 {
			rui.Get("/auditoria?evento=guia.aberta")
		}
		var positions []string
		next, address := "/auditoria?evento=auditoria.consultada", ""
		for pages := 0; next != ""; pages++ {
			got := rui.Get(next)
			if got.Status != http.StatusOK || pages > 5 {
				t.Fatalf("GET %s: %d, page %d", next, got.Status, pages)
			}
			got.Find("table.audit-table tbody td:last-child").Each(func(_ int, s *goquery.Selection) { positions = append(positions, s.Text()) })
			address, next = next, got.Find(`nav[aria-label="Páginas"] a.ms-auto`).AttrOr("href", "")
		}
		sorted := slices.Clone(positions)
		slices.Sort(sorted)
		if unique := slices.Compact(sorted); len(unique) != len(positions) || len(positions) < 60 {
			t.Errorf("got %d rows, %d of them different, want each once", len(positions), len(unique))
		}
		if !strings.Contains(address, "antes=") {
			t.Errorf("all stood on one page: %s", address)
		}
	})
	t.Run("Check", func(t *testing.T) {
		got := rui.Post("/auditoria/conferir", nil)
		if got.Path != "/auditoria" || !strings.Contains(got.Text("#corrente"), "Corrente inteira.") ||
			got.Text("[role=status].notice") != "Corrente conferida: está inteira." {
			t.Errorf("got %s: %q, %q", got.Path, got.Text("#corrente"), got.Text("[role=status].notice"))
		}
		if rows := rui.Get("/auditoria?evento=auditoria.conferida").Rows("table.audit-table"); len(rows) != 1 ||
			!strings.Contains(rows[0], "inteira") {
			t.Errorf("got %q", rows)
		}
	})
	t.Run("CheckKeepsTheFilter", func(t *testing.T) {
		got := rui.Get("/auditoria?evento=auditoria.conferida")
		got = rui.Post(got.Find("#corrente form").AttrOr("action", ""), nil)
		if chosen := got.Find("#evento option[selected]").AttrOr("value", ""); chosen != "auditoria.conferida" {
			t.Errorf("got the filter %q back", chosen)
		}
	})
}

// TestAudit_Broken alters the trail as somebody does who has the file: at the
// next start administração is told, and the desk works.
func TestAudit_Broken(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ tamper, want string }{
		"Altered": {`UPDATE audit_entry SET at = at + 1 WHERE id = 7`, "Corrente rompida no registro nº 7."},
		"Removed": {`DELETE FROM audit_entry WHERE id >= (SELECT max(id) FROM audit_entry)`, "Corrente rompida no registro nº"},
		"Head":    {``, "O fim da corrente não pode ser conferido."},
	} {
		t.Run(name, func(t *testing.T) {
			p := apptest.Start(t, apptest.Options{})
			p.LogIn(t, apptest.Reception)
			p.Stop()
			head := filepath.Join(p.DataDir, "desk", "audit.head")
			if _, err := os.Stat(head); err != nil {
				t.Fatalf("no head after the end: %v", err)
			}
			if tt.tamper == "" {
				if err := os.WriteFile(head, []byte("apagado\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			} else {
				tamper(t, p, tt.tamper)
			}

			p.Restart(nil)
			apptest.Eventually(t, "the trouble is in the log", func() bool { return p.Log.Contains("the audit trail is broken") })
			rui, ana := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
			const strip = `[aria-label="A corrente da auditoria não confere."]`
			for _, path := range []string{"/pessoas", "/ajuda", "/auditoria"} {
				if got := rui.Get(path); got.Status != http.StatusOK || got.Count(strip) != 1 {
					t.Errorf("GET %s: got %d, %d strips", path, got.Status, got.Count(strip))
				}
			}
			if got := rui.Post("/auditoria/conferir", nil).Text("#corrente"); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := ana.Get("/fila"); got.Status != http.StatusOK || got.Count(strip) != 0 {
				t.Errorf("recepção: got %d, %d strips", got.Status, got.Count(strip))
			}
		})
	}
}

// tamper changes the audit trail as somebody does who has the file.
func tamper(t *testing.T, p *apptest.Server, statement string) {
	t.Helper()
	p.Exec(t, `DROP TRIGGER audit_entry_no_update; DROP TRIGGER audit_entry_no_delete;`+statement)
}

// TestAudit_Alarm: a person who has looked into a broken trail ends the alarm, with a
// reason and for what they saw; it returns for a new break.
func TestAudit_Alarm(t *testing.T) {
	t.Parallel()
	const strip, form = `[aria-label="A corrente da auditoria não confere."]`, "#alarme"
	p := apptest.Start(t, apptest.Options{})
	rui := p.LogIn(t, apptest.Administration)
	if rui.Get("/auditoria").Has(form) {
		t.Error("without a break: got a form to end the alarm")
	}
	tamper(t, p, `UPDATE audit_entry SET at = at + 1 WHERE id = 7`)
	broken := rui.Post("/auditoria/conferir", nil)
	if !broken.Has(strip) || !broken.Has(form) {
		t.Fatal("the trail is broken, and nothing offers to end the alarm")
	}
	typed := broken.Form(form)
	if got := rui.Post("/auditoria/alarme", typed); got.Status != http.StatusUnprocessableEntity || got.Text("#motivo-error") == "" ||
		!got.Has(strip) {
		t.Errorf("without a reason: got %d, %q", got.Status, got.Text(form))
	}
	typed.Set("motivo", "copia_restaurada")
	p.Exec(t, `UPDATE audit_entry SET at = at + 1 WHERE id = 5`)
	if got := rui.Post("/auditoria/alarme", typed); !strings.Contains(got.Text("main"), "não foi encerrado") || !got.Has(strip) {
		t.Errorf("another break than the one that was shown: got %q", got.Text("main"))
	}
	typed = rui.Get("/auditoria").Form(form)
	typed.Set("motivo", "copia_restaurada")
	got := rui.Post("/auditoria/alarme", typed)
	if got.Has(strip) || got.Has(form) {
		t.Error("the alarm goes on")
	}
	for _, want := range []string{"exceto o que já foi apurado", "Rui Barreto", "Uma cópia de segurança foi restaurada"} {
		if said := got.Text("#corrente"); !strings.Contains(said, want) {
			t.Errorf("got %q, want %q in it", said, want)
		}
	}
	if !strings.Contains(got.Text("table"), "Alarme da auditoria encerradoRui Barreto 127.0.0.1 Uma cópia de segurança foi restaurada") {
		t.Errorf("the trail does not tell of it: %.300q", got.Text("table"))
	}
	p.Restart(nil)
	rui = p.LogIn(t, apptest.Administration)
	if got := rui.Post("/auditoria/conferir", nil); got.Has(strip) || !strings.Contains(got.Text("#corrente"), "já foi apurado") {
		t.Errorf("after a restart: got %q", got.Text("#corrente"))
	}
	p.Exec(t, `UPDATE audit_entry SET at = at + 1 WHERE id = 6`)
	if got := rui.Post("/auditoria/conferir", nil); !got.Has(strip) || !got.Has(form) {
		t.Error("a new break raises no alarm")
	}
}

// TestAudit_Tested: the steps of a test of the connection stand there in the words of its page.
func TestAudit_Tested(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	rui.Post("/servico/conexao/testar", rui.Get("/servico/conexao").Form("#conexao"))
	got := rui.Get("/auditoria").Text("tbody")
	if want := "certo: busca de credenciais, recursos, unidades e executantes, elegibilidade; " +
		"sem teste: nome, conexão segura, entrada"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
