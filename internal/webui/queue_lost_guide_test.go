package webui_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestQueue_LostGuide: a row of the queue says the same of a damaged guide as its case does.
func TestQueue_LostGuide(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	path := ana.SubmitWith(map[string]string{"numeroCarteira": "99990100001"}).Path
	step := func() string { return ana.Get("/fila").Text("#fila tbody td:last-child") }
	if got := step(); got != "Imprimir guia" {
		t.Fatalf("the row says %q", got)
	}
	MustHarm(t, server, "%PDF-")
	found := ana.Get(path) // which finds the damage
	if got, want := step(), found.Text("section[aria-label='Situação'] .btn-primary"); got != "Ver aviso da guia" || got != want {
		t.Errorf("the row says %q, the case %q", got, want)
	}
}
