package document

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/sync/semaphore"
)

// Active is what a PDF does, or carries, beside showing pages.
type Active uint8

// What a PDF may do or carry.
const (
	Scripts  Active = 1 << iota // runs JavaScript
	Launches                    // starts programs or opens other files
	Embeds                      // has other files in it
	Media                       // plays media, whose players run scripts
	Submits                     // sends or fetches what is in its fields
	XFA                         // is a form that is made by a program
)

// Has reports whether all of some are among those of a.
func (a Active) Has(some Active) bool { return a&some == some }

// activeNames are the names (ISO 32000-2, 7.3.5) without which a PDF can do none of
// this. Shorter ones, which every picture has by chance, never stand without one of these.
var activeNames = map[string]Active{
	"JavaScript": Scripts, "OnInstantiate": Scripts,
	"Launch": Launches, "GoToR": Launches, "GoToE": Launches | Embeds,
	"EmbeddedFile": Embeds, "FileAttachment": Embeds,
	"RichMedia": Media, "RichMediaContent": Media, "RichMediaExecute": Media, "Rendition": Media,
	"SubmitForm": Submits, "ImportData": Submits, "XFA": XFA,
}

// Inspection is what was found in a PDF.
type Inspection struct {
	Active     Active
	Unreadable bool // locked, damaged, or with parts that were not looked into
}

// Harmless reports whether a PDF only shows pages, as far as all of it can be read.
func (i Inspection) Harmless() bool { return i == Inspection{} }

const (
	maxInspected  = 64 << 20         // the largest PDF that is looked into
	maxInspecting = 2 * maxInspected // all that are being looked into at a time
	maxParsed     = 64 << 20         // how much is parsed out of one, beyond its size
	maxObject     = 1 << 20          // how much of one object, but for its data
)

var inspecting = semaphore.NewWeighted(maxInspecting)

// Inspect looks for what a PDF does beside showing pages. It does not follow the table
// of objects, which readers of PDF follow in different ways: it looks at every byte, and
// into every stream that may hold objects. Time and memory are bounded by the size.
//
// The PDF is held in memory; Inspect waits for room until ctx ends. Errors come from r
// or ctx.
func Inspect(ctx context.Context, r io.ReadSeeker) (Inspection, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return Inspection{}, fmt.Errorf("size of a PDF: %w", err)
	}
	if size > maxInspected {
		return Inspection{Unreadable: true}, nil
	}
	if err := inspecting.Acquire(ctx, size); err != nil {
		return Inspection{}, fmt.Errorf("wait to inspect a PDF: %w", err)
	}
	defer inspecting.Release(size)
	b, err := (file{r: r, size: size}).at(0, size)
	if err != nil {
		return Inspection{}, err
	}
	return inspect(b), nil
}

// inspect inspects a PDF in memory.
func inspect(b []byte) Inspection {
	f := file{r: bytes.NewReader(b), name: attachedFile, size: int64(len(b))}
	_, err := f.checkPDF(b[:min(len(b), headSize)])
	s := activeScan{b: b, parse: maxParsed + 4*len(b), unpack: maxTableBytes}
	s.unreadable = err != nil
	s.packed = s.names(b)
	s.objects()
	return Inspection{Active: s.active, Unreadable: s.unreadable}
}

// activeScan looks through a PDF.
type activeScan struct {
	b          []byte
	active     Active
	unreadable bool
	packed     int   // where the last name lies of which object streams have one
	parse      int   // bytes that may still be parsed
	unpack     int64 // bytes that may still be unpacked
}

// longestName is more than the longest name that is looked for, all of it escaped.
const longestName = 3 * 20

// endsName tells the bytes that end a name.
var endsName = func() (ends [256]bool) {
	for _, c := range []byte(pdfDelimiter) {
		ends[c] = true
	}
	return ends
}()

// names notes the names in a piece of a PDF, and returns where the last one of object streams ends.
func (s *activeScan) names(b []byte) (packed int) {
	for after, name := range eachName(b) {
		s.active |= activeNames[name]
		switch {
		case ofObjectStreams[name]:
			packed = after
		case name == "Encrypt":
			s.unreadable = true
		case name == "EF" && isObject(b[after:]):
			s.active |= Embeds
		}
	}
	return packed
}

// longestSpace is how much white space and comments are skipped before an object.
const longestSpace = 256

// isObject reports whether a dictionary or a reference comes next, or so much space that it
// may: two letters alone are in pictures by chance. The list EmbeddedFiles is in many PDFs, and empty.
func isObject(b []byte) bool {
	t := tokens{b: b[:min(len(b), longestSpace)]}
	c := t.skipSpace()
	return c == 0 || c >= '0' && c <= '9' || bytes.HasPrefix(b[t.i:], []byte("<<"))
}

// eachName yields the names in a piece of a PDF, with where they end, also those in what
// may be data.
func eachName(b []byte) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := bytes.IndexByte(b, '/'); i >= 0 && i < len(b); {
			rest := b[i+1 : min(len(b), i+1+longestName)]
			end := 0
			for end < len(rest) && !endsName[rest[end]] {
				end++
			}
			name := string(rest[:end])
			if strings.Contains(name, "#") {
				name = unescapeName(name)
			}
			if !yield(i+1+end, name) {
				return
			}
			next := bytes.IndexByte(b[i+1:], '/')
			if next < 0 {
				return
			}
			i += 1 + next
		}
	}
}

// beforeObj are the bytes after which the word obj may stand: of numbers, too, which end for most readers where another
// word begins.
const beforeObj = pdfSpace + "0123456789.+-"

// objects looks into the streams that hold objects, wherever they lie.
func (s *activeScan) objects() {
	const word = "obj"
	for at := 0; ; {
		n := bytes.Index(s.b[at:], []byte(word))
		if n < 0 {
			return
		}
		before := at + n - 1
		at += n + len(word)
		if before < 0 || !strings.ContainsRune(beforeObj, rune(s.b[before])) {
			continue
		}
		if s.parse <= 0 {
			s.unreadable = true
			return
		}
		s.object(s.b[at:min(len(s.b), at+maxObject)], at)
	}
}

// object looks at one object, of which b is the beginning.
func (s *activeScan) object(b []byte, at int) {
	t := tokens{b: b}
	v, err := t.value(0)
	if err != nil {
		s.parse -= len(b)
		// What is malformed to this reader may be an object to another, which ends it elsewhere.
		s.unreadable = s.unreadable || at < s.packed
		return
	}
	header := b[:t.i]
	t.skipSpace()
	s.parse -= t.i + t.comments
	d, ok := v.(dict)
	if !ok || !mayHoldObjects(header) {
		return
	}
	const word = "stream"
	switch rest := b[t.i:]; {
	case bytes.HasPrefix(rest, []byte(word)):
		s.unreadable = !s.stream(d, header, at+t.i+len(word)) || s.unreadable
	case len(rest) < len(word): // remarks hide what comes next
		s.unreadable = true
	}
}

// ofObjectStreams are the names of which the dictionary of an object stream has one (ISO 32000-2, 7.5.7).
var ofObjectStreams = map[string]bool{"First": true, "ObjStm": true}

// mayHoldObjects reports whether a stream with that dictionary may be read as an object stream.
func mayHoldObjects(header []byte) bool {
	for _, name := range eachName(header) {
		if ofObjectStreams[name] {
			return true
		}
	}
	return false
}

// packings are the keys that say how a stream is packed, with how often one is understood alike by all readers. Some
// take the short names of pictures within pages for the same.
var packings = map[string]int{
	"Filter": 1, "DecodeParms": 1, "Predictor": 1, "Columns": 1, "Colors": 1, "BitsPerComponent": 1, "F": 0, "DP": 0,
}

// unclear reports whether readers may unpack a stream with that dictionary in different ways.
func unclear(header []byte) bool {
	told := map[string]int{}
	for _, name := range eachName(header) {
		most, packs := packings[name]
		if told[name]++; packs && told[name] > most {
			return true
		}
	}
	return false
}

// stream looks into an object stream, and reports whether it could.
func (s *activeScan) stream(d dict, header []byte, data int) bool {
	if unclear(header) {
		return false
	}
	if d["Filter"] == nil {
		return true // its bytes were seen with all others
	}
	if s.unpack <= 0 { // as the ones before left it: a reader for each of a million more takes its time, too
		return false
	}
	x := &xref{file: file{r: bytes.NewReader(s.b), size: int64(len(s.b))}, budget: s.unpack}
	line := s.b[data:min(len(s.b), data+2)]
	data += len(line) - len(bytes.TrimPrefix(bytes.TrimPrefix(line, []byte("\r")), []byte("\n")))
	objects, err := x.unpack(pdfStream{d, int64(data)})
	s.unpack = x.budget
	s.names(objects)
	return err == nil
}
