package webui_test

import (
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/storetest"
)

// TestWays: pages that show cases wait for PostgreSQL a few times each, however long a way is.
func TestWays(t *testing.T) {
	if !storetest.OnPostgres() {
		t.Skip("of PostgreSQL alone")
	}
	t.Parallel()
	w := postgrestest.Counted(t)
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Database.URL = w.Through(c.Database.URL)
	}})
	ana := p.LogIn(t, apptest.Reception)
	one := ana.SubmitWith(map[string]string{"nomeBeneficiario": "Marta d'Ávila"}).Path
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "José Ângelo"})
	unit := ana.Get("/historico").Attr("#unidade option:nth-child(2)", "value")
	newest := strings.TrimPrefix(ana.Get("/historico").Attr("table.history-table tbody a", "href"), "/casos/")
	for _, page := range []struct {
		name, path string
		most       int
	}{
		{"Queue", "/fila", 1},
		{"History", "/historico", 2},
		{"New", "/nova", 2},
		{"Deep", "/historico?antes=" + newest, 3},
		{"Filter", search(ana, url.Values{"unidade": {unit}}).Path, 3},
		{"Case", one, 2},
	} {
		t.Run(page.name, func(t *testing.T) {
			fewest := waysOf(ana, w, page.path)
			for range 200 { // at the first ones the server gets to know the statements, and the program does things besides
				if len(fewest) <= page.most {
					return
				}
				if went := waysOf(ana, w, page.path); len(went) < len(fewest) {
					fewest = went
				}
			}
			t.Errorf("%d ways, at most %d are good:\n%s", len(fewest), page.most, strings.Join(fewest, "\n"))
		})
	}
}

// waysOf are the ways of a page.
func waysOf(c *apptest.Client, w *postgrestest.Ways, path string) []string {
	w.Take()
	c.Get(path)
	return w.Take()
}
