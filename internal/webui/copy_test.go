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
	if got := copied.Text("h1 + span"); got != "cópia corrigida de um pedido anterior" {
		t.Errorf("the copy is a %q", got)
	}
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
		got := v.Submit(copied.Path, form)
		if !strings.Contains(got.Text("main"), "Autorizado") {
			t.Errorf("got %s", got.Text("main"))
		}
		if v.Get(refused.Path).Attr(`dt:contains("Substituído por") + dd a`, "href") != got.Path ||
			got.Attr(`dt:contains("Corrige") + dd a`, "href") != refused.Path {
			t.Error("the correction and what it corrects do not lead to each other")
		}
	})
}

// TestCopy_Repeat: "Repetir" of an authorized request is no correction of it, leaves it in
// its place, and the first time already says when it was authorized and with which senha.
func TestCopy_Repeat(t *testing.T) {
	t.Parallel()
	v := startAnswering(t, authorized("", entryOf("A", `,"senha":"482017739"`)))
	first := v.Submit(v.NewDraft())
	copied := v.Post(first.Path+"/copiar", nil)
	review := v.Post(copied.Path+"/revisar", copied.Form("#pedido"))
	warning := review.Text("#revisao .notice")
	if !strings.Contains(warning, "Este mesmo pedido já foi autorizado para esta carteira em ") ||
		!strings.Contains(warning, "com a senha 482017739.") || review.Attr("#revisao .notice a", "href") != first.Path {
		t.Errorf("the first repeat warns %q", warning)
	}
	second := v.Submit(copied.Path, copied.Form("#pedido"))
	for _, page := range []*apptest.Page{second, v.Get(first.Path)} {
		if got := page.Text("#veredito .verdict"); got != "Autorizado" || page.Has(`dt:contains("Substituído")`) {
			t.Errorf("%s: got %q, replaced %v", page.Path, got, page.Has(`dt:contains("Substituído")`))
		}
	}
}

// TestCopy_WhileUndecided: to repeat what the operator has not decided is asked about.
func TestCopy_WhileUndecided(t *testing.T) {
	t.Parallel()
	v := startAnswering(t, authorized("", entryOf("R", "")))
	page := v.Submit(v.NewDraft())
	if got := page.Attr(`form[action$="/copiar"] button`, "data-confirm"); !strings.Contains(got, "pode gerar duas guias") {
		t.Errorf("it asks %q", got)
	}
}
