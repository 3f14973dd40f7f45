package webui_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/apptest"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// huge is a file that nobody may send.
const huge = 200 << 20

// lockedPDF is a PDF with a password. It is made before any test runs: the program uses the same
// library, whose settings are global, at the same time.
var lockedPDF = func() []byte {
	api.DisableConfigDir()
	var locked bytes.Buffer
	conf := model.NewAESConfiguration("segredo", "segredo", 256)
	if err := api.Encrypt(bytes.NewReader(apptest.PDF(4000)), &locked, conf); err != nil {
		panic(err)
	}
	return locked.Bytes()
}()

// TestUpload_BadFiles: each refusal stands beside its file, with and without a
// script, and what was typed stays.
func TestUpload_BadFiles(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	locked := apptest.BadFile{Name: "fechado.pdf", Content: lockedPDF, Told: "senha"}
	for _, bad := range append(apptest.BadFiles(), locked) {
		t.Run(strings.ToValidUTF8(bad.Name, ""), func(t *testing.T) {
			address, form := v.NewDraft()
			form = apptest.EveryField(form)
			page := v.Upload(address+"/anexos", form, map[string][]byte{bad.Name: bad.Content, "bom.pdf": apptest.PDF(100)})
			if page.Status != http.StatusUnprocessableEntity {
				t.Errorf("got %d, want 422", page.Status)
			}
			if reason := page.Text("#anexos .tone-error .error"); !strings.Contains(reason, bad.Told) {
				t.Errorf("the file's row says %q, want %q", reason, bad.Told)
			}
			if good := page.Text("#anexos li:not(.tone-error)"); !strings.Contains(good, "bom.pdf") {
				t.Errorf("the good file beside it: %q", good)
			}
			if shown := page.Text("#anexos .tone-error .text-truncate"); strings.ContainsRune(shown, '\u202e') {
				t.Errorf("the row turns the name around: %q", shown)
			}
			form.Set("versao", page.Value("#versao"))
			checkKept(t, v.Get(address), address, form)
		})
		t.Run("AtOnce/"+strings.ToValidUTF8(bad.Name, ""), func(t *testing.T) {
			address, _ := v.NewDraft()
			row := v.UploadHTMX(address+"/anexos", bad.Name, bytes.NewReader(bad.Content))
			if row.Status != http.StatusUnprocessableEntity || !strings.Contains(row.Text("li.tone-error .error"), bad.Told) {
				t.Errorf("%d: the row says %q, want %q", row.Status, row.Text("li"), bad.Told)
			}
		})
	}
}

// counted counts what is read of a file.
type counted struct {
	io.Reader
	n atomic.Int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// zeros is a file of nothing, without its bytes in memory.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestUpload_ManyFiles: of a million files of a byte each no more are taken than a person could mean.
func TestUpload_ManyFiles(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, _ := v.NewDraft()
	files := map[string][]byte{}
	for i := range 1001 {
		files[fmt.Sprintf("%d.pdf", i)] = []byte("x")
	}
	page := v.Upload(address+"/anexos", nil, files)
	if page.Status != http.StatusRequestEntityTooLarge || !strings.Contains(page.Text("main"), "São arquivos demais de uma vez.") {
		t.Errorf("got %d: %q", page.Status, page.Text("main"))
	}
}

// TestUpload_HugeFile: a file of 200 MiB is refused with a row or a page, and no
// more than the limit of all attachments is read.
func TestUpload_HugeFile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	file := &counted{Reader: io.LimitReader(io.MultiReader(strings.NewReader("%PDF-1.7\n"), zeros{}), huge)}
	row := v.UploadHTMX(address+"/anexos", "ressonancia.pdf", file)
	if row.Status != http.StatusRequestEntityTooLarge || !strings.Contains(row.Text("li.tone-error"), "ressonancia.pdf") ||
		!strings.Contains(row.Text(".error"), "15 MB") {
		t.Errorf("%d: %s", row.Status, row.Text("li"))
	}
	const slack = 8 << 20 // in the buffers of the two ends
	if limit := int64(62<<20 + slack); file.n.Load() > limit {
		t.Errorf("%d bytes were taken, want at most %d", file.n.Load(), limit)
	}
	t.Run("WithTheForm", func(t *testing.T) {
		v.Post(address, apptest.EveryField(form))
		form.Set("nomeBeneficiario", "Mudado Depois")
		page := uploadAfter(v, address+"/anexos", form, make([]byte, 70<<20))
		if page.Status != http.StatusRequestEntityTooLarge || page.Value("#nomeBeneficiario") != "Mudado Depois" {
			t.Errorf("%d shows %q", page.Status, page.Value("#nomeBeneficiario"))
		}
		if page.Value("#observacoes") == "" || page.Value("#versao") != "1" {
			t.Errorf("what was saved before is gone: %q, version %s", page.Value("#observacoes"), page.Value("#versao"))
		}
	})
	t.Run("WithOtherProcedures", func(t *testing.T) {
		form.Set("procedimentos[0].codigoProcedimento", "40304361")
		page := uploadAfter(v, address+"/anexos", form, make([]byte, 70<<20), "procedimentos[0].codigoProcedimento")
		if got := page.Value("[name='procedimentos[0].codigoProcedimento']"); got != "40304361" {
			t.Errorf("%d shows %q, want the code typed last", page.Status, got)
		}
	})
}

// TestUpload_HugeFileElsewhere: where no file belongs, none is taken.
func TestUpload_HugeFileElsewhere(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	draft, _ := v.NewDraft()
	for _, path := range []string{"/busca/credenciais", "/busca/procedimentos", draft + "/enviar"} {
		file := &counted{Reader: io.LimitReader(zeros{}, huge)}
		v.UploadHTMX(path, "ressonancia.pdf", file)
		if got, most := file.n.Load(), int64(8<<20); got > most { // in the buffers of the two ends
			t.Errorf("%s took %d bytes of a file, want at most %d", path, got, most)
		}
		if got := v.Post(path, url.Values{"Busca": {strings.Repeat("x", 3<<20)}}); got.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d for 3 MiB of text, want 413", path, got.Status)
		}
	}
}

// uploadAfter posts fields that stand before the file on the page, two and those that
// are named, and then a file that is too large for anything to come after it.
func uploadAfter(v *apptest.Client, path string, form url.Values, file []byte, more ...string) *apptest.Page {
	v.T.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range append([]string{"nomeBeneficiario", "numeroCarteira"}, more...) {
		if err := w.WriteField(name, form.Get(name)); err != nil {
			v.T.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("arquivo", "tudo.pdf")
	if err == nil {
		_, err = part.Write(file)
	}
	if err != nil {
		v.T.Fatal(err)
	}
	return v.Send(http.MethodPost, path, w.FormDataContentType(), io.MultiReader(&b), nil)
}

// TestUpload_BrokenUpload: a form that is cut short or garbled is told, and is no
// failure of ours.
func TestUpload_BrokenUpload(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, _ := v.NewDraft()
	const kind = "multipart/form-data; boundary=x"
	for name, tt := range map[string]struct{ kind, body string }{
		"NoEnd":       {kind, "--x\r\nContent-Disposition: form-data; name=\"nomeBeneficiario\"\r\n\r\nM\r\n"},
		"CutInFile":   {kind, "--x\r\nContent-Disposition: form-data; name=\"arquivo\"; filename=\"a.pdf\"\r\n\r\n%PDF"},
		"NoHeader":    {kind, "--x\r\n\x00\x01: \xff\r\n\r\n--x--\r\n"},
		"NoBoundary":  {"multipart/form-data", "--x--"},
		"NotAForm":    {"application/json", "{}"},
		"NotText":     {kind, "--x\r\nContent-Disposition: form-data; name=\"nomeBeneficiario\"\r\n\r\n\xed\xa0\x80\r\n--x--\r\n"},
		"Nothing":     {kind, ""},
		"HeaderFlood": {kind, "--x\r\n" + strings.Repeat("A: b\r\n", 20_000) + "\r\n--x--\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := v.Send(http.MethodPost, address+"/anexos", tt.kind, strings.NewReader(tt.body), nil)
			if got.Status != http.StatusBadRequest || got.Text("h1") == "" || got.Count("main a.btn") != 1 {
				t.Errorf("got %d %q, want a page with 400", got.Status, got.Text("h1"))
			}
		})
	}
	if got := v.Get(address); got.Status != http.StatusNotFound {
		t.Errorf("a broken form stored a draft: %d", got.Status)
	}
}

// TestForm_OddValues: what people paste and mistype is kept as typed; what
// cannot be is told beside its field.
func TestForm_OddValues(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for name, typed := range map[string]string{
		"Emoji": "Zoë 👩🏽‍⚕️ d’Ávila", "Quotes": `Ana "Aninha" O'Neil & <b>`, "RightToLeft": "\u202eמרים\u202c Lima\u200f",
		"Long": strings.Repeat("Maria ", 833) + "Só", "Combining": "Joa\u0303o", "Controls": "Ana\tMaria\x7f\x1b[31m",
	} {
		t.Run(name, func(t *testing.T) {
			address, form := v.NewDraft()
			form.Set("nomeBeneficiario", typed)
			review := v.Post(address+"/revisar", form)
			if got := review.Value("#nomeBeneficiario"); got != typed {
				t.Fatalf("the field holds %.60q, want %.60q", got, typed)
			}
			sent := v.Post(address+"/enviar", nil)
			if sent.Status != http.StatusOK || !strings.Contains(sent.Text("h1"), strings.Join(strings.Fields(typed), " ")) {
				t.Errorf("%d at %s: the heading is %.60q", sent.Status, sent.Path, sent.Text("h1"))
			}
		})
	}
	const none, unreadable = "Validade: esta data não existe.", "Informe a validade da carteira como DD/MM/AAAA."
	for typed, message := range map[string]string{"31/02/2027": none, "00/01/2027": none, "29/02/2027": none, "32/12/2027": none,
		"99/99/9999": none, "1/13/27": none, "amanhã": unreadable, "2027": unreadable, "٣١/١٢/٢٠٢٧": unreadable,
		"99999999999999999999": unreadable} {
		t.Run("Date "+typed, func(t *testing.T) {
			address, form := v.NewDraft()
			form.Set("validadeCarteira", typed)
			got := v.Post(address+"/revisar", form)
			if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#validadeCarteira-error"), message) {
				t.Errorf("%d: beside the field stands %q", got.Status, got.Text("#validadeCarteira-error"))
			}
			if got.Value("#validadeCarteira") != typed {
				t.Errorf("the field holds %q", got.Value("#validadeCarteira"))
			}
		})
	}
	t.Run("CardPasted", func(t *testing.T) {
		address, form := v.NewDraft()
		form.Set("numeroCarteira", "  0310.0045 1206-3345\u00a0 ")
		sent := v.Submit(address, form)
		if got := sent.Text("#pedido-enviado"); !strings.Contains(got, "Carteira0310 0045 1206 3345Validade") {
			t.Errorf("the case shows %q", got)
		}
	})
	t.Run("TooMuchText", func(t *testing.T) {
		address, form := v.NewDraft()
		form.Set("observacoes", strings.Repeat("x", 3<<20))
		if got := v.Post(address, form); got.Status != http.StatusRequestEntityTooLarge || !strings.Contains(got.Text("main"), "texto demais") {
			t.Errorf("%d: %s", got.Status, got.Text("main"))
		}
	})
}
