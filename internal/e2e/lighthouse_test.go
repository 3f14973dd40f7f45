//go:build lighthouse

package e2e_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/webui"
)

var lighthouseRuns = flag.Int("lighthouse-runs", 3, "how often each page is measured")

// noPages are addresses that answer with something else than a page of their own.
var noPages = []string{"/healthz", "/readyz", "/", "/fila/proximo", "/casos/:uid/estado", "/casos/:uid/ato", "/casos/:uid/guias/:indice",
	"/casos/:uid/anexos/:anexo", "/nova/:uid/anexos/:anexo", "/nova/:uid/celular", "/ajuda/exemplo",
	"/servico/unidades/nova", "/servico/profissionais/novo"} // the last two where there is no desk

// TestLighthouse measures every page of the table of routes on a desktop and on a phone
// (make lighthouse).
func TestLighthouse(t *testing.T) {
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Past = true }})
	visitors, found := []*apptest.Client{p.Client(t)}, map[string]visited{}
	for _, role := range []string{apptest.Reception, apptest.Supervision, apptest.Administration} {
		visitors = append(visitors, p.LogIn(t, role))
	}
	prepare(t, p, visitors)
	for _, v := range visitors {
		crawl(v, found)
	}
	for _, pattern := range pagePatterns() {
		page, ok := found[pattern]
		if !ok {
			t.Errorf("no page leads to %s", pattern)
			continue
		}
		t.Run(strings.Trim(strings.ReplaceAll(pattern, "/", "."), "."), func(t *testing.T) { measure(t, p.URL+page.path, page.cookie) })
	}
}

// pagePatterns are the addresses of pages in the table of routes.
func pagePatterns() (all []string) {
	for _, r := range webui.WithDesk(webui.DeskConfig{}).Routes() {
		if r.Method == http.MethodGet && !slices.Contains(noPages, r.Pattern) {
			all = append(all, r.Pattern)
		}
	}
	return all
}

// visited is a page as somebody sees it.
type visited struct{ path, cookie string }

// starts are pages to which no other leads by a link.
var starts = []string{"/entrar", "/fila", "/historico", "/pessoas", "/cadastros", "/servico", "/servico/conexao", "/auditoria", "/copias",
	"/integridade", "/ajuda", "/conta", "/cadastros/sincronizar", "/celular"}

// prepare makes what the demo begins without: a stored filter, a draft, accesses of a partner, a link for a new person.
func prepare(t *testing.T, p *apptest.Server, visitors []*apptest.Client) {
	t.Helper()
	ana, celia, rui := visitors[1], visitors[2], visitors[3]
	for _, path := range celia.Get("/fila").Attrs("#fila tbody td:nth-child(2) a", "href") {
		for _, page := range []string{"/retorno", "/cancelar", "/comprovante", "/anotar", "/reanalise", "/particular"} {
			starts = append(starts, path+page)
		}
	}
	starts = append(starts, ana.Post("/historico", url.Values{"texto": {"lima"}}).Path)
	partner := rui.AddPartner("Hospital da Serra")
	rui.Post(partner+"/usuarios", url.Values{"usuario": {"integracao-2"}})
	starts = append(starts, partner, partner+"/sessoes", rui.Post(rui.PersonPath("bruna")+"/convite", nil).Invitation())
	address, form := ana.NewDraft()
	ana.Post(address, form)
	starts = append(starts, address)
}

// most is how many pages a visitor opens.
const most = 400

// crawl opens what links lead to, and keeps the first page of each pattern.
func crawl(v *apptest.Client, found map[string]visited) {
	v.T.Helper()
	waiting, seen := slices.Clone(starts), map[string]bool{}
	for len(waiting) > 0 && len(seen) < most {
		path := waiting[0]
		waiting = waiting[1:]
		plain, _, _ := strings.Cut(path, "?")
		pattern := patternOf(plain)
		if pattern == "" || seen[path] || found[pattern].path != "" && plain == path && strings.Contains(pattern, ":") {
			continue
		}
		seen[path] = true
		page := v.Get(path)
		if page.Status != http.StatusOK || page.Path != plain || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			continue
		}
		if found[pattern].path == "" {
			found[pattern] = visited{path, cookieOf(v)}
		}
		waiting = append(waiting, page.Attrs("a[href^='/']", "href")...)
	}
}

// patternOf is the pattern of a page's address, "" for none.
func patternOf(path string) string {
	all := pagePatterns()
	if slices.Contains(all, path) {
		return path
	}
	for _, pattern := range all {
		expression := "^" + regexp.MustCompile(`:\w+`).ReplaceAllString(pattern, `[^/]+`) + "$"
		if regexp.MustCompile(expression).MatchString(path) {
			return pattern
		}
	}
	return ""
}

func cookieOf(v *apptest.Client) string {
	var all []string
	for _, c := range v.Cookies() {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

// scored is what Lighthouse says of a page on one kind of device.
type scored struct {
	Performance, Accessibility int
	BestPractices              int `json:"best-practices"`
	At                         string
	Speed                      map[string]string // what performance is made of
	Found, Foreign             []string
}

// measure fails the test where a page does not reach its scores.
func measure(t *testing.T, address, cookie string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", "../../.ci/lighthouse/measure.mjs", address, cookie, strconv.Itoa(*lighthouseRuns))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("lighthouse: %v (make lighthouse installs it)", err)
	}
	var got map[string]scored
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("lighthouse said %.300s", out)
	}
	for device, s := range got {
		t.Logf("%s: performance %d, accessibility %d, best practices %d", device, s.Performance, s.Accessibility, s.BestPractices)
		if s.Performance < 98 || s.Accessibility < 100 || s.BestPractices < 100 || len(s.Foreign) > 0 {
			t.Errorf("%s: %+v", device, s)
		}
		if at, want := s.At, address; at != want {
			t.Errorf("%s: was led to %s", device, at)
		}
	}
}
