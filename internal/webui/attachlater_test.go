package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestAttachLater: a case that lacks an attachment takes it where the service does, and shows it.
func TestAttachLater(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	page := ana.SubmitWith(map[string]string{"numeroCarteira": "9999250000"})
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Falta anexo", `a.btn-primary[href="#anexar"]`: "Enviar anexo"},
		Count: map[string]int{"#anexar input[name=anexo][multiple]": 1, "#anexar button[data-shortcut=F7] kbd": 1,
			`form[action$="/copiar"]`: 1, "[autofocus]": 1}})
	if got := ana.Get("/fila").Text("tr:has([href='" + page.Path + "']) td:last-child > *"); got != "Enviar anexo" {
		t.Errorf("the queue calls the next step %q", got)
	}
	path, typed := page.Path, page.Form("#anexar")
	typed.Del("anexo")
	for says, files := range map[string]map[string][]byte{
		"Escolha o arquivo a enviar.": nil, "laudo.txt": {"laudo.txt": []byte("nada")},
	} {
		refused := ana.Upload(path+"/anexos", typed, files)
		if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Text("#anexo-error"), says) ||
			!refused.Has("#erros a[href='#anexo']") {
			t.Errorf("%d, %q, want %q", refused.Status, refused.Text("#anexo-error"), says)
		}
	}
	after := ana.Upload(path+"/anexos", typed, map[string][]byte{"laudo.pdf": apptest.PDF(2000)})
	after.Check(t, apptest.Want{Status: http.StatusOK, Path: path, Text: map[string]string{"#pedido-enviado .files": "laudo.pdf",
		"#tempo": "Anexo enviado à operadora por Ana Prado laudo.pdf"}, Count: map[string]int{"#anexar": 0}})
	if got := after.Text("#pedido-enviado .files"); !strings.Contains(got, "enviado depois") {
		t.Errorf("the file is shown as %q", got)
	}
	if late := ana.Upload(path+"/anexos", typed, map[string][]byte{"laudo.pdf": apptest.PDF(2000)}); late.Path != path ||
		!strings.Contains(late.Text("main > .notice"), "mudou") {
		t.Errorf("once more: at %s, %q", late.Path, late.Text("main > .notice"))
	}
}
