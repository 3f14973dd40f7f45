package guide_test

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"guiche/internal/guide"

	"github.com/boombuler/barcode/code128"
)

// The area that printers reach, in points.
const minX, maxX, minY, maxY = 16.0, 826.0, 10.0, 584.0

// checkNoOverflow fails when a word leaves the page or stands on another one.
func checkNoOverflow(t *testing.T, pdf []byte) {
	t.Helper()
	for i, words := range MustWords(t, pdf) {
		for j, a := range words {
			if a.XMin < minX || a.XMax > maxX || a.YMin < minY || a.YMax > maxY {
				t.Errorf("page %d: got %.30q at %.0f to %.0f, %.0f to %.0f, want it inside the margins", i+1, a.Text, a.XMin, a.XMax, a.YMin, a.YMax)
			}
			for _, b := range words[:j] {
				if overlap(a, b) {
					t.Errorf("page %d: got %.30q upon %.30q, want each in its own box", i+1, a.Text, b.Text)
				}
			}
		}
	}
}

// overlap compares the middle halves of two words: a word's place has the height of
// the font, with the room for accents that the neighbours above may use.
func overlap(a, b word) bool {
	const slack = 0.3
	aTop, aBottom := a.YMin+(a.YMax-a.YMin)/4, a.YMax-(a.YMax-a.YMin)/4
	bTop, bBottom := b.YMin+(b.YMax-b.YMin)/4, b.YMax-(b.YMax-b.YMin)/4
	return a.XMin < b.XMax-slack && b.XMin < a.XMax-slack && aTop < bBottom-slack && bTop < aBottom-slack
}

func TestWrite_awkward(t *testing.T) {
	for name, text := range map[string]string{
		"Nothing":       "",
		"WideWord":      strings.Repeat("W", 5000),
		"Megabyte":      strings.Repeat("Wi", 1<<19),
		"Words":         strings.Repeat("Conceição ", 500),
		"Lines":         strings.Repeat("á\n", 2500),
		"Emoji":         strings.Repeat("😀👩‍⚕️ ", 600),
		"RightToLeft":   strings.Repeat("שלום \u202e", 500),
		"Decomposed":    strings.Repeat("Conceic\u0327a\u0303o ", 300),
		"Control":       strings.Repeat("a\x00\x07\t\r\n\u2028b ", 300),
		"InvalidBytes":  strings.Repeat("\xff\xfe\xc3( ", 300),
		"CombiningPile": "e" + strings.Repeat("\u0301", 4999),
		"PDFSyntax":     strings.Repeat(`(\) Tj ET endstream %%EOF `, 200),
		"LastOfPlane":   strings.Repeat("\uffff\U0010ffff", 300),
	} {
		t.Run(name, func(t *testing.T) {
			pdf := MustWrite(t, filled(5, func() string { return text }))
			MustCheck(t, pdf)
			checkNoOverflow(t, pdf)
		})
	}
}

func TestWrite_awkwardShown(t *testing.T) {
	const accents = "ÁÂÃÀÉÊÍÓÔÕÚÜÇ áâãàéêíóôõúüç ªº§ñ"
	const capitals = "MARIA APARECIDA DE ALBUQUERQUE CAVALCANTI E VASCONCELOS DOS SANTOS JR."
	for _, tt := range []struct{ name, in, want string }{
		{"Accents", accents, accents},
		{"Decomposed", "Conceic\u0327a\u0303o", "Conceição"},
		{"Foreign", "Łucja Ďuriš Şahin, Ωμέγα, Жанна", "Łucja Ďuriš Şahin, Ωμέγα, Жанна"},
		{"White", "Ana\tBela\nda\u00a0Cruz\u2028e\x07 Lima", "Ana Bela da Cruz e Lima"},
		{"Emoji", "Ana 😀 Lima", "Ana □ Lima"},
		{"Joined", "a\u200db\u00adc", "abc"},
		{"RightToLeft", "שלום", "□□□□"},
		{"LooseAccent", "Rosa\u0329 de\u0332 Sá", "Rosa de Sá"},
		{"Cut", strings.Repeat("nome ", 100), "…"},
		{"SeventyCapitals", capitals, capitals},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sample(0)
			s.Beneficiary.Name = tt.in
			s.Beneficiary.SocialName = tt.in
			text := MustPages(t, MustWrite(t, s))[0]
			if got := strings.Count(text, tt.want); got < 2 {
				t.Errorf("got %d times %q in %q, want it in both fields", got, tt.want, text)
			}
		})
	}
}

// TestWrite_otherScripts: a page says so when something on it could not be printed, and
// no other page does.
func TestWrite_otherScripts(t *testing.T) {
	const sentence = "Nem tudo pôde ser impresso (□, ou letra sem o acento): a guia traz as letras latinas da Europa, gregas e cirílicas."
	for name, tt := range map[string]struct {
		change func(*guide.Sheet)
		pages  []bool // whether each has the sentence
	}{
		"None": {func(*guide.Sheet) {}, []bool{false, false}},
		"Latin": {func(s *guide.Sheet) {
			s.Beneficiary.Name = "ŁUCJA ÁVILA ĨŨÃ Þóra Ωμέγα Жанна d’Ávila"
		}, []bool{false, false}},
		"Decomposed":  {func(s *guide.Sheet) { s.Beneficiary.Name = "Conceic\u0327a\u0303o" }, []bool{false, false}},
		"Invisible":   {func(s *guide.Sheet) { s.Notes = "a\u200db\u202ec\ufe0f\u00ad d" }, []bool{false, false}},
		"Chinese":     {func(s *guide.Sheet) { s.Beneficiary.Name = "王小明" }, []bool{true, true}},
		"Arabic":      {func(s *guide.Sheet) { s.Requester.Name = "محمد" }, []bool{true, true}},
		"Emoji":       {func(s *guide.Sheet) { s.Notes = "jejum 😀" }, []bool{true, true}},
		"LooseAccent": {func(s *guide.Sheet) { s.Beneficiary.Name = "Ade\u0323\u0301o\u0329" }, []bool{true, true}},
		"Guarani":     {func(s *guide.Sheet) { s.Beneficiary.Name = "ARAPO \u1ebc\u1ef8" }, []bool{true, true}},
		"OneLine":     {func(s *guide.Sheet) { s.Request.Procedures[6].Name = "检查" }, []bool{false, true}},
		"Operator":    {func(s *guide.Sheet) { s.Operator = "健康" }, []bool{true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sample(7)
			tt.change(&s)
			pdf := MustWrite(t, s)
			checkNoOverflow(t, pdf)
			for i, text := range MustPages(t, pdf) {
				if got := strings.Contains(text, sentence); got != tt.pages[i] {
					t.Errorf("page %d: said %v, want %v", i+1, got, tt.pages[i])
				}
			}
			s.Simulated = true // the longest footer
			for i, text := range MustPages(t, MustWrite(t, s)) {
				if got := strings.Contains(text, sentence+" "); got != tt.pages[i] {
					t.Errorf("page %d, simulated: said %v with room behind it, want %v", i+1, got, tt.pages[i])
				}
			}
		})
	}
}

// TestWrite_lengths fills the fields to the lengths that TISS allows: nothing may be
// cut there.
func TestWrite_lengths(t *testing.T) {
	prose := strings.Repeat("Paciente em acompanhamento, sem queixas novas. ", 11)[:499] + "X"
	s := sample(1)
	s.Request.Indication, s.Notes = prose, prose
	s.Request.Procedures[0].Name = strings.Repeat("Dosagem de hormônio no sangue ", 6)[:150] + "X"
	for _, field := range []*string{&s.ProviderGuide, &s.MainGuide, &s.Senha, &s.OperatorGuide, &s.Beneficiary.Card} {
		*field = "98765432109876543210"
	}
	pages := MustPages(t, MustWrite(t, s))
	if strings.Contains(pages[0], "…") {
		t.Errorf("got something cut in %q, want texts of the allowed lengths whole", pages[0])
	}
}

// notesOf draws a guide with these notes and returns the lines that begin with them.
func notesOf(t *testing.T, notes, beginning string) []string {
	t.Helper()
	s := sample(0)
	s.Notes = notes
	lines := strings.Split(MustPages(t, MustWrite(t, s))[0], "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), beginning) })
	if at < 0 {
		t.Fatalf("got %q, want %q in it", lines, beginning)
	}
	return lines[at:]
}

// TestWrite_lines: notes keep their line breaks, and a word that is longer than a line
// continues on the next without losing a character.
func TestWrite_lines(t *testing.T) {
	lines := notesOf(t, "Primeira linha\nSegunda linha", "Primeira")
	if strings.Contains(lines[0], "Segunda") || !strings.Contains(lines[1], "Segunda linha") {
		t.Errorf("got %q, want two lines", lines[:2])
	}
	word := ""
	for i := range 60 {
		word += fmt.Sprint(7000 + i)
	}
	lines = notesOf(t, word, "70007001")
	if got := strings.TrimSpace(lines[0]) + strings.TrimSpace(lines[1]); got != word {
		t.Errorf("got %q, want %q", got, word)
	}
}

// TestWrite_shortLines: where there are more lines than room, they share a line, and nothing is
// cut of a text that TISS allows.
func TestWrite_shortLines(t *testing.T) {
	const list = "Jejum de 12 horas\n\n Diabetes \r\nAlergia a dipirona\nMarca-passo\nAcompanhante\nÚltima"
	lines := notesOf(t, list, "Jejum")
	const want = "Jejum de 12 horas / Diabetes / Alergia a dipirona / Marca-passo / Acompanhante / Última"
	if got := strings.TrimSpace(lines[0]); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s := sample(0)
	s.Notes = "Fim"
	s.Request.Indication = strings.Repeat("Dor há dois dias, piora ao andar.\n", 14) + "Última linha"
	if text := MustPages(t, MustWrite(t, s))[0]; strings.Contains(text, "…") || !strings.Contains(text, "/ Última linha") {
		t.Errorf("got %q, want the clinical indication whole", text)
	}
}

// TestWrite_longOperator: a name of two lines is whole, a longer one is cut.
func TestWrite_longOperator(t *testing.T) {
	for _, tt := range []struct{ name, operator, want string }{
		{"TwoLines", "Federação Estadual das Cooperativas de Trabalho Médico do Vale Sereno", "Sereno"},
		{"Cut", strings.Repeat("Cooperativa de Trabalho Médico ", 9), "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sample(1)
			s.Operator = tt.operator
			pdf := MustWrite(t, s)
			checkNoOverflow(t, pdf)
			checkClearOfLines(t, pdf)
			words := MustWords(t, pdf)[0]
			head := words[:slices.IndexFunc(words, func(w word) bool { return w.Text == "Registro" })]
			if !slices.ContainsFunc(head, func(w word) bool { return strings.HasSuffix(w.Text, tt.want) && w.XMax < 210 }) {
				t.Errorf("got %v, want %q at the end of the operator's name", head, tt.want)
			}
		})
	}
}

func TestWrite_barcode(t *testing.T) {
	for _, tt := range []struct {
		name, number string
		want         bool
	}{
		{"Digits", "26112014305512300042", true},
		{"Mixed", "AB-2026/0042", true},
		{"LongMixed", "ABCDEFGHIJKLMNOPQRST", true},
		{"None", "", false},
		{"OutsideOfCode128", "número", false},
		{"FunctionOfCode128", "avó 12", false}, // ñ, ò, ó and ô stand for FNC1 to FNC4 there
		{"WithoutItsAccent", "EG\u1ebcA-1", false},
		{"TwoSpaces", "GUIA  12", true},
		{"Tab", "GUIA\t12", false},
		{"TooLongToScan", strings.Repeat("A", 79), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sample(0)
			s.ProviderGuide = tt.number
			want := ""
			if tt.want {
				want = modules(t, tt.number)
			}
			if got := scan(t, MustWrite(t, s), len(want)); got != want {
				t.Errorf("got bars %s, want %s", got, want)
			}
		})
	}
}

// modules returns a Code 128 as black (1) and white (0) modules.
func modules(t *testing.T, number string) string {
	t.Helper()
	code, err := code128.Encode(number)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for x := range code.Bounds().Dx() {
		b.WriteString(map[bool]string{true: "1", false: "0"}[code.At(x, 0) == color.Black])
	}
	return b.String()
}

// TestWrite_barcodeWidth: bars are as wide as there is room for, up to a point, and
// where they would be thinner than half a point there are none.
func TestWrite_barcodeWidth(t *testing.T) {
	for _, tt := range []struct {
		name   string
		length int
		want   float64 // points a module, 0 for no barcode
	}{
		{"Widest", 6, 1}, {"AsWideAsFits", 30, 250.0 / 385}, {"Thinnest", 40, 250.0 / 495}, {"TooThin", 41, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sample(0)
			s.ProviderGuide = strings.Repeat("A", tt.length)
			line := barcodeLine(t, MustWrite(t, s))
			first, last := bytes.IndexByte(line, 1), bytes.LastIndexByte(line, 1)
			if tt.want == 0 && first < 0 {
				return
			}
			bars := modules(t, s.ProviderGuide)
			all, black := float64(last-first+1)/pixels, float64(bytes.Count(line, []byte{1}))/pixels
			if got := all / float64(len(bars)); math.Abs(got-tt.want) > 0.005 {
				t.Errorf("got modules of %.3f points, want %.3f", got, tt.want)
			}
			if got := black / float64(strings.Count(bars, "1")); math.Abs(got-tt.want) > 0.05 {
				t.Errorf("got %.3f points of black a module, want %.3f", got, tt.want)
			}
		})
	}
}

// pixels is how many of them barcodeLine has for a point.
const pixels = 10

// barcodeLine is one line of pixels across the place of the barcode, 1 for black.
func barcodeLine(t *testing.T, pdf []byte) []byte {
	t.Helper()
	const dpi = pixels * 72
	pgm := MustRun(t, pdf, "pdftoppm", "-gray", "-r", fmt.Sprint(dpi), "-x", "5700", "-y", "350", "-W", "2600", "-H", "1", "-singlefile", "-")
	var width, height, depth int
	if _, err := fmt.Sscanf(string(pgm[:20]), "P5\n%d %d\n%d\n", &width, &height, &depth); err != nil {
		t.Fatalf("read a picture: %v", err)
	}
	line := pgm[len(pgm)-width:]
	for i, gray := range line {
		line[i] = 0
		if gray < 128 {
			line[i] = 1
		}
	}
	return line
}

// scan reads the barcode as n modules.
func scan(t *testing.T, pdf []byte, n int) string {
	t.Helper()
	line := barcodeLine(t, pdf)
	first, last := bytes.IndexByte(line, 1), bytes.LastIndexByte(line, 1)
	switch {
	case first < 0:
		return ""
	case n == 0:
		return "some"
	}
	var b strings.Builder
	for i := range n {
		at := float64(first) + (float64(i)+0.5)*float64(last-first+1)/float64(n)
		b.WriteByte('0' + line[int(at)])
	}
	return b.String()
}

func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "Conceição", "😀", "\xff", strings.Repeat("W", 300), "a\nb", "שלום"} {
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, text string, lines int) {
		s := filled(max(0, lines%12), func() string { return text })
		if pdf := MustWrite(t, s); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Errorf("got %.20q, want a PDF", pdf)
		}
	})
}
