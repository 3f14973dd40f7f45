package e2e_test

import (
	"net/url"
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Past opens what the demo begins with: its queue, its history and a case of
// every group, in both sizes and both themes.
func TestPages_Past(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Past: true})
	p.LogIn(t, apptest.Reception) // waits for the past, however long that takes to be made
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.pointsAt("1", ".status-counts")
	b.leavesTour("#conteudo")
	b.look("demo-fila")
	b.open("/historico")
	b.see("table.history-table")
	b.look("demo-historico")
	if over := eval[int](b, "(t => t.scrollWidth - t.clientWidth)(document.querySelector('.table-responsive'))"); over > 0 {
		t.Errorf("%d points of the history are out of sight at 1366", over)
	}
	ana := p.LogIn(t, apptest.Reception)
	for _, group := range []string{"vez", "cor", "neg", "ok", "esp", "fim", "sem-resposta"} {
		list := ana.Get("/fila?grupo=" + group)
		if group == "fim" { // the queue shows what was closed today, which on a Sunday is nothing
			list = ana.Post("/historico", url.Values{"situacao": {group}})
		}
		path, found := list.Find("#fila tbody td:nth-child(2) a, .history-table tbody td:nth-child(2) a").First().Attr("href")
		if !found {
			t.Errorf("no case of the group %s", group)
			continue
		}
		b.open(path)
		b.look("demo-caso-" + group)
	}
}
