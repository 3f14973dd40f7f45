package service

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"
	"guiche/internal/blob"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
)

// reading is a request body as it was understood.
type reading struct {
	request     authorization.Request // with the defaults of 2.3; guiaPrestador "" when it was absent
	fingerprint [sha256.Size]byte     // of request (row 11)
	wrong       []problem.Field       // types and formats; request lacks these values
	prefix      string                // of the paths of request's fields
}

// decode understands a document as an authorization request (2.3, 2.4).
func (s *Service) decode(doc *jsonscan.Document, o operation) (reading, error) {
	in := reading{prefix: o.prefix(), request: authorization.Request{}.WithDefaults()}
	m, ok := o.inside(doc.Rest(), &in)
	if !ok {
		return in, nil
	}
	r := &in.request
	m.decodeCare(r)
	m.decodePeople(r)
	m.decodeProcedures(r)
	if err := m.decodeAttachments(r, doc, s.limits); err != nil {
		return in, err
	}
	text, err := stored.EncodeRequest(*r)
	in.fingerprint = sha256.Sum256(append([]byte(o.member), text...)) // an equal request to be decided otherwise is another one
	return in, err
}

func (m members) decodeCare(r *authorization.Request) {
	m.id("credencialId", &r.CredentialID)
	m.id("unidadeId", &r.UnitID)
	m.id("pontoAtendimentoId", &r.CarePointID)
	m.id("profissionalExecutanteId", &r.ProfessionalID)
	m.integer("especialidadeExecutanteId", &r.SpecialtyID)
	m.text("tipoAcidente", &r.AccidentType)
	m.text("regimeAtendimento", &r.CareRegime)
	m.text("tipoAtendimento", &r.CareType)
	m.flag("pacienteNoLocal", &r.PatientPresent)
	m.flag("retorno", &r.FollowUp)
	m.nullable("observacoes", &r.Notes)
	m.optional("indicacaoClinica", &r.ClinicalIndication)
	before := len(*m.wrong)
	if given := m.text("guiaPrestador", &r.ProviderGuide); given && r.ProviderGuide == "" && len(*m.wrong) == before {
		m.add("guiaPrestador", authorization.CodeLimit, "A guia do prestador tem de 1 a 20 caracteres; omita o campo para que o serviço gere uma.")
	}
}

func (m members) decodePeople(r *authorization.Request) {
	m.text("numeroCarteira", &r.CardNumber)
	m.date("validadeCarteira", &r.CardValidity)
	m.text("nomeBeneficiario", &r.BeneficiaryName)
	m.text("planoBeneficiario", &r.BeneficiaryPlan)
	m.flag("atendimentoRN", &r.Newborn)
	m.text("nomeRecemNascido", &r.NewbornName)
	m.date("dataNascimentoRecemNascido", &r.NewbornBirth)
	m.text("nomeSolicitante", &r.RequesterName)
	m.text("ufSolicitante", &r.RequesterState)
	m.text("crmSolicitante", &r.RequesterNumber)
	m.text("siglaConselhoSolicitante", &r.RequesterCouncil)
	m.text("nomeContato", &r.ContactName)
	m.text("dddContato", &r.ContactAreaCode)
	m.text("telefoneContato", &r.ContactPhone)
	m.text("emailContato", &r.ContactEmail)
}

func (m members) decodeProcedures(r *authorization.Request) {
	elements, path := m.list("procedimentos")
	for i, element := range elements {
		var p authorization.Procedure
		if item, ok := object(element, path(i), m.wrong); ok {
			item.text("nomeProcedimento", &p.Name)
			item.text("codigoProcedimento", &p.Code)
			item.integer("quantidade", &p.Quantity)
		}
		r.Procedures = append(r.Procedures, p)
	}
}

// attachmentNames are the properties of an attachment object, the first of each
// being ours (row 2).
var attachmentNames = struct{ data, name, kind []string }{
	data: []string{"base64", "conteudo"},
	name: []string{"name", "nome"},
	kind: []string{"contentType", "tipo"},
}

func (m members) decodeAttachments(r *authorization.Request, doc *jsonscan.Document, limits Limits) error {
	elements, path := m.list("anexos")
	if len(elements) > limits.MaxAttachments {
		m.add("anexos", authorization.CodeLimit, limits.tooManyAttachments())
		return nil
	}
	for i, element := range elements {
		a, err := m.attachment(element, path(i), doc, limits)
		if err != nil {
			return err
		}
		r.Attachments = append(r.Attachments, a)
	}
	return nil
}

func (m members) attachment(element json.RawMessage, at string, doc *jsonscan.Document, limits Limits) (authorization.Attachment, error) {
	var a authorization.Attachment
	if kindOf(element) == '"' {
		alone := members{values: map[string]json.RawMessage{at: element}, wrong: m.wrong}
		return a, alone.content(at, &a, doc, limits)
	}
	if kindOf(element) != '{' {
		m.add(strings.TrimPrefix(at, m.path), authorization.CodeType, at+" deve ser um texto em base64 ou um objeto.")
		return a, nil
	}
	item, ok := object(element, at, m.wrong)
	if !ok {
		return a, nil
	}
	item.text(item.first(attachmentNames.name), &a.Name)
	item.text(item.first(attachmentNames.kind), &a.ContentType)
	return a, item.content(item.first(attachmentNames.data), &a, doc, limits)
}

// first returns the first of the names that the object has, or the first of all.
func (m members) first(names []string) string {
	for _, name := range names {
		if _, ok := m.values[name]; ok {
			return name
		}
	}
	return names[0]
}

// content takes the bytes that were extracted from a property.
func (m members) content(name string, a *authorization.Attachment, doc *jsonscan.Document, limits Limits) error {
	var text string
	before := len(*m.wrong)
	if m.text(name, &text); len(*m.wrong) > before {
		return nil
	}
	extracted, ok := doc.Extracted(text)
	switch {
	case !ok || extracted.Err == nil && extracted.Size == 0:
		m.add(name, authorization.CodeRequired, "O anexo está vazio.")
	case extracted.Err != nil && extracted.Err.Kind == jsonscan.ExtractedTooLarge:
		return tooLarge(m.path+name, fmt.Sprintf("Um anexo tem no máximo %d MiB.", limits.MaxAttachment>>20))
	case extracted.Err != nil:
		m.add(name, authorization.CodeFormat, "O anexo não está em base64.")
	default:
		a.Blob, a.Size = blob.Ref(extracted.Ref), extracted.Size
	}
	return nil
}

// isAttachment says which strings of a body, or of one member of it, are expected
// to be base64.
func isAttachment(limits Limits, member string) func(pointer string) bool {
	return func(pointer string) bool {
		if member != "" {
			inside, ok := strings.CutPrefix(pointer, "/"+member+"/")
			if !ok {
				return false
			}
			pointer = "/" + inside
		}
		parts := strings.Split(pointer, "/")
		if len(parts) < 3 || len(parts) > 4 || parts[1] != "anexos" {
			return false
		}
		var index int
		if _, err := fmt.Sscanf(parts[2], "%d", &index); err != nil || index >= limits.MaxAttachments {
			return false
		}
		return len(parts) == 3 || slices.Contains(attachmentNames.data, parts[3])
	}
}
