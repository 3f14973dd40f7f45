package desk

import (
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
)

// Form is what was typed, exactly, so that nothing is lost or changed on the way
// back to the screen. Values is keyed by the specification's names (2.3);
// guiaPrestador, anexos and procedimentos are not among them.
type Form struct {
	Values     map[string]string
	Procedures []ProcedureRow
}

// ProcedureRow is one row of procedures as typed (2.4).
type ProcedureRow struct {
	Code, Name, Quantity string
}

func (r ProcedureRow) blank() bool {
	return strings.TrimSpace(r.Code) == "" && strings.TrimSpace(r.Name) == ""
}

// formFields are the keys of Form.Values, in the order of specification 2.3.
var formFields = []string{
	"credencialId", "numeroCarteira", "validadeCarteira", "nomeBeneficiario", "planoBeneficiario",
	"atendimentoRN", "nomeRecemNascido", "dataNascimentoRecemNascido", "pacienteNoLocal", "unidadeId",
	"pontoAtendimentoId", "nomeSolicitante", "ufSolicitante", "crmSolicitante", "siglaConselhoSolicitante",
	"profissionalExecutanteId", "especialidadeExecutanteId", "tipoAcidente", "regimeAtendimento",
	"tipoAtendimento", "observacoes", "indicacaoClinica", "retorno",
	"nomeContato", "dddContato", "telefoneContato", "emailContato",
}

// FormFields lists the keys of Form.Values, in the order of specification 2.3.
func FormFields() []string { return slices.Clone(formFields) }

// flags are the boxes among the fields.
var flags = []string{"atendimentoRN", "pacienteNoLocal", "retorno"}

// defaults are the values that the fields of an absent value show and ask for.
var defaults = map[string]string{
	"tipoAcidente": authorization.DefaultAccidentType, "regimeAtendimento": authorization.DefaultCareRegime,
	"tipoAtendimento": authorization.DefaultCareType,
}

// shownAs is a value as its field shows it: a box that is not ticked is posted as
// nothing, and browsers end lines in two ways.
func (f Form) shownAs(name string) string {
	value := f.Values[name]
	switch {
	case value == "N" && slices.Contains(flags, name):
		return ""
	case value == "":
		return defaults[name]
	}
	return strings.ReplaceAll(value, "\r\n", "\n")
}

// Equal reports whether the same was typed; an absent value equals an empty one.
func (f Form) Equal(other Form) bool {
	for _, name := range formFields {
		if f.shownAs(name) != other.shownAs(name) {
			return false
		}
	}
	return slices.Equal(f.Procedures, other.Procedures)
}

// Untouched reports whether the form holds nothing but what it showed when it was
// opened.
func (f Form) Untouched(opened Form) bool {
	for _, name := range formFields {
		if value := f.shownAs(name); value != "" && value != opened.shownAs(name) {
			return false
		}
	}
	return !slices.ContainsFunc(f.Procedures, func(r ProcedureRow) bool { return !r.blank() })
}

// OnlyWho reports whether the form holds nothing but whom it is for and who attends where:
// what choosing somebody known fills in.
func (f Form) OnlyWho() bool {
	filled := slices.Concat(beneficiaryFields, partyFields, []string{"pacienteNoLocal"})
	for _, name := range formFields {
		if value := f.shownAs(name); value != "" && value != defaults[name] && !slices.Contains(filled, name) {
			return false
		}
	}
	return !slices.ContainsFunc(f.Procedures, func(r ProcedureRow) bool { return !r.blank() })
}

// known returns the form without keys that are no fields of it.
func (f Form) known() Form {
	values := make(map[string]string, len(f.Values))
	for _, name := range formFields {
		if v, ok := f.Values[name]; ok {
			values[name] = v
		}
	}
	return Form{Values: values, Procedures: f.Procedures}
}

// FormOf is the form that a request could have been typed into.
func FormOf(r authorization.Request) Form {
	deref := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	f := Form{Values: map[string]string{
		"credencialId": r.CredentialID.String(), "numeroCarteira": r.CardNumber,
		"validadeCarteira": r.CardValidity.Date(), "nomeBeneficiario": r.BeneficiaryName,
		"planoBeneficiario": r.BeneficiaryPlan, "atendimentoRN": authorization.Flag(r.Newborn),
		"nomeRecemNascido": r.NewbornName, "dataNascimentoRecemNascido": r.NewbornBirth.Date(),
		"pacienteNoLocal": authorization.Flag(r.PatientPresent), "unidadeId": r.UnitID.String(),
		"pontoAtendimentoId": r.CarePointID.String(), "nomeSolicitante": r.RequesterName,
		"ufSolicitante": r.RequesterState, "crmSolicitante": r.RequesterNumber,
		"siglaConselhoSolicitante": r.RequesterCouncil, "profissionalExecutanteId": r.ProfessionalID.String(),
		"especialidadeExecutanteId": strconv.Itoa(r.SpecialtyID), "tipoAcidente": r.AccidentType,
		"regimeAtendimento": r.CareRegime, "tipoAtendimento": r.CareType, "observacoes": deref(r.Notes),
		"indicacaoClinica": deref(r.ClinicalIndication), "retorno": authorization.Flag(r.FollowUp),
		"nomeContato": r.ContactName, "dddContato": r.ContactAreaCode,
		"telefoneContato": r.ContactPhone, "emailContato": r.ContactEmail,
	}}
	for _, p := range r.Procedures {
		f.Procedures = append(f.Procedures, ProcedureRow{Code: p.Code, Name: p.Name, Quantity: strconv.Itoa(p.Quantity)})
	}
	return f
}
