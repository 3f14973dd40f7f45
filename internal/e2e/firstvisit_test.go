package e2e_test

import (
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// mostAtFirst is how many bytes a browser fetches to show any page for the first time.
const mostAtFirst = 45_000

// TestFirstVisit: no page, whoever opens it, takes more than that with its styles, scripts and icons, compressed, in a
// clinic as large as the one that bench-history measures. The pictures of the manual, PDFs and frames are not counted.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Past: true})
	visitors := visitorsOf(t, p)
	starts := prepare(visitors)
	grow(visitors[3])
	p.AddCases(t, 250)
	files := fetched{}
	for i, who := range []string{"nobody", apptest.Reception, apptest.Supervision, apptest.Administration} {
		found := map[string]visited{}
		crawl(visitors[i], starts, found)
		pages := slices.Clone(starts)
		for _, page := range found {
			pages = append(pages, page.path)
		}
		heaviest(t, who, pages, func(at string) int { return files.visit(visitors[i], at) })
	}
}

// grow adds units with their places and executants until there are six and twelve: the form offers each of them.
func grow(rui *apptest.Client) {
	rui.T.Helper()
	added := apptest.Want{Status: http.StatusOK, Text: map[string]string{"main [role=status]": "Guardado. Já vale no formulário."}}
	for _, name := range []string{"Jardim das Flores", "Vila Mariana", "Tatuapé", "Hospital Beira-Rio"} {
		rui.Post("/cadastros/unidades/nova", url.Values{"nome": {name}, "pontosAtendimento[0].nome": {"Balcão 1"},
			"pontosAtendimento[1].nome": {"Balcão 2"}, "pontosAtendimento[2].nome": {"Coleta"}}).Check(rui.T, added)
	}
	for i, name := range []string{"Alexandre de Oliveira", "Andréia Sampaio", "Benedita Castilho", "Cristóvão Lins", "Débora Vidigal",
		"Edileusa Farah", "Fabrício Borba", "Iracema Teixeira", "Marlene Duarte"} {
		rui.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. " + name}, "siglaConselho": {"CRM"},
			"numeroConselho": {strconv.Itoa(80100 + i*731)}, "uf": {"SP"}, "especialidades[0].id": {"5"},
			"especialidades[0].nome": {"Ortopedia"}, "especialidades[0].cbo": {"225270"}}).Check(rui.T, added)
	}
}

// heaviest fails the test where a page is too heavy, and tells the ten that are heaviest.
func heaviest(t *testing.T, who string, pages []string, visit func(at string) int) {
	t.Helper()
	slices.Sort(pages)
	bytes := map[string]int{}
	for _, at := range pages {
		bytes[at] = visit(at)
		if bytes[at] > mostAtFirst {
			t.Errorf("%s: %d bytes at the first visit of %s, want at most %d", who, bytes[at], at, mostAtFirst)
		}
	}
	pages = slices.Compact(pages)
	slices.SortFunc(pages, func(a, b string) int { return bytes[b] - bytes[a] })
	for _, at := range pages[:min(10, len(pages))] {
		t.Log(who, bytes[at], at)
	}
}

// named are the files that a page or a style sheet names.
var named = regexp.MustCompile(`(?:<(?:link|script)[^>]* (?:href|src)="|url\(["']?)(/static/[^"')]+|[\w.-]+\.(?:svg|woff2?|png))`)

// asset is a file as it was sent: its size, and the files that it names in turn.
type asset struct {
	bytes int
	names []string
}

// fetched are the files that were fetched before, by address.
type fetched map[string]asset

// visit is how many bytes a page has with all files that it and its styles name.
func (f fetched) visit(v *apptest.Client, at string) int {
	v.T.Helper()
	page := get(v, at)
	total, seen := page.bytes, map[string]bool{}
	for todo := page.names; len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		if _, ok := f[name]; !ok {
			f[name] = get(v, name)
		}
		total += f[name].bytes
		todo = append(slices.Clone(todo), f[name].names...)
	}
	return total
}

// get fetches an address as a browser does over TLS.
func get(v *apptest.Client, at string) asset {
	v.T.Helper()
	v.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	packed := v.Get(at)
	v.Header.Set("Accept-Encoding", "identity")
	plain := v.Get(at)
	v.Header.Del("Accept-Encoding")
	file := asset{bytes: len(packed.Body)}
	if kind := plain.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(kind, "text/css") {
		return file
	}
	for _, found := range named.FindAllStringSubmatch(string(plain.Body), -1) {
		file.names = append(file.names, path.Join("/static", strings.TrimPrefix(found[1], "/static/")))
	}
	return file
}
