package guide

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
)

// errDocument says that fpdf wrote a document in another form than this file reads.
var errDocument = errors.New("guide: the document is not as fpdf writes it")

// compressor compresses pages as fpdf does, to the same bytes, and is used again: fpdf makes
// a new one for each page, of more than a megabyte, which is most of what a guide costs.
type compressor struct {
	zlib *zlib.Writer
	page bytes.Buffer
}

var compressors = sync.Pool{New: func() any {
	c := new(compressor)
	c.zlib, _ = zlib.NewWriterLevel(&c.page, zlib.BestSpeed) // the level is a good one
	return c
}}

// documents are buffers for documents before their pages are compressed.
var documents = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// compressPages writes a document of fpdf, that was written without compression, with its
// pages compressed.
func compressPages(w io.Writer, document []byte) error {
	table, err := readTable(document)
	if err != nil {
		return err
	}
	c := compressors.Get().(*compressor) //nolint:forcetypeassert // the pool has no others
	defer compressors.Put(c)
	var out bytes.Buffer
	out.Grow(len(document))
	out.Write(document[:table.order[0].at])
	moved := make([]int, len(table.order))
	for i, o := range table.order {
		end := table.at
		if i+1 < len(table.order) {
			end = table.order[i+1].at
		}
		moved[o.number] = out.Len()
		if err := c.object(&out, document[o.at:end]); err != nil {
			return err
		}
	}
	at := out.Len()
	out.Write(document[table.at:table.entries])
	for _, offset := range moved {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	out.Write(document[table.trailer:table.end])
	fmt.Fprintf(&out, "%d\n%%%%EOF\n", at)
	_, err = out.WriteTo(w)
	return err
}

// table is where the objects of a document are.
type table struct {
	at, entries, trailer, end int            // of the table, its first entry, what follows it, and the last number
	order                     []placedObject // as they follow each other
}

// placedObject is the place of an object; numbers here begin with 0.
type placedObject struct{ number, at int }

// entrySize is the length of an entry: offset, generation, kind.
const entrySize = 20

// readTable reads the cross-reference table.
func readTable(document []byte) (t table, err error) {
	const mark = "startxref\n"
	start := bytes.LastIndex(document, []byte(mark))
	if start < 0 {
		return t, errDocument
	}
	t.end = start + len(mark)
	last, _, _ := bytes.Cut(document[t.end:], []byte("\n"))
	if t.at, err = strconv.Atoi(string(last)); err != nil || t.at < 0 || t.at > len(document) {
		return t, errDocument
	}
	var objects int
	head := string(document[t.at:min(len(document), t.at+entrySize)])
	if _, err := fmt.Sscanf(head, "xref\n0 %d\n", &objects); err != nil || objects < 2 {
		return t, errDocument
	}
	t.entries = t.at + len(fmt.Sprintf("xref\n0 %d\n", objects)) + entrySize
	t.trailer = t.entries + (objects-1)*entrySize
	if t.trailer > t.end {
		return t, errDocument
	}
	for number := range objects - 1 {
		entry := document[t.entries+number*entrySize:]
		at, err := strconv.Atoi(string(entry[:10]))
		if err != nil || at > t.at {
			return t, errDocument
		}
		t.order = append(t.order, placedObject{number, at})
	}
	slices.SortFunc(t.order, func(a, b placedObject) int { return cmp.Compare(a.at, b.at) })
	return t, nil
}

// object writes an object, compressed if it is what a page shows.
func (c *compressor) object(out *bytes.Buffer, object []byte) error {
	head, body, _ := bytes.Cut(object, []byte("\n"))
	body, isStream := bytes.CutPrefix(body, []byte("<</Length "))
	digits, body, _ := bytes.Cut(body, []byte(">>\nstream\n"))
	length, err := strconv.Atoi(string(digits))
	if !isStream || err != nil || length > len(body) {
		out.Write(object) // a font, which is compressed already, or no stream
		return nil        //nolint:nilerr // no number, no stream
	}
	c.page.Reset()
	c.zlib.Reset(&c.page)
	_, err = c.zlib.Write(body[:length])
	if err = errors.Join(err, c.zlib.Close()); err != nil {
		return fmt.Errorf("guide: compress a page: %w", err)
	}
	fmt.Fprintf(out, "%s\n<</Filter /FlateDecode /Length %d>>\nstream\n", head, c.page.Len())
	out.Write(c.page.Bytes())
	out.Write(body[length:])
	return nil
}
