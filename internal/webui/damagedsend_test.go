package webui_test

import (
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCase_DamagedBeforeSending: a request whose attachment was damaged here has not left, and
// its history does not say that it was sent.
func TestCase_DamagedBeforeSending(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(4000)})
	form.Set("versao", ana.Get(address).Value("#versao"))
	MustHarm(t, server, "%PDF")
	page := ana.Submit(address, form)
	if got := page.Text("#veredito .verdict"); got != "Anexo danificado" {
		t.Fatalf("the case says %q", got)
	}
	got := page.Texts("#tempo li")
	if len(got) != 2 || !strings.Contains(got[0], "nada foi enviado") || !strings.Contains(got[1], "Revisado e confirmado por") {
		t.Errorf("got %q, want that it was confirmed and did not leave", got)
	}
}
