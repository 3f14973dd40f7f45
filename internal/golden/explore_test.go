package golden_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// explored are the addresses that recording follows from the pages on which they
// stand, by who is asking.
var explored = map[string]*regexp.Regexp{
	"celia": regexp.MustCompile(`^(/casos/[^/]{36}|/casos/.*/(guias|anexos)/[^/]+|/fila\?grupo=.*|/(fila|historico)\?antes=.*)$`),
	"ana":   regexp.MustCompile(`^/nova/[^/]{36}$`),
	"bento": regexp.MustCompile(`^/casos/[^/]{36}$`),
	"rui":   regexp.MustCompile(`^(/pessoas/[^/]{36}|/cadastros/\w+(/[^/]{8,36})?|/servico/\w+/[^/]{36}(/sessoes)?)$`),
}

// unsteady is the profile of the installation itself, which gets a key at each
// start.
const unsteady = "/servico/parceiros/0198a000-0000-7000-8000-000000000001"

// brief are questions whose rows are told in full elsewhere: of their answers only
// these labels are kept.
var brief = []struct{ question, labels *regexp.Regexp }{
	{regexp.MustCompile(`\t/(historico\t|historico/|fila\?grupo|servico/registro\t)`), regexp.MustCompile(`^(status|linha|[a-z]+)$`)},
	{regexp.MustCompile(`^ana\t/fila`), regexp.MustCompile(`^(status|linha|rascunho|Meus rascunhos)$`)},
	{regexp.MustCompile(`\?guiaPrestador=`), regexp.MustCompile(`^(status|.*guiaId|.*statusAutorizacao|erros.*)$`)},
	{regexp.MustCompile(`^(token .*|chave com prazo)\t/api/v2/unidades`), regexp.MustCompile(`^status$`)},
}

// explore asks and follows what the answers lead to.
func (p *program) explore(t *testing.T, open []question) (all []section) {
	t.Helper()
	seen := map[question]bool{}
	for len(open) > 0 {
		q := open[0]
		open = open[1:]
		if seen[q] {
			continue
		}
		seen[q] = true
		a := p.put(t, q)
		all = append(all, section{question: q, facts: inBrief(q, factsOf(t, a))})
		follow := explored[q.who]
		if q.form != "" || follow == nil || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, address := range addresses(t, a) {
			if follow.MatchString(address) && address != unsteady && address != "/cadastros/sincronizar" {
				open = append(open, question{who: q.who, path: address})
			}
		}
	}
	return all
}

func inBrief(q question, facts []fact) []fact {
	for _, b := range brief {
		if b.question.MatchString(q.String()) {
			facts = slices.DeleteFunc(facts, func(f fact) bool { return !b.labels.MatchString(f.label) })
		}
	}
	return facts
}

// addresses are those that a page leads to.
func addresses(t *testing.T, a answer) (all []string) {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(a.body))
	must(t, err)
	doc.Find("main a[href], main iframe[src]").Each(func(_ int, link *goquery.Selection) {
		if address := file(link); address != "" {
			all = append(all, address)
		} else {
			all = append(all, link.AttrOr("href", ""))
		}
	})
	return all
}
