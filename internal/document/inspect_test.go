package document_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"guiche/internal/document"
)

// MustActivePDF is a PDF of one page whose catalogue and page have those entries too,
// and that has those objects, from 5 on.
func MustActivePDF(tb testing.TB, catalogue, page string, objects ...string) []byte {
	tb.Helper()
	all := append([]string{
		"<< /Type /Catalog /Pages 2 0 R " + catalogue + " >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " + page + " >>",
		"<< /Length 17 >>\nstream\n0 0 m 100 100 l S\nendstream",
	}, objects...)
	var b bytes.Buffer
	var offsets []int
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for i, o := range all {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(all)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(all)+1, start)
	return b.Bytes()
}

const note = "<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [10 10 90 40] /P 3 0 R %s >>"

// escaped writes every letter of a name by its number.
func escaped(name string) string { return strings.ReplaceAll(fmt.Sprintf("#% x", name), " ", "#") }

// activePDFs are PDFs by what they do.
func activePDFs(tb testing.TB) map[string]struct {
	pdf  []byte
	want document.Active
} {
	tb.Helper()
	type found = struct {
		pdf  []byte
		want document.Active
	}
	attached := MustPDF(tb, 1, func(p *fpdf.Fpdf) {
		p.SetAttachments([]fpdf.Attachment{{Content: []byte("MZ program"), Filename: "a.exe"}})
	})
	return map[string]found{
		"OpenAction": {MustActivePDF(tb, "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>", ""), document.Scripts},
		"Escaped":    {MustActivePDF(tb, "/OpenAction << /S /J#61va#53cript /JS (app.alert\\(1\\)) >>", ""), document.Scripts},
		"NameTree": {MustActivePDF(tb, "/Names << /JavaScript << /Names [(a) 5 0 R] >> >>", "",
			"<< /S /JavaScript /JS (app.alert\\(1\\)) >>"), document.Scripts},
		"PageAction":    {MustActivePDF(tb, "", "/AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >>"), document.Scripts},
		"NameElsewhere": {MustActivePDF(tb, "/OpenAction << /S 5 0 R /JS (app.alert\\(1\\)) >>", "", "/JavaScript"), document.Scripts},
		"Button": {MustActivePDF(tb, "/AcroForm << /Fields [5 0 R] >>", "/Annots [5 0 R]",
			fmt.Sprintf(note, "/A << /S /JavaScript /JS (app.alert\\(1\\)) >>")), document.Scripts},
		"Launch": {MustActivePDF(tb, "/OpenAction << /S /Launch /F (cmd.exe) >>", ""), document.Launches},
		"Chain":  {MustActivePDF(tb, "/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next << /S /Launch /F (cmd.exe) >> >>", ""), document.Launches},
		"Submit": {MustActivePDF(tb, "/AcroForm << /Fields [5 0 R] >>", "/Annots [5 0 R]",
			fmt.Sprintf(note, "/A << /S /SubmitForm /F (http://example.org/) >>")), document.Submits},
		"RichMedia": {MustActivePDF(tb, "", "/Annots [<< /Type /Annot /Subtype /RichMedia "+
			"/Rect [0 0 9 9] /RichMediaContent << >> >>]"), document.Media},
		"XFA": {MustActivePDF(tb, "/AcroForm << /Fields [] /XFA [(a) 5 0 R] >>", "",
			"<< /Length 4 >>\nstream\n<a/>\nendstream"), document.XFA},
		"Attached": {attached, document.Embeds},
		"EscapedAll": {MustActivePDF(tb, "", "/Annots [<< /Type /Annot /Subtype /"+escaped("RichMediaExecute")+" /Rect [0 0 9 9] >>]"),
			document.Media},
		"OtherFile": {MustActivePDF(tb, "/OpenAction << /S /GoToR /F (a.pdf) /D [0 /Fit] >>", ""), document.Launches},
	}
}

func mustInspect(tb testing.TB, pdf []byte) document.Inspection {
	tb.Helper()
	got, err := document.Inspect(tb.Context(), bytes.NewReader(pdf))
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

// TestInspect: what a PDF does is found however it is packed, and a copy without it
// shows the same pages.
func TestInspect(t *testing.T) {
	for name, tt := range activePDFs(t) {
		for packing, pack := range map[string]func([]byte) []byte{
			"Plain":      func(b []byte) []byte { return b },
			"Packed":     func(b []byte) []byte { return MustQPDF(t, b, "--object-streams=generate") },
			"ForTheWeb":  func(b []byte) []byte { return MustQPDF(t, b, "--object-streams=generate", "--linearize") },
			"Compressed": func(b []byte) []byte { return MustQPDF(t, b, "--recompress-flate", "--compression-level=9") },
		} {
			t.Run(name+packing, func(t *testing.T) {
				pdf := pack(tt.pdf)
				if got, want := mustInspect(t, pdf), (document.Inspection{Active: tt.want}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
				inert, err := document.Inert(t.Context(), bytes.NewReader(pdf))
				if err != nil {
					t.Fatal(err)
				}
				if got := mustInspect(t, inert); !got.Harmless() {
					t.Errorf("the copy: got %+v", got)
				}
				info, err := document.Check(bytes.NewReader(inert), "a.pdf", document.DefaultLimits())
				if err != nil || info.Pages != 1 {
					t.Errorf("the copy: got %d pages, %v", info.Pages, err)
				}
				MustQPDF(t, inert, "--qdf", "--warning-exit-0")
			})
		}
	}
}

// TestInspect_Harmless: ordinary PDFs are not called anything else.
func TestInspect_Harmless(t *testing.T) {
	plain := MustPDF(t, 3)
	for name, pdf := range map[string][]byte{
		"Plain": plain, "Packed": MustQPDF(t, plain, "--object-streams=generate"), "ForTheWeb": MustQPDF(t, plain, "--linearize"),
		"OpensAtAPage": MustActivePDF(t, "/OpenAction [3 0 R /FitH null]", ""),
		"Link": MustActivePDF(t, "", "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] "+
			"/A << /S /URI /URI (http://example.org/) >> >>]"),
		"Bookmarks": MustPDF(t, 2, func(p *fpdf.Fpdf) {
			p.SetHeaderFunc(func() { p.Bookmark("JavaScript", 0, 0) })
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if got := mustInspect(t, pdf); !got.Harmless() {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func packed(b string) string {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write([]byte(b))
	_ = z.Close()
	return out.String()
}

// emptyStreams are the beginnings of so many packed streams, which all go on with the same bytes: they unpack to
// little.
func emptyStreams(n, size int) (all string) {
	for range n {
		rest := len(all)
		all = "9 0 obj << /First 0 /Filter /FlateDecode >> stream\n\x78\x01\x00" +
			string([]byte{byte(rest), byte(rest >> 8), ^byte(rest), ^byte(rest >> 8)}) + all
	}
	return all + strings.Repeat("\x00\x00\x00\xff\xff", size/5)
}

// TestInspect_hostile: what hides from a reader of the table of objects is found, or the
// PDF is not called readable; none takes long or much.
func TestInspect_hostile(t *testing.T) {
	script := "5 0 << /S /JavaScript /JS (1) >>"
	stream := func(dict, data string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
	}
	longDictionary := func(size int) []byte {
		return MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode %"+
			strings.Repeat("x", size)+"\n", packed(script)))
	}
	bomb := packed(strings.Repeat("\x00", 200<<20))
	for name, tt := range map[string]struct {
		pdf  []byte
		want document.Inspection
	}{
		"Locked":   {MustQPDF(t, MustPDF(t, 1), "--encrypt", "a", "b", "256", "--"), document.Inspection{Unreadable: true}},
		"CutShort": {MustPDF(t, 1)[:600], document.Inspection{Unreadable: true}},
		"NotListed": {bytes.Replace(MustPDF(t, 1), []byte("xref\n"), []byte("9 0 obj << /S /JavaScript >> endobj\nxref\n"), 1),
			document.Inspection{Active: document.Scripts}},
		"InAStream": {MustActivePDF(t, "", "", stream("/Subtype /Image", "9 0 obj << /S /Launch >> endobj")),
			document.Inspection{Active: document.Launches}},
		"TypeElsewhere": {MustActivePDF(t, "", "", stream("/Type 6 0 R /N 1 /First 4 /Filter /FlateDecode", packed(script)), "/ObjStm"),
			document.Inspection{Active: document.Scripts}},
		"LineOfTwoBytes": {MustActivePDF(t, "", "", strings.Replace(
			stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", packed(script)), "stream\n", "stream\r\n", 1)),
			document.Inspection{Active: document.Scripts}},
		"AfterSpace": {MustActivePDF(t, "", "", "<< /EF"+strings.Repeat(" ", 255)+"<< /F 6 0 R >> >>"),
			document.Inspection{Active: document.Embeds}},
		"Malformed":       {MustActivePDF(t, "", "", "<< /Type /ObjStm /First 4 /A ) >>"), document.Inspection{Unreadable: true}},
		"MalformedString": {MustActivePDF(t, "", "", "(/ObjStm"), document.Inspection{Unreadable: true}},
		"FilterElsewhere": {MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter 6 0 R", packed(script)), "/FlateDecode"),
			document.Inspection{Unreadable: true}},
		"OtherFilter": {MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]",
			fmt.Sprintf("%x>", packed(script)))), document.Inspection{Unreadable: true}},
		"TwoFilters": {MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter /ASCIIHexDecode /Filter /FlateDecode", packed("x"))),
			document.Inspection{Unreadable: true}},
		"CutStream": {MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode",
			packed(script + strings.Repeat("x", 99))[:40])), document.Inspection{Unreadable: true}},
		"LongDictionary":   {longDictionary(70_000), document.Inspection{Active: document.Scripts}},
		"LongerDictionary": {longDictionary(2_000_000), document.Inspection{Unreadable: true}},
		"Bomb": {MustActivePDF(t, "", "", stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", bomb)),
			document.Inspection{Unreadable: true}},
		"Nested":   {MustActivePDF(t, "", "", strings.Repeat(" obj [", 200_000)), document.Inspection{Unreadable: true}},
		"Unclosed": {MustActivePDF(t, "", "", strings.Repeat(" obj <", 1_000_000)), document.Inspection{Unreadable: true}},
		"Slashes":  {MustActivePDF(t, "", "", strings.Repeat("/", 5_000_000)), document.Inspection{}},
		"Open":     {MustActivePDF(t, "", "", strings.Repeat(" obj (", 1_000_000)), document.Inspection{Unreadable: true}},
		"Remarks":  {MustActivePDF(t, "", "", strings.Repeat(" obj 1%", 1_000_000)), document.Inspection{Unreadable: true}},
		"Numbers":  {MustActivePDF(t, "", "", strings.Repeat(" obj 1 1%", 1_000_000)), document.Inspection{Unreadable: true}},
		"Escapes":  {MustActivePDF(t, "", "", "<< /A /"+strings.Repeat("#41", 300_000)+" >>"), document.Inspection{}},
		"Letters":  {MustActivePDF(t, "", "", "("+strings.Repeat("/EF%", 200_000)+")"), document.Inspection{Active: document.Embeds}},
		"Nothing":  {MustActivePDF(t, "", "", emptyStreams(500, 1_000_000)), document.Inspection{Unreadable: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustInspect(t, tt.pdf)
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			inert, err := document.Inert(t.Context(), bytes.NewReader(tt.pdf))
			if err == nil && !mustInspect(t, inert).Harmless() || err != nil && !errors.Is(err, document.ErrNotInert) {
				t.Errorf("the copy: %v", err)
			}
		})
	}
}

// rows packs bytes as rows of so many, each written as what it adds to the one above.
func rows(b string, columns int) string {
	var out []byte
	above := make([]byte, columns)
	for row := range slices.Chunk([]byte(b), columns) {
		out = append(out, 2)
		for i, c := range row {
			out = append(out, c-above[i])
		}
		above = row
	}
	return packed(string(out))
}

// objectStreams is a PDF with object streams whose dictionaries have those entries too; object 6 is a number.
func objectStreams(tb testing.TB, entries string, data ...string) []byte {
	tb.Helper()
	var objects []string
	for _, d := range data {
		objects = append(objects, fmt.Sprintf("<< /Type /ObjStm /N 1 /First 4 %s /Length %d >>\nstream\n%s\nendstream", entries, len(d), d))
	}
	objects = slices.Insert(objects, 1, "12")
	return MustActivePDF(tb, "", "", objects...)
}

// TestInspect_otherReaders: what another reader of PDF takes for an object stream is looked into, or the PDF is not
// called readable.
func TestInspect_otherReaders(t *testing.T) {
	const script = "6 0 << /S /JavaScript /JS (1) >>"
	found, unreadable := document.Inspection{Active: document.Scripts}, document.Inspection{Unreadable: true}
	flate := objectStreams(t, "/Filter /FlateDecode", packed(script))
	exhausting := slices.Repeat([]string{packed(strings.Repeat(" ", 8<<20))}, 7)
	exhausting = append(exhausting, packed(strings.Repeat(" ", 8<<20-68_000)), packed(strings.Repeat(" ", 4<<10)+script))
	for name, tt := range map[string]struct {
		pdf  []byte
		want document.Inspection
	}{
		"Plain":            {flate, found},
		"Glued":            {bytes.Replace(flate, []byte("5 0 obj"), []byte("5 0obj"), 1), found},
		"EndInText":        {bytes.Replace(flate, []byte("5 0 obj\n<<"), []byte("5 0 obj\n<< (endobj) 12"), 1), unreadable},
		"FarStream":        {bytes.Replace(flate, []byte("\nstream"), []byte(" %"+strings.Repeat("x", 2<<20)+"\nstream"), 2), unreadable},
		"ShortNames":       {objectStreams(t, "/F /FlateDecode", packed(script)), unreadable},
		"ShortNamesBeside": {objectStreams(t, "/Filter /FlateDecode /DP << /Predictor 12 >>", packed("x")), unreadable},
		"Rows":             {objectStreams(t, "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 8 >>", rows(script, 8)), found},
		"RowsCut":          {objectStreams(t, "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 99 >>", rows(script, 99)), found},
		"RowsElsewhere":    {objectStreams(t, "/Filter /FlateDecode /DecodeParms 6 0 R", rows(script, 8)), unreadable},
		"RowsOfOneOfTwo": {objectStreams(t, "/Filter [/FlateDecode] /DecodeParms [<< /Predictor 12 /Columns 8 >> null]",
			rows(script, 8)), unreadable},
		"RowsTwice": {objectStreams(t, "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 8 >> /DecodeParms null",
			rows(script, 8)), unreadable},
		"PredictorElsewhere": {objectStreams(t, "/Filter /FlateDecode /DecodeParms << /Predictor 6 0 R /Columns 8 >>",
			rows(script, 8)), unreadable},
		"Colors": {objectStreams(t, "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1 /Colors 8 >>",
			packed("\x00\x00")), unreadable},
		"Exhausted": {objectStreams(t, "/Filter /FlateDecode", exhausting...), unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			if got := mustInspect(t, tt.pdf); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestInert_Shows: what is seen of a page stays.
func TestInert_Shows(t *testing.T) {
	pdf := MustPDF(t, 2, func(p *fpdf.Fpdf) {
		p.SetJavascript("app.alert('x')")
		p.SetAttachments([]fpdf.Attachment{{Content: []byte("MZ program"), Filename: "a.exe"}})
	})
	if got := mustInspect(t, pdf).Active; got != document.Scripts|document.Embeds {
		t.Errorf("got %b", got)
	}
	inert, err := document.Inert(t.Context(), bytes.NewReader(pdf))
	if err != nil {
		t.Fatal(err)
	}
	text := exec.Command("pdftotext", "-", "-")
	text.Stdin = bytes.NewReader(inert)
	if out, err := text.Output(); err != nil || !strings.Contains(string(out), "page A") || !strings.Contains(string(out), "page B") {
		t.Errorf("got %q, %v", out, err)
	}
	for _, left := range []string{"app.alert", "MZ program", "a.exe"} {
		if bytes.Contains(MustQPDF(t, inert, "--qdf"), []byte(left)) {
			t.Errorf("%q is still there", left)
		}
	}
}

// TestInert_Keys: whatever else is done or carried by an entry alone goes, beside what made
// the PDF active.
func TestInert_Keys(t *testing.T) {
	for _, key := range []string{"OpenAction", "AA", "JS", "EmbeddedFiles", "EF", "AF", "XFA", "Collection", "RichMediaContent",
		"RichMediaSettings", "OnInstantiate", "Requirements"} {
		pdf := MustActivePDF(t, "/"+key+" << /Kept (x) >>", "/AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >> /"+key+"x (y)")
		inert, err := document.Inert(t.Context(), bytes.NewReader(pdf))
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if bytes.Contains(inert, []byte("/"+key+"<")) || bytes.Contains(inert, []byte("/"+key+" ")) || bytes.Contains(inert, []byte("Kept")) {
			t.Errorf("%s is still there: %q", key, inert)
		}
		if !bytes.Contains(inert, []byte("/"+key+"x")) {
			t.Errorf("%s: what only sounds alike is gone: %q", key, inert)
		}
	}
}

func FuzzInspect(f *testing.F) {
	for _, tt := range activePDFs(f) {
		f.Add(tt.pdf)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		mustInspect(t, b)
		if got := mustInspect(t, append(bytes.Clone(b), " /S /Launch "...)); !got.Active.Has(document.Launches) {
			t.Errorf("with a launch appended: got %b", got.Active)
		}
	})
}
