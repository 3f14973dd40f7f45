package api_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"guiche/internal/service"

	"github.com/google/uuid"
)

// BenchmarkService_SearchCredentials searches 10,000 credentials over HTTP, by
// what partners search for, and reports p50 and p99, and how many times those of
// 100 credentials they are.
func BenchmarkService_SearchCredentials(b *testing.B) {
	few, many := mustCredentials(b, 100), mustCredentials(b, 10_000)
	for _, c := range []struct{ name, query, found string }{
		{"All", "", `"total":`},
		{"Common", "Busca=" + url.QueryEscape("saúde"), `"total":`},
		{"Letter", "Busca=o", `"total":`},
		{"Words", "Busca=" + url.QueryEscape("vale c0077"), `"total":1,`},
		{"Nothing", "Busca=inexistente", `"total":0,`},
		{"Page", "Pagina=2&TamanhoPagina=40", `"pagina":2,`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ofFew, ofMany times
			for b.Loop() {
				for range 100 {
					ofFew.add(b, func() error { return few.search(c.query, c.found) })
					ofMany.add(b, func() error { return many.search(c.query, c.found) })
				}
			}
			b.ReportMetric(ofMany.at(50)/float64(time.Millisecond), "p50-ms")
			b.ReportMetric(ofMany.at(99)/float64(time.Millisecond), "p99-ms")
			b.ReportMetric(ofMany.at(50)/ofFew.at(50), "p50-growth")
			b.ReportMetric(ofMany.at(99)/ofFew.at(99), "p99-growth")
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// mustCredentials is a service with so many credentials, beside those that every
// environment has; of each three, two have "saúde" in their names.
func mustCredentials(b *testing.B, n int) benchService {
	b.Helper()
	s := mustBenchService(b, limits{})
	kinds := []string{"Saúde", "Medicina de Grupo", "Caixa de Assistência à Saúde"}
	const sharingCommits = 64
	mustEach(b, sharingCommits, n, func(i int) error {
		return s.Admin.PutCredential(context.Background(), service.Credential{
			ID: uuid.New(), EligibilityID: uuid.New(), Operator: "simulada", ProviderCode: fmt.Sprintf("C%04d", i),
			Name: fmt.Sprintf("Operadora %d do Vale %s", i, kinds[i%len(kinds)]),
		})
	})
	return s
}

// search searches credentials and checks that the answer has what it must have.
func (c caller) search(query, found string) error {
	answer, err := c.do(http.MethodGet, "/api/v2/credenciais?"+query, nil)
	if err == nil && !bytes.Contains(answer, []byte(found)) {
		err = fmt.Errorf("search %q: got %.300s, want %s", query, answer, found)
	}
	return err
}
