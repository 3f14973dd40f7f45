package guide_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/guide"
)

// sample returns a sheet as a clinic would print it, with n procedures.
func sample(n int) guide.Sheet {
	one, day := 1, authorization.DateOf(2026, 11, 20)
	s := guide.Sheet{
		Operator: "Vale Sereno Saúde", IssuedAt: day,
		ANSRegister: "000000", ProviderGuide: "26112014305512300042", AuthorizedAt: day,
		Senha: "482017739", SenhaValidUntil: authorization.DateOf(2026, 12, 20), OperatorGuide: "9900123456",
		Beneficiary: guide.Beneficiary{Card: "0310004512063345", CardUntil: authorization.DateOf(2027, 12, 31), Name: "HELENA DUARTE"},
		Requester: guide.Requester{Code: "004417", Contractor: "Clínica Beira-Rio", Name: "Caio Leme",
			Council: "06", Number: "104552", State: "35", CBO: "225124"},
		Request:           guide.Request{Urgency: "1", RequestedAt: day, Indication: "Hipotireoidismo em acompanhamento; ajuste de dose."},
		ExecutingProvider: guide.ExecutingProvider{Code: "004417", Contractor: "Clínica Beira-Rio", CNES: "0000000"},
		Care:              guide.Care{Type: "23", Accident: "9", Regime: "01"},
		Notes:             "Paciente em jejum.",
	}
	for i := range n {
		s.Request.Procedures = append(s.Request.Procedures,
			guide.Procedure{Table: "22", Code: fmt.Sprint(40316500 + i), Name: "Hormônio tireoestimulante (TSH)", Requested: 2, Authorized: &one})
	}
	return s
}

// MustWrite draws the sheets.
func MustWrite(tb testing.TB, sheets ...guide.Sheet) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := guide.Write(&b, sheets...); err != nil {
		tb.Fatalf("got error %v, want a guide", err)
	}
	return b.Bytes()
}

// MustRun runs one of the PDF tools over a PDF and returns what it says.
func MustRun(tb testing.TB, pdf []byte, tool string, args ...string) []byte {
	tb.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		tb.Fatalf("%s is missing: install the packages poppler-utils and qpdf to run this test", tool)
	}
	cmd := exec.Command(tool, args...)
	cmd.Stdin = bytes.NewReader(pdf)
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s %v: %v: %s", tool, args, err, out)
	}
	return out
}

// MustCheck fails when qpdf finds anything wrong with the structure of a PDF.
func MustCheck(tb testing.TB, pdf []byte) {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "guide.pdf") // qpdf reads files only
	if err := os.WriteFile(name, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	if out := string(MustRun(tb, nil, "qpdf", "--check", name)); strings.Contains(out, "WARNING") {
		tb.Errorf("got %s, want a sound PDF", out)
	}
}

// MustPages returns the text of each page.
func MustPages(tb testing.TB, pdf []byte) []string {
	tb.Helper()
	text := string(MustRun(tb, pdf, "pdftotext", "-layout", "-", "-"))
	return strings.Split(strings.TrimSuffix(text, "\f"), "\f")
}

// word is a word on a page with its place in points from the upper left corner.
type word struct {
	XMin float64 `xml:"xMin,attr"`
	YMin float64 `xml:"yMin,attr"`
	XMax float64 `xml:"xMax,attr"`
	YMax float64 `xml:"yMax,attr"`
	Text string  `xml:",chardata"`
}

// MustWords returns the words of each page.
func MustWords(tb testing.TB, pdf []byte) [][]word {
	tb.Helper()
	d := xml.NewDecoder(bytes.NewReader(MustRun(tb, pdf, "pdftotext", "-bbox", "-", "-")))
	d.Strict = false
	var pages [][]word
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return pages
		}
		if err != nil {
			tb.Fatalf("read the places of words: %v", err)
		}
		start, ok := token.(xml.StartElement)
		switch {
		case ok && start.Name.Local == "page":
			pages = append(pages, nil)
		case ok && start.Name.Local == "word":
			var w word
			if err := d.DecodeElement(&w, &start); err != nil {
				tb.Fatalf("read the place of a word: %v", err)
			}
			pages[len(pages)-1] = append(pages[len(pages)-1], w)
		}
	}
}

// fill sets every text of v to what next returns, with n elements in every list.
func fill(v reflect.Value, n int, next func() string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(next())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(v.Index(i), n, next)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), n, next)
			}
		}
	}
}

// filled returns a sheet in which every text is what next returns.
func filled(lines int, next func() string) guide.Sheet {
	var s guide.Sheet
	fill(reflect.ValueOf(&s).Elem(), lines, next)
	return s
}
