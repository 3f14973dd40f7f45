package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"guiche/internal/authorization"
	"guiche/internal/jsonscan"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// envelope is the frame of every answer (specification 2.1).
type envelope struct {
	success any // sucesso as it was written
	errors  []authorization.AnswerError
	data    any
	doc     *jsonscan.Document
}

// failed reports whether sucesso says no.
func (e envelope) failed() bool {
	value, known := truth(e.success)
	return known && !value
}

// succeeded reports whether sucesso says yes.
func (e envelope) succeeded() bool {
	value, _ := truth(e.success)
	return value
}

// unreadable says why a body is no envelope.
type unreadable struct {
	reason string // "json_invalido", "gzip_invalido", "tamanho" or "sem_envelope"
	cause  error
}

func (u *unreadable) Error() string {
	if u.cause == nil {
		return u.reason
	}
	return u.reason + ": " + u.cause.Error()
}

func (u *unreadable) Unwrap() error { return u.cause }

// maxRest bounds what an answer holds in memory: everything but its PDFs.
const maxRest = 16 << 20

// maxValues bounds what those bytes may become: tiny objects take up to a hundred times as much memory once they are
// read. The largest lists that are asked for have some tens of thousands of values.
const maxValues = 500_000

// pdfPointers are the places of PDFs in an answer (specification 2.5 and rows 6
// and 18), as RFC 6901 pointers.
var pdfPointers = regexp.MustCompile(`^/data(/\d+)?/(pdfGuia|pdfRecibo|pdfGuiaAutorizacao|items/\d+/` +
	`pdfGuiaAutorizacao|autorizacoes(/\d+)?/pdfGuiaAutorizacao)$`)

// readEnvelope reads an answer, which open yields from its first byte on; PDFs go
// to the sink. Its size was bounded when it was received, and is again when it is
// unzipped. A body that is no envelope is an *unreadable, other errors are failures of
// the source or of the sink.
func readEnvelope(ctx context.Context, open func() (io.ReadCloser, error), sink jsonscan.Sink) (envelope, error) {
	doc, err := scan(ctx, open, fromUTF8, sink)
	var wrong *jsonscan.Error
	if errors.As(err, &wrong) && wrong.Kind == jsonscan.UTF8 {
		// Old services write Latin-1 and say nothing about it.
		doc, err = scan(ctx, open, fromLatin1, sink)
	}
	var unzip *unreadable
	switch {
	case errors.As(err, &unzip):
		return envelope{}, unzip
	case errors.As(err, &wrong):
		return envelope{}, &unreadable{wordFor(wrong.Kind), err}
	case err != nil:
		return envelope{}, err
	}
	return parseEnvelope(doc)
}

// wordFor is the reason that a document of such a kind gives.
func wordFor(kind jsonscan.Kind) string {
	switch kind {
	case jsonscan.RestTooLarge, jsonscan.TooManyValues:
		return string(authorization.FailureTooLarge)
	}
	return "json_invalido"
}

func scan(ctx context.Context, open func() (io.ReadCloser, error), decode func(io.Reader) io.Reader,
	sink jsonscan.Sink) (*jsonscan.Document, error) {
	raw, err := open()
	if err != nil {
		return nil, fmt.Errorf("open answer: %w", err)
	}
	defer func() { _ = raw.Close() }() // only read
	plain, err := unzip(raw)
	if err != nil {
		return nil, err
	}
	return jsonscan.Read(ctx, decode(plain), sink, jsonscan.Options{
		MaxRest:   maxRest,
		MaxValues: maxValues,
		Inline:    -1,
		Extract:   pdfPointers.MatchString,
	})
}

// fromUTF8 obeys and drops a byte order mark.
func fromUTF8(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}

func fromLatin1(r io.Reader) io.Reader {
	return transform.NewReader(r, charmap.Windows1252.NewDecoder())
}

func parseEnvelope(doc *jsonscan.Document) (envelope, error) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(doc.Rest()))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return envelope{}, &unreadable{"json_invalido", err}
	}
	o := object(v)
	_, hasSuccess := o["sucesso"]
	_, hasErrors := o["erros"]
	if !hasSuccess && !hasErrors && object(v)["data"] == nil {
		return envelope{}, &unreadable{"sem_envelope", nil}
	}
	return envelope{success: o["sucesso"], errors: readErrors(o), data: o["data"], doc: doc}, nil
}
