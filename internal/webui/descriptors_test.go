//go:build unix

package webui_test

import (
	"net/http"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/limittest"
)

// TestBusy_Descriptors: where the process can open nothing more, files are refused with a
// sentence, what was typed stays, and all goes on afterwards.
func TestBusy_Descriptors(t *testing.T) {
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	file := map[string][]byte{"pedido.pdf": apptest.PDF(4000)}
	attached := ana.Upload(address+"/anexos", form, file)
	attached.Check(t, apptest.Want{Status: http.StatusOK})
	path := address + attached.AttachmentPath()
	form.Set("versao", attached.Value("#versao"))
	limittest.WithoutDescriptors(t, func() {
		wantOutOfReach(t, ana.Get(path), "main")
		var page *apptest.Page
		apptest.Eventually(t, "no other work has the connections that are open", func() bool {
			page = ana.Upload(address+"/anexos", apptest.With(form, map[string]string{"observacoes": "uma linha a mais"}), file)
			return page.Has("#observacoes")
		})
		wantOutOfReach(t, page, "#anexos .tone-error .error")
		page.Check(t, apptest.Want{Status: page.Status, Value: map[string]string{"#observacoes": "uma linha a mais"}})
	})
	ana.Get(path).Check(t, apptest.Want{Status: http.StatusOK})
}
