package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// asked is how many times a page is asked for in one round.
const asked = 200

// BenchmarkHistory reads the history's page over HTTP, unfiltered, by situation
// and by words, over many cases and over few. For each it tells p50 and p99 over
// many in milliseconds, how many times longer both are than over few (growth),
// and how many times longer p50 is than a bare net/http answer of the same bytes
// and than the same search in the sqlite3 shell, where that is installed.
func BenchmarkHistory(b *testing.B) {
	const few, many = 1_000, 100_000
	small, large := newHistoryBench(b, few), newHistoryBench(b, many)
	for _, search := range []struct {
		name string
		form url.Values
		ids  string // the shell's search
	}{
		{"recent", nil, `SELECT submission_id FROM history ORDER BY submission_id DESC LIMIT 51`},
		{"group", url.Values{"situacao": {"neg"}}, `SELECT submission_id FROM history WHERE queue_group = 3 ORDER BY ` +
			`submission_id DESC LIMIT 51`},
		{"words", url.Values{"texto": {"d'avila mar"}},
			`SELECT rowid AS submission_id FROM history_text WHERE history_text MATCH '"d"* "avila"* "mar"*' ORDER BY rowid DESC LIMIT 51`},
		{"rare", url.Values{"texto": {"0310 0000 0079 19"}},
			`SELECT rowid AS submission_id FROM history_text WHERE history_text MATCH '"03100000007919"*' ORDER BY rowid DESC LIMIT 51`},
	} {
		b.Run(search.name, func(b *testing.B) {
			fewPage, manyPage := small.page(search.form), large.page(search.form)
			bare := newBareBench(b, manyPage())
			shell := newShell(b, large.folder)
			var ofFew, ofMany, ofBare, ofShell times
			for b.Loop() {
				for range asked {
					ofFew.take(func() { fewPage() })
					ofMany.take(func() { manyPage() })
					ofBare.take(bare)
					if shell != nil {
						ofShell.take(func() { shell.ask(shownInShell(search.ids)) })
					}
				}
			}
			b.ReportMetric(ofMany.ms(50), "p50-ms")
			b.ReportMetric(ofMany.ms(99), "p99-ms")
			b.ReportMetric(ofMany.ms(50)/ofFew.ms(50), "p50-growth")
			b.ReportMetric(ofMany.ms(99)/ofFew.ms(99), "p99-growth")
			b.ReportMetric(ofMany.ms(50)/ofBare.ms(50), "p50/bare")
			if shell != nil {
				b.ReportMetric(ofMany.ms(50)/ofShell.ms(50), "p50/sqlite3")
			}
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// times are how long each of many takes took.
type times []time.Duration

func (t *times) take(fn func()) {
	start := time.Now()
	fn()
	*t = append(*t, time.Since(start))
}

func (t times) ms(percentile int) float64 {
	sorted := slices.Sorted(slices.Values(t))
	return float64(sorted[len(sorted)*percentile/100]) / float64(time.Millisecond)
}

// historyBench is a program with many cases and a supervisor who is logged in.
type historyBench struct {
	b       *testing.B
	folder  string
	visitor *apptest.Client
}

func newHistoryBench(b *testing.B, cases int) historyBench {
	b.Helper()
	p := apptest.Start(b, apptest.Options{})
	p.AddCases(b, cases)
	return historyBench{b, p.DataDir, p.LogIn(b, apptest.Supervision)}
}

// page stores a filter and returns what asks for its page.
func (h historyBench) page(form url.Values) func() []byte {
	h.b.Helper()
	address := "/historico"
	if form != nil {
		address = h.visitor.Post("/historico", form).Path
	}
	return func() []byte {
		got := h.visitor.Get(address)
		if got.Status != http.StatusOK || strings.Count(string(got.Body), "<tr") < 2 {
			h.b.Fatalf("GET %s: %d, %d bytes", address, got.Status, len(got.Body))
		}
		return got.Body
	}
}

// newBareBench serves the bytes without anything else.
func newBareBench(b *testing.B, body []byte) func() {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(body)
	}))
	b.Cleanup(server.Close)
	return func() {
		res, err := server.Client().Get(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		defer res.Body.Close()
		if got, err := io.ReadAll(res.Body); err != nil || len(got) != len(body) {
			b.Fatalf("bare: %d bytes, %v", len(got), err)
		}
	}
}

// shownInShell is what the page shows of the cases that a search finds.
func shownInShell(ids string) string {
	return `SELECT s.uid, s.created_at, s.beneficiary_name, s.card_number, s.credential_name, s.unit_name, d.name, p.code,
	(SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id), st.state, st.status, st.password,
	EXISTS (SELECT 1 FROM answer a JOIN authorization z ON z.answer_id = a.id WHERE a.submission_id = s.id AND z.guide_pdf <> '')
	FROM (` + ids + `) found JOIN submission s ON s.id = found.submission_id JOIN submission_state st ON st.submission_id = s.id
	JOIN submission_procedure p ON p.submission_id = s.id AND p.position = 0 LEFT JOIN desk_person d ON d.uid = s.sender ORDER BY s.id DESC;`
}

// shell is a running sqlite3 on the program's database.
type shell struct {
	b   *testing.B
	in  io.Writer
	out *bufio.Reader
}

// newShell starts sqlite3, nil where it is not installed.
func newShell(b *testing.B, folder string) *shell {
	b.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil
	}
	command := exec.Command(program, "-readonly", "-batch", filepath.Join(folder, "desk", "guiche.db"))
	in, inErr := command.StdinPipe()
	out, outErr := command.StdoutPipe()
	if err := command.Start(); err != nil || inErr != nil || outErr != nil {
		b.Fatal(err, inErr, outErr)
	}
	b.Cleanup(func() {
		_ = in.Close()
		if err := command.Wait(); err != nil {
			b.Error(err)
		}
	})
	s := &shell{b, in, bufio.NewReader(out)}
	s.ask("")
	return s
}

// ask runs a query and reads its rows.
func (s *shell) ask(query string) {
	const end = "fim da resposta"
	if _, err := fmt.Fprintf(s.in, "%s\nSELECT '%s';\n", strings.ReplaceAll(query, "\n", " "), end); err != nil {
		s.b.Fatal(err)
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.b.Fatalf("sqlite3: %v", err)
		}
		if strings.TrimSpace(line) == end {
			return
		}
	}
}
