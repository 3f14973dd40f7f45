package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCopy_MissingAttachment: the service wants an attachment for a procedure.
// The case says so, its copy says so beside the attachments and keeps everything
// that was typed, and with the file it goes through.
func TestCopy_MissingAttachment(t *testing.T) {
	t.Parallel()
	const want = "O procedimento 40901122 exige anexo nesta credencial."
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	refused, form := v.SubmitWithoutAttachment()
	if !strings.Contains(refused.Text("main"), want) || !strings.HasPrefix(refused.Path, "/casos/") {
		t.Fatalf("at %s: %s", refused.Path, refused.Text("main"))
	}
	copied := v.Post(refused.Path+"/copiar", nil)
	t.Run("BesideTheAttachments", func(t *testing.T) {
		if got := copied.Text("#anexos-error"); !strings.Contains(got, want) {
			t.Errorf("beside them: got %q", got)
		}
		if copied.Count("#arquivo[aria-invalid=true][aria-describedby~='anexos-error']") != 1 ||
			copied.Count("#erros a[href='#arquivo']") != 1 {
			t.Errorf("the summary %q does not lead to the choice of files", copied.Text("#erros"))
		}
	})
	t.Run("KeepsEverything", func(t *testing.T) {
		for _, name := range []string{"credencialId", "nomeBeneficiario", "crmSolicitante", "unidadeId", "observacoes",
			"procedimentos[0].codigoProcedimento", "procedimentos[0].nomeProcedimento"} {
			if got := copied.Value("[name='" + name + "']"); got != form.Get(name) {
				t.Errorf("%s: got %q, want %q", name, got, form.Get(name))
			}
		}
	})
	t.Run("GoesThroughWithIt", func(t *testing.T) {
		if got := v.Upload(copied.Path+"/anexos", url.Values{},
			map[string][]byte{"pedido.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
			t.Fatalf("attach: got %d", got.Status)
		}
		again := v.Get(copied.Path)
		if again.Count("#anexos-error") != 0 {
			t.Errorf("with the file it still says %q", again.Text("#anexos-error"))
		}
		form.Set("versao", again.Value("#versao"))
		if got := v.Submit(copied.Path, form); !strings.Contains(got.Text("main"), "Autorizado") {
			t.Errorf("got %s", got.Text("main"))
		}
	})
}
