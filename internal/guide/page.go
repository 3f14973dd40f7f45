package guide

import (
	"fmt"
	"strconv"

	"guiche/internal/authorization"
)

const (
	rowHeight  = 18.6
	lineHeight = 11.4
)

// simulatedMark is what every page of a simulated guide says.
const simulatedMark = "SIMULAÇÃO — SEM VALOR"

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
		p.printed(func() { p.watermark(simulatedMark) })
	}
	p.header()
	p.identification()
	p.beneficiary()
	p.requester()
	p.request()
	p.executingProvider()
	p.care()
	p.execution()
	p.professionals()
	p.seriesAndNotes()
	p.totals()
	p.signatures()
	p.footer()
}

// watermark writes text from corner to corner under everything else: it is seen at
// once and hides nothing.
func (p *pen) watermark(text string) {
	const size, angle = 62.0, 30.0
	p.setFont(bold(), size, paleRed)
	p.pdf.turned(angle, func() { p.text((pageWidth-p.width(text))/2, pageHeight/2+size*0.35, text) })
}

// header is the operator's name, the title of the form and field 2 with its barcode.
func (p *page) header() {
	const (
		height, numberWidth = 35.0, 250.0
		operatorWidth       = 190.0
		middle              = left + operatorWidth + 10
		titleWidth          = right - numberWidth - middle - 6
	)
	p.lines(bold(), left, p.y+3, operatorWidth, height-7, p.oneLine(p.sheet.Operator), 13)
	p.printed(func() {
		p.fittedText(bold(), middle, p.y+13, "GUIA DE SERVIÇO PROFISSIONAL / SERVIÇO AUXILIAR", titleWidth, 10.5)
		p.fittedText(bold(), middle, p.y+26, "DE DIAGNÓSTICO E TERAPIA — SP/SADT", titleWidth, 10.5)
	})

	number := p.oneLine(p.sheet.ProviderGuide)
	p.setFont(regular(), labelSize, labelGrey)
	label := "2 - Nº Guia no Prestador"
	indent := p.width(label) + 6
	p.printed(func() { p.text(right-numberWidth, p.y+9.5, label) })
	p.fittedText(bold(), right-numberWidth+indent, p.y+10.5, number, numberWidth-indent, 13)
	p.barcode(p.sheet.ProviderGuide, right, p.y+14, numberWidth, 18)
	p.y += height
}

func (p *page) identification() {
	s := p.sheet
	p.row(rowHeight,
		box{"1 - Registro ANS", s.ANSRegister, 70},
		box{"3 - Número da Guia Principal", s.MainGuide, 150},
		box{"4 - Data da Autorização", s.AuthorizedAt.Date(), 95},
		box{"5 - Senha", s.Senha, 165},
		box{"6 - Data de Validade da Senha", s.SenhaValidUntil.Date(), 95},
		box{"7 - Número da Guia Atribuído pela Operadora", s.OperatorGuide, 0})
}

func (p *page) beneficiary() {
	b := p.sheet.Beneficiary
	p.bar("Dados do Beneficiário")
	p.row(rowHeight,
		box{"8 - Número da Carteira", b.Card, 170},
		box{"9 - Validade da Carteira", b.CardUntil.Date(), 90},
		box{"89 - Nome Social", b.SocialName, 0},
		box{"12 - Atendimento a RN", yesNo(b.Newborn), 75})
	p.row(rowHeight, box{"10 - Nome", b.Name, 0})
}

func (p *page) requester() {
	r := p.sheet.Requester
	p.bar("Dados do Solicitante")
	p.row(rowHeight,
		box{"13 - Código na Operadora", r.Code, 120},
		box{"14 - Nome do Contratado", r.Contractor, 0})
	p.row(rowHeight,
		box{"15 - Nome do Profissional Solicitante", r.Name, 0},
		box{"16 - Conselho Profissional", r.Council, 75},
		box{"17 - Número no Conselho", r.Number, 90},
		box{"18 - UF", r.State, 30},
		box{"19 - Código CBO", r.CBO, 60},
		box{"20 - Assinatura do Profissional Solicitante", "", 190})
}

func (p *page) request() {
	const height, narrow, wide = 38.0, 84.0, 106.0
	r := p.sheet.Request
	p.bar("Dados da Solicitação / Procedimentos ou Itens Assistenciais Solicitados")
	p.box(left, narrow, height, "21 - Caráter do Atendimento", r.Urgency)
	p.box(left+narrow, narrow, height, "22 - Data da Solicitação", r.RequestedAt.Date())
	p.paragraph(left+2*narrow, right-left-2*narrow-wide, height, "23 - Indicação Clínica", r.Indication)
	p.box(right-wide, wide, height, "90 - Indicador de Cobertura Especial", r.SpecialCoverage)
	p.y += height
	p.procedures()
}

func (p *page) procedures() {
	columns := []column{
		{"24 - Tabela", 42, ""},
		{"25 - Código do Procedimento", 92, ""},
		{"26 - Descrição", 0, ""},
		{"27 - Qtde. Solic.", 52, ""},
		{"28 - Qtde. Aut.", 52, ""},
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

func (p *page) executingProvider() {
	e := p.sheet.ExecutingProvider
	p.bar("Dados do Contratado Executante")
	p.row(rowHeight,
		box{"29 - Código na Operadora", e.Code, 120},
		box{"30 - Nome do Contratado", e.Contractor, 0},
		box{"31 - Código CNES", e.CNES, 75})
}

func (p *page) care() {
	c := p.sheet.Care
	p.bar("Dados do Atendimento")
	p.row(rowHeight,
		box{"32 - Tipo de Atendimento", c.Type, 130},
		box{"33 - Indicação de Acidente (acidente ou doença relacionada)", c.Accident, 0},
		box{"34 - Tipo de Consulta", c.ConsultationType, 120},
		box{"35 - Motivo de Encerramento do Atendimento", c.ClosingReason, 140},
		box{"91 - Regime de Atendimento", c.Regime, 120},
		box{"92 - Saúde Ocupacional", c.OccupationalHealth, 110})
}

// execution stays empty: it is filled when the care is given.
func (p *page) execution() {
	p.bar("Dados da Execução / Procedimentos e Exames Realizados")
	p.table([]column{
		{"36 - Data", 72, "/          /"},
		{"37 - Hora Inicial", 50, ":"},
		{"38 - Hora Final", 50, ":"},
		{"39 - Tabela", 38, ""},
		{"40 - Código do Procedimento", 84, ""},
		{"41 - Descrição", 0, ""},
		{"42 - Qtde.", 36, ""},
		{"43 - Via", 28, ""},
		{"44 - Téc.", 30, ""},
		{"45 - Fator Red./Acrésc.", 68, ""},
		{"46 - Valor Unitário (R$)", 66, ""},
		{"47 - Valor Total (R$)", 70, ""},
	}, nil, (p.number-1)*ProceduresPerPage+1, ProceduresPerPage, lineHeight)
}

func (p *page) professionals() {
	columns := []column{
		{"48 - Seq. Ref.", 42, ""},
		{"49 - Grau Part.", 46, ""},
		{"50 - Código na Operadora / CPF", 110, ""},
		{"51 - Nome do Profissional", 0, ""},
		{"52 - Conselho Profissional", 74, ""},
		{"53 - Número no Conselho", 88, ""},
		{"54 - UF", 30, ""},
		{"55 - Código CBO", 62, ""},
	}
	var lines [][]string
	for _, q := range slice(p.sheet.Professionals, p.number, ProfessionalsPerPage) {
		lines = append(lines, []string{q.Sequence, q.Role, q.Code, q.Name, q.Council, q.Number, q.State, q.CBO})
	}
	p.bar("Identificação do(s) Profissional(is) Executante(s)")
	p.table(columns, lines, (p.number-1)*ProfessionalsPerPage+1, ProfessionalsPerPage, lineHeight)
}

// seriesAndNotes is the ten lines for dates and signatures of procedures in a
// series, and the notes.
func (p *page) seriesAndNotes() {
	const height, columns = 34.0, 5
	p.frame(left, right-left, height,
		"56 - Data de Realização de Procedimentos em Série   /   57 - Assinatura do Beneficiário ou Responsável")
	p.printed(func() { p.series((right-left)/columns, 2*columns) })
	p.y += height
	p.paragraph(left, right-left, height, "58 - Observação / Justificativa", p.sheet.Notes)
	p.y += height
}

// series draws so many places for a date and a signature, two below each other.
func (p *page) series(width float64, count int) {
	for i := range count {
		x, y := left+width*float64(i/2)+padding, p.y+17.5+12.5*float64(i%2)
		p.setFont(regular(), tableSize, blankGrey)
		p.text(x+24, y, "/        /")
		p.setFont(regular(), labelSize, labelGrey)
		p.text(x, y, strconv.Itoa(i+1))
		p.pdf.stroke(x+62, y+1, x+width-2*padding-4, y+1)
	}
}

// totals are filled when the care is given, once for a guide: the pages before
// the last one refer to it.
func (p *page) totals() {
	const narrow = 115
	reference := ""
	if p.number < p.of {
		reference = fmt.Sprintf("na folha %d", p.of)
	}
	p.row(rowHeight,
		box{"59 - Total de Procedimentos (R$)", reference, narrow},
		box{"60 - Total de Taxas e Aluguéis (R$)", reference, narrow},
		box{"61 - Total de Materiais (R$)", reference, narrow},
		box{"62 - Total de OPME (R$)", reference, narrow},
		box{"63 - Total de Medicamentos (R$)", reference, narrow},
		box{"64 - Total de Gases Medicinais (R$)", reference, narrow},
		box{"65 - Total Geral (R$)", reference, 0})
}

func (p *page) signatures() {
	p.row(23,
		box{"66 - Assinatura do Responsável pela Autorização", "", 268},
		box{"67 - Assinatura do Beneficiário ou Responsável", "", 268},
		box{"68 - Assinatura do Contratado", "", 0})
}

// incompleteMark is what a page says on which something could not be printed.
const incompleteMark = "Nem tudo pôde ser impresso (□, ou letra sem o acento): " +
	"a guia traz as letras latinas da Europa, gregas e cirílicas."

// footer says which guide a single page belongs to, and that not everything on it could
// be printed.
func (p *page) footer() {
	text := fmt.Sprintf("Folha %d de %d", p.number, p.of)
	if at := p.sheet.IssuedAt; at != (authorization.LocalTime{}) {
		text = "Emitida em " + at.DateTime() + "   ·   " + text
	}
	if p.sheet.Simulated {
		text = simulatedMark + "   ·   " + text
	}
	p.setFont(regular(), 6, labelGrey)
	p.text(right-p.width(text), p.y+6.6, text)
	if p.incomplete {
		p.setFont(bold(), 6, black)
		p.text(left, p.y+6.6, incompleteMark)
	}
}

func yesNo(b bool) string {
	if b {
		return "S"
	}
	return "N"
}
