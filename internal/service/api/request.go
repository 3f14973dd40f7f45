package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
)

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

// readRequest reads an authorization request, its attachments as a stream, with what
// is wrong with its types and formats.
func (a *API) readRequest(c *call, form requestForm) (authorization.Request, []problem.Field, error) {
	r := authorization.Request{}.WithDefaults()
	doc, err := a.readAttachmentBody(c, form.member)
	if err != nil {
		return r, nil, err
	}
	var problems []problem.Field
	if o, ok := form.request(doc.Rest(), &problems); ok {
		err = o.decode(&r, attachmentReader{doc, a.limits})
	}
	return r, problems, err
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

// readAttachmentBody reads a body as a stream, the attachments of a member of it, or
// of itself, straight into blobs (row 12).
func (a *API) readAttachmentBody(c *call, member string) (*jsonscan.Document, error) {
	return a.readBody(c, a.attachmentSink(c), jsonscan.Options{
		MaxBody: a.limits.MaxBody, MaxRest: maxRest, MaxExtracted: a.limits.MaxAttachment,
		Inline: -1, Depth: maxDepth, Extract: a.limits.isAttachment(member),
	})
}

// attachmentSink stores each attachment while the body is still being read, so that large
// files never stand in memory whole. It counts them for the caller, and stops where the
// disk is full.
func (a *API) attachmentSink(c *call) jsonscan.Sink {
	return func(ctx context.Context, r io.Reader) (string, int64, error) {
		if c.receiving == nil {
			var err error
			if c.receiving, err = a.service.Receive(ctx, c.caller.ProfileID); err != nil {
				return "", 0, err
			}
		}
		info, err := a.blobs.Put(ctx, blob.InRoom(c.receiving.Reader(r), a.blobs.Room))
		return string(info.Ref), info.Size, err
	}
}

// attachmentNames are the properties of an attachment object, the first of each
// being ours (row 2).
var attachmentNames = struct{ data, name, kind []string }{
	data: []string{"base64", "conteudo"},
	name: []string{"name", "nome"},
	kind: []string{"contentType", "tipo"},
}

// isAttachment says which strings of a body, or of one member of it, are expected
// to be base64.
func (l Limits) isAttachment(member string) func(pointer string) bool {
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
		if _, err := fmt.Sscanf(parts[2], "%d", &index); err != nil || index >= l.MaxAttachments {
			return false
		}
		return len(parts) == 3 || slices.Contains(attachmentNames.data, parts[3])
	}
}

// excessAttachment returns the list of attachments to which a path leads, when it
// leads past the last that is taken: those are not extracted from the body.
func (a *API) excessAttachment(path string) (string, bool) {
	for _, form := range []requestForm{plainForm, acceptedForm} {
		list := form.prefix() + "anexos"
		var index int
		if n, _ := fmt.Sscanf(path, list+"[%d]", &index); n == 1 && index >= a.limits.MaxAttachments {
			return list, true
		}
	}
	return "", false
}

// tooManyAttachments is the one message for too many attachments, whether they are
// noticed while the body is read or afterwards.
func (l Limits) tooManyAttachments() string {
	return fmt.Sprintf("Um pedido leva no máximo %d anexos.", l.MaxAttachments)
}

// attachmentReader takes attachments out of a document whose bytes are in blobs.
type attachmentReader struct {
	doc    *jsonscan.Document
	limits Limits
}

// read returns the attachments of an object.
func (r attachmentReader) read(from object) (all []authorization.Attachment, err error) {
	elements, path := from.list("anexos")
	if len(elements) > r.limits.MaxAttachments {
		from.add("anexos", authorization.CodeLimit, r.limits.tooManyAttachments())
		return nil, nil
	}
	for i, element := range elements {
		attachment, err := r.attachment(from, element, path(i))
		if err != nil {
			return nil, err
		}
		all = append(all, attachment)
	}
	return all, nil
}

// attachment reads one element of the list: a text in base64 alone, or an object with a
// name and a type. Both forms are in use among callers.
func (r attachmentReader) attachment(from object, element json.RawMessage, at string) (authorization.Attachment, error) {
	var out authorization.Attachment
	if firstByte(element) == '"' {
		alone := object{values: map[string]json.RawMessage{at: element}, problems: from.problems}
		return out, r.content(alone, at, &out)
	}
	if firstByte(element) != '{' {
		from.add(strings.TrimPrefix(at, from.path), authorization.CodeType, at+" deve ser um texto em base64 ou um objeto.")
		return out, nil
	}
	item, ok := readObject(element, at, from.problems)
	if !ok {
		return out, nil
	}
	item.text(item.first(attachmentNames.name), &out.Name)
	item.text(item.first(attachmentNames.kind), &out.ContentType)
	return out, r.content(item, item.first(attachmentNames.data), &out)
}

// content takes the bytes that were extracted from a property.
func (r attachmentReader) content(from object, name string, dst *authorization.Attachment) error {
	var text string
	if !from.goodText(name, &text) {
		return nil
	}
	extracted, ok := r.doc.Extracted(text)
	switch {
	case !ok || extracted.Err == nil && extracted.Size == 0:
		from.add(name, authorization.CodeRequired, "O anexo está vazio.")
	case extracted.Err != nil && extracted.Err.Kind == jsonscan.ExtractedTooLarge:
		return tooLarge(from.path+name, fmt.Sprintf("Um anexo tem no máximo %d MiB.", r.limits.MaxAttachment>>20))
	case extracted.Err != nil:
		from.add(name, authorization.CodeFormat, "O anexo não está em base64.")
	default:
		dst.Blob, dst.Size = blob.Ref(extracted.Ref), extracted.Size
	}
	return nil
}
