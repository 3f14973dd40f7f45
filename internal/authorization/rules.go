package authorization

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Limits of a request (rows 1, 7 and 10).
const (
	MaxProcedures    = 100
	MaxQuantity      = 999
	MaxProviderGuide = 20 // characters

	MaxAttachments = 20
	MaxAttachment  = 20 << 20 // bytes
	MaxBody        = 96 << 20 // bytes of a request as it is sent, its attachments in base64
)

// The values of problem.Field.Code.
const (
	CodeRequired = "obrigatorio"
	CodeFormat   = "formato"
	CodeDomain   = "dominio"
	CodeLimit    = "limite"
	CodeType     = "tipo"
)

// Rules are what a credential's settings add to the rules of a request (row 1).
type Rules struct {
	ValidityRequired bool           // validadeCarteira is mandatory
	CardPattern      *regexp.Regexp // of numeroCarteira; nil allows any
	Today            LocalTime      // of who checks: no birth lies after it; zero allows any
	AttachmentsFor   []string       // codes of procedures that need an attachment; a final * stands for any rest
}

// Problems checks a request (specification 2.3 and 2.4, row 1) and returns all that
// is wrong, each with its field path, in the order of the specification; nil when
// the request may be sent. Form, client and service use this one function.
func (r Request) Problems(rules Rules) []problem.Field {
	var p problems
	p.id("credencialId", r.CredentialID, "Escolha a operadora.")
	r.cardProblems(&p, rules)
	r.newbornProblems(&p, rules)
	p.id("unidadeId", r.UnitID, "Escolha a unidade.")
	p.id("pontoAtendimentoId", r.CarePointID, "Escolha o ponto de atendimento.")
	r.requesterProblems(&p)
	p.id("profissionalExecutanteId", r.ProfessionalID, "Escolha o executante.")
	if r.SpecialtyID <= 0 {
		p.add("especialidadeExecutanteId", CodeRequired, "Escolha a especialidade do executante.")
	}
	r.domainProblems(&p)
	r.attachmentProblems(&p, rules)
	r.procedureProblems(&p)
	return p
}

type problems []problem.Field

func (p *problems) add(path, code, message string) {
	*p = append(*p, problem.Field{Path: path, Code: code, Message: message})
}

func (p *problems) text(path, value, message string) {
	if strings.TrimSpace(value) == "" {
		p.add(path, CodeRequired, message)
	}
}

func (p *problems) id(path string, value uuid.UUID, message string) {
	if value == uuid.Nil {
		p.add(path, CodeRequired, message)
	}
}

func (p *problems) domain(path, value string, options []Option, message string) {
	if !has(options, value) {
		p.add(path, CodeDomain, message)
	}
}

func (r Request) cardProblems(p *problems, rules Rules) {
	p.text("numeroCarteira", r.CardNumber, "Informe o número da carteira.")
	if r.CardNumber != "" && rules.CardPattern != nil && !rules.CardPattern.MatchString(r.CardNumber) {
		p.add("numeroCarteira", CodeFormat, "O número da carteira não tem o formato desta operadora.")
	}
	if rules.ValidityRequired && r.CardValidity.IsZero() {
		p.add("validadeCarteira", CodeRequired, "Informe a validade da carteira como DD/MM/AAAA.")
	}
	p.text("nomeBeneficiario", r.BeneficiaryName, "Informe o nome do beneficiário.")
}

// newbornProblems checks specification 7.3, and that the child is born (row 1).
func (r Request) newbornProblems(p *problems, rules Rules) {
	if !r.Newborn {
		return
	}
	p.text("nomeRecemNascido", r.NewbornName, "Informe o nome do recém-nascido.")
	switch {
	case r.NewbornBirth.IsZero():
		p.add("dataNascimentoRecemNascido", CodeRequired, "Informe o nascimento do recém-nascido como DD/MM/AAAA.")
	case !rules.Today.IsZero() && rules.Today.Before(r.NewbornBirth):
		p.add("dataNascimentoRecemNascido", CodeDomain, "O nascimento do recém-nascido está no futuro. Confira a data.")
	}
}

func (r Request) requesterProblems(p *problems) {
	p.text("nomeSolicitante", r.RequesterName, "Informe o nome do solicitante.")
	p.text("ufSolicitante", r.RequesterState, "Escolha a UF do conselho do solicitante.")
	if r.RequesterState != "" {
		p.domain("ufSolicitante", r.RequesterState, States(), "A UF do solicitante não existe.")
	}
	p.text("crmSolicitante", r.RequesterNumber, "Informe o número do conselho do solicitante.")
	p.text("siglaConselhoSolicitante", r.RequesterCouncil, "Escolha o conselho do solicitante.")
}

func (r Request) domainProblems(p *problems) {
	p.domain("tipoAcidente", r.AccidentType, AccidentTypes(), "Escolha a indicação de acidente na lista.")
	if utf8.RuneCountInString(r.ProviderGuide) > MaxProviderGuide {
		p.add("guiaPrestador", CodeLimit, "A guia do prestador tem de 1 a 20 caracteres.")
	}
	p.domain("regimeAtendimento", r.CareRegime, CareRegimes(), "Escolha o caráter do atendimento na lista.")
	p.domain("tipoAtendimento", r.CareType, CareTypes(), "Escolha o tipo de atendimento na lista.")
}

func (r Request) procedureProblems(p *problems) {
	switch {
	case len(r.Procedures) == 0:
		p.add("procedimentos", CodeRequired, "Informe pelo menos um procedimento.")
	case len(r.Procedures) > MaxProcedures:
		p.add("procedimentos", CodeLimit, fmt.Sprintf("Um pedido leva no máximo %d procedimentos.", MaxProcedures))
	}
	for i, proc := range r.Procedures {
		path := fmt.Sprintf("procedimentos[%d].", i)
		p.text(path+"nomeProcedimento", proc.Name, "Informe o nome do procedimento.")
		p.text(path+"codigoProcedimento", proc.Code, "Informe o código do procedimento.")
		if proc.Quantity < 1 || proc.Quantity > MaxQuantity {
			p.add(path+"quantidade", CodeLimit, "A quantidade vai de 1 a 999.")
		}
	}
}

// WithDefaults returns the request with the defaults of specification 2.3 in
// place of absent texts. guiaPrestador and indicacaoClinica are filled by the
// service, which knows its clock and the credential's settings.
func (r Request) WithDefaults() Request {
	fill := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	fill(&r.AccidentType, DefaultAccidentType)
	fill(&r.CareRegime, DefaultCareRegime)
	fill(&r.CareType, DefaultCareType)
	return r
}

// Flag returns the wire form of a boolean: S or N.
func Flag(yes bool) string {
	if yes {
		return "S"
	}
	return "N"
}
