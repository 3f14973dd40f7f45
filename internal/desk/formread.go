package desk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/oneline"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Request reads the form as a request: spaces around values and punctuation of
// the card and of TUSS codes go, what nobody sees goes from dates, numbers and
// codes, typed dates become dates, absent values take the defaults of
// specification 2.3, rows of procedures without code and name are left out. The
// problems are all that is wrong, in the order of the specification, those of a
// procedure under its row in the form. A blank indicacaoClinica is an untouched
// one and stays absent (interface.md, row 5).
func (f Form) Request(today time.Time, rules authorization.Rules) (authorization.Request, []problem.Field) {
	in := formReader{values: f.Values, today: today}
	rules.Today = authorization.NewLocalTime(today)
	r := in.request()
	rows := make([]int, 0, len(f.Procedures))
	for i, row := range f.Procedures {
		if !row.blank() {
			rows = append(rows, i)
			r.Procedures = append(r.Procedures, in.procedure(i, row))
		}
	}
	return r, in.merge(rowPaths(r.Problems(rules), rows))
}

// formReader reads typed values and collects what cannot be read.
type formReader struct {
	values   map[string]string
	today    time.Time
	problems []problem.Field
}

func (in *formReader) request() authorization.Request {
	r := authorization.Request{
		CredentialID:     in.id("credencialId", "Escolha a operadora."),
		CardNumber:       authorization.CleanCard(in.text("numeroCarteira")),
		CardValidity:     in.date("validadeCarteira", "Validade", "Informe a validade da carteira como DD/MM/AAAA."),
		BeneficiaryName:  in.text("nomeBeneficiario"),
		BeneficiaryPlan:  in.text("planoBeneficiario"),
		Newborn:          in.flag("atendimentoRN"),
		PatientPresent:   in.flag("pacienteNoLocal"),
		UnitID:           in.id("unidadeId", "Escolha a unidade."),
		CarePointID:      in.id("pontoAtendimentoId", "Escolha o ponto de atendimento."),
		RequesterName:    in.text("nomeSolicitante"),
		RequesterState:   strings.ToUpper(in.text("ufSolicitante")),
		RequesterNumber:  plainNumber(in.values["crmSolicitante"]),
		RequesterCouncil: strings.ToUpper(in.text("siglaConselhoSolicitante")),
		ProfessionalID:   in.id("profissionalExecutanteId", "Escolha o executante."),
		SpecialtyID:      in.number("especialidadeExecutanteId", "Escolha a especialidade do executante."),
		AccidentType:     in.text("tipoAcidente"),
		CareRegime:       in.text("regimeAtendimento"),
		CareType:         in.text("tipoAtendimento"),
		FollowUp:         in.flag("retorno"),
		ContactName:      in.text("nomeContato"),
		ContactAreaCode:  plainNumber(in.values["dddContato"]),
		ContactPhone:     plainNumber(in.values["telefoneContato"]),
		ContactEmail:     plainNumber(in.values["emailContato"]),
	}
	r.Notes, r.ClinicalIndication = in.optional("observacoes"), in.optional("indicacaoClinica")
	if r.Newborn { // otherwise 2.3 wants them empty, whatever was left in the closed part of the form
		r.NewbornName = in.text("nomeRecemNascido")
		r.NewbornBirth = in.date("dataNascimentoRecemNascido", "Nascimento", "Informe o nascimento do recém-nascido como DD/MM/AAAA.")
	}
	return r.WithDefaults()
}

func (in *formReader) procedure(row int, p ProcedureRow) authorization.Procedure {
	quantity, err := strconv.Atoi(plainNumber(p.Quantity))
	if err != nil {
		in.add(fmt.Sprintf("procedimentos[%d].quantidade", row), authorization.CodeFormat, "A quantidade vai de 1 a 999.")
	}
	code := authorization.CleanProcedure(plainNumber(p.Code))
	return authorization.Procedure{Code: code, Name: plainText(p.Name), Quantity: quantity}
}

func (in *formReader) add(path, code, message string) {
	in.problems = append(in.problems, problem.Field{Path: path, Code: code, Message: message})
}

func (in *formReader) text(name string) string { return plainText(in.values[name]) }

// plainText is a typed text without white space around it and without U+0000, which
// nobody types and no service takes (interface.md, row 12).
func plainText(typed string) string { return strings.TrimSpace(strings.ReplaceAll(typed, "\x00", "")) }

// plainNumber is a typed number, code or address without what nobody sees in it, too: marks come
// along with what is pasted from messages.
func plainNumber(typed string) string { return plainText(oneline.Visible(typed)) }

// optional returns nil for a blank value.
func (in *formReader) optional(name string) *string {
	if s := in.text(name); s != "" {
		return &s
	}
	return nil
}

func (in *formReader) flag(name string) bool {
	switch in.text(name) {
	case "S":
		return true
	case "", "N":
	default:
		in.add(name, authorization.CodeDomain, "Marque sim ou não.")
	}
	return false
}

func (in *formReader) date(name, label, message string) authorization.LocalTime {
	s := in.text(name)
	if s == "" {
		return authorization.LocalTime{}
	}
	date, err := authorization.ParseTypedDate(s, in.today)
	if err != nil {
		in.add(name, authorization.CodeFormat, authorization.DateMessage(err, label, message))
	}
	return date
}

func (in *formReader) id(name, message string) uuid.UUID {
	s := in.text(name)
	if s == "" {
		return uuid.Nil
	}
	id, err := uuid.Parse(s)
	if err != nil {
		in.add(name, authorization.CodeFormat, message)
	}
	return id
}

func (in *formReader) number(name, message string) int {
	s := in.text(name)
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		in.add(name, authorization.CodeFormat, message)
	}
	return n
}

// merge adds the rules' problems to those of reading. A value that could not be
// read is not called missing too.
func (in *formReader) merge(rules []problem.Field) []problem.Field {
	all := in.problems
	for _, p := range rules {
		if !slices.ContainsFunc(in.problems, func(q problem.Field) bool { return q.Path == p.Path }) {
			all = append(all, p)
		}
	}
	sortProblems(all)
	return all
}

// sortProblems brings problems into the order of specification 2.3.
func sortProblems(fields []problem.Field) {
	place := func(f problem.Field) int {
		if i := slices.Index(formFields, f.Path); i >= 0 {
			return i
		}
		return len(formFields) // procedures come last on the form
	}
	slices.SortStableFunc(fields, func(a, b problem.Field) int {
		if a, b := procedureRow(a.Path), procedureRow(b.Path); a != b {
			return a - b
		}
		return place(a) - place(b)
	})
}

// procedureRow returns the row of a path like procedimentos[1].quantidade, -1 for
// any other.
func procedureRow(path string) int {
	var row int
	if _, err := fmt.Sscanf(path, "procedimentos[%d]", &row); err != nil {
		return -1
	}
	return row
}

// rowPaths turns the indexes of procedures in the request into those of their
// rows in the form.
func rowPaths(fields []problem.Field, rows []int) []problem.Field {
	for i, f := range fields {
		if at := procedureRow(f.Path); at >= 0 {
			_, rest, _ := strings.Cut(f.Path, "]")
			fields[i].Path = fmt.Sprintf("procedimentos[%d]%s", rows[at], rest)
		}
	}
	return fields
}
