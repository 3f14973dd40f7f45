package e2e_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Files: the pages about files that do more than show something name them,
// and axe finds nothing on them.
func TestPages_Files(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	other := apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, other, nil)
	ana := p.LogIn(t, apptest.Reception)
	b := MustBrowse(t, p)
	b.open("/entrar")
	b.logIn("recepcao")

	address := ana.DraftPath()
	for _, file := range []struct {
		name    string
		content []byte
	}{{"pedido.jpg", apptest.Photo()}, {"laudo-com-comandos.pdf", apptest.ActivePDF()}, {"laudo.pdf", apptest.PDF(2000)}} {
		ana.UploadHTMX(address+"/anexos", file.name, bytes.NewReader(file.content))
	}
	b.open(address)
	b.look("rascunho-arquivos")

	for name, guide := range map[string][]byte{"copia": apptest.ActivePDF(), "protegida": apptest.LockedPDF()} {
		other.SetList("/api/v2/autorizar/sp-sadt", `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,
			"situacaoAutorizacao":"A","senha":"DEFORA1","numeroGuia":"77","pdfGuiaAutorizacao":"`+base64.StdEncoding.EncodeToString(guide)+`"}]}}`)
		address, form := ana.NewDraft()
		form.Set("credencialId", ana.Credential("fora"))
		draft := ana.Upload(address+"/anexos", form, map[string][]byte{"laudo-com-comandos.pdf": apptest.ActivePDF()})
		form.Set("versao", draft.Value("#versao"))
		b.open(ana.Submit(address, form).Path)
		b.look("caso-guia-" + name)
	}
}
