package golden_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
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
	p.answers(t, "desk.txt", p.deskQuestions, "changed-desk.txt")
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

// TestGolden_Service shows the service alone as the first release did: what its
// console keeps without a desk, and every authorization by its number and its guiaId.
func TestGolden_Service(t *testing.T) {
	p := MustRunService(t)
	p.answers(t, "service.txt", p.serviceQuestions)
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
		all = append(all, section{question: question{who: c.Access, path: c.Name}, facts: facts})
	}
	if *record {
		mustWriteWant(t, "requests.txt", all)
		return
	}
	want := MustReadWant(t, "want", "requests.txt")
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
	got := section{question: question{who: "rui", path: "/auditoria"}, facts: p.trail(t)}
	if *record {
		mustWriteWant(t, "audit.txt", []section{got})
		return
	}
	compare(t, MustReadWant(t, "want", "audit.txt")[0].but(MustReadWant(t, "changed.txt")), got.facts)
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
