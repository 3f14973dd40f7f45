package document

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	objectWindow  = 64 << 10 // how much of an object is read
	maxSections   = 64       // updates of one file that are followed
	maxTableBytes = 64 << 20 // how much of tables one check reads and unpacks
)

// xref is the table of objects of a PDF (ISO 32000-1, 7.5.4 and 7.5.8): where each
// object lies, in sections from the newest to the oldest.
type xref struct {
	file
	start    int64 // of the PDF within the file; offsets count from here
	budget   int64 // the rest of maxTableBytes
	trailer  dict  // of the newest section
	sections []section
}

// section is one part of the table: text at an offset, or a compressed stream.
type section struct {
	offset int64
	stream *pdfStream
}

// pdfStream is a stream: its dictionary and where its bytes begin.
type pdfStream struct {
	dict dict
	data int64
}

// load reads the newest section, or at least its trailer when the pointer to it is
// wrong (a careless copy changes offsets, and PDF readers forgive it), then the
// older ones as far as they are valid.
func (x *xref) load(offset int64) error {
	newest, err := x.readSection(offset)
	if errors.Is(err, errMalformed) {
		newest, err = x.lastTrailer()
	}
	if err != nil {
		return err
	}
	x.trailer = newest
	queue, seen := previousOffsets(newest), map[int64]bool{offset: true}
	for len(queue) > 0 && len(seen) < maxSections {
		offset, queue = queue[0], queue[1:]
		if seen[offset] {
			continue
		}
		seen[offset] = true
		if d, err := x.readSection(offset); err == nil {
			queue = append(queue, previousOffsets(d)...)
		}
	}
	return nil
}

// previousOffsets returns where the sections are that a section builds on.
func previousOffsets(d dict) []int64 {
	var offsets []int64
	for _, key := range []string{"XRefStm", "Prev"} {
		if n, ok := d[key].(int); ok {
			offsets = append(offsets, int64(n))
		}
	}
	return offsets
}

// refusal turns an error of load into the one for the user.
func (x *xref) refusal(err error) error {
	if errors.Is(err, errMalformed) {
		return x.refuseDamaged()
	}
	return err
}

// readSection reads the section at an offset and returns its trailer dictionary.
func (x *xref) readSection(offset int64) (dict, error) {
	b, err := x.at(x.start+offset, objectWindow)
	if err != nil {
		return nil, err
	}
	t := tokens{b: b}
	t.skipSpace()
	if bytes.HasPrefix(b[t.i:], []byte("xref")) {
		at := x.start + offset + int64(t.i+len("xref"))
		_, d, err := x.scan(at, -1)
		if err == nil {
			x.sections = append(x.sections, section{offset: at})
		}
		return d, err
	}
	s, err := x.stream(x.start + offset)
	if err != nil {
		return nil, err
	}
	x.sections = append(x.sections, section{stream: &s})
	return s.dict, nil
}

// lastTrailer returns the dictionary after the last "trailer" of the file.
func (x *xref) lastTrailer() (dict, error) {
	tail, err := x.at(max(0, x.size-pdfTailSize), pdfTailSize)
	if err != nil {
		return nil, err
	}
	i := bytes.LastIndex(tail, []byte("trailer"))
	if i < 0 {
		return nil, errMalformed
	}
	return readDict(tail[i+len("trailer"):])
}

// readDict reads a dictionary that must be one.
func readDict(b []byte) (dict, error) {
	t := tokens{b: b}
	v, err := t.value(0)
	if err != nil {
		return nil, err
	}
	d, ok := v.(dict)
	if !ok {
		return nil, errMalformed
	}
	return d, nil
}

// scan reads a table in text: groups of "first count", then for each object
// "offset generation n|f", then the trailer. It returns the offset of the wanted
// object, -1 when the table does not have it.
func (x *xref) scan(at int64, want int) (offset int64, trailer dict, err error) {
	r, err := x.table(at)
	if err != nil {
		return 0, nil, err
	}
	for offset = -1; ; {
		first, err := readWord(r)
		if err != nil {
			return 0, nil, err
		}
		if first == "trailer" {
			b, err := io.ReadAll(io.LimitReader(r, objectWindow))
			if err != nil {
				return 0, nil, fmt.Errorf("read a trailer: %w", err)
			}
			trailer, err = readDict(b)
			return offset, trailer, err
		}
		found, err := readGroup(r, first, want)
		if err != nil {
			return 0, nil, err
		}
		offset = max(offset, found)
	}
}

// table reads from an offset, as far as the budget allows.
func (x *xref) table(at int64) (*bufio.Reader, error) {
	r, err := x.file.stream(at)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(&budgetReader{r, &x.budget}), nil
}

// budgetReader ends when all readers of one budget together have used it up.
type budgetReader struct {
	r      io.Reader
	budget *int64
}

// Read ends when the file has unpacked as much as one file may, over all of its streams.
func (b *budgetReader) Read(p []byte) (int, error) {
	if *b.budget <= 0 {
		return 0, io.EOF
	}
	n, err := b.r.Read(p)
	*b.budget -= int64(n)
	return n, err
}

// readGroup reads one group of a table, whose first number was read already.
func readGroup(r *bufio.Reader, first string, want int) (offset int64, err error) {
	var numbers [2]int
	for i, w := 0, first; i < 2; i++ {
		if i == 1 {
			if w, err = readWord(r); err != nil {
				return 0, err
			}
		}
		if numbers[i], err = strconv.Atoi(w); err != nil {
			return 0, errMalformed
		}
	}
	offset = -1
	for i := range max(0, numbers[1]) {
		var entry [3]string
		for j := range entry {
			if entry[j], err = readWord(r); err != nil {
				return 0, err
			}
		}
		if numbers[0]+i == want && entry[2] == "n" {
			if offset, err = strconv.ParseInt(entry[0], 10, 64); err != nil {
				return 0, errMalformed
			}
		}
	}
	return offset, nil
}

// readWord reads the next word, up to white space or "<", which stays unread.
func readWord(r *bufio.Reader) (string, error) {
	const maxWord = 24
	var b []byte
	for len(b) < maxWord {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return "", errMalformed
		case err != nil:
			return "", fmt.Errorf("read a table of objects: %w", err)
		case c == '<' && len(b) > 0:
			return string(b), r.UnreadByte()
		case !strings.ContainsRune(pdfSpace, rune(c)):
			b = append(b, c)
		case len(b) > 0:
			return string(b), nil
		}
	}
	return "", errMalformed
}
