package e2e_test

import (
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

func TestZZ(t *testing.T) {
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Past = true }})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.theme("light")
	ana := p.LogIn(t, apptest.Reception)
	href := ana.Get("/fila?grupo=ok").Attr("#fila tbody td:nth-child(2) a", "href")
	for name, path := range map[string]string{"fila-vez": "/fila?grupo=vez", "fila": "/fila", "nova": "/nova", "caso": href} {
		b.open(path)
		for _, s := range []struct {
			n    string
			w, h int64
		}{{"1366", 1366, 768}, {"390", 390, 844}} {
			b.size(s.w, s.h)
			b.picture("zz-" + name + "-" + s.n)
		}
	}
}
