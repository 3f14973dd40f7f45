package document_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"runtime"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"guiche/internal/document"
	"guiche/internal/problem"
)

func TestCheck(t *testing.T) {
	pdf := MustPDF(t, 3)
	packed := MustQPDF(t, pdf, "--object-streams=generate")
	threePages := document.Info{Kind: document.PDF, Pages: 3}
	film := []byte("\x00\x00\x00\x18ftypmp42 and so on")
	movedPointer := bytes.Replace(pdf, []byte("startxref\n"), []byte("startxref\n17\n%"), 1)
	for _, tt := range []struct {
		name, file string
		data       []byte
		want       document.Info
	}{
		{"PDF", "pedido.pdf", pdf, threePages},
		{"PDFUpperCase", "PEDIDO.PDF", pdf, threePages},
		{"PDFPacked", "pedido.pdf", packed, threePages},
		{"PDFForTheWeb", "pedido.pdf", MustQPDF(t, pdf, "--linearize"), threePages},
		{"PDFPackedForTheWeb", "pedido.pdf", MustQPDF(t, pdf, "--linearize", "--object-streams=generate"), threePages},
		{"PDFAfterMark", "pedido.pdf", joined([]byte("\xef\xbb\xbf\r\n"), pdf), threePages},
		{"PDFPadded", "pedido.pdf", joined(pdf, make([]byte, 512)), threePages},
		{"PDFPointerOffTrailerFound", "pedido.pdf", movedPointer, document.Info{Kind: document.PDF}},
		{"PDFWithoutCount", "pedido.pdf", bytes.Replace(pdf, []byte("/Count 3"), []byte("/Conta 3"), 1), document.Info{Kind: document.PDF}},
		{"JPEG", "foto.jpg", MustJPEG(t, 320, 200), document.Info{Kind: document.JPEG, Width: 320, Height: 200}},
		{"JPEGOtherExtension", "foto.JPEG", MustJPEG(t, 5, 7), document.Info{Kind: document.JPEG, Width: 5, Height: 7}},
		{"JPEGWithFilmOfCamera", "foto.jpg", joined(MustJPEG(t, 5, 7), film), document.Info{Kind: document.JPEG, Width: 5, Height: 7}},
		{"PNG", "tela.png", MustPNG(t, 33, 44), document.Info{Kind: document.PNG, Width: 33, Height: 44}},
		{"PNGWithRemains", "tela.png", joined(MustPNG(t, 33, 44), []byte("old pixels")),
			document.Info{Kind: document.PNG, Width: 33, Height: 44}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := bytes.NewReader(tt.data)
			got, err := document.Check(r, tt.file, document.DefaultLimits())
			if err != nil {
				t.Fatalf("got error %v, want none", err)
			}
			tt.want.Name, tt.want.Size, tt.want.ContentType = tt.file, int64(len(tt.data)), tt.want.Kind.ContentType()
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if at, _ := r.Seek(0, io.SeekCurrent); at != 0 {
				t.Errorf("got reader at %d, want 0", at)
			}
		})
	}
}

// refusal is a file that is not accepted, and a part of the sentence that says why.
type refusal struct {
	name, file string
	data       []byte
	code       problem.Code
	says       string
}

func (r refusal) check(t *testing.T) {
	_, err := document.Check(bytes.NewReader(r.data), r.file, document.DefaultLimits())
	var p *problem.Error
	if !errors.As(err, &p) {
		t.Fatalf("got error %v, want a problem", err)
	}
	if p.Code != r.code || !strings.Contains(p.Message, r.says) {
		t.Errorf("got %s %q, want %s with %q", p.Code, p.Message, r.code, r.says)
	}
	if !strings.HasPrefix(p.Message, r.file+" ") || !strings.HasSuffix(p.Message, ".") {
		t.Errorf("got %q, want a sentence that begins with the file's name", p.Message)
	}
	if strings.Contains(err.Error(), r.file) {
		t.Errorf("got %q for the log, want no file name", err)
	}
}

func TestCheck_wrongKind(t *testing.T) {
	pdf, png := MustPDF(t, 2), MustPNG(t, 64, 64)
	for _, r := range []refusal{
		{"Empty", "laudo.pdf", nil, problem.Invalid, "está vazio"},
		{"TooLarge", "laudo.pdf", joined(pdf, make([]byte, 18<<20-len(pdf))), problem.TooLarge, "tem 18 MB; o limite é 15 MB"},
		{"BarelyTooLarge", "laudo.pdf", make([]byte, 15<<20+1), problem.TooLarge, "tem pouco mais de 15 MB; o limite é 15 MB"},
		{"SVG", "logo.png", []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), problem.Unsupported, "desenho SVG"},
		{"HTML", "laudo.pdf", []byte("\n<!DOCTYPE html><html></html>"), problem.Unsupported, "página da web"},
		{"XML", "laudo.pdf", []byte("<?xml version=\"1.0\"?><a/>"), problem.Unsupported, "texto ou XML"},
		{"ZIP", "laudo.pdf", []byte("PK\x03\x04 and so on"), problem.Unsupported, "ZIP ou do Office"},
		{"Program", "foto.jpg", []byte("MZ\x90\x00"), problem.Unsupported, "um programa"},
		{"HEIC", "foto.jpg", []byte("\x00\x00\x00\x18ftypheic"), problem.Unsupported, "HEIC"},
		{"GIF", "foto.gif", MustGIF(t), problem.Unsupported, "GIF"},
		{"OneByte", "a.pdf", []byte("%"), problem.Unsupported, "formato desconhecido"},
		{"Text", "a.pdf", []byte("hello"), problem.Unsupported, "formato desconhecido"},
		{"PNGNamedPDF", "laudo.pdf", png, problem.Unsupported, "diz ser PDF, mas o conteúdo é PNG"},
		{"PDFNamedJPEG", "laudo.jpg", pdf, problem.Unsupported, "diz ser JPEG, mas o conteúdo é PDF"},
		{"OtherExtension", "laudo.docx", pdf, problem.Unsupported, "não termina em .pdf"},
		{"NoExtension", "laudo", pdf, problem.Unsupported, "não termina em .pdf"},
	} {
		t.Run(r.name, r.check)
	}
}

// TestCheck_formats: each format that people send by mistake is called by its name,
// and those that a program could run or unpack are not accepted after an image.
func TestCheck_formats(t *testing.T) {
	jpg := MustJPEG(t, 64, 64)
	for _, tt := range []struct {
		begins, name string
		hidden       bool // refused after the end of an image
	}{
		{"\x00\x00\x00\x18ftypheic", "uma foto HEIC", false}, {"\x00\x00\x00\x18ftyphevc", "uma foto HEIC", false},
		{"\x00\x00\x00\x18ftypmif1", "uma foto HEIC", false}, {"\x00\x00\x00\x18ftypmsf1", "uma foto HEIC", false},
		{"\x00\x00\x00\x18ftypavif", "uma imagem AVIF", false}, {"\x00\x00\x00\x18ftypisom", "um vídeo", false},
		{"II*\x00", "uma imagem TIFF", false}, {"MM\x00*", "uma imagem TIFF", false}, {"GIF89a", "uma imagem GIF", false},
		{"RIFF\x00\x00\x00\x00WEBPVP8", "uma imagem WebP", false}, {"BM6", "uma imagem BMP", false},
		{"PK\x03\x04", "um arquivo ZIP ou do Office", true}, {"PK\x05\x06", "um arquivo ZIP ou do Office", true},
		{"\xd0\xcf\x11\xe0", "um documento antigo do Office", true}, {"{\\rtf1", "um documento RTF", true},
		{"7z\xbc\xaf\x27\x1c", "um arquivo compactado", true}, {"Rar!", "um arquivo compactado", true},
		{"\x1f\x8b\x08", "um arquivo compactado", true},
		{"MZ\x90", "um programa", true}, {"\x7fELF", "um programa", true}, {"#!/bin/sh", "um programa", true},
		{"<svg ", "um desenho SVG", true}, {"\ufeff <?xml?><svg", "um desenho SVG", true}, {"<HTML>", "uma página da web (HTML)", true},
		{"<script>", "uma página da web (HTML)", true}, {"<?xml?>", "texto ou XML", true}, {"plain text", "de um formato desconhecido", false},
	} {
		t.Run(tt.name+" "+tt.begins[:2], func(t *testing.T) {
			says := "o conteúdo é " + tt.name
			refusal{"", "laudo.pdf", []byte(tt.begins), problem.Unsupported, says}.check(t)
			appended := joined(jpg, []byte("\x00\r\n\t "+tt.begins), make([]byte, 64))
			if tt.hidden {
				refusal{"", "foto.jpg", appended, problem.Invalid, "outro arquivo escondido"}.check(t)
			} else if _, err := document.Check(bytes.NewReader(appended), "foto.jpg", document.DefaultLimits()); err != nil {
				t.Errorf("got %v after an image, want it accepted", err)
			}
		})
	}
}

func TestCheck_brokenPDF(t *testing.T) {
	pdf := MustPDF(t, 2)
	locked := MustPDF(t, 1, func(p *fpdf.Fpdf) { p.SetProtection(0, "a", "b") })
	encrypt := []string{"--encrypt", "a", "b", "256", "--"}
	replaced := func(pdf []byte, old, new string) []byte { return bytes.Replace(pdf, []byte(old), []byte(new), 1) }
	const incomplete, damaged, password = "incompleto", "danificado", "protegido por senha"
	for _, tt := range []struct {
		name string
		data []byte
		says string
	}{
		{"CutInTheMiddle", pdf[:len(pdf)/2], incomplete},
		{"CutAtTheEnd", pdf[:len(pdf)-6], incomplete},
		{"HeaderOnly", []byte("%PDF-1.7\n"), incomplete},
		{"ForTheWebCut", MustQPDF(t, pdf, "--linearize")[:1500], incomplete},
		{"PointerOutside", replaced(pdf, "startxref\n", "startxref\n9999"), damaged},
		{"PointerOverflows", []byte("%PDF-1.4\nstartxref\n99999999999999999999\n%%EOF"), damaged},
		{"WithoutTrailer", []byte("%PDF-1.4\nstartxref\n2\n%%EOF"), damaged},
		{"WithoutRoot", []byte("%PDF-1.4\nxref\n0 0\ntrailer<</Size 0>>\nstartxref\n9\n%%EOF"), damaged},
		{"NestedWithoutEnd", []byte("%PDF-1.4\nxref\n0 0\ntrailer" + strings.Repeat("<</A", 9000) + "\nstartxref\n9\n%%EOF"), damaged},
		{"WithoutPages", replaced(pdf, "/Count 2", "/Count 0"), "nenhuma página"},
		{"Password", locked, password},
		{"PasswordPacked", MustQPDF(t, pdf, append([]string{"--object-streams=generate"}, encrypt...)...), password},
		{"PasswordForTheWeb", MustQPDF(t, pdf, append([]string{"--linearize"}, encrypt...)...), password},
		{"PasswordNameEscaped", replaced(locked, "/Encrypt", "/Encr#79pt"), password},
	} {
		t.Run(tt.name, refusal{"", "laudo.pdf", tt.data, problem.Invalid, tt.says}.check)
	}
}

// updatedPDF returns a PDF of three pages that was updated so often that its table
// of objects has so many sections; only the oldest says where the objects are.
func updatedPDF(sections int) []byte {
	b := []byte("%PDF-1.4\n")
	first := len(b)
	b = append(b, "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"...)
	second := len(b)
	b = append(b, "2 0 obj<</Type/Pages/Count 3>>endobj\n"...)
	section := len(b)
	b = fmt.Appendf(b, "xref\n1 2\n%010d 00000 n \n%010d 00000 n \ntrailer<</Root 1 0 R>>\n", first, second)
	for range sections - 1 {
		previous := section
		section = len(b)
		b = fmt.Appendf(b, "xref\n0 0\ntrailer<</Root 1 0 R/Prev %d>>\n", previous)
	}
	return fmt.Appendf(b, "startxref\n%d\n%%%%EOF", section)
}

// counting counts the bytes that are read.
type counting struct {
	*bytes.Reader
	read int
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.read += n
	return n, err
}

// TestCheck_manyUpdates: the updates of a PDF are followed as far as real files
// have them, and a hostile file with far more costs no more than these.
func TestCheck_manyUpdates(t *testing.T) {
	for sections, pages := range map[int]int{1: 3, 2: 3, 64: 3, 65: 0, 200_000: 0} {
		t.Run(fmt.Sprint(sections), func(t *testing.T) {
			r := &counting{Reader: bytes.NewReader(updatedPDF(sections))}
			info, err := document.Check(r, "laudo.pdf", document.DefaultLimits())
			if err != nil || info.Pages != pages {
				t.Errorf("got %d pages, error %v, want %d", info.Pages, err, pages)
			}
			if most := 32 << 20; r.read > most {
				t.Errorf("read %d bytes of a file with %d, want at most %d", r.read, info.Size, most)
			}
		})
	}
}

func TestCheck_brokenImage(t *testing.T) {
	jpg, png := MustJPEG(t, 64, 64), MustPNG(t, 64, 64)
	badSum := bytes.Clone(png)
	badSum[len(badSum)-20] ^= 1
	for _, r := range []refusal{
		{"JPEGCut", "foto.jpg", jpg[:len(jpg)-2], problem.Invalid, "incompleto"},
		{"JPEGHeaderOnly", "foto.jpg", []byte("\xff\xd8\xff\xe0"), problem.Invalid, "incompleto"},
		{"JPEGWithoutPicture", "foto.jpg", []byte("\xff\xd8\xff\xd9"), problem.Invalid, "danificado"},
		{"JPEGBadLength", "foto.jpg", []byte("\xff\xd8\xff\xe0\x00\x01\xff\xd9"), problem.Invalid, "danificado"},
		{"JPEGHuge", "foto.jpg", bytes.Replace(jpg, []byte{8, 0, 64, 0, 64}, []byte{8, 0xff, 0xff, 0xff, 0xff}, 1), problem.Invalid,
			"65535 × 65535"},
		{"JPEGWithoutHeight", "foto.jpg", bytes.Replace(jpg, []byte{8, 0, 64, 0, 64}, []byte{8, 0, 0, 0, 64}, 1), problem.Invalid, "danificado"},
		{"PNGWithoutHeight", "tela.png", joined(png[:20], make([]byte, 13)), problem.Invalid, "danificado"},
		{"PNGTextSumWrong", "tela.png", joined(png[:33], chunk("tEXt", nil)[:8], make([]byte, 4), png[33:]), problem.Invalid, "danificado"},
		{"PNGLongHeader", "tela.png", joined(png[:8], chunk("IHDR", append(bytes.Clone(png[16:29]), 0)), png[33:]), problem.Invalid,
			"danificado"},
		{"PNGOtherHeader", "tela.png", joined(png[:8], chunk("tEXt", png[16:29]), png[33:]), problem.Invalid, "danificado"},
		{"PNGHuge", "tela.png", hugePNG(), problem.Invalid, "50000 × 50000"},
		{"PNGCut", "tela.png", png[:len(png)-4], problem.Invalid, "incompleto"},
		{"PNGCutInHeader", "tela.png", png[:20], problem.Invalid, "incompleto"},
		{"PNGSumWrong", "tela.png", badSum, problem.Invalid, "danificado"},
		{"PNGWithoutPicture", "tela.png", joined(png[:33], chunk("IEND", nil)), problem.Invalid, "danificado"},
		{"PNGWithoutSurface", "tela.png", joined(png[:16], make([]byte, 17)), problem.Invalid, "danificado"},
	} {
		t.Run(r.name, r.check)
	}
}

func TestCheck_polyglot(t *testing.T) {
	pdf, jpg, png := MustPDF(t, 2), MustJPEG(t, 64, 64), MustPNG(t, 64, 64)
	for _, r := range []refusal{
		{"PDFAndZIP", "laudo.pdf", joined(pdf, zipEnd), problem.Invalid, "compactado escondido"},
		{"JPEGAndZIPWithComment", "foto.jpg", joined(jpg, zipEnd[:20], []byte("\x03\x00abc")), problem.Invalid, "compactado escondido"},
		{"JPEGAndZIPWithLongestComment", "foto.jpg", joined(jpg, zipEnd[:20], bytes.Repeat([]byte{0xff}, 2+1<<16-1)), problem.Invalid,
			"compactado escondido"},
		{"JPEGAndPDF", "foto.jpg", joined(jpg[:2], []byte("\xff\xfe\x00\x0a%PDF-1.4"), jpg[2:]), problem.Invalid, "PDF escondido"},
		{"PNGThenPDF", "tela.png", joined(png, pdf), problem.Invalid, "PDF escondido"},
		{"JPEGThenHTML", "foto.jpg", joined(MustJPEG(t, 512, 512), []byte("<html>")), problem.Invalid, "outro arquivo escondido"},
		{"PDFAndHTML", "laudo.pdf", bytes.Replace(pdf, []byte("\n"), []byte("\n%<ScRiPt>\n"), 1), problem.Invalid, "página da web"},
	} {
		t.Run(r.name, r.check)
	}
}

// failing reads well for n bytes and then fails.
type failing struct {
	*bytes.Reader
	n int
}

var errDisk = errors.New("disk failed")

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b[:min(len(b), f.n)])
	if f.n -= n; f.n == 0 {
		err = errDisk
	}
	return n, err
}

// TestCheck_readError: wherever reading fails, the error is the reader's and not one
// about the file.
func TestCheck_readError(t *testing.T) {
	packed := MustQPDF(t, MustPDF(t, 40), "--object-streams=generate")
	for name, data := range map[string][]byte{
		"a.pdf": MustPDF(t, 40), "b.pdf": packed, "c.pdf": updatedPDF(3), "a.jpg": MustJPEG(t, 500, 500), "a.png": MustPNG(t, 900, 900),
	} {
		all := &counting{Reader: bytes.NewReader(data)}
		if _, err := document.Check(all, name, document.DefaultLimits()); err != nil {
			t.Fatal(err)
		}
		for n := 1; n < all.read; n += 1 + all.read/97 {
			_, err := document.Check(&failing{bytes.NewReader(data), n}, name, document.DefaultLimits())
			if err != nil && (!errors.Is(err, errDisk) || problem.CodeOf(err) != problem.Internal) {
				t.Errorf("%s after %d bytes: got %v, want the reader's error", name, n, err)
			}
		}
	}
}

// MustGIF returns a small GIF.
func MustGIF(tb testing.TB) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black}), nil); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func FuzzCheck(f *testing.F) {
	for name, data := range map[string][]byte{
		"a.pdf": MustPDF(f, 2), "b.pdf": MustQPDF(f, MustPDF(f, 2), "--object-streams=generate"),
		"a.jpg": MustJPEG(f, 9, 9), "a.png": MustPNG(f, 9, 9), "h.png": hugePNG(), "e.pdf": nil,
		"c.pdf": []byte("%PDF-1.4\nxref\n0 99999999\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF"),
	} {
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		info, err := document.Check(bytes.NewReader(data), name, document.DefaultLimits())
		switch {
		case err != nil:
			var p *problem.Error
			if !errors.As(err, &p) || p.Message == "" {
				t.Errorf("got error %v, want a problem with a sentence", err)
			}
		case info.Size != int64(len(data)) || info.ContentType == "" || info.Name == "":
			t.Errorf("got %+v of %d bytes, want it complete", info, len(data))
		}
	})
}

// BenchmarkCheck shows that the memory of a check does not grow with the file: the
// ratio is the memory for 14 MB over the memory for 1 MB.
func BenchmarkCheck(b *testing.B) {
	for kind, grow := range map[string]func(int) []byte{
		"a.pdf": func(n int) []byte {
			pdf := MustPDF(b, 1)
			return bytes.Replace(pdf, []byte("\n"), []byte("\n%"+strings.Repeat("x", n)+"\n"), 1)
		},
		"a.png": func(n int) []byte {
			png := MustPNG(b, 9, 9)
			return joined(png[:33], chunk("zTXt", make([]byte, n)), png[33:])
		},
	} {
		small, large := grow(1<<20), grow(14<<20)
		b.Run(kind, func(b *testing.B) {
			one, many := allocated(b, small, kind), allocated(b, large, kind)
			b.ReportMetric(many/one, "memory-ratio")
			b.ReportMetric(many, "B-of-14MB")
		})
	}
}

// allocated returns the bytes that one check allocates.
func allocated(b *testing.B, data []byte, name string) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range b.N {
		if _, err := document.Check(bytes.NewReader(data), name, document.DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(b.N)
}
