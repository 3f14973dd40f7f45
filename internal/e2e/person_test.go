package e2e_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// huge is a file that nobody may send.
const huge = 200 << 20

// badFile is a file that is refused, and what the person is told.
type badFile struct {
	name    string
	content []byte
	told    string
}

// badFiles are the files that people send by mistake, and some that lie.
func badFiles(t testing.TB) []badFile {
	t.Helper()
	picture, pdf := readBytes(t, pngFile(t, "p.png")), apptest.PDF(4000)
	return []badFile{
		{"programa.pdf", []byte("MZ\x90\x00 not a PDF at all"), "não é aceito"},
		{"foto.pdf", picture, "o conteúdo é PNG"},
		{"laudo.png", pdf, "o conteúdo é PDF"},
		{"pagina.pdf", []byte("<!doctype html><script>alert(1)</script>"), "não é aceito"},
		{"laudo.exe", pdf, "não termina em"},
		{"vazio.pdf", nil, "está vazio"},
		{"cortado.pdf", pdf[:len(pdf)-600], "incompleto"},
		{"cortado.png", picture[:len(picture)/2], "incompleto"},
		{"enorme.png", pngClaiming(50_000, 50_000), "grande demais"},
		{"fechado.pdf", lockedPDF(t, pdf), "senha"},
		{"grande.pdf", apptest.PDF(16 << 20), "15 MB"},
		{"laudo\u202efdp.exe", pdf, "não termina em"},
	}
}

func readBytes(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// pngClaiming is a PNG whose header says that size and that has hardly any data.
func pngClaiming(width, height uint32) []byte {
	var b bytes.Buffer
	chunk := func(kind string, data []byte) {
		body := append([]byte(kind), data...)
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
		b.Write(body)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(body))
	}
	b.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	chunk("IHDR", append(header, 8, 0, 0, 0, 0))
	chunk("IDAT", []byte{0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1})
	chunk("IEND", nil)
	return b.Bytes()
}

// lockedPDF encrypts a PDF with a password.
func lockedPDF(t testing.TB, plain []byte) []byte {
	t.Helper()
	api.DisableConfigDir()
	var locked bytes.Buffer
	if err := api.Encrypt(bytes.NewReader(plain), &locked, model.NewAESConfiguration("segredo", "segredo", 256)); err != nil {
		t.Fatal(err)
	}
	return locked.Bytes()
}

// TestPerson_BadFiles: each refusal stands beside its file, with and without a
// script, and what was typed stays.
func TestPerson_BadFiles(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	for _, bad := range badFiles(t) {
		t.Run(strings.ToValidUTF8(bad.name, ""), func(t *testing.T) {
			address, form := v.NewDraft()
			form = apptest.EveryField(form)
			page := v.Upload(address+"/anexos", form, map[string][]byte{bad.name: bad.content, "bom.pdf": apptest.PDF(100)})
			if page.Status != http.StatusUnprocessableEntity {
				t.Errorf("got %d, want 422", page.Status)
			}
			if reason := page.Text("#anexos .tone-error .error"); !strings.Contains(reason, bad.told) {
				t.Errorf("the file's row says %q, want %q", reason, bad.told)
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
		t.Run("AtOnce/"+strings.ToValidUTF8(bad.name, ""), func(t *testing.T) {
			address, _ := v.NewDraft()
			row := v.UploadHTMX(address+"/anexos", bad.name, bytes.NewReader(bad.content))
			if row.Status != http.StatusUnprocessableEntity || !strings.Contains(row.Text("li.tone-error .error"), bad.told) {
				t.Errorf("%d: the row says %q, want %q", row.Status, row.Text("li"), bad.told)
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

// TestPerson_HugeFile: a file of 200 MiB is refused with a row or a page, and no
// more than the limit of all attachments is read.
func TestPerson_HugeFile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	file := &counted{Reader: io.LimitReader(io.MultiReader(strings.NewReader("%PDF-1.7\n"), zeros{}), huge)}
	row := v.UploadHTMX(address+"/anexos", "ressonancia.pdf", file)
	if row.Status != http.StatusRequestEntityTooLarge || !strings.Contains(row.Text("li.tone-error"), "ressonancia.pdf") || !strings.Contains(row.Text(".error"), "15 MB") {
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
}

// TestPerson_HugeFileElsewhere: where no file belongs, none is taken.
func TestPerson_HugeFileElsewhere(t *testing.T) {
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

// uploadAfter posts the fields that stand before the file on the page, and then a
// file that is too large for anything to come after it.
func uploadAfter(v *apptest.Client, path string, form url.Values, file []byte) *apptest.Page {
	v.T.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range []string{"nomeBeneficiario", "numeroCarteira"} {
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

// TestPerson_BrokenUpload: a form that is cut short or garbled is told, and is no
// failure of ours.
func TestPerson_BrokenUpload(t *testing.T) {
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

// TestPerson_OddValues: what people paste and mistype is kept as typed; what
// cannot be is told beside its field.
func TestPerson_OddValues(t *testing.T) {
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
	for _, typed := range []string{"31/02/2027", "00/01/2027", "29/02/2027", "32/12/2027", "1/13/27", "amanhã", "2027", "٣١/١٢/٢٠٢٧", "99999999999999999999"} {
		t.Run("Date "+typed, func(t *testing.T) {
			address, form := v.NewDraft()
			form.Set("validadeCarteira", typed)
			got := v.Post(address+"/revisar", form)
			if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#validadeCarteira-e"), "DD/MM/AAAA") {
				t.Errorf("%d: beside the field stands %q", got.Status, got.Text("#validadeCarteira-e"))
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

// TestPerson_Browser: the refusals that a person sees, beside their files; nothing
// typed is lost.
func TestPerson_Browser(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "413")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Zoë d'Ávila")
	folder := t.TempDir()
	var paths []string
	for _, bad := range badFiles(t) {
		path := filepath.Join(folder, bad.name)
		if err := os.WriteFile(path, bad.content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	b.upload(append(paths, sparse(t, "ressonância.pdf", huge))...)
	b.waitFor("each is refused", fmt.Sprintf("document.querySelectorAll('#anexos .error').length === %d", len(paths)+1))
	for i, bad := range badFiles(t) {
		if got := eval[string](b, fmt.Sprintf("document.querySelectorAll('#anexos li')[%d].innerText", i)); !strings.Contains(got, bad.told) {
			t.Errorf("%q: the row says %q, want %q", bad.name, got, bad.told)
		}
	}
	if got := b.value("#nomeBeneficiario"); got != "Zoë d'Ávila" {
		t.Errorf("the name is %q", got)
	}
	b.look("nova-anexos-recusados")
	b.press(kb.F8)
	b.see("#erros")
	if got := b.value("#nomeBeneficiario"); got != "Zoë d'Ávila" {
		t.Errorf("after the review the name is %q", got)
	}
}

// sparse is a file of that size that takes no room.
func sparse(t testing.TB, name string, size int64) string {
	t.Helper()
	path := writeFile(t, name, []byte("%PDF-1.7\n"))
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	return path
}
