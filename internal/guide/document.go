package guide

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"

	"guiche/internal/guide/fonts"
)

// document is a PDF that is being written. It is used again: a compressor alone is more
// than a megabyte.
type document struct {
	content
	out    []byte
	starts []int // of the objects, whose numbers begin with 1
	packed bytes.Buffer
	zlib   *zlib.Writer
}

var documents = sync.Pool{New: func() any {
	d := new(document)
	d.zlib, _ = zlib.NewWriterLevel(&d.packed, zlib.BestSpeed) // the level is a good one
	return d
}}

// newDocument returns an empty document; release gives it back.
func newDocument() *document {
	d := documents.Get().(*document) // the pool has no others
	d.text, d.ends, d.out, d.starts = d.text[:0], d.ends[:0], d.out[:0], d.starts[:0]
	d.fonts = []*fonts.Subset{&bold().Subsets[0], &regular().Subsets[0]} // those of the form: see drawnForm
	return d
}

func (d *document) release() { documents.Put(d) }

// Objects of every document; those of its pages follow, then those of its fonts.
const (
	catalogObject = 1 + iota
	pagesObject
	infoObject
	resourcesObject
	firstPage
)

const (
	objectsOfPage = 2 // the page and what it shows
	objectsOfFont = 3 // the font, its measures and its program
)

// write puts the document, of at least one page, into w.
func (d *document) write(w io.Writer, title string, created time.Time) error {
	d.out = append(d.out, "%PDF-1.4\n%\xb5\xb6\xb5\xb6\n"...)
	pages := len(d.ends) + 1
	d.object("<</Type /Catalog /Pages %d 0 R /Lang (pt-BR)>>", pagesObject)
	d.object("<</Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 %v %v]>>", references(firstPage, pages, objectsOfPage), pages,
		pageWidth, pageHeight)
	at := created.Format("20060102150405")
	d.object("<</Producer %s /Title %s /CreationDate (D:%s) /ModDate (D:%s)>>", textOf("Guichê"), textOf(title), at, at)
	firstFont := firstPage + objectsOfPage*pages
	d.object("<</Font <<%s>>>>", d.fontNames(firstFont))
	for i := range pages {
		if err := d.page(i); err != nil {
			return err
		}
	}
	for i, f := range d.fonts {
		d.font(f.Definition, firstFont+objectsOfFont*i)
		d.stream(fmt.Sprintf("/Filter /FlateDecode /Length1 %d ", f.Definition.OriginalSize), f.Program)
	}
	d.table()
	_, err := w.Write(d.out)
	return err
}

// references are the numbers of objects as a list names them.
func references(first, count, step int) (list []byte) {
	for i := range count {
		list = fmt.Appendf(list, "%d 0 R ", first+i*step)
	}
	return list
}

// textOf is a text of Info: hexadecimal UTF-16.
func textOf(s string) string {
	const byteOrder = 0xfeff
	text := fmt.Appendf(nil, "<%04X", byteOrder)
	for _, unit := range utf16.Encode([]rune(s)) {
		text = fmt.Appendf(text, "%04X", unit)
	}
	return string(append(text, '>'))
}

// begin begins the next object.
func (d *document) begin() {
	d.starts = append(d.starts, len(d.out))
	d.out = append(strconv.AppendInt(d.out, int64(len(d.starts)), 10), " 0 obj\n"...)
}

func (d *document) end() { d.out = append(d.out, "\nendobj\n"...) }

// object writes the next object.
func (d *document) object(format string, args ...any) {
	d.begin()
	d.out = fmt.Appendf(d.out, format, args...)
	d.end()
}

// stream writes the next object, of bytes.
func (d *document) stream(dictionary string, content []byte) {
	d.begin()
	d.out = fmt.Appendf(d.out, "<<%s/Length %d>>\nstream\n", dictionary, len(content))
	d.out = append(d.out, content...)
	d.out = append(d.out, "\nendstream"...)
	d.end()
}

// page writes a page, and what it shows compressed.
func (d *document) page(i int) error {
	from, to := 0, len(d.text)
	if i > 0 {
		from = d.ends[i-1]
	}
	if i < len(d.ends) {
		to = d.ends[i]
	}
	d.packed.Reset()
	d.zlib.Reset(&d.packed)
	_, err := d.zlib.Write(d.text[from:to])
	if err = errors.Join(err, d.zlib.Close()); err != nil {
		return fmt.Errorf("compress a page: %w", err)
	}
	d.object("<</Type /Page /Parent %d 0 R /Resources %d 0 R /Contents %d 0 R>>", pagesObject, resourcesObject,
		firstPage+objectsOfPage*i+1)
	d.stream("/Filter /FlateDecode ", d.packed.Bytes())
	return nil
}

func (d *document) fontNames(first int) (names []byte) {
	for i := range d.fonts {
		names = fmt.Appendf(names, "/%s %d 0 R ", fontName(i), first+objectsOfFont*i)
	}
	return names
}

// font writes a font and its measures; its program comes next. number is that of the font.
func (d *document) font(f fonts.Definition, number int) {
	d.begin()
	d.out = fmt.Appendf(d.out, "<</Type /Font /BaseFont /%s /Subtype /TrueType /FirstChar %d /LastChar %d /FontDescriptor %d 0 R\n",
		f.Name, fonts.FirstCode, len(f.Cw)-1, number+1)
	d.out = fmt.Appendf(d.out, "/Encoding <</Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [%s]>>\n/Widths [", f.Diff)
	for _, width := range f.Cw[fonts.FirstCode:] {
		d.out = append(strconv.AppendInt(d.out, int64(width), 10), ' ')
	}
	d.out = append(d.out, "]>>"...)
	d.end()
	m, box := f.Desc, f.Desc.FontBBox
	d.object("<</Type /FontDescriptor /FontName /%s /Ascent %d /Descent %d /CapHeight %d /Flags %d /FontBBox [%d %d %d %d]\n"+
		"/ItalicAngle 0 /StemV %d /MissingWidth 0 /FontFile2 %d 0 R>>", f.Name, m.Ascent, m.Descent, m.CapHeight, m.Flags,
		box.Xmin, box.Ymin, box.Xmax, box.Ymax, m.StemV, number+2)
}

// table writes where the objects are, and the end.
func (d *document) table() {
	at, size := len(d.out), len(d.starts)+1
	d.out = fmt.Appendf(d.out, "xref\n0 %d\n0000000000 65535 f \n", size)
	for _, start := range d.starts {
		d.out = fmt.Appendf(d.out, "%010d 00000 n \n", start)
	}
	d.out = fmt.Appendf(d.out, "trailer\n<</Size %d /Root %d 0 R /Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", size, catalogObject,
		infoObject, at)
}
