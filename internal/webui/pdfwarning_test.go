package webui_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

const original = "?baixar"

// checkCopy looks at what is shown of an ActivePDF, and at what is saved.
func checkCopy(t *testing.T, ana *apptest.Client, address string) {
	t.Helper()
	shown, saved := ana.Get(address), ana.Get(address+original)
	if shown.Status != http.StatusOK || !bytes.HasPrefix(shown.Body, []byte("%PDF-")) || bytes.Contains(shown.Body, []byte(apptest.Script)) ||
		bytes.Contains(shown.Body, []byte("calc.exe")) || !strings.HasPrefix(shown.Header.Get("Content-Disposition"), "inline") ||
		shown.Header.Get("Accept-Ranges") != "" {
		t.Errorf("shown: %d, %v, %q", shown.Status, shown.Header, shown.Body)
	}
	if !bytes.Equal(saved.Body, apptest.ActivePDF()) || !strings.HasPrefix(saved.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("saved: %d, %v, %d bytes", saved.Status, saved.Header, len(saved.Body))
	}
}

// checkOriginal looks at the warning about a file and at its way to the original.
func checkOriginal(t *testing.T, p *apptest.Page, place, address string, says ...string) {
	t.Helper()
	text := p.Text(place + " .file-warning")
	for _, words := range says {
		if !strings.Contains(text, words) {
			t.Errorf("%s: got %q, want it to say %q", place, text, words)
		}
	}
	if got := p.Attr(place+" .file-warning a[download]", "href"); got != address+original {
		t.Errorf("%s: the original is at %q, want %q", place, got, address+original)
	}
}

// TestPDFWarning_Attached: a PDF that does more than show pages is named on the draft and
// on the case, and shown as a copy; what is sent is the original.
func TestPDFWarning_Attached(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	row := ana.UploadHTMX(address+"/anexos", "laudo.pdf", bytes.NewReader(apptest.ActivePDF()))
	file := address + row.AttachmentPath()
	draft := ana.Get(address)
	for _, p := range []*apptest.Page{row, draft} {
		checkOriginal(t, p, "li", file, "abre programas ou outros arquivos e executa comandos (JavaScript)", "Segue assim para a operadora")
	}
	checkCopy(t, ana, file)

	form.Set("versao", draft.Value("#versao"))
	sent := ana.Submit(address, form)
	file = sent.Path + sent.AttachmentPath()
	checkOriginal(t, sent, "dd", file, "executa comandos (JavaScript)", "cópia que só mostra as páginas")
	checkCopy(t, ana, file)
	sent.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{".guide-viewer .file-warning": 0, "iframe": 1}})

	harmless, _ := ana.NewDraft()
	ana.UploadHTMX(harmless+"/anexos", "laudo.pdf", bytes.NewReader(apptest.PDF(2000)))
	ana.Get(harmless).Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#anexos li a.thumbnail": 1, ".file-warning": 0}})
}

// TestAudit_Handed: the trail says what somebody got of a guide, not what they asked for:
// what may not be shown is saved.
func TestAudit_Handed(t *testing.T) {
	t.Parallel()
	const opened, saved = "guia.aberta guia=1 modo=aberta", "guia.aberta guia=1 modo=baixada"
	for name, tt := range map[string]struct {
		content []byte
		want    []string
	}{
		"Harmless": {apptest.PDF(3000), []string{"caso.visto guia=1", opened, saved}},
		"Active":   {apptest.ActivePDF(), []string{"caso.visto guia=1", opened, saved}},
		"Locked":   {apptest.LockedPDF(), []string{"caso.visto", saved}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)})
			other := apptest.StartOtherService(t, nil)
			p.LogIn(t, apptest.Administration).ConnectTo(t, other, nil)
			ana := p.LogIn(t, apptest.Reception)
			other.SetList("/api/v2/autorizar/sp-sadt", guideAnswer(tt.content))
			path := ana.SubmitWith(map[string]string{"credencialId": ana.Credential("fora")}).Path
			p.Clock.Advance(2 * time.Minute)
			seen := len(looks(p.Trail(t)))
			for _, address := range []string{"", "/guias/0?tela=1", "/guias/0", "/guias/0" + original} {
				ana.Get(path + address)
			}
			if got := looks(p.Trail(t))[seen:]; !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAudit_Handed_Unreadable: an attachment that cannot be looked into is only saved,
// however it was asked for.
func TestAudit_Handed_Unreadable(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	pdf := bytes.Replace(apptest.PDF(3000), []byte("xref\n"), []byte("99 0 obj (/ObjStm endobj\nxref\n"), 1)
	file := ana.UploadHTMX(address+"/anexos", "laudo.pdf", bytes.NewReader(pdf)).AttachmentPath()
	form.Set("versao", ana.Get(address).Value("#versao"))
	ana.Get(address + file)
	sent := ana.Submit(address, form)
	ana.Get(sent.Path + sent.AttachmentPath() + "?tela=1")
	ana.Get(sent.Path + sent.AttachmentPath())
	saved := 0
	for _, e := range p.Trail(t) {
		if e.Name == "anexo.aberto" && strings.HasSuffix(e.Detail, " modo=baixada") {
			saved++
		} else if e.Name == "anexo.aberto" {
			t.Errorf("the trail says %s %s", e.Object, e.Detail)
		}
	}
	if saved == 0 {
		t.Error("the trail says nothing")
	}
}

// TestAudit_Handed_Attachment: and what of an attachment, which no page shows.
func TestAudit_Handed_Attachment(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	file := ana.UploadHTMX(address+"/anexos", "laudo.pdf", bytes.NewReader(apptest.ActivePDF())).AttachmentPath()
	form.Set("versao", ana.Get(address).Value("#versao"))
	ana.Get(address + file)
	ana.Get(address + file + original)
	sent := ana.Submit(address, form)
	sentFile := sent.AttachmentPath()
	ana.Get(sent.Path + sentFile + "?tela=1")
	ana.Get(sent.Path + sentFile + original)
	var got []string
	for _, e := range p.Trail(t) {
		if e.Name == "anexo.aberto" {
			got = append(got, e.Object+" "+e.Detail)
		}
	}
	draft, sentID := "rascunho anexo="+strings.TrimPrefix(file, "/anexos/"), "caso anexo="+strings.TrimPrefix(sentFile, "/anexos/")
	want := []string{draft + " modo=aberta", draft + " modo=baixada", sentID + " modo=aberta", sentID + " modo=baixada"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	rows := strings.Join(p.LogIn(t, apptest.Administration).Get("/auditoria?evento=anexo.aberto").Rows("table.audit-table"), "\n")
	if strings.Count(rows, "Anexo aberto |") != 2 || strings.Count(rows, "Anexo baixado |") != 2 || strings.Contains(rows, "modo=") {
		t.Errorf("the page says %s", rows)
	}
}

// guideAnswer is what a service answers that authorized one guide.
func guideAnswer(guide []byte) string {
	return `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A",
		"senha":"DEFORA1","numeroGuia":"77","pdfGuiaAutorizacao":"` + base64.StdEncoding.EncodeToString(guide) + `"}]}}`
}

// TestPDFWarning_FromService: so is a guide that a service sent, and one that cannot be
// read is not shown at all.
func TestPDFWarning_FromService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	other := apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, other, nil)
	ana := p.LogIn(t, apptest.Reception)
	send := func(guide []byte) *apptest.Page {
		other.SetList("/api/v2/autorizar/sp-sadt", guideAnswer(guide))
		return ana.SubmitWith(map[string]string{"credencialId": ana.Credential("fora")})
	}
	t.Run("Active", func(t *testing.T) {
		c := send(apptest.ActivePDF())
		checkOriginal(t, c, ".guide-viewer", c.Path+"/guias/0", "executa comandos (JavaScript)", "cópia que só mostra as páginas")
		c.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"iframe": 1}})
		checkCopy(t, ana, c.Path+"/guias/0")
	})
	for name, guide := range map[string][]byte{
		"Locked": apptest.LockedPDF(), "CutShort": apptest.PDF(3000)[:1500], "Empty": []byte("%PDF-1.4\n"),
	} {
		t.Run(name, func(t *testing.T) {
			c := send(guide)
			checkOriginal(t, c, ".guide-viewer", c.Path+"/guias/0", "não é mostrado aqui")
			c.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"iframe": 0, "a[target=_blank]": 0, "a[href='#guias']": 1}})
			got := ana.Get(c.Path + "/guias/0")
			if !bytes.Equal(got.Body, guide) || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
				t.Errorf("opened: %v, %d bytes", got.Header, len(got.Body))
			}
		})
	}
}
