// Package guide draws the SP/SADT guide (service and diagnostic-procedure
// authorization) as PDF, like the ANS form of TISS 4: landscape A4, numbered
// fields, section bars. It only draws: the caller fills the Sheet.
//
// Fields, their numbers, lengths and order are those of the guide's legend in
// TISS 4; the lengths are also in the XML schemas (tissGuiasV4_03_00,
// tissSimpleTypesV4_03_00). Unsure, because the ANS's drawing of the form (Componente
// de Conteúdo e Estrutura) was not at hand to compare: the exact sizes of the boxes,
// the abbreviations in the heads of the tables, and that there are four lines of
// professionals.
package guide

import (
	"errors"
	"io"

	"guiche/internal/authorization"
)

// Sheet is what is printed on one guide. The numbers in the comments are those
// of the form's fields. Every text is printed as given; one that is too long for
// its box shrinks and is then truncated with an ellipsis; an empty field stays an
// empty box. Codes are the values of the ANS domain tables (TISS 4).
//
// A guide with more than ProceduresPerPage procedures, or with more than
// ProfessionalsPerPage professionals, continues on further pages, each with all
// the other fields; the totals are those of the last page, and the others say so.
//
// A character that Go's fonts lack prints without its accents, or as □, and the page
// says so: they have the letters of European languages, Greek and Cyrillic included,
// where TISS messages have fewer (ISO 8859-1). A face for each other script would not
// do: Chinese alone is 3.5 MB compressed, and Arabic and Indic names want their letters
// joined, or they are misspelt. Fields 20, 36 to 47, 56, 57 and 59 to 68 stay empty:
// they are filled and signed when the care is given.
type Sheet struct {
	Simulated bool                    // "SIMULAÇÃO — SEM VALOR" across each page
	Operator  string                  // name of the operator, where the form has its logo
	IssuedAt  authorization.LocalTime // when the guide was drawn: the footer and the PDF's creation date

	ANSRegister     string                  // 1: registro ANS, 6 digits
	ProviderGuide   string                  // 2: nº guia no prestador, to 20; also the barcode
	MainGuide       string                  // 3: número da guia principal, to 20
	AuthorizedAt    authorization.LocalTime // 4: data da autorização
	Senha           string                  // 5: senha, to 20
	SenhaValidUntil authorization.LocalTime // 6: data de validade da senha
	OperatorGuide   string                  // 7: nº guia atribuído pela operadora, to 20

	Beneficiary       Beneficiary
	Requester         Requester
	Request           Request
	ExecutingProvider ExecutingProvider
	Care              Care
	Professionals     []Professional // 48 to 55; nil leaves the lines empty

	Notes string // 58: observação / justificativa, to 500
}

// How many lines one page has.
const (
	ProceduresPerPage    = 5
	ProfessionalsPerPage = 4
)

// Beneficiary is "Dados do beneficiário".
type Beneficiary struct {
	Card       string                  // 8: número da carteira, to 20
	CardUntil  authorization.LocalTime // 9: validade da carteira
	Name       string                  // 10: nome, to 70
	Newborn    bool                    // 12: atendimento a RN, printed S or N
	SocialName string                  // 89: nome social, to 70
}

// Requester is "Dados do solicitante".
type Requester struct {
	Code       string // 13: código na operadora, to 14
	Contractor string // 14: nome do contratado, to 70
	Name       string // 15: nome do profissional solicitante, to 70
	Council    string // 16: conselho profissional, table 26 ("06" is CRM)
	Number     string // 17: número no conselho, to 15
	State      string // 18: UF, table 59 ("35" is SP)
	CBO        string // 19: código CBO, table 24
}

// Request is "Dados da solicitação / procedimentos solicitados".
type Request struct {
	Urgency         string                  // 21: caráter do atendimento, table 23: "1" elective, "2" urgent
	RequestedAt     authorization.LocalTime // 22: data da solicitação
	Indication      string                  // 23: indicação clínica, to 500
	SpecialCoverage string                  // 90: indicador de cobertura especial, table 75
	Procedures      []Procedure             // 24 to 28
}

// Procedure is one line of the requested procedures.
type Procedure struct {
	Table      string // 24: table 87 ("22" is TUSS procedures)
	Code       string // 25: código, to 10
	Name       string // 26: descrição, to 150
	Requested  int    // 27: quantidade solicitada
	Authorized *int   // 28: quantidade autorizada; nil leaves the box empty (before a decision)
}

// ExecutingProvider is "Dados do contratado executante".
type ExecutingProvider struct {
	Code       string // 29: código na operadora, to 14
	Contractor string // 30: nome do contratado, to 70
	CNES       string // 31: código CNES, 7 digits
}

// Care is "Dados do atendimento".
type Care struct {
	Type               string // 32: tipo de atendimento, table 50
	Accident           string // 33: indicação de acidente, table 36
	ConsultationType   string // 34: tipo de consulta, table 52
	ClosingReason      string // 35: motivo de encerramento
	Regime             string // 91: regime de atendimento, table 76
	OccupationalHealth string // 92: saúde ocupacional, table 77
}

// Professional is one line of "Identificação do(s) profissional(is) executante(s)".
type Professional struct {
	Sequence string // 48: sequência de referência, to 4
	Role     string // 49: grau de participação, table 35
	Code     string // 50: código na operadora or CPF, to 14
	Name     string // 51: nome, to 70
	Council  string // 52: conselho profissional, table 26
	Number   string // 53: número no conselho, to 15
	State    string // 54: UF, table 59
	CBO      string // 55: código CBO, table 24
}

// ErrNoSheets is returned by Write when it is given no sheet.
var ErrNoSheets = errors.New("guide: no sheets to draw")

// Write draws the sheets, in their order, as one PDF. The same sheets give the
// same bytes. It is safe for concurrent use. The error is ErrNoSheets or the one of
// Ready or what w returned.
func Write(w io.Writer, sheets ...Sheet) error {
	if len(sheets) == 0 {
		return ErrNoSheets
	}
	if err := Ready(); err != nil {
		return err
	}
	return draw(w, sheets)
}
