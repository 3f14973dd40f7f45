package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRefusal_MissingAttachment: the service wants an attachment for a procedure.
// The case says so, its copy says so beside the attachments and keeps everything
// that was typed, and with the file it goes through.
func TestRefusal_MissingAttachment(t *testing.T) {
	t.Parallel()
	const want = "O procedimento 40901122 exige anexo nesta credencial."
	v := MustVisit(t, MustRun(t), "recepcao")
	refused, form := v.submitWithoutAttachment()
	if !strings.Contains(refused.text("main"), want) || !strings.HasPrefix(refused.path, "/casos/") {
		t.Fatalf("at %s: %s", refused.path, refused.text("main"))
	}
	copied := v.post(refused.path+"/copiar", nil)
	t.Run("BesideTheAttachments", func(t *testing.T) {
		if got := copied.text("#anexos-e"); !strings.Contains(got, want) {
			t.Errorf("beside them: got %q", got)
		}
		if copied.doc().Find("#arquivo[aria-invalid=true][aria-describedby~='anexos-e']").Length() != 1 || copied.doc().Find("#erros a[href='#arquivo']").Length() != 1 {
			t.Errorf("the summary %q does not lead to the choice of files", copied.text("#erros"))
		}
	})
	t.Run("KeepsEverything", func(t *testing.T) {
		for _, name := range []string{"credencialId", "nomeBeneficiario", "crmSolicitante", "unidadeId", "observacoes", "procedimentos[0].codigoProcedimento", "procedimentos[0].nomeProcedimento"} {
			if got := copied.value("[name='" + name + "']"); got != form.Get(name) {
				t.Errorf("%s: got %q, want %q", name, got, form.Get(name))
			}
		}
	})
	t.Run("GoesThroughWithIt", func(t *testing.T) {
		if got := v.upload(copied.path+"/anexos", url.Values{}, map[string][]byte{"pedido.pdf": pdfBytes(1000)}); got.status != http.StatusOK {
			t.Fatalf("attach: got %d", got.status)
		}
		again := v.get(copied.path)
		if again.doc().Find("#anexos-e").Length() != 0 {
			t.Errorf("with the file it still says %q", again.text("#anexos-e"))
		}
		form.Set("versao", again.value("#versao"))
		if got := v.submit(copied.path, form); !strings.Contains(got.text("main"), "Autorizado") {
			t.Errorf("got %s", got.text("main"))
		}
	})
}

// submitWithoutAttachment sends what the service refuses for want of an attachment.
func (v *visitor) submitWithoutAttachment() (refused answer, form url.Values) {
	v.t.Helper()
	address, form := v.newDraft()
	options := v.send(http.MethodPost, "/busca/credenciais", "application/x-www-form-urlencoded", strings.NewReader("Busca=vale+sereno"), http.Header{"Hx-Request": {"true"}})
	form.Set("credencialId", options.doc().Find("[role=option]").First().AttrOr("data-value", ""))
	form.Set("procedimentos[0].codigoProcedimento", "40901122")
	form.Set("procedimentos[0].nomeProcedimento", "US - Abdome total")
	form.Set("observacoes", "Paciente em jejum")
	return v.submit(address, form), form
}
