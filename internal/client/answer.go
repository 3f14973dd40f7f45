package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"guiche/internal/authorization"
	"guiche/internal/blob"
)

// pdfWindow is where readers of PDF look for the signature.
const pdfWindow = 1024

// keepPDF is the sink of an answer's PDFs: it stores what is one and drops what
// is not, which then has no name.
func (c *Client) keepPDF(ctx context.Context, r io.Reader) (string, int64, error) {
	buf := bufio.NewReaderSize(r, 32<<10)
	head, _ := buf.Peek(pdfWindow) // a shorter text, or its error, comes again below
	if !bytes.Contains(head, []byte("%PDF-")) {
		n, err := io.Copy(io.Discard, buf)
		return "", n, err
	}
	info, err := c.cfg.Blobs.Put(ctx, buf)
	if err != nil {
		return "", 0, fmt.Errorf("store PDF: %w", err)
	}
	return string(info.Ref), info.Size, nil
}

// pdf returns the blob of a PDF; what is there but is no PDF becomes an error.
func (e envelope) pdf(o map[string]any, name string, errs *[]authorization.AnswerError) blob.Ref {
	if s, ok := o[name].(string); o[name] == nil || ok && s == "" {
		return ""
	} else if extracted, ok := e.doc.Extracted(s); ok && extracted.Err == nil && extracted.Ref != "" {
		return blob.Ref(extracted.Ref)
	}
	*errs = append(*errs, authorization.AnswerError{Code: authorization.CodeBadPDF, Field: name,
		Message: "O PDF veio ilegível na resposta e não foi guardado."})
	return ""
}

// answer reads an authorization response (specification 2.5). data is an object
// or an array of objects, whose entries are joined (row 6).
func (e envelope) answer() authorization.Answer {
	a := authorization.Answer{Success: !e.failed(), Errors: e.errors}
	parts, answering := list(e.data), 0
	for _, part := range parts {
		if len(list(object(part)["autorizacoes"])) > 0 {
			answering++
		}
	}
	for _, part := range parts {
		e.readPart(&a, object(part), answering > 1)
	}
	numberThrough(a.Authorizations)
	return a
}

// numberThrough numbers authorizations by their places where two would be called by one number,
// as those of several objects that each begin with 1.
func numberThrough(all []authorization.Authorization) {
	known := map[int]bool{}
	for i, a := range all {
		known[cmp.Or(a.Number, i+1)] = true
	}
	if len(known) == len(all) {
		return
	}
	for i := range all {
		all[i].Number = i + 1
	}
}

// maxEntries is how many authorizations an answer may have: a request has a hundred procedures, and megabytes of empty
// ones would take gigabytes.
const maxEntries = 1000

// entries counts the authorizations of an answer.
func (e envelope) entries() (n int) {
	for _, part := range list(e.data) {
		n += len(list(object(part)["autorizacoes"]))
	}
	return n
}

// readPart reads one object of data. Where several have authorizations, the PDF of each is
// that of its own: it is not one of all guides.
func (e envelope) readPart(a *authorization.Answer, part map[string]any, several bool) {
	guide := e.pdf(part, "pdfGuia", &a.Errors)
	receipt := e.pdf(part, "pdfRecibo", &a.Errors)
	first := len(a.Authorizations)
	for _, entry := range list(part["autorizacoes"]) {
		if o := object(entry); o != nil {
			a.Authorizations = append(a.Authorizations, e.readAuthorization(o))
		}
	}
	if added := a.Authorizations[first:]; several && len(added) > 0 {
		for i := range added {
			added[i].GuidePDF = cmp.Or(added[i].GuidePDF, guide)
		}
	} else {
		a.GuidePDF = cmp.Or(a.GuidePDF, guide)
	}
	a.ReceiptPDF = cmp.Or(a.ReceiptPDF, receipt)
}

func (e envelope) readAuthorization(o map[string]any) authorization.Authorization {
	success, said := truth(o["sucesso"])
	errs := readErrors(o)
	a := authorization.Authorization{
		Number:          number(o["numeroAutorizacao"]),
		Success:         success || !said,
		Status:          authorization.ParseStatus(firstText(o, "situacaoAutorizacao", "statusAutorizacao", "situacao")),
		GuideID:         text(o["guiaId"]),
		GuideNumber:     text(o["numeroGuia"]),
		Senha:           text(o["senha"]),
		SenhaValidUntil: readMoment(o, "validadeSenha", &errs),
		Protocol:        text(o["protocolo"]),
		ProviderGuide:   text(o["guiaPrestador"]),
		PartnerGuide:    text(o["guiaParceiro"]),
		RequestNumber:   text(o["numeroSolicitacao"]),
		AuthorizedAt:    readMoment(o, "dataAutorizacao", &errs),
		GuidePDF:        e.pdf(o, "pdfGuiaAutorizacao", &errs),
	}
	for _, item := range list(o["procedimentos"]) {
		if p := object(item); p != nil {
			a.Procedures = append(a.Procedures, readProcedure(p, a.Status))
		}
	}
	a.Errors = errs
	return a
}

// readMoment reads a date; one that cannot be read is told as it was written.
func readMoment(o map[string]any, name string, errs *[]authorization.AnswerError) authorization.LocalTime {
	t, ok := moment(o[name])
	if !ok {
		*errs = append(*errs, authorization.AnswerError{Code: authorization.CodeBadDate, Field: name,
			Message: "O serviço informou uma data que o Guichê não entende: " + text(o[name])})
	}
	return t
}

// readProcedure reads a result. Of what is authorized, and not in part, an amount that the service
// leaves out is the one that was asked for: a zero would tell of a refusal.
func readProcedure(o map[string]any, of authorization.Status) authorization.ProcedureResult {
	r := authorization.ProcedureResult{
		Code:          text(o["codigoProcedimento"]),
		Name:          text(o["nomeProcedimento"]),
		Quantity:      number(o["quantidade"]),
		Authorized:    number(o["quantidadeAutorizada"]),
		Executed:      number(o["quantidadeExecutada"]),
		Senha:         text(o["senhaAutorizacao"]),
		Protocol:      text(o["protocoloAtendimento"]),
		Justification: text(o["justificativa"]),
		Mnemonic:      text(o["mnemonico"]),
	}
	if of == authorization.Authorized && text(o["quantidadeAutorizada"]) == "" {
		r.Authorized = r.Quantity
	}
	return r
}
