package golden_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// TestGolden_Desk shows every case with its guides and attachments, the queue, the
// history and its kept filters, drafts, people, lists, the console and the connection
// as the first release did.
func TestGolden_Desk(t *testing.T) {
	p := MustRunDesk(t)
	p.settled(t)
	p.answers(t, "desk.txt", func() []question {
		all := []question{
			{"rui", "/pessoas", "texto=célia"}, {"rui", "/cadastros/procedimentos", "Busca=apelido"}, {"sessão celia", "/conta", ""},
		}
		for _, line := range []string{
			"celia /fila /historico /conta", "ana /fila", "bento /fila", "todos /conta", "rui /pessoas /cadastros /servico/conexao " +
				"/servico/parceiros /servico/credenciais /servico/unidades /servico/profissionais /servico/registro",
		} {
			who := strings.Fields(line)
			for _, path := range who[1:] {
				all = append(all, question{who[0], path, ""})
			}
		}
		for _, words := range []string{"situação", "9999 1900", "caio", "campos recus", "REAL0001", "autorização SIM"} {
			all = append(all, question{"celia", "/historico", url.Values{"texto": {words}}.Encode()})
		}
		for _, status := range []string{"A", "Ç", "R", "falha"} {
			all = append(all, question{"rui", "/servico/registro", url.Values{"situacao": {status}}.Encode()})
		}
		for _, number := range numbers(t) {
			all = append(all, question{"rui", "/servico/registro", url.Values{"numero": {number}}.Encode()})
		}
		for _, name := range slices.Sorted(maps.Keys(p.known.Filters)) {
			login, _, _ := strings.Cut(name, " ")
			all = append(all, question{login, p.known.Filters[name], ""})
		}
		for _, login := range slices.Sorted(maps.Keys(p.known.Links)) {
			all = append(all, question{"ninguém", p.known.Links[login], ""})
		}
		return all
	})
}

// settled waits for what the start of the program changes: what was on the wire when
// the first release was killed is unknown, what was held got another chance, and what
// was accepted is decided, at which the operator now fails.
func (p *program) settled(t *testing.T) {
	t.Helper()
	for _, moved := range []struct{ words, until string }{
		{"caminho quando o programa parou", "O Guichê parou"}, {"fila acesso recusado", "vamos tentar de novo"},
	} {
		found := p.put(t, question{"celia", "/historico", url.Values{"texto": {moved.words}}.Encode()})
		path := byLabel(factsOf(t, found))["linha"][0]
		eventually(t, path+" settles", func() bool {
			return strings.Contains(byLabel(factsOf(t, p.put(t, question{"celia", path, ""})))["linha do tempo"][0], moved.until)
		})
	}
	eventually(t, "the operator fails at what nobody had asked it yet", func() bool {
		failed := p.put(t, question{"rui", "/servico/registro", url.Values{"situacao": {"falha"}}.Encode()})
		return bytes.Contains(failed.body, []byte("P-5004")) && bytes.Contains(failed.body, []byte("P-5005"))
	})
}

// eventually waits until something holds, at most 20 s.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end, tick := time.NewTimer(20*time.Second), time.NewTicker(20*time.Millisecond)
	defer end.Stop()
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("did not happen: %s", what)
		}
	}
}

// TestGolden_Service shows the service alone as the first release did: what its
// console keeps without a desk, and every authorization by its number and its guiaId.
func TestGolden_Service(t *testing.T) {
	p := MustRunService(t)
	p.answers(t, "service.txt", func() []question {
		all := []question{{"rui", "/servico/unidades", ""}, {"rui", "/servico/profissionais", ""},
			{"chave viva", "/api/v2/credenciais", ""}, {"chave viva", "/api/v2/profissionais-executantes", ""}}
		for _, name := range slices.Sorted(maps.Keys(p.known.Keys)) {
			all = append(all, question{"chave " + name, "/api/v2/unidades", ""})
		}
		for _, name := range slices.Sorted(maps.Keys(p.known.Tokens)) {
			for _, path := range []string{"/api/v2/unidades", "/api/v2/autorizacoes?guiaPrestador=P-0001"} {
				all = append(all, question{"token " + name, path, ""})
			}
		}
		return append(all, stored(t)...)
	})
}

// ledger opens the ledger as it was kept.
func ledger(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(MustRestore(t), "service", "service.db"))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// numbers are some by which the ledger is searched: of each kind the last one.
func numbers(t *testing.T) []string {
	t.Helper()
	all := make([]string, 4)
	must(t, ledger(t).QueryRowContext(t.Context(), `SELECT (SELECT provider_guide FROM request ORDER BY id LIMIT 1),
		(SELECT document ->> 'GuideID' FROM authorization_entry ORDER BY id DESC LIMIT 1),
		(SELECT document ->> 'GuideNumber' FROM authorization_entry WHERE document ->> 'GuideNumber' <> '' ORDER BY id DESC LIMIT 1),
		(SELECT document ->> 'GuideNumber' FROM authorization_revision WHERE document ->> 'GuideNumber' <> '' ORDER BY id DESC LIMIT 1)`).
		Scan(&all[0], &all[1], &all[2], &all[3]))
	return all
}

// stored asks for all that is in the ledger, by the partner whose it is.
func stored(t *testing.T) (all []question) {
	t.Helper()
	rows, err := ledger(t).QueryContext(t.Context(), `SELECT r.provider_guide, p.name LIKE 'Parceiro%',
			json_group_array(e.document ->> 'GuideID') FILTER (WHERE e.id IS NOT NULL)
		FROM request r JOIN profile p ON p.id = r.profile_id LEFT JOIN authorization_entry e ON e.request_id = r.id
		WHERE r.provider_guide NOT IN ('P-0024', 'P-6000') GROUP BY r.id ORDER BY r.id`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var guide, text string
		var partner bool
		must(t, rows.Scan(&guide, &partner, &text))
		who := map[bool]string{true: "chave viva", false: "própria"}[partner]
		all = append(all, question{who, "/api/v2/autorizacoes?guiaPrestador=" + url.QueryEscape(guide), ""})
		var ids []string
		must(t, json.Unmarshal([]byte(text), &ids))
		for _, id := range ids {
			all = append(all, question{who, "/api/v2/autorizacoes/" + id, ""})
		}
	}
	must(t, rows.Err())
	return all
}

// call is one of requests.json: what a partner's program sent.
type call struct {
	Name, Path, Access, Key string
	Body                    map[string]any
	Later                   bool // nobody knew its answer when the folder was closed
}

// send sends a request as then, with a body of now.
func (p *program) send(t *testing.T, c call, body map[string]any) answer {
	t.Helper()
	text, err := json.Marshal(body)
	must(t, err)
	r := p.request(t, http.MethodPost, c.Path, "application/json", string(text))
	if c.Key != "" {
		r.Header.Set("Idempotency-Key", c.Key)
	}
	who := "token " + c.Access
	if p.known.Keys[c.Access] != "" {
		who = "chave " + c.Access
	}
	return p.ask(t, who, r)
}

// TestGolden_Repeat sends every request of then once more: each has the same answer,
// byte for byte, and another request under its key or its number is refused.
func TestGolden_Repeat(t *testing.T) {
	p := MustRunService(t)
	var all []section
	for _, c := range MustReadJSON[[]call](t, "requests.json") {
		a := p.send(t, c, c.Body)
		facts := []fact{{"status", strconv.Itoa(a.status)}, {"repetida", a.header.Get("Idempotency-Replayed")}}
		if c.Later {
			facts = append(facts, printedFacts(t, a)...)
		} else {
			facts = append(facts, fact{"sha256", hash(a.body)})
			p.refusesAnother(t, c)
		}
		all = append(all, section{question{who: c.Access, path: c.Name}, facts})
	}
	if *record {
		mustWriteWant(t, "requests.txt", all)
		return
	}
	want := MustReadWant(t, "requests.txt")
	if len(want) != len(all) {
		t.Fatalf("%d answers, want %d", len(all), len(want))
	}
	for i := range want {
		compare(t, want[i], all[i].facts)
	}
}

// refusesAnother sends another body under the key or the number of a request.
func (p *program) refusesAnother(t *testing.T, c call) {
	t.Helper()
	another := maps.Clone(c.Body)
	inner := another
	if taken, ok := another["solicitacao"].(map[string]any); ok {
		inner = maps.Clone(taken)
		another["solicitacao"] = inner
	}
	switch {
	case inner["nomeBeneficiario"] != nil:
		inner["nomeBeneficiario"] = "Outra pessoa"
	case inner["anexos"] != nil:
		inner["anexos"] = inner["anexos"].([]any)[:1]
	case inner["biometrias"] != nil:
		inner["biometrias"] = append([]any{map[string]any{"tipo": "iris", "conteudo": "AA=="}}, inner["biometrias"].([]any)...)
	default:
		inner["motivo"] = "Outro motivo"
	}
	a := p.send(t, c, another)
	if a.status != http.StatusConflict || !bytes.Contains(a.body, []byte(`"corpo_diferente"`)) {
		t.Errorf("%s with another body: %d %.200s", c.Name, a.status, a.body)
	}
}

// TestGolden_Audit reads the whole trail and has its chain checked.
func TestGolden_Audit(t *testing.T) {
	p := MustRunDesk(t)
	got := section{question{who: "rui", path: "/auditoria"}, p.trail(t)}
	if *record {
		mustWriteWant(t, "audit.txt", []section{got})
		return
	}
	compare(t, MustReadWant(t, "audit.txt")[0], got.facts)
	checked := p.ask(t, "rui", p.request(t, http.MethodPost, "/auditoria/conferir", "application/x-www-form-urlencoded", ""))
	if chain := byLabel(factsOf(t, checked))["corrente"]; !slices.Equal(chain, []string{"Corrente inteira."}) {
		t.Errorf("the chain: %q", chain)
	}
}

// trail is the audit trail, newest first, an entry a fact, without what this test
// adds to it: that has the moment at which the test stands.
func (p *program) trail(t *testing.T) (all []fact) {
	t.Helper()
	zone, err := time.LoadLocation("America/Sao_Paulo")
	must(t, err)
	now := p.known.At.In(zone).Format("02/01/2006 15:04:05")
	for path := "/auditoria"; path != ""; {
		a := p.put(t, question{"rui", path, ""})
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(a.body))
		must(t, err)
		doc.Find("tbody tr").Each(func(_ int, row *goquery.Selection) {
			cells := row.Find("td").Map(func(_ int, cell *goquery.Selection) string { return folded(cell.Text()) })
			if cells[0] != now {
				all = append(all, fact{"registro", strings.Join(cells, " | ")})
			}
		})
		path = ""
		for _, address := range addresses(t, a) {
			if strings.HasPrefix(address, "/auditoria?") {
				path = address
			}
		}
	}
	return all
}
