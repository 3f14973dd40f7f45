package e2e_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/webui"
)

// noPages are addresses that answer with something else than a page of their own.
var noPages = []string{"/healthz", "/readyz", "/", "/fila/proximo", "/casos/:uid/estado", "/casos/:uid/ato", "/casos/:uid/guias/:indice",
	"/casos/:uid/anexos/:anexo", "/nova/:uid/anexos/:anexo", "/nova/:uid/celular", "/ajuda/exemplo",
	"/servico/unidades/nova", "/servico/profissionais/novo"} // the last two where there is no desk

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

// alone are pages to which no other leads by a link.
var alone = []string{"/entrar", "/fila", "/historico", "/pessoas", "/cadastros", "/servico", "/servico/conexao", "/auditoria", "/copias",
	"/integridade", "/ajuda", "/conta", "/cadastros/sincronizar", "/celular"}

// visitorsOf are somebody who is not logged in, and one person of each role.
func visitorsOf(t *testing.T, p *apptest.Server) []*apptest.Client {
	t.Helper()
	all := []*apptest.Client{p.Client(t)}
	for _, role := range []string{apptest.Reception, apptest.Supervision, apptest.Administration} {
		all = append(all, p.LogIn(t, role))
	}
	return all
}

// prepare makes what the demo begins without (a stored filter, a draft, accesses of a partner, a link for a new
// person), and tells at which addresses a crawl starts.
func prepare(visitors []*apptest.Client) []string {
	ana, celia, rui := visitors[1], visitors[2], visitors[3]
	starts := slices.Clone(alone)
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
	return append(starts, address)
}

// most is how many pages a visitor opens.
const most = 400

// crawl opens what links lead to, and keeps the first page of each pattern.
func crawl(v *apptest.Client, starts []string, found map[string]visited) {
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
