package document

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// maxUnpacked is how much is unpacked out of one stream: the tables and object
// streams of real files are far smaller, and a small hostile file would otherwise
// fill the memory.
const maxUnpacked = 8 << 20

// pages returns the number of pages that the catalogue of the file says; known is
// false when it is damaged or packed in a way that is not read here.
func (x *xref) pages() (count int, known bool) {
	v, err := x.trailer["Root"], error(nil)
	for _, key := range []string{"Pages", "Count"} {
		if v, err = x.resolve(v); err != nil {
			return 0, false
		}
		d, ok := v.(dict)
		if !ok {
			return 0, false
		}
		v = d[key]
	}
	if v, err = x.resolve(v); err != nil {
		return 0, false
	}
	count, known = v.(int)
	return count, known
}

// resolve returns the object that v refers to, and v itself otherwise.
func (x *xref) resolve(v any) (any, error) {
	r, ok := v.(pdfRef)
	if !ok {
		return v, nil
	}
	for _, s := range x.sections {
		e, err := x.find(s, int(r))
		if err != nil {
			return nil, err
		}
		switch e.kind {
		case inFile:
			v, _, err := x.object(x.start + e.where)
			return v, err
		case inStream:
			return x.objectInStream(int(e.where), int(r))
		}
	}
	return nil, errMalformed
}

// entry says where an object is.
type entry struct {
	kind  int
	where int64 // offset in the file, or number of the stream that holds it
}

// The kinds of entries, as streams of ISO 32000-1 table 18 number them.
const (
	inFile   = 1
	inStream = 2
)

// find looks one object up in one section of the cross references, of either form.
func (x *xref) find(s section, want int) (entry, error) {
	if s.stream != nil {
		return x.findInStream(*s.stream, want)
	}
	offset, _, err := x.scan(s.offset, want)
	if err != nil || offset < 0 {
		return entry{}, err
	}
	return entry{inFile, offset}, nil
}

// findInStream looks an object up in a table that is a stream: rows of three numbers
// with the widths W, for the ranges Index.
func (x *xref) findInStream(s pdfStream, want int) (entry, error) {
	w := ints(s.dict["W"])
	if len(w) != 3 || min(w[0], w[1], w[2]) < 0 || max(w[0], w[1], w[2]) > 8 || max(w[0], w[1], w[2]) == 0 {
		return entry{}, errMalformed
	}
	rows, err := x.unpack(s)
	if err != nil {
		return entry{}, err
	}
	index := ints(s.dict["Index"])
	if len(index) == 0 {
		index = append([]int{0}, ints([]any{s.dict["Size"]})...)
	}
	size := w[0] + w[1] + w[2]
	for ; len(index) >= 2; index = index[2:] {
		first, count := index[0], max(0, min(index[1], len(rows)/size)) // of the rows that are there
		if i := want - first; first >= 0 && i >= 0 && i < count {
			r := rows[i*size:]
			e := entry{inFile, bigEndian(r[w[0] : w[0]+w[1]])}
			if w[0] > 0 {
				e.kind = int(bigEndian(r[:w[0]]))
			}
			return e, nil
		}
		rows = rows[count*size:]
	}
	return entry{}, nil
}

// object reads "12 0 obj" and its value; after is where the value ends.
func (x *xref) object(offset int64) (v any, after int64, err error) {
	b, err := x.at(offset, objectWindow)
	if err != nil {
		return nil, 0, err
	}
	t := tokens{b: b}
	for range 3 {
		if v, err = t.value(0); err != nil {
			return nil, 0, err
		}
	}
	if v != keyword("obj") {
		return nil, 0, errMalformed
	}
	v, err = t.value(0)
	return v, offset + int64(t.i), err
}

// stream reads an object that has data.
func (x *xref) stream(offset int64) (pdfStream, error) {
	v, after, err := x.object(offset)
	if err != nil {
		return pdfStream{}, err
	}
	d, ok := v.(dict)
	b, err := x.at(after, 64)
	if err != nil {
		return pdfStream{}, err
	}
	t := tokens{b: b}
	if t.skipSpace(); !ok || t.word() != "stream" {
		return pdfStream{}, errMalformed
	}
	rest := b[t.i:]
	line := len(rest) - len(bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n")))
	return pdfStream{d, after + int64(t.i+line)}, nil
}

// objectInStream reads an object out of the stream that holds it (ISO 32000-1,
// 7.5.7): pairs of number and offset, then the objects.
func (x *xref) objectInStream(container, want int) (any, error) {
	for _, sec := range x.sections {
		e, err := x.find(sec, container)
		if err != nil {
			return nil, err
		}
		if e.kind != inFile {
			continue
		}
		s, err := x.stream(x.start + e.where)
		if err != nil {
			return nil, err
		}
		b, err := x.unpack(s)
		if err != nil {
			return nil, err
		}
		return streamMember(b, s.dict, want)
	}
	return nil, errMalformed
}

// streamMember reads one object out of an object stream.
func streamMember(b []byte, d dict, want int) (any, error) {
	head := ints([]any{d["N"], d["First"]})
	if len(head) != 2 || head[1] < 0 || head[1] > len(b) {
		return nil, errMalformed
	}
	for t := (tokens{b: b[:head[1]]}); head[0] > 0; head[0]-- {
		n, err := t.value(0)
		if err != nil {
			return nil, err
		}
		offset, err := t.value(0)
		if err != nil {
			return nil, err
		}
		if at, ok := offset.(int); ok && n == want && at >= 0 && at < len(b)-head[1] {
			o := tokens{b: b[head[1]+at:]}
			return o.value(0)
		}
	}
	return nil, errMalformed
}

// unpack returns the bytes of a stream that is compressed with Flate, the only way
// in which tables and object streams are compressed in practice.
func (x *xref) unpack(s pdfStream) ([]byte, error) {
	filter := s.dict["Filter"]
	if all, ok := filter.([]any); ok && len(all) == 1 {
		filter = all[0]
	}
	if filter != pdfName("FlateDecode") {
		return nil, errMalformed
	}
	r, err := x.file.stream(s.data)
	if err != nil {
		return nil, err
	}
	z, err := zlib.NewReader(&budgetReader{r, &x.budget}) // what unpacks to nothing counts, too
	if err != nil {
		return nil, errMalformed
	}
	b, err := io.ReadAll(io.LimitReader(&budgetReader{z, &x.budget}, maxUnpacked+1))
	if err != nil || len(b) > maxUnpacked || x.budget <= 0 { // with the budget the stream ended before its end
		return nil, fmt.Errorf("%w: stream of %d bytes", errMalformed, len(b))
	}
	return undoPredictor(b, s.dict["DecodeParms"])
}

// undoPredictor undoes the row filters of PNG, by which tables are made to pack better. What
// another reader could take for something else is malformed.
func undoPredictor(b []byte, parms any) ([]byte, error) {
	if all, ok := parms.([]any); ok && len(all) == 1 {
		parms = all[0]
	}
	if parms == nil || parms == keyword("null") {
		return b, nil
	}
	d, ok := parms.(dict)
	predictor, columns := d.number("Predictor", 1), d.number("Columns", 1)
	switch {
	case ok && (predictor == 0 || predictor == 1):
		return b, nil
	case predictor < 10, columns < 1, columns > objectWindow, d.number("Colors", 1) != 1, d.number("BitsPerComponent", 8) != 8:
		return nil, errMalformed
	}
	return undoRows(b, columns)
}

// undoRows undoes the filter of each row, the last of which may be cut short.
func undoRows(b []byte, columns int) ([]byte, error) {
	out, above := make([]byte, 0, len(b)), make([]byte, columns)
	for len(b) > 0 {
		row := b[1:min(len(b), columns+1)]
		if b[0] != 2 && b[0] != 0 {
			return nil, errMalformed
		}
		for i := range row {
			if b[0] == 2 {
				row[i] += above[i]
			}
		}
		out, above, b = append(out, row...), row, b[1+len(row):]
	}
	return out, nil
}

// number is an entry that is a number, standard without one and -1 for anything else.
func (d dict) number(key string, standard int) int {
	v, ok := d[key]
	if !ok {
		return standard
	}
	n, ok := v.(int)
	if !ok {
		return -1
	}
	return n
}

// ints reads an array of numbers, nil if anything else is in it.
func ints(v any) []int {
	all, _ := v.([]any)
	var out []int
	for _, v := range all {
		n, ok := v.(int)
		if !ok {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// bigEndian reads a number of up to 8 bytes.
func bigEndian(b []byte) (n int64) {
	for _, c := range b {
		n = n<<8 | int64(c)
	}
	return n
}
