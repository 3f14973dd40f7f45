package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// authorize serves POST /api/v2/autorizar/sp-sadt (4.2): it is answered when the
// operator has decided.
func (a *API) authorize(w http.ResponseWriter, c *call) error {
	submission, err := a.readSubmission(c, plainForm)
	if err != nil {
		return err
	}
	answer, err := a.service.Submit(c.Context(), submission)
	if err != nil {
		return err
	}
	return a.writeStored(w, c, answer)
}

// acceptedDoc is data of the answer to a request that is decided afterwards (row
// 16). It is made of what never changes, so that it is the same at every
// repetition.
type acceptedDoc struct {
	Protocol      string    `json:"protocolo"`
	ProviderGuide string    `json:"guiaPrestador"`
	GuideID       uuid.UUID `json:"guiaId"`
	Situation     string    `json:"situacao"`
}

// accept serves POST /api/v1/solicitacao (4.5 and row 16): it is decided
// afterwards.
func (a *API) accept(w http.ResponseWriter, c *call) error {
	submission, err := a.readSubmission(c, acceptedForm)
	if err != nil {
		return err
	}
	accepted, err := a.service.Accept(c.Context(), submission)
	if err != nil {
		return err
	}
	replay(w, accepted.Replayed)
	return writeData(w, http.StatusAccepted, acceptedDoc{
		Protocol: accepted.Protocol, ProviderGuide: accepted.ProviderGuide, GuideID: accepted.GuideID,
		Situation: string(accepted.Status),
	})
}

// requestForm is one of the two forms in which a body holds a request.
type requestForm struct {
	member string // of the body that holds the request; "" is the body itself
}

var (
	plainForm    = requestForm{}
	acceptedForm = requestForm{member: "solicitacao"}
)

// prefix stands before the paths of the request's fields.
func (f requestForm) prefix() string {
	if f.member == "" {
		return ""
	}
	return f.member + "."
}

// readSubmission reads a request and its key in the order of row 8: 415, 413, 400
// and 422.
func (a *API) readSubmission(c *call, form requestForm) (service.Submission, error) {
	doc, err := a.readAttachmentBody(c, form.member)
	if err != nil {
		return service.Submission{}, err
	}
	s := service.Submission{
		Caller: c.caller(), Prefix: form.prefix(), Request: authorization.Request{}.WithDefaults(),
	}
	if o, ok := form.request(doc.Rest(), &s.Problems); ok {
		if err := o.decode(&s.Request, attachmentReader{doc, a.limits}); err != nil {
			return s, err
		}
	}
	s.Key, err = a.idempotencyKey(c.Header)
	return s, err
}

// request returns the object that is the request.
func (f requestForm) request(body json.RawMessage, problems *[]problem.Field) (object, bool) {
	o, ok := readObject(body, "", problems)
	if !ok || f.member == "" {
		return o, ok
	}
	text, found := o.values[f.member]
	if !found {
		o.add(f.member, authorization.CodeRequired, "Informe "+f.member+".")
		return o, false
	}
	return readObject(text, f.member, problems)
}

// idempotencyKey returns Idempotency-Key, "" without one (row 11).
func (a *API) idempotencyKey(h http.Header) (string, error) {
	values, ok := h["Idempotency-Key"]
	if !ok {
		return "", nil
	}
	if n := utf8.RuneCountInString(values[0]); len(values) > 1 || n == 0 || n > a.limits.MaxKey {
		return "", invalid(problem.Field{Path: "Idempotency-Key", Code: authorization.CodeLimit,
			Message: fmt.Sprintf("O cabeçalho Idempotency-Key vem uma vez e tem de 1 a %d caracteres.", a.limits.MaxKey)})
	}
	return values[0], nil
}

// decode reads an authorization request (2.3, 2.4).
func (o object) decode(r *authorization.Request, attachments attachmentReader) (err error) {
	o.decodeCare(r)
	o.decodePeople(r)
	o.decodeProcedures(r)
	r.Attachments, err = attachments.read(o)
	return err
}

// decodeCare reads where and how the patient is treated. An empty guiaPrestador is
// refused: only without the property does the service make a number.
func (o object) decodeCare(r *authorization.Request) {
	o.id("credencialId", &r.CredentialID)
	o.id("unidadeId", &r.UnitID)
	o.id("pontoAtendimentoId", &r.CarePointID)
	o.id("profissionalExecutanteId", &r.ProfessionalID)
	o.integer("especialidadeExecutanteId", &r.SpecialtyID)
	o.text("tipoAcidente", &r.AccidentType)
	o.text("regimeAtendimento", &r.CareRegime)
	o.text("tipoAtendimento", &r.CareType)
	o.flag("pacienteNoLocal", &r.PatientPresent)
	o.flag("retorno", &r.FollowUp)
	o.nullable("observacoes", &r.Notes)
	o.optional("indicacaoClinica", &r.ClinicalIndication)
	if _, given := o.values["guiaPrestador"]; given && o.goodText("guiaPrestador", &r.ProviderGuide) && r.ProviderGuide == "" {
		o.add("guiaPrestador", authorization.CodeLimit,
			"A guia do prestador tem de 1 a 20 caracteres; omita o campo para que o serviço gere uma.")
	}
}

// decodePeople reads the beneficiary, the newborn, the requester and the contact.
func (o object) decodePeople(r *authorization.Request) {
	o.text("numeroCarteira", &r.CardNumber)
	o.date("validadeCarteira", &r.CardValidity)
	o.text("nomeBeneficiario", &r.BeneficiaryName)
	o.text("planoBeneficiario", &r.BeneficiaryPlan)
	o.flag("atendimentoRN", &r.Newborn)
	o.text("nomeRecemNascido", &r.NewbornName)
	o.date("dataNascimentoRecemNascido", &r.NewbornBirth)
	o.text("nomeSolicitante", &r.RequesterName)
	o.text("ufSolicitante", &r.RequesterState)
	o.text("crmSolicitante", &r.RequesterNumber)
	o.text("siglaConselhoSolicitante", &r.RequesterCouncil)
	o.text("nomeContato", &r.ContactName)
	o.text("dddContato", &r.ContactAreaCode)
	o.text("telefoneContato", &r.ContactPhone)
	o.text("emailContato", &r.ContactEmail)
}

// decodeProcedures reads the procedures. One that cannot be read stays in the list, so
// that the paths of later problems keep their index.
func (o object) decodeProcedures(r *authorization.Request) {
	elements, path := o.list("procedimentos")
	for i, element := range elements {
		var p authorization.Procedure
		if item, ok := readObject(element, path(i), o.problems); ok {
			item.text("nomeProcedimento", &p.Name)
			item.text("codigoProcedimento", &p.Code)
			item.integer("quantidade", &p.Quantity)
		}
		r.Procedures = append(r.Procedures, p)
	}
}
