package console_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
	"github.com/getkin/kin-openapi/openapi3"
)

// TestDescription_Search: the form narrows the page without scripts.
func TestDescription_Search(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for words, want := range map[string]string{
		"GUIAPRESTADOR /autorizacoes consultá": "procurarPorGuia open",
		"cancelamento POST":                    "cancelar open",
		"xyz":                                  "",
	} {
		got := v.Post("/servico/descricao", url.Values{"Busca": {words}})
		var shown []string
		got.Find("details.api-section").Each(func(_ int, s *goquery.Selection) {
			id := s.AttrOr("id", "")
			if _, open := s.Attr("open"); open {
				id += " open"
			}
			shown = append(shown, id)
		})
		if want == "" && (len(shown) > 0 || got.Count("#nada:not([hidden])") != 1) || want != "" && !slices.Contains(shown, want) {
			t.Errorf("%q: got %q, want %q", words, shown, want)
		}
	}
	whole := v.Post("/servico/descricao", url.Values{"Busca": {"  "}})
	if all := whole.Find("details.api-section"); all.Length() < 20 ||
		all.FilterFunction(func(_ int, s *goquery.Selection) bool { _, open := s.Attr("open"); return open }).Length() > 0 {
		t.Errorf("no words: got %d sections, want all of them, folded", all.Length())
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// examples are the examples of the service's description, by operation.
func examples(t *testing.T, p *apptest.Server) map[string]string {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(p.Client(t).Get("/api/openapi.yaml").Body)
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if found := shellBlock.FindStringSubmatch(op.Description); found != nil {
				scripts[op.OperationID] = found[1]
			}
		}
	}
	if len(scripts) < 10 {
		t.Fatalf("the description has %d examples", len(scripts))
	}
	return scripts
}

// TestDescription_Page: the page shows every operation with the example that was
// run, and every link within it leads somewhere.
func TestDescription_Page(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	scripts := examples(t, p)
	doc := p.LogIn(t, apptest.Administration).Get("/servico/descricao")
	for id, script := range scripts {
		if shown := doc.Find("#" + id + " pre").Text(); shown != strings.TrimSuffix(script, "\n") {
			t.Errorf("%s: got the example %q, want %q", id, shown, script)
		}
		if heading := doc.Find("#" + id + " h3").Text(); !strings.Contains(heading, "/") {
			t.Errorf("%s: got the heading %q, want method and path", id, heading)
		}
	}
	links := doc.Find("main a[href^='#']")
	if links.Length() <= len(scripts) {
		t.Errorf("got %d links within the page, want one for each of %d operations and more", links.Length(), len(scripts))
	}
	links.Each(func(_ int, s *goquery.Selection) {
		if to := s.AttrOr("href", ""); doc.Find(to).Length() != 1 {
			t.Errorf("%s leads to %d places, want 1", to, doc.Find(to).Length())
		}
	})
	for address, want := range map[string]string{
		"#autorizar-c":     "procedimentos[].codigoProcedimento|texto, sempre|Não vazio",
		"#autorizar-200":   "data.autorizacoes|lista de Autorizacao, sempre|",
		"#elegibilidade-p": "credencialId|texto (uuid), na consulta, sempre|O credencialElegibilityId da credencial.",
		"#coletar-c":       "biometrias|lista de Biometria, sempre|De 1 a 10 itens",
	} {
		var shown []string
		doc.Find("table[aria-labelledby='" + address[1:] + "'] tbody tr").Each(func(_ int, s *goquery.Selection) {
			cells := s.Find("td").Map(func(_ int, cell *goquery.Selection) string { return strings.TrimSpace(cell.Text()) })
			shown = append(shown, strings.Join(cells, "|"))
		})
		if !slices.Contains(shown, want) {
			t.Errorf("%s does not say %q: %q", address, want, shown)
		}
	}
	for id, want := range map[string]string{"consultar": "escopo autorizacoes:ler", "listarRecursos": "qualquer acesso",
		"entrar": "aberto a todos"} {
		if who := doc.Find("#" + id + " .access").Text(); who != want {
			t.Errorf("who may use %s: got %q, want %q", id, who, want)
		}
	}
}
