package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestUpload_TextTooLong: text without end beside a file is refused whole, and nothing of it is
// kept.
func TestUpload_TextTooLong(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	form.Set("observacoes", strings.Repeat("x", 3<<20))
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1000)}).Check(t,
		apptest.Want{Status: http.StatusRequestEntityTooLarge, Text: map[string]string{"main": "texto demais"}})
	ana.Get(address).Check(t, apptest.Want{Status: http.StatusNotFound})
}
