package webui

import (
	"fmt"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
)

// reviewPanel is the summary that is confirmed, with what the credential asks to be prepared first.
func (s *deskHandlers) reviewPanel(r desk.Review, credential page.Credential) *page.ReviewView {
	panel := &page.ReviewView{
		Operator: r.Names.Credential, Beneficiary: beneficiaryFacts(r.Request), Parties: partyFacts(r.Request, r.Names),
		Others: otherFacts(r.Request), Revision: r.Revision,
	}
	for _, w := range r.Warnings {
		notice := component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: w.Message}
		if w.Case != uuid.Nil {
			notice.Link = component.Link{Href: "/casos/" + w.Case.String(), Text: "Ver pedido"}
		}
		panel.Warnings = append(panel.Warnings, notice)
	}
	if credential.Biometrics {
		item := s.biometricsCheck(credential.How)
		panel.Warnings = append(panel.Warnings, component.Notice{Tone: item.Tone, Icon: "camera", Strong: item.Title + ".", Text: item.Detail})
	}
	for _, p := range r.Request.Procedures {
		panel.Procedures = append(panel.Procedures, page.ProcedureRow{Code: p.Code, Name: p.Name, Quantity: strconv.Itoa(p.Quantity)})
	}
	var names []string
	for _, a := range r.Attachments {
		names = append(names, a.Name)
	}
	if panel.Attachments = strings.Join(names, ", "); panel.Attachments != "" {
		panel.TotalSize = document.FormatSize(r.Size) + " ao todo"
	}
	return panel
}

// facts collects lines of a description list, without those that say nothing.
type facts []page.Fact

// add appends a line, unless its value is empty.
func (f *facts) add(term, value string) {
	if value != "" {
		*f = append(*f, page.Fact{Term: term, Value: value})
	}
}

// code is add for a value that is compared letter by letter.
func (f *facts) code(term, value string) {
	if value != "" {
		*f = append(*f, page.Fact{Term: term, Value: value, Code: true})
	}
}

// beneficiaryFacts lists who is to be treated. Name and card are always there and stand
// out: a mistake in them is the costliest.
func beneficiaryFacts(r authorization.Request) []page.Fact {
	f := facts{
		{Term: "Nome", Value: r.BeneficiaryName, Strong: true},
		{Term: "Carteira", Value: component.GroupDigits(r.CardNumber), Strong: true, Code: true},
	}
	f.add("Validade", r.CardValidity.Date())
	f.add("Plano", r.BeneficiaryPlan)
	if r.Newborn {
		f.add("Recém-nascido", r.NewbornName+", "+r.NewbornBirth.Date())
	}
	if r.PatientPresent {
		f.add("No balcão", "Sim")
	}
	return f
}

// askedFacts lists the procedures, each as it is read out to the operator.
func askedFacts(r authorization.Request) []page.Fact {
	var f facts
	for i, p := range r.Procedures {
		term := "Procedimento"
		if len(r.Procedures) > 1 {
			term += " " + strconv.Itoa(i+1)
		}
		f.add(term, fmt.Sprintf("%s %s, %d", p.Code, p.Name, p.Quantity))
	}
	return f
}

// partyFacts lists who asks and who carries out, by name: the identifiers that go to the
// service mean nothing to the reader.
func partyFacts(r authorization.Request, names desk.Names) []page.Fact {
	var f facts
	f.add("Solicitante", r.RequesterName+", "+r.RequesterCouncil+" "+r.RequesterNumber+" "+r.RequesterState)
	f.add("Executante", names.Professional)
	f.add("Especialidade", names.Specialty)
	f.add("Unidade", names.Unit+" · "+names.CarePoint)
	return f
}

// otherFacts are the rarely used fields, only where they are not the default.
func otherFacts(r authorization.Request) []page.Fact {
	var f facts
	label := func(term string, options []authorization.Option, code, standard string) {
		if code != standard {
			f.add(term, authorization.Label(options, code))
		}
	}
	label("Caráter", authorization.CareRegimes(), r.CareRegime, authorization.DefaultCareRegime)
	label("Tipo de atendimento", authorization.CareTypes(), r.CareType, authorization.DefaultCareType)
	label("Acidente", authorization.AccidentTypes(), r.AccidentType, authorization.DefaultAccidentType)
	if r.ClinicalIndication != nil {
		f.add("Indicação clínica", *r.ClinicalIndication)
	}
	if r.Notes != nil {
		f.add("Observações", *r.Notes)
	}
	if r.FollowUp {
		f.add("Retorno", "Sim")
	}
	phone := strings.Join(strings.Fields(r.ContactAreaCode+" "+r.ContactPhone), "\u00a0") // in one line, to be dialled from it
	f.add("Contato", joined(" · ", r.ContactName, phone, r.ContactEmail))
	return f
}
