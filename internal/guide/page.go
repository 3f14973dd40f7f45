package guide

import (
	"fmt"
	"strconv"

	"guiche/internal/authorization"
)

const (
	rowHeight  = 17.4
	lineHeight = 11.5
)

// page is one page of a sheet.
type page struct {
	*pen
	sheet  Sheet
	number int // from 1
	of     int
}

// draw draws the sections of the form from top to bottom.
func (p *page) draw() {
	if p.sheet.Simulated {
		p.watermark(simulatedMark)
	}
	p.head()
	p.identification()
	p.beneficiary()
	p.requester()
	p.request()
	p.executant()
	p.care()
	p.execution()
	p.professionals()
	p.series()
	p.totals()
	p.signatures()
	p.foot()
}

// head is the operator's name, the title of the form and field 2 with its barcode.
func (p *page) head() {
	const height, numberWidth = 35.0, 250.0
	p.pdf.SetTextColor(0, 0, 0)
	p.title("B", 13, left, 190, p.y+22, oneLine(p.sheet.Operator))
	const middle = left + 200
	p.title("B", 10.5, middle, right-numberWidth-middle-6, p.y+13, "GUIA DE SERVIÇO PROFISSIONAL / SERVIÇO AUXILIAR")
	p.title("B", 10.5, middle, right-numberWidth-middle-6, p.y+26, "DE DIAGNÓSTICO E TERAPIA — SP/SADT")

	number := oneLine(p.sheet.ProviderGuide)
	p.font("", labelSize, 60)
	label := "2 - Nº guia no prestador"
	p.pdf.Text(right-numberWidth, p.y+9.5, label)
	indent := p.width(label) + 6
	p.title("B", 13, right-numberWidth+indent, numberWidth-indent, p.y+10.5, number)
	p.barcode(number, right, p.y+14, numberWidth, 18)
	p.y += height
}

// title writes a heading, smaller when it does not fit, and cut when that does
// not help.
func (p *page) title(style string, size, x, width, baseline float64, text string) {
	for p.font(style, size, 0); size > smallest && p.width(text) > width; p.font(style, size, 0) {
		size -= step
	}
	p.pdf.Text(x, baseline, p.cut(text, width))
}

func (p *page) identification() {
	s := p.sheet
	p.row(rowHeight,
		box{"1 - Registro ANS", s.ANSRegister, 70},
		box{"3 - Número da guia principal", s.MainGuide, 150},
		box{"4 - Data da autorização", s.AuthorizedAt.Date(), 95},
		box{"5 - Senha", s.Password, 165},
		box{"6 - Data de validade da senha", s.PasswordUntil.Date(), 95},
		box{"7 - Número da guia atribuído pela operadora", s.OperatorGuide, 0})
}

func (p *page) beneficiary() {
	b := p.sheet.Beneficiary
	p.bar("Dados do beneficiário")
	p.row(rowHeight,
		box{"8 - Número da carteira", b.Card, 170},
		box{"9 - Validade da carteira", b.CardUntil.Date(), 90},
		box{"89 - Nome social", b.SocialName, 0},
		box{"12 - Atendimento a RN", yesNo(b.Newborn), 75})
	p.row(rowHeight, box{"10 - Nome", b.Name, 0})
}

func (p *page) requester() {
	r := p.sheet.Requester
	p.bar("Dados do solicitante")
	p.row(rowHeight,
		box{"13 - Código na operadora", r.Code, 120},
		box{"14 - Nome do contratado", r.Contractor, 0})
	p.row(rowHeight,
		box{"15 - Nome do profissional solicitante", r.Name, 0},
		box{"16 - Conselho profissional", r.Council, 75},
		box{"17 - Número no conselho", r.Number, 90},
		box{"18 - UF", r.State, 30},
		box{"19 - Código CBO", r.CBO, 60},
		box{"20 - Assinatura do profissional solicitante", "", 190})
}

func (p *page) request() {
	const height, narrow = 2*rowHeight + gap, 96.0
	r, x := p.sheet.Request, left+narrow+gap
	p.bar("Dados da solicitação / procedimentos ou itens assistenciais solicitados")
	p.box(x, narrow, height, "90 - Indic. de cobertura especial", r.SpecialCoverage)
	p.paragraph(x+narrow+gap, height, "23 - Indicação clínica", r.Indication)
	p.box(left, narrow, rowHeight, "21 - Caráter do atendimento", r.Urgency)
	p.y += rowHeight + gap
	p.box(left, narrow, rowHeight, "22 - Data da solicitação", r.RequestedAt.Date())
	p.y += rowHeight + gap
	p.procedures()
}

func (p *page) procedures() {
	columns := []column{
		{"24 - Tabela", 42, ""},
		{"25 - Código do procedimento", 92, ""},
		{"26 - Descrição", 0, ""},
		{"27 - Qtde. solic.", 52, ""},
		{"28 - Qtde. aut.", 52, ""},
	}
	var lines [][]string
	for _, q := range slice(p.sheet.Request.Procedures, p.number, ProceduresPerPage) {
		authorized := ""
		if q.Authorized != nil {
			authorized = strconv.Itoa(*q.Authorized)
		}
		lines = append(lines, []string{q.Table, q.Code, q.Name, strconv.Itoa(q.Requested), authorized})
	}
	p.table(columns, lines, (p.number-1)*ProceduresPerPage+1, ProceduresPerPage, lineHeight)
}

func (p *page) executant() {
	e := p.sheet.Executant
	p.bar("Dados do contratado executante")
	p.row(rowHeight,
		box{"29 - Código na operadora", e.Code, 120},
		box{"30 - Nome do contratado", e.Contractor, 0},
		box{"31 - Código CNES", e.CNES, 75})
}

func (p *page) care() {
	c := p.sheet.Care
	p.bar("Dados do atendimento")
	p.row(rowHeight,
		box{"32 - Tipo de atendimento", c.Type, 130},
		box{"33 - Indicação de acidente (acidente ou doença relacionada)", c.Accident, 0},
		box{"34 - Tipo de consulta", c.ConsultationType, 120},
		box{"35 - Motivo de encerramento do atendimento", c.ClosingReason, 140},
		box{"91 - Regime de atendimento", c.Regime, 120},
		box{"92 - Saúde ocupacional", c.OccupationalHealth, 110})
}

// execution is left empty: it is filled when the care is given.
func (p *page) execution() {
	p.bar("Dados da execução / procedimentos e exames realizados")
	p.table([]column{
		{"36 - Data", 72, "/          /"},
		{"37 - Hora inicial", 50, ":"},
		{"38 - Hora final", 50, ":"},
		{"39 - Tabela", 38, ""},
		{"40 - Código do procedimento", 84, ""},
		{"41 - Descrição", 0, ""},
		{"42 - Qtde.", 36, ""},
		{"43 - Via", 28, ""},
		{"44 - Téc.", 30, ""},
		{"45 - Fator red./acrésc.", 62, ""},
		{"46 - Valor unitário (R$)", 66, ""},
		{"47 - Valor total (R$)", 70, ""},
	}, nil, (p.number-1)*ProceduresPerPage+1, ProceduresPerPage, lineHeight)
}

func (p *page) professionals() {
	columns := []column{
		{"48 - Seq. ref.", 42, ""},
		{"49 - Grau part.", 46, ""},
		{"50 - Código na operadora / CPF", 110, ""},
		{"51 - Nome do profissional", 0, ""},
		{"52 - Conselho profissional", 74, ""},
		{"53 - Número no conselho", 88, ""},
		{"54 - UF", 30, ""},
		{"55 - Código CBO", 62, ""},
	}
	var lines [][]string
	for _, q := range slice(p.sheet.Professionals, p.number, ProfessionalsPerPage) {
		lines = append(lines, []string{q.Sequence, q.Role, q.Code, q.Name, q.Council, q.Number, q.State, q.CBO})
	}
	p.bar("Identificação do(s) profissional(is) executante(s)")
	p.table(columns, lines, (p.number-1)*ProfessionalsPerPage+1, ProfessionalsPerPage, lineHeight)
}

// series is the ten places for dates and signatures of procedures in a series,
// and the notes.
func (p *page) series() {
	const height, columns = 32.0, 5
	p.frame(left, right-left, height, "56 - Data de realização de procedimentos em série   /   57 - Assinatura do beneficiário ou responsável")
	width := (right - left) / columns
	for i := range 2 * columns {
		x, y := left+width*float64(i/2)+padding, p.y+17.5+12.5*float64(i%2)
		p.font("", tableSize, 140)
		p.pdf.Text(x+24, y, "/        /")
		p.font("", labelSize, 60)
		p.pdf.Text(x, y, strconv.Itoa(i+1))
		p.pdf.Line(x+62, y+1, x+width-2*padding-4, y+1)
	}
	p.y += height + gap
	p.paragraph(left, height, "58 - Observação / justificativa", p.sheet.Notes)
	p.y += height + gap
}

func (p *page) totals() {
	const narrow = 115
	p.row(rowHeight,
		box{"59 - Total de procedimentos (R$)", "", narrow},
		box{"60 - Total de taxas e aluguéis (R$)", "", narrow},
		box{"61 - Total de materiais (R$)", "", narrow},
		box{"62 - Total de OPME (R$)", "", narrow},
		box{"63 - Total de medicamentos (R$)", "", narrow},
		box{"64 - Total de gases medicinais (R$)", "", narrow},
		box{"65 - Total geral (R$)", "", 0})
}

func (p *page) signatures() {
	p.row(23,
		box{"66 - Assinatura do responsável pela autorização", "", 268},
		box{"67 - Assinatura do beneficiário ou responsável", "", 268},
		box{"68 - Assinatura do contratado", "", 0})
}

// foot says what a loose page belongs to.
func (p *page) foot() {
	text := fmt.Sprintf("Folha %d de %d", p.number, p.of)
	if at := p.sheet.IssuedAt; at != (authorization.LocalTime{}) {
		text = "Emitida em " + at.DateTime() + "   ·   " + text
	}
	if p.sheet.Simulated {
		text = simulatedMark + "   ·   " + text
	}
	p.font("", 6, 60)
	p.pdf.Text(right-p.width(text), p.y+6.5, text)
}

func yesNo(b bool) string {
	if b {
		return "S"
	}
	return "N"
}
