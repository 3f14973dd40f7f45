package document_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"guiche/internal/document"
	"guiche/internal/problem"
)

// checkPages checks a PDF that is expected to be accepted with so many pages, 0 being
// unknown.
func checkPages(t *testing.T, pdf []byte, want int) {
	t.Helper()
	info, err := document.Check(bytes.NewReader(pdf), "laudo.pdf", document.DefaultLimits())
	if err != nil || info.Pages != want {
		t.Errorf("got %d pages, error %v, want %d", info.Pages, err, want)
	}
}

// threePages are the objects of a PDF of three pages: a catalogue, 1, and a page
// tree, 2.
var threePages = []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 3>>"}

// textPDF is a PDF of three pages with the trailer given.
func textPDF(trailer string) []byte { return tablePDF(trailer, threePages...) }

// tablePDF is a PDF of these objects with a table of them in text.
func tablePDF(trailer string, objects ...string) []byte {
	b := []byte("%PDF-1.4\n")
	table := fmt.Sprintf("xref\n1 %d\n", len(objects))
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(b))
		b = fmt.Appendf(b, "%d 0 obj%sendobj\n", i+1, object)
	}
	return fmt.Appendf(b, "%strailer%s\nstartxref\n%d\n%%%%EOF", table, trailer, len(b))
}

// TestCheck_PDFValues reads trailers with every kind of value before the one that
// counts.
func TestCheck_PDFValues(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, value := range map[string]string{
		"None": "", "Number": "/A 15", "Negative": "/A -3", "Real": "/A 1.5", "Reference": "/A 7 0 R", "Numbers": "/A[1 2 3 4 0 R 5]",
		"Word": "/A true/B null",
		"Name": "/A/B", "EmptyName": "/ /A", "EscapedName": "/A#20B/C", "HexString": "/A<48 65>", "String": "/A(text)",
		"NestedString": "/A(a(b)c)", "EscapedString": `/A(a\)b)`, "EscapedEnd": `/A(a\\)`, "Dictionary": "/A<</B[<</C 1>>]>>",
		"Empty":   "/A[]/B<<>>",
		"Comment": "/A 1%)>>/Root 9 0 R\n", "CommentToReturn": "%x\r/A%\r\n1", "Deep": "/A" + nested(32), "White": "\x00\t\f\r\n /A\n1\n",
	} {
		t.Run(name, func(t *testing.T) { checkPages(t, textPDF("<<"+value+"/Root 1 0 R>>"), 3) })
	}
	t.Run("EscapedRoot", func(t *testing.T) { checkPages(t, textPDF("<</Ro#6ft 1 0 R>>"), 3) })
	t.Run("RootElsewhere", func(t *testing.T) { checkPages(t, textPDF("<</Root 9 0 R>>"), 0) })
	t.Run("RootIsNoDictionary", func(t *testing.T) { checkPages(t, textPDF("<</Root 1>>"), 0) })
	for name, trailer := range map[string]string{
		"Delimiter": "<</Root )>>", "Open": "<</Root 1 0 R", "OpenArray": "<</A[1 2>>", "OpenString": "<</A(1 2>>", "OpenHexString": "<</A<1 2",
		"NumberAsName": "<<1/Root>>", "NoDictionary": "[/Root]", "Nothing": "", "TooDeep": "<</A" + nested(33) + "/Root 1 0 R>>",
	} {
		t.Run("Err"+name, refusal{"", "laudo.pdf", textPDF(trailer), problem.Invalid, "danificado"}.check)
	}
}

func deflated(content []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}

// streamPDF is a PDF whose table of objects is the stream 3, with the entries of its
// dictionary and the rows given; 4 is a stream with the objects of threePages.
func streamPDF(entries string, rows func(offsets [5]int) []byte) []byte {
	return groupPDF(fmt.Sprintf("1 0 2 %d ", len(threePages[0])), entries, rows)
}

// groupPDF is streamPDF with where the objects are that stand in 4.
func groupPDF(inside, entries string, rows func(offsets [5]int) []byte) []byte {
	b := []byte("%PDF-1.5\n")
	var offsets [5]int
	for i, object := range threePages {
		offsets[i+1] = len(b)
		b = fmt.Appendf(b, "%d 0 obj%sendobj\n", i+1, object)
	}
	offsets[4] = len(b)
	group := deflated([]byte(inside + strings.Join(threePages, "")))
	b = fmt.Appendf(b, "4 0 obj<</N 2/First %d/Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj\n", len(inside), len(group), group)
	offsets[3] = len(b)
	b = fmt.Appendf(b, "3 0 obj<</Type/XRef/Root 1 0 R/Size 5%s>>stream\r\n%s\nendstream endobj\n", entries, rows(offsets))
	return fmt.Appendf(b, "startxref\n%d\n%%%%EOF", offsets[3])
}

// row is a row of a table with the widths 1, 2 and 1.
func row(kind byte, where int) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{kind}, uint16(where)), 0)
}

// wholeTable has the rows of all objects from 0 on.
func wholeTable(o [5]int) []byte {
	return joined(row(0, 0), row(1, o[1]), row(1, o[2]), row(1, o[3]), row(1, o[4]))
}

func TestCheck_PDFTableStream(t *testing.T) {
	const flate, widths = "/Filter/FlateDecode", "/W[1 2 1]"
	packed := func(rows func([5]int) []byte) func([5]int) []byte {
		return func(o [5]int) []byte { return deflated(rows(o)) }
	}
	predicted := func(filter byte) func([5]int) []byte {
		return func(o [5]int) (b []byte) {
			above, table := make([]byte, 4), wholeTable(o)
			for ; len(table) > 0; table = table[4:] {
				b = append(b, filter)
				for i, c := range table[:4] {
					if filter == 2 {
						c -= above[i]
					}
					b = append(b, c)
				}
				above = table[:4]
			}
			return b
		}
	}
	const predictor = "/DecodeParms<</Predictor 12/Columns 4>>"
	for _, tt := range []struct {
		name, entries string
		rows          func([5]int) []byte
		want          int // pages
	}{
		{"Whole", widths + flate, packed(wholeTable), 3},
		{"FilterInArray", widths + "/Filter[/FlateDecode]", packed(wholeTable), 3},
		{"Index", widths + flate + "/Index[0 5]", packed(wholeTable), 3},
		{"IndexOfTwo", widths + flate + "/Index[1 2]", packed(func(o [5]int) []byte { return wholeTable(o)[4:12] }), 3},
		{"IndexInParts", widths + flate + "/Index[2 1 8 0 1 1]", packed(func(o [5]int) []byte { return joined(row(1, o[2]), row(1, o[1])) }), 3},
		{"IndexWithoutRows", widths + flate + "/Index[1 2]", packed(func(o [5]int) []byte { return row(1, o[1]) }), 0},
		{"IndexOfOthers", widths + flate + "/Index[5 9]", packed(wholeTable), 0},
		{"IndexBeyondAnyFile", "/W[0 2 0]" + flate + "/Index[9 4611686018427387904 0 5]", packed(wholeTable), 0},
		{"IndexOfNames", widths + flate + "/Index[/A/B]", packed(wholeTable), 3}, // as without one
		{"NoKinds", "/W[0 2 0]" + flate, packed(func(o [5]int) (b []byte) {
			for _, offset := range o {
				b = binary.BigEndian.AppendUint16(b, uint16(offset))
			}
			return b
		}), 3},
		{"WideOffsets", "/W[1 8 0]" + flate, packed(func(o [5]int) (b []byte) {
			for _, offset := range o {
				b = binary.BigEndian.AppendUint64(append(b, 1), uint64(offset))
			}
			return b
		}), 3},
		{"FreeObjects", widths + flate, packed(func(o [5]int) []byte { return joined(row(0, 0), row(0, o[1]), row(0, o[2])) }), 0},
		{"InStream", widths + flate, packed(func(o [5]int) []byte {
			return joined(row(0, 0), row(2, 4), row(2, 4), row(1, o[3]), row(1, o[4]))
		}), 3},
		{"InStreamThatIsNone", widths + flate, packed(func(o [5]int) []byte {
			return joined(row(0, 0), row(2, 4), row(2, 4), row(1, o[3]), row(1, o[1]))
		}), 0},
		{"InStreamThatIsAbsent", widths + flate, packed(func(o [5]int) []byte { return joined(row(0, 0), row(2, 4), row(2, 4)) }), 0},
		{"InStreamOfStreams", widths + flate, packed(func(o [5]int) []byte {
			return joined(row(0, 0), row(2, 4), row(2, 4), row(0, 0), row(2, 4))
		}), 0},
		{"PredictorUp", widths + flate + predictor, packed(predicted(2)), 3},
		{"PredictorNone", widths + flate + predictor, packed(predicted(0)), 3},
		{"PredictorInArray", widths + flate + "/DecodeParms[<</Predictor 15/Columns 4>>]", packed(predicted(2)), 3},
		{"PredictorOne", widths + flate + "/DecodeParms<</Predictor 1/Columns 9>>", packed(wholeTable), 3},
		{"PredictorOther", widths + flate + predictor, packed(predicted(1)), 0},
		{"PredictorTIFF", widths + flate + "/DecodeParms<</Predictor 2/Columns 4>>", packed(wholeTable), 0},
		{"PredictorWithoutColumns", widths + flate + "/DecodeParms<</Predictor 12>>", packed(predicted(2)), 0},
		{"PredictorNegativeColumns", widths + flate + "/DecodeParms<</Predictor 12/Columns -1>>", packed(predicted(2)), 0},
		{"PredictorTooManyColumns", widths + flate + "/DecodeParms<</Predictor 12/Columns 65537>>", packed(predicted(2)), 0},
		{"NoFilter", widths, wholeTable, 0},
		{"OtherFilter", widths + "/Filter/LZWDecode", wholeTable, 0},
		{"TwoFilters", widths + "/Filter[/FlateDecode/FlateDecode]", packed(packed(wholeTable)), 0},
		{"NotPacked", widths + flate, wholeTable, 0},
		{"NoWidths", flate, packed(wholeTable), 0},
		{"TwoWidths", "/W[1 2]" + flate, packed(wholeTable), 0},
		{"NegativeWidth", "/W[1 2 -1]" + flate, packed(wholeTable), 0},
		{"NegativeWidthOfKinds", "/W[-1 2 1]" + flate, packed(wholeTable), 0},
		{"WidthOfNine", "/W[9 2 1]" + flate, packed(wholeTable), 0},
		{"EightMegabytes", widths + flate, packed(func(o [5]int) []byte { return append(wholeTable(o), make([]byte, 8<<20-20)...) }), 3},
		{"MoreThanEightMegabytes", widths + flate, packed(func(o [5]int) []byte { return append(wholeTable(o), make([]byte, 8<<20-19)...) }), 0},
	} {
		t.Run(tt.name, func(t *testing.T) { checkPages(t, streamPDF(tt.entries, tt.rows), tt.want) })
	}
	t.Run("InStreamBeyondAnyFile", func(t *testing.T) {
		checkPages(t, groupPDF("1 9223372036854775807 ", widths+flate, packed(func(o [5]int) []byte {
			return joined(row(0, 0), row(2, 4), row(2, 4), row(1, o[3]), row(1, o[4]))
		})), 0)
	})
}

// TestCheck_PDFTable reads tables in text that are more or less right.
func TestCheck_PDFTable(t *testing.T) {
	pdf := string(textPDF("<</Root 1 0 R>>"))
	replaced := func(old, new string) []byte {
		if !strings.Contains(pdf, old) {
			t.Fatalf("the PDF has no %q", old)
		}
		return []byte(strings.Replace(pdf, old, new, 1))
	}
	for name, tt := range map[string]struct {
		pdf  []byte
		want int
	}{
		"Plain":            {[]byte(pdf), 3},
		"SpaceBefore":      {replaced("xref\n1 2", " \nxref\n1 2"), 3},
		"InTwoGroups":      {replaced("xref\n1 2\n0000000009 00000 n \n", "xref\n1 1\n0000000009 00000 n \n2 1\n"), 3},
		"EmptyGroup":       {replaced("xref\n", "xref\n0 0\n"), 3},
		"FreeObject":       {replaced("0000000009 00000 n", "0000000009 00000 f"), 0},
		"TrailerFollows":   {replaced("trailer<<", "trailer <<"), 3},
		"CountIsWord":      {replaced("/Count 3", "/Count true"), 0},
		"CountIsElsewhere": {replaced("/Count 3", "/Count 9 0 R"), 0},
	} {
		t.Run(name, func(t *testing.T) { checkPages(t, tt.pdf, tt.want) })
	}
	// The table is of no use, but the trailer says where the catalogue would be.
	for name, table := range map[string]string{
		"NoCount": "xref\n1\n", "NoNumber": "xref\nx 2\n",
		"WordBefore": "xref\nx\n1 2\n", "WordTooLong": "xref\n1 " + strings.Repeat("2", 24) + "\n", "Cut": "xref\n1 9\n",
	} {
		t.Run("Useless"+name, func(t *testing.T) { checkPages(t, replaced("xref\n1 2\n", table), 0) })
	}
	t.Run("CountInAnObject", func(t *testing.T) {
		checkPages(t, tablePDF("<</Root 1 0 R>>", threePages[0], "<</Type/Pages/Count 3 0 R>>", " 7 "), 7)
	})
}
