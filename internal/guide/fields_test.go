package guide_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/guide"
)

// field is a field of the form, or the title of a section where number is 0: what
// stands in its place, without the label, from top to bottom.
type field struct {
	number int
	label  string
	want   string
}

// form is the guide in reading order: number and label of each field, and what
// whole prints there. The pale signs in the fields of the execution are to write
// upon.
var form = []field{
	{2, "Nº Guia no Prestador", "20000000000000000002"},
	{1, "Registro ANS", "100001"},
	{3, "Número da Guia Principal", "30000000000000000003"},
	{4, "Data da Autorização", "04/04/2026"},
	{5, "Senha", "50000000000000000005"},
	{6, "Data de Validade da Senha", "06/06/2026"},
	{7, "Número da Guia Atribuído pela Operadora", "70000000000000000007"},

	{0, "Dados do Beneficiário", ""},
	{8, "Número da Carteira", "80000000000000000008"},
	{9, "Validade da Carteira", "09/09/2026"},
	{89, "Nome Social", seventy("89")},
	{12, "Atendimento a RN", "S"},
	{10, "Nome", seventy("10")},

	{0, "Dados do Solicitante", ""},
	{13, "Código na Operadora", "13000000000013"},
	{14, "Nome do Contratado", seventy("14")},
	{15, "Nome do Profissional Solicitante", seventy("15")},
	{16, "Conselho Profissional", "C6"},
	{17, "Número no Conselho", "170000000000017"},
	{18, "UF", "U8"},
	{19, "Código CBO", "190019"},
	{20, "Assinatura do Profissional Solicitante", ""},

	{0, "Dados da Solicitação / Procedimentos ou Itens Assistenciais Solicitados", ""},
	{21, "Caráter do Atendimento", "Q"},
	{22, "Data da Solicitação", "22/02/2026"},
	{23, "Indicação Clínica", fiveHundred("23")},
	{90, "Indicador de Cobertura Especial", "E0"},
	{24, "Tabela", "T0 T1 T2 T3 T4"},
	{25, "Código do Procedimento", "2500000000 2500000001 2500000002 2500000003 2500000004"},
	{26, "Descrição", strings.Join([]string{
		hundredFifty("260"), hundredFifty("261"), hundredFifty("262"), hundredFifty("263"), hundredFifty("264")}, " ")},
	{27, "Qtde. Solic.", "270 271 272 273 274"},
	{28, "Qtde. Aut.", "280 281 282 283 284"},

	{0, "Dados do Contratado Executante", ""},
	{29, "Código na Operadora", "29000000000029"},
	{30, "Nome do Contratado", seventy("30")},
	{31, "Código CNES", "3100031"},

	{0, "Dados do Atendimento", ""},
	{32, "Tipo de Atendimento", "A2"},
	{33, "Indicação de Acidente (acidente ou doença relacionada)", "R"},
	{34, "Tipo de Consulta", "W"},
	{35, "Motivo de Encerramento do Atendimento", "M5"},
	{91, "Regime de Atendimento", "R1"},
	{92, "Saúde Ocupacional", "S2"},

	{0, "Dados da Execução / Procedimentos e Exames Realizados", ""},
	{36, "Data", "/ / / / / / / / / /"},
	{37, "Hora Inicial", ": : : : :"},
	{38, "Hora Final", ": : : : :"},
	{39, "Tabela", ""},
	{40, "Código do Procedimento", ""},
	{41, "Descrição", ""},
	{42, "Qtde.", ""},
	{43, "Via", ""},
	{44, "Téc.", ""},
	{45, "Fator Red./Acrésc.", ""},
	{46, "Valor Unitário (R$)", ""},
	{47, "Valor Total (R$)", ""},

	{0, "Identificação do(s) Profissional(is) Executante(s)", ""},
	{48, "Seq. Ref.", "4800 4801 4802 4803"},
	{49, "Grau Part.", "G0 G1 G2 G3"},
	{50, "Código na Operadora / CPF", "50000000000000 50000000000001 50000000000002 50000000000003"},
	{51, "Nome do Profissional", strings.Join([]string{seventy("510"), seventy("511"), seventy("512"), seventy("513")}, " ")},
	{52, "Conselho Profissional", "L0 L1 L2 L3"},
	{53, "Número no Conselho", "530000000000000 530000000000001 530000000000002 530000000000003"},
	{54, "UF", "V0 V1 V2 V3"},
	{55, "Código CBO", "550000 550001 550002 550003"},

	{56, "Data de Realização de Procedimentos em Série / 57 - Assinatura do Beneficiário ou Responsável",
		"/ / / / / / / / / / 1 3 5 7 9 / / / / / / / / / / 2 4 6 8 10"},
	{58, "Observação / Justificativa", fiveHundred("58")},
	{59, "Total de Procedimentos (R$)", ""},
	{60, "Total de Taxas e Aluguéis (R$)", ""},
	{61, "Total de Materiais (R$)", ""},
	{62, "Total de OPME (R$)", ""},
	{63, "Total de Medicamentos (R$)", ""},
	{64, "Total de Gases Medicinais (R$)", ""},
	{65, "Total Geral (R$)", ""},
	{66, "Assinatura do Responsável pela Autorização", ""},
	{67, "Assinatura do Beneficiário ou Responsável", ""},
	{68, "Assinatura do Contratado", "Emitida em 01/01/2026 00:00 · Folha 1 de 1"}, // the foot of the page
}

// seventy and the others are texts of the length that TISS allows.
func seventy(mark string) string      { return prose(mark, 70) }
func hundredFifty(mark string) string { return prose(mark, 150) }
func fiveHundred(mark string) string  { return prose(mark, 500) }

func prose(mark string, length int) string {
	start, end := "Ini"+mark, " fim"+mark
	filler := []rune(strings.Repeat(" Conceição", length))
	return start + string(filler[:length-len(start)-len(end)]) + end
}

// whole returns a sheet with every field filled to its length.
func whole() guide.Sheet {
	day := authorization.DateOf
	s := guide.Sheet{
		IssuedAt: day(2026, 1, 1), ANSRegister: "100001", ProviderGuide: "20000000000000000002", MainGuide: "30000000000000000003",
		AuthorizedAt: day(2026, 4, 4), Senha: "50000000000000000005", SenhaValidUntil: day(2026, 6, 6), OperatorGuide: "70000000000000000007",
		Beneficiary: guide.Beneficiary{Card: "80000000000000000008", CardUntil: day(2026, 9, 9), Name: seventy("10"), Newborn: true,
			SocialName: seventy("89")},
		Requester: guide.Requester{Code: "13000000000013", Contractor: seventy("14"), Name: seventy("15"), Council: "C6",
			Number: "170000000000017", State: "U8", CBO: "190019"},
		Request:           guide.Request{Urgency: "Q", RequestedAt: day(2026, 2, 22), Indication: fiveHundred("23"), SpecialCoverage: "E0"},
		ExecutingProvider: guide.ExecutingProvider{Code: "29000000000029", Contractor: seventy("30"), CNES: "3100031"},
		Care: guide.Care{Type: "A2", Accident: "R", ConsultationType: "W", ClosingReason: "M5", Regime: "R1",
			OccupationalHealth: "S2"},
		Notes: fiveHundred("58"),
	}
	for i := range guide.ProceduresPerPage {
		authorized := 280 + i
		s.Request.Procedures = append(s.Request.Procedures, guide.Procedure{Table: fmt.Sprint("T", i), Code: fmt.Sprint(2500000000 + i),
			Name: hundredFifty(fmt.Sprint("26", i)), Requested: 270 + i, Authorized: &authorized})
	}
	for i := range guide.ProfessionalsPerPage {
		s.Professionals = append(s.Professionals, guide.Professional{Sequence: fmt.Sprint(4800 + i), Role: fmt.Sprint("G", i),
			Code: fmt.Sprint(50000000000000 + i), Name: seventy(fmt.Sprint("51", i)), Council: fmt.Sprint("L", i),
			Number: fmt.Sprint(530000000000000 + i), State: fmt.Sprint("V", i), CBO: fmt.Sprint(550000 + i)})
	}
	return s
}

// TestWrite_form holds the guide to the form: each label whole and in its order,
// each value whole and in the place of its label.
func TestWrite_form(t *testing.T) {
	pdf := MustWrite(t, whole())
	checkNoOverflow(t, pdf)
	checkClearOfLines(t, pdf)
	words := MustWords(t, pdf)[0]
	cells := MustCells(t, words)
	for i, f := range form {
		if got := cells[i].text(words); got != f.want {
			t.Errorf("field %d %s: got %q, want %q", f.number, f.label, got, f.want)
		}
		if before := i - 1; i > 0 && !cells[before].label.before(cells[i].label) {
			t.Errorf("got %q before %q, want the order of the form", f.label, form[before].label)
		}
	}
}

// TestWrite_tooLong: what is too long for its place ends there, with an ellipsis.
func TestWrite_tooLong(t *testing.T) {
	n := 0
	pdf := MustWrite(t, filled(5, func() string { n++; return strings.Repeat(fmt.Sprintf("Q%02d ", n), 400) }))
	for _, words := range MustWords(t, pdf) {
		cells := MustCells(t, words)
		for i, f := range form {
			cell := cells[i].text(words)
			tokens := strings.Fields(cell)
			if f.number == 2 || len(tokens) == 0 || !strings.HasPrefix(tokens[0], "Q") {
				continue
			}
			last := tokens[len(tokens)-1]
			if !strings.HasSuffix(last, "…") {
				t.Errorf("field %d: got %q, want it to end with an ellipsis", f.number, cell)
			}
			inTable := f.number >= 24 && f.number <= 28 || f.number >= 48 && f.number <= 55
			for _, token := range tokens {
				if got := strings.TrimSuffix(token, "…"); !inTable && !strings.HasPrefix(tokens[0], got) {
					t.Errorf("field %d: got %q, want the text of one field", f.number, cell)
				}
			}
		}
	}
}

// rectangle is a place on a page.
type rectangle struct{ x0, x1, y0, y1 float64 }

// before is the order of reading: a line after the other, from left to right.
func (r rectangle) before(next rectangle) bool {
	if r.y0 < next.y0-1 {
		return true
	}
	return r.y0 < next.y0+1 && r.x1 < next.x0
}

// cell is the place of a field: from its label to the label right of it, or the
// margin, and down to the next label.
type cell struct {
	label rectangle
	rectangle
}

// MustCells finds the place of every field by its label.
func MustCells(tb testing.TB, words []word) []cell {
	tb.Helper()
	cells := make([]cell, len(form))
	for i, f := range form {
		text := f.label
		if f.number > 0 {
			text = fmt.Sprintf("%d - %s", f.number, f.label)
		}
		at, ok := find(words, strings.Fields(text))
		if !ok {
			tb.Fatalf("got no label %q, want it whole", text)
		}
		cells[i] = cell{at, rectangle{at.x0 - 2.6, maxX, at.y0 - 0.5, maxY + 20}}
	}
	for i := range cells {
		for _, other := range cells {
			if o, c := other.label, &cells[i]; o.y0 > c.label.y0+2 {
				c.y1 = min(c.y1, o.y0-0.5)
			} else if o.y0 > c.label.y0-2 && o.x0 > c.label.x0 {
				c.x1 = min(c.x1, o.x0-2.4)
			}
		}
	}
	return cells
}

// find returns the place of tokens that stand one after the other on a line.
func find(words []word, tokens []string) (rectangle, bool) {
	line := slices.Clone(words)
	slices.SortStableFunc(line, func(a, b word) int {
		return cmp.Or(cmp.Compare(int(a.YMin*10), int(b.YMin*10)), cmp.Compare(a.XMin, b.XMin))
	})
	for i := range len(line) - len(tokens) + 1 {
		if run := line[i : i+len(tokens)]; slices.EqualFunc(run, tokens, func(w word, s string) bool { return w.Text == s }) {
			return rectangle{run[0].XMin, run[len(run)-1].XMax, run[0].YMin, run[0].YMax}, true
		}
	}
	return rectangle{}, false
}

// text returns the words whose middle is in the cell, the label's aside, from top
// to bottom.
func (c cell) text(words []word) string {
	var in []word
	for _, w := range words {
		x, y := (w.XMin+w.XMax)/2, (w.YMin+w.YMax)/2
		inLabel := x > c.label.x0 && x < c.label.x1 && y > c.label.y0 && y < c.label.y1 && w.YMax-w.YMin < c.label.y1-c.label.y0+0.1
		if !inLabel && x > c.x0 && x < c.x1 && y > c.y0 && y < c.y1 {
			in = append(in, w)
		}
	}
	slices.SortStableFunc(in, func(a, b word) int {
		return cmp.Or(cmp.Compare(int(a.YMin+a.YMax), int(b.YMin+b.YMax)), cmp.Compare(a.XMin, b.XMin))
	})
	texts := make([]string, len(in))
	for i, w := range in {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}
