package e2e_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/web/layout"
)

// entries are the rows of the audit page, cells joined.
func (a answer) entries() []string {
	a.t.Helper()
	return a.doc().Find("table.audit-table tbody tr").Map(func(_ int, row *selection) string {
		cells := row.Find("td").Map(func(_ int, s *selection) string { return strings.Join(strings.Fields(s.Text()), " ") })
		return strings.Join(cells, " | ")
	})
}

// trailOf returns all that the audit table of a data folder holds, oldest first.
func trailOf(t *testing.T, folder string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "desk", "guiche.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT event, object, lower(hex(object_id)), detail FROM audit_entry ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var event, object, detail string
		var id sql.NullString
		if err := rows.Scan(&event, &object, &id, &detail); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(fmt.Sprint(event, " ", object, " ", id.String, " ", detail)))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// count returns how many entries tell of an event.
func count(trail []string, event string) (n int) {
	for _, e := range trail {
		if strings.HasPrefix(e, event) {
			n++
		}
	}
	return n
}

// TestAudit_Tells goes through a request's whole life: each look is an entry, and
// no entry holds anything about the patient.
func TestAudit_Tells(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	marked := map[string]string{
		"nomeBeneficiario": "Xaxim Quixote Wanderwille", "numeroCarteira": "0310998877663345", "nomeContato": "Yolanda Kowarick",
		"telefoneContato": "987651234", "emailContato": "kowarick@exemplo.example", "nomeSolicitante": "Zuleica Wyszynska", "crmSolicitante": "777123",
		"observacoes": "segredo-das-observacoes", "indicacaoClinica": "segredo-da-indicacao",
	}
	stranger := MustVisit(t, p, "")
	stranger.post("/entrar", url.Values{"usuario": {"Xaxim Quixote"}, "senha": {"segredo-da-senha"}})
	ana := MustVisit(t, p, "recepcao")
	address, form := ana.newDraft() // searches a credential once
	for name, value := range marked {
		form.Set(name, value)
	}
	ana.upload(address+"/anexos", form, map[string][]byte{"segredo-do-arquivo.pdf": pdfBytes(1000)})
	form.Set("versao", "1")
	page := ana.submit(address, form)
	senha := page.text(`dt:contains("Senha") + dd .code`)
	attachment := attachmentID.FindString(string(page.body))
	if senha == "" || attachment == "" {
		t.Fatalf("the case shows senha %q, attachment %q", senha, attachment)
	}
	for _, path := range []string{"/guias/0", "/guias/0?baixar=1", attachment} {
		if got := ana.get(page.path + path); got.status != http.StatusOK {
			t.Fatalf("GET %s: %d", path, got.status)
		}
	}
	for range 5 { // polling is no look
		ana.send(http.MethodGet, page.path+"/estado?de=enviando", "", nil, http.Header{layout.PollHeader: {"1"}})
	}
	ana.search(url.Values{"texto": {marked["nomeBeneficiario"]}})
	ana.post(page.path+"/copiar", nil)
	ana.post("/sair", nil)

	trail := trailOf(t, folder)
	for event, want := range map[string]int{
		"entrada.recusada": 1, "credencial.buscada": 1, "pedido.enviado caso": 1, "caso.visto caso": 1, "guia.aberta caso": 2,
		"anexo.aberto caso": 1, "historico.buscado filtro": 1, "caso.copiado caso": 1, "saida.feita sessao": 1,
	} {
		if got := count(trail, event); got != want {
			t.Errorf("%s: got %d entries, want %d, of\n%s", event, got, want, strings.Join(trail, "\n"))
		}
	}
	secrets := []string{senha, strings.ReplaceAll(senha, " ", ""), "segredo", "Quixote"}
	for _, value := range marked {
		secrets = append(secrets, value)
	}
	all := strings.ToLower(strings.Join(trail, "\n"))
	for _, secret := range secrets {
		if strings.Contains(all, strings.ToLower(secret)) {
			t.Errorf("the trail holds %q", secret)
		}
	}
}

func TestAudit_Page(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	ana := MustVisit(t, p, "recepcao")
	page := ana.submit(ana.newDraft())
	ana.get(page.path + "/guias/0")
	rui := MustVisit(t, p, "administracao")
	personID := strings.TrimPrefix(rui.personPath("ana"), "/pessoas/")

	t.Run("Newest", func(t *testing.T) {
		rows := rui.get("/auditoria").entries()
		if len(rows) < 3 || !strings.Contains(rows[0], " | Entrou | Rui Barreto | Sessão …") || !strings.Contains(rows[1], " | Guia aberta ou baixada | Ana Prado | Caso …"+page.path[len(page.path)-8:]+" | guia=0 | ") {
			t.Errorf("got %q", rows)
		}
	})
	t.Run("Filter", func(t *testing.T) {
		today := "01/01/2020"
		got := rui.post("/auditoria", url.Values{"pessoa": {personID}, "evento": {"guia.aberta"}, "de": {today}, "ate": {"31122099"}})
		if got.status != http.StatusOK || got.path != "/auditoria" || got.value("#pessoa") != personID || got.value("#evento") != "guia.aberta" ||
			got.value("#de") != today || got.value("#ate") != "31/12/2099" {
			t.Errorf("got %d at %s with %q %q %q %q", got.status, got.path, got.value("#pessoa"), got.value("#evento"), got.value("#de"), got.value("#ate"))
		}
		if rows := got.entries(); len(rows) != 1 || !strings.Contains(rows[0], " | Guia aberta ou baixada | Ana Prado | ") {
			t.Errorf("got %q, want the one guide", rows)
		}
		if got := rui.post("/auditoria", url.Values{"ate": {today}}); len(got.entries()) != 0 || got.text(".empty-state h2") != "Nenhum registro com este filtro." {
			t.Errorf("before all began: got %q and %q", got.entries(), got.text(".empty-state h2"))
		}
	})
	t.Run("IsAReadingToo", func(t *testing.T) {
		rui.get("/auditoria?pessoa=" + personID)
		rows := rui.post("/auditoria", url.Values{"evento": {"auditoria.consultada"}}).entries()
		if len(rows) == 0 || !strings.Contains(rows[0], " | Auditoria consultada | Rui Barreto | Pessoa Ana Prado …"+personID[28:]) {
			t.Errorf("got %q", rows)
		}
	})
	t.Run("Wrong", func(t *testing.T) {
		typed := url.Values{"de": {"31/02/2026"}, "ate": {"amanhã"}, "pessoa": {"x"}, "evento": {"y"}}
		got := rui.post("/auditoria", typed)
		if got.status != http.StatusUnprocessableEntity || got.doc().Find("#erros li").Length() != 4 || got.doc().Find("table.audit-table").Length() != 0 {
			t.Errorf("got %d, %q", got.status, got.text("#erros"))
		}
		if got.value("#de") != "31/02/2026" || got.value("#ate") != "amanhã" || got.text("#de-e") == "" || got.text("#ate-e") == "" {
			t.Errorf("not kept or not told: %q %q", got.value("#de"), got.value("#ate"))
		}
		if got := rui.post("/auditoria", url.Values{"de": {"02/01/2026"}, "ate": {"01/01/2026"}}); got.text("#ate-e") != "Erro: O fim vem antes do começo." {
			t.Errorf("turned round: got %d, %q", got.status, got.text("#ate-e"))
		}
		for path, want := range map[string]int{"/auditoria?antes=x": 404, "/auditoria?antes=-1": 404, "/auditoria?de=x": 422, "/auditoria?evento=x": 422} {
			if got := rui.get(path); got.status != want {
				t.Errorf("GET %s: got %d, want %d", path, got.status, want)
			}
		}
	})
	t.Run("Pages", func(t *testing.T) {
		for range 60 {
			rui.get("/auditoria?evento=guia.aberta")
		}
		var positions []string
		next, address := "/auditoria?evento=auditoria.consultada", ""
		for pages := 0; next != ""; pages++ {
			got := rui.get(next)
			if got.status != http.StatusOK || pages > 5 {
				t.Fatalf("GET %s: %d, page %d", next, got.status, pages)
			}
			got.doc().Find("table.audit-table tbody td:last-child").Each(func(_ int, s *selection) { positions = append(positions, s.Text()) })
			address, next = next, got.doc().Find(`nav[aria-label="Páginas"] a.ms-auto`).AttrOr("href", "")
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
		got := rui.post("/auditoria/conferir", nil)
		if got.path != "/auditoria" || !strings.Contains(got.text("#corrente"), "Corrente inteira.") || got.text("[role=status].notice") != "Corrente conferida: está inteira." {
			t.Errorf("got %s: %q, %q", got.path, got.text("#corrente"), got.text("[role=status].notice"))
		}
		if rows := rui.get("/auditoria?evento=auditoria.conferida").entries(); len(rows) != 1 || !strings.Contains(rows[0], "inteira") {
			t.Errorf("got %q", rows)
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
			folder := t.TempDir()
			in := func(c *app.Config) { c.DataDir = folder }
			first := MustRun(t, in)
			MustVisit(t, first, "recepcao")
			first.stop()
			head := filepath.Join(folder, "desk", "audit.head")
			if _, err := os.Stat(head); err != nil {
				t.Fatalf("no head after the end: %v", err)
			}
			if tt.tamper == "" {
				MustWrite(t, head, "apagado\n")
			} else {
				MustTamper(t, folder, tt.tamper)
			}

			p := MustRun(t, in)
			eventually(t, "the trouble is in the log", func() bool { return strings.Contains(p.logs.String(), "the audit trail is broken") })
			rui, ana := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
			const strip = `[aria-label="A corrente da auditoria não confere."]`
			for _, path := range []string{"/pessoas", "/ajuda", "/auditoria"} {
				if got := rui.get(path); got.status != http.StatusOK || got.doc().Find(strip).Length() != 1 {
					t.Errorf("GET %s: got %d, %d strips", path, got.status, got.doc().Find(strip).Length())
				}
			}
			if got := rui.post("/auditoria/conferir", nil).text("#corrente"); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			b := MustBrowse(t, p)
			b.logIn("administracao")
			b.open("/auditoria")
			b.look("auditoria-" + strings.ToLower(name))
			if got := ana.get("/fila"); got.status != http.StatusOK || got.doc().Find(strip).Length() != 0 {
				t.Errorf("recepção: got %d, %d strips", got.status, got.doc().Find(strip).Length())
			}
		})
	}
}

func MustWrite(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// MustTamper runs a statement against the desk's database, past its triggers.
func MustTamper(t *testing.T, folder, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "desk", "guiche.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `DROP TRIGGER audit_entry_no_update; DROP TRIGGER audit_entry_no_delete;`+statement); err != nil {
		t.Fatal(err)
	}
}
