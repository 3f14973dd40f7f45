package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// entryDoc is an entry of autorizacoes (2.5). Of the three names of the status one
// is filled: situacaoAutorizacao in an answer, statusAutorizacao in a look-up
// (specification 3). The PDF comes last, for it is written as a stream.
type entryDoc struct {
	Number          int            `json:"numeroAutorizacao"`
	Success         bool           `json:"sucesso"`
	Situation       string         `json:"situacaoAutorizacao,omitempty"`
	Status          string         `json:"statusAutorizacao,omitempty"`
	GuideID         string         `json:"guiaId"`
	GuideNumber     string         `json:"numeroGuia"`
	Password        string         `json:"senha"`
	SenhaValidUntil *string        `json:"validadeSenha"`
	Protocol        string         `json:"protocolo"`
	ProviderGuide   string         `json:"guiaPrestador"`
	PartnerGuide    string         `json:"guiaParceiro"`
	RequestNumber   string         `json:"numeroSolicitacao"`
	AuthorizedAt    *string        `json:"dataAutorizacao"`
	Procedures      []procedureDoc `json:"procedimentos"`
	Errors          []string       `json:"erros"`
	Details         []errorDetail  `json:"errosDetalhados"`
	GuidePDF        string         `json:"pdfGuiaAutorizacao"`
}

// procedureDoc is a procedure result (2.5).
type procedureDoc struct {
	Name          string  `json:"nomeProcedimento"`
	Code          string  `json:"codigoProcedimento"`
	Quantity      int     `json:"quantidade"`
	Authorized    int     `json:"quantidadeAutorizada"`
	Executed      int     `json:"quantidadeExecutada"`
	Password      *string `json:"senhaAutorizacao"`
	Protocol      *string `json:"protocoloAtendimento"`
	Justification *string `json:"justificativa"`
	Mnemonic      *string `json:"mnemonico"`
}

func newEntryDoc(a authorization.Authorization) entryDoc {
	doc := entryDoc{
		Number: a.Number, Success: a.Success, GuideID: a.GuideID, GuideNumber: a.GuideNumber,
		Password: a.Senha, SenhaValidUntil: orNull(a.SenhaValidUntil.String()), Protocol: a.Protocol,
		ProviderGuide: a.ProviderGuide, PartnerGuide: a.PartnerGuide, RequestNumber: a.RequestNumber,
		AuthorizedAt: orNull(a.AuthorizedAt.String()), Procedures: make([]procedureDoc, 0, len(a.Procedures)),
	}
	doc.Errors, doc.Details = errorLists(answerErrors(a.Errors))
	for _, p := range a.Procedures {
		doc.Procedures = append(doc.Procedures, procedureDoc{
			Name: p.Name, Code: p.Code, Quantity: p.Quantity, Authorized: p.Authorized, Executed: p.Executed,
			Password: orNull(p.Senha), Protocol: orNull(p.Protocol),
			Justification: orNull(p.Justification), Mnemonic: orNull(p.Mnemonic),
		})
	}
	return doc
}

// orNull is how a nullable text or date without value is written (row 5).
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// complete fills in what is the service's own in a decision.
func (s *Service) complete(d *Decision, record Record) {
	if record.GuideID != uuid.Nil && len(d.Authorizations) == 0 {
		d.Authorizations = refusedAfterwards(record, *d)
	}
	entries := make([]authorization.Authorization, len(d.Authorizations))
	for i, a := range d.Authorizations {
		a.Number, a.GuideID = i+1, uuid.Must(uuid.NewV7()).String()
		if i == 0 && record.GuideID != uuid.Nil {
			a.GuideID = record.GuideID.String()
		}
		a.ProviderGuide, a.GuidePDF = record.Request.ProviderGuide, ""
		entries[i] = a
	}
	d.Authorizations = entries
}

// storeAnswer writes the answer into a blob, from which it is sent, now and at
// every repetition.
func (s *Service) storeAnswer(ctx context.Context, d Decision, drawn *prints) (blob.Info, error) {
	reader, writer := io.Pipe()
	go func() {
		a := answerWriter{ctx: ctx, blobs: s.blobs, drawn: drawn.pdfs, w: bufio.NewWriterSize(writer, 64<<10)}
		a.decision(d, drawn.aggregated)
		_ = writer.CloseWithError(a.end()) // never fails
	}()
	info, err := s.blobs.Put(ctx, reader)
	_ = reader.Close() // lets the writer go when Put ended early
	return info, err
}

// replay sends a stored answer.
func (s *Service) replay(w http.ResponseWriter, c *call, record Record) error {
	body, err := s.blobs.Open(c.Context(), record.Answer)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it was only read
	answerHeader(w, http.StatusOK, record.AnswerSize)
	_, err = io.Copy(w, body)
	return err
}

// answerWriter writes an answer as a stream: the PDFs go from their blobs to
// base64 without lying in memory. The first error sticks.
type answerWriter struct {
	ctx   context.Context
	blobs blob.Store
	drawn map[blob.Ref][]byte // PDFs that are in memory still
	w     *bufio.Writer
	err   error
}

func (a *answerWriter) end() error {
	if a.err != nil {
		return a.err
	}
	return a.w.Flush()
}

// decision writes the authorization response (2.5). pdfGuia is there only with
// more than one guide (row 5).
func (a *answerWriter) decision(d Decision, aggregated blob.Ref) {
	a.head(len(d.Authorizations) > 0 && len(d.Errors) == 0, d.Errors)
	if aggregated != "" {
		a.text(`"pdfGuia":"`)
		a.pdf(aggregated)
		a.text(`",`)
	}
	a.list("autorizacoes", d.Authorizations, func(doc *entryDoc, status string) { doc.Situation = status })
}

// found writes the answer of a look-up (row 18).
func (a *answerWriter) found(entries []authorization.Authorization, errors []authorization.AnswerError) {
	a.head(len(errors) == 0, errors)
	a.list("items", entries, nameStatus)
}

// nameStatus names the status as look-ups do.
func nameStatus(doc *entryDoc, status string) { doc.Status = status }

// head writes the envelope up to the inside of data.
func (a *answerWriter) head(success bool, errors []authorization.AnswerError) {
	var head envelope
	head.Success = success
	head.Errors, head.Details = errorLists(answerErrors(errors))
	text, err := json.Marshal(head)
	a.fail(err)
	a.open(text, `null}`)
	a.text("{")
}

// list writes the entries and the end of the answer.
func (a *answerWriter) list(name string, entries []authorization.Authorization, setStatus func(*entryDoc, string)) {
	a.text(`"` + name + `":[`)
	for i, entry := range entries {
		if i > 0 {
			a.text(",")
		}
		a.entry(entry, setStatus)
	}
	a.text("]}}")
}

func (a *answerWriter) entry(entry authorization.Authorization, setStatus func(*entryDoc, string)) {
	doc := newEntryDoc(entry)
	setStatus(&doc, string(entry.Status))
	text, err := json.Marshal(doc) //nolint:gosec // senha is what the answer is for
	a.fail(err)
	a.open(text, `"}`)
	if entry.GuidePDF != "" {
		a.pdf(entry.GuidePDF)
	}
	a.text(`"}`)
}

// open writes JSON without its last characters, to go on inside.
func (a *answerWriter) open(text []byte, end string) {
	if len(text) >= len(end) {
		a.text(string(text[:len(text)-len(end)]))
	}
}

func (a *answerWriter) pdf(ref blob.Ref) {
	if a.err != nil {
		return
	}
	body, err := a.openPDF(ref)
	if err != nil {
		a.fail(err)
		return
	}
	defer func() { _ = body.Close() }() // it was only read
	encoder := base64.NewEncoder(base64.StdEncoding, a.w)
	_, err = io.Copy(encoder, body)
	a.fail(err)
	a.fail(encoder.Close())
}

func (a *answerWriter) openPDF(ref blob.Ref) (io.ReadCloser, error) {
	if pdf, ok := a.drawn[ref]; ok {
		return io.NopCloser(bytes.NewReader(pdf)), nil
	}
	return a.blobs.Open(a.ctx, ref)
}

func (a *answerWriter) text(s string) {
	if a.err == nil {
		_, err := a.w.WriteString(s)
		a.fail(err)
	}
}

func (a *answerWriter) fail(err error) {
	if a.err == nil {
		a.err = err
	}
}
