// Package wire is the specification's JSON of what the service answers: the
// envelope around everything, and the authorizations in it, written as a stream
// because of their PDFs.
//
// It stands apart because two need it: the service stores an answer before its
// first byte is sent, and its HTTP interface writes all others.
//
// Comments cite interface.md of package authorization: the specification ("2.5")
// and our decisions ("row 5").
package wire

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"sync"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
)

// Envelope is the shape of every answer (2.1 and row 4).
type Envelope struct {
	Success bool          `json:"sucesso"`
	Errors  []string      `json:"erros"`
	Details []ErrorDetail `json:"errosDetalhados"`
	Data    any           `json:"data"`
}

// ErrorDetail is an item of the extension errosDetalhados (row 4).
type ErrorDetail struct {
	Code    string `json:"codigo"`
	Field   string `json:"campo"`
	Message string `json:"mensagem"`
}

// NewEnvelope returns the envelope of data, or of a refusal when there are details.
func NewEnvelope(data any, details []ErrorDetail) Envelope {
	messages, details := errorLists(details)
	return Envelope{Success: len(details) == 0, Errors: messages, Details: details, Data: data}
}

// errorLists returns erros beside errosDetalhados, neither of them null (row 5).
func errorLists(details []ErrorDetail) ([]string, []ErrorDetail) {
	messages := make([]string, 0, len(details))
	for _, d := range details {
		messages = append(messages, d.Message)
	}
	return messages, append([]ErrorDetail{}, details...)
}

// FieldDetails are the details of problems of fields.
func FieldDetails(fields []problem.Field) []ErrorDetail {
	details := make([]ErrorDetail, 0, len(fields))
	for _, f := range fields {
		details = append(details, ErrorDetail{Code: f.Code, Field: f.Path, Message: f.Message})
	}
	return details
}

func answerDetails(errors []authorization.AnswerError) []ErrorDetail {
	details := make([]ErrorDetail, 0, len(errors))
	for _, e := range errors {
		details = append(details, ErrorDetail(e))
	}
	return details
}

// OrNull is how a nullable text or date without a value is written (row 5).
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Opener opens the PDF of a guide.
type Opener func(ctx context.Context, ref blob.Ref) (io.ReadCloser, error)

// FromBlobs opens PDFs that are stored.
func FromBlobs(blobs blob.Store) Opener {
	return func(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) { return blobs.Open(ctx, ref) }
}

// Writer writes one answer as a stream: the PDFs go from their blobs to base64
// without lying in memory. The first error sticks.
type Writer struct {
	ctx  context.Context // a writer lives as long as one answer
	pdfs Opener
	w    *bufio.Writer
	err  error
}

// buffers are those of writers that have ended.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

// NewWriter returns a writer of one answer to w.
func NewWriter(ctx context.Context, w io.Writer, pdfs Opener) *Writer {
	buffer := buffers.Get().(*bufio.Writer) // the pool has no others
	buffer.Reset(w)
	return &Writer{ctx: ctx, pdfs: pdfs, w: buffer}
}

// Decision writes the authorization response (2.5). pdfGuia is there only with
// more than one guide (row 5).
func (w *Writer) Decision(entries []authorization.Authorization, errors []authorization.AnswerError, aggregated blob.Ref) {
	w.head(len(entries) > 0 && len(errors) == 0, errors)
	if aggregated != "" {
		w.text(`"pdfGuia":"`)
		w.pdf(aggregated)
		w.text(`",`)
	}
	w.list("autorizacoes", entries, func(e *entry, status string) { e.Situation = status })
}

// Found writes the answer of a look-up by number (row 18).
func (w *Writer) Found(entries []authorization.Authorization, errors []authorization.AnswerError) {
	w.head(len(errors) == 0, errors)
	w.list("items", entries, nameStatus)
}

// Single writes the answer that is one authorization (row 18).
func (w *Writer) Single(a authorization.Authorization) {
	w.text(`{"sucesso":true,"erros":[],"errosDetalhados":[],"data":`)
	w.entry(a, nameStatus)
	w.text("}")
}

// Buffered is how many bytes of the answer the writer below has not got yet.
func (w *Writer) Buffered() int { return w.w.Buffered() }

// Flush ends the answer and returns the first error. The writer is of no use any more.
func (w *Writer) Flush() error {
	defer func() {
		w.w.Reset(nil)
		buffers.Put(w.w)
	}()
	if w.err != nil {
		return w.err
	}
	return w.w.Flush()
}

// nameStatus names the status as look-ups do.
func nameStatus(e *entry, status string) { e.Status = status }

// head writes the envelope up to the inside of data.
func (w *Writer) head(success bool, errors []authorization.AnswerError) {
	var head Envelope
	head.Success = success
	head.Errors, head.Details = errorLists(answerDetails(errors))
	text, err := json.Marshal(head)
	w.fail(err)
	w.open(text, `null}`)
	w.text("{")
}

// list writes the entries and the end of the answer.
func (w *Writer) list(name string, entries []authorization.Authorization, setStatus func(*entry, string)) {
	w.text(`"` + name + `":[`)
	for i, a := range entries {
		if i > 0 {
			w.text(",")
		}
		w.entry(a, setStatus)
	}
	w.text("]}}")
}

func (w *Writer) entry(a authorization.Authorization, setStatus func(*entry, string)) {
	e := newEntry(a)
	setStatus(&e, string(a.Status))
	text, err := json.Marshal(e) // senha is what the answer is for
	w.fail(err)
	w.open(text, `"}`)
	if a.GuidePDF != "" {
		w.pdf(a.GuidePDF)
	}
	w.text(`"}`)
}

// open writes JSON without its last characters, to go on inside.
func (w *Writer) open(text []byte, end string) {
	if len(text) >= len(end) {
		w.text(string(text[:len(text)-len(end)]))
	}
}

func (w *Writer) pdf(ref blob.Ref) {
	if w.err != nil {
		return
	}
	body, err := w.pdfs(w.ctx, ref)
	if err != nil {
		w.fail(err)
		return
	}
	defer func() { _ = body.Close() }() // it was only read
	encoder := base64.NewEncoder(base64.StdEncoding, w.w)
	_, err = io.Copy(encoder, body)
	w.fail(err)
	w.fail(encoder.Close())
}

func (w *Writer) text(s string) {
	if w.err == nil {
		_, err := w.w.WriteString(s)
		w.fail(err)
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// entry is an entry of autorizacoes (2.5). Of the three names of the status one is
// filled: situacaoAutorizacao in an answer, statusAutorizacao in a look-up
// (specification 3). The PDF comes last, for it is written as a stream.
type entry struct {
	Number        int           `json:"numeroAutorizacao"`
	Success       bool          `json:"sucesso"`
	Situation     string        `json:"situacaoAutorizacao,omitempty"`
	Status        string        `json:"statusAutorizacao,omitempty"`
	GuideID       string        `json:"guiaId"`
	GuideNumber   string        `json:"numeroGuia"`
	Senha         string        `json:"senha"`
	SenhaUntil    *string       `json:"validadeSenha"`
	Protocol      string        `json:"protocolo"`
	ProviderGuide string        `json:"guiaPrestador"`
	PartnerGuide  string        `json:"guiaParceiro"`
	RequestNumber string        `json:"numeroSolicitacao"`
	AuthorizedAt  *string       `json:"dataAutorizacao"`
	Procedures    []procedure   `json:"procedimentos"`
	Errors        []string      `json:"erros"`
	Details       []ErrorDetail `json:"errosDetalhados"`
	GuidePDF      string        `json:"pdfGuiaAutorizacao"`
}

// procedure is a procedure result (2.5).
type procedure struct {
	Name          string  `json:"nomeProcedimento"`
	Code          string  `json:"codigoProcedimento"`
	Quantity      int     `json:"quantidade"`
	Authorized    int     `json:"quantidadeAutorizada"`
	Executed      int     `json:"quantidadeExecutada"`
	Senha         *string `json:"senhaAutorizacao"`
	Protocol      *string `json:"protocoloAtendimento"`
	Justification *string `json:"justificativa"`
	Mnemonic      *string `json:"mnemonico"`
}

func newEntry(a authorization.Authorization) entry {
	e := entry{
		Number: a.Number, Success: a.Success, GuideID: a.GuideID, GuideNumber: a.GuideNumber,
		Senha: a.Senha, SenhaUntil: OrNull(a.SenhaValidUntil.String()), Protocol: a.Protocol,
		ProviderGuide: a.ProviderGuide, PartnerGuide: a.PartnerGuide, RequestNumber: a.RequestNumber,
		AuthorizedAt: OrNull(a.AuthorizedAt.String()), Procedures: make([]procedure, 0, len(a.Procedures)),
	}
	e.Errors, e.Details = errorLists(answerDetails(a.Errors))
	for _, p := range a.Procedures {
		e.Procedures = append(e.Procedures, procedure{
			Name: p.Name, Code: p.Code, Quantity: p.Quantity, Authorized: p.Authorized, Executed: p.Executed,
			Senha: OrNull(p.Senha), Protocol: OrNull(p.Protocol),
			Justification: OrNull(p.Justification), Mnemonic: OrNull(p.Mnemonic),
		})
	}
	return e
}
