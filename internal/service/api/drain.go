package api

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"

	"guiche/internal/ingress"
	"guiche/internal/problem"
)

// refuse sends the refusal in an envelope. The body of a known caller is read to its end
// first, or the refusal is lost on its way; nobody else's is, whose connection ends with
// the answer.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	refused := refusalOf(err)
	o, ok := w.(*observed)
	if ok {
		o.code, o.cause = refused.code, err
		if o.status != 0 {
			panic(http.ErrAbortHandler) // the answer has begun: cut it
		}
	}
	unread := ok && !o.body.over && r.ContentLength != 0
	switch {
	case !unread:
	case o.known:
		a.drain(r, o.body)
		unread = false
	default:
		ingress.CloseAfter(w, a.limits.RefusedTime)
	}
	maps.Copy(w.Header(), refused.header)
	_ = sendJSON(w, refused.status, refused.body()) // whoever hung up reads nothing
	if unread && r.Header.Get("Expect") == "" {
		_ = http.NewResponseController(w).Flush()
		_, _ = io.CopyN(io.Discard, r.Body, maxRest) // row 10
	}
}

// drain reads what is left of a body, up to the limit of one and once more, so
// that the sender of a body just over the limit reads the refusal too. A sender
// that asks first (100-continue) sends nothing as long as nothing is read.
func (a *API) drain(r *http.Request, body *watchedBody) {
	if !body.begun && r.Header.Get("Expect") != "" {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, 2*a.limits.MaxBody) // its end or its error ends it all the same
}

// Misdirected refuses, in an envelope, what was asked under a name that is not ours.
func (a *API) Misdirected() http.Handler {
	return a.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.refuse(w, r, &refusal{status: http.StatusMisdirectedRequest, code: string(problem.NotFound),
			message: "O serviço não atende por este nome de servidor."})
	}))
}

// errCut is a body that did not come whole: its framing is wrong, or its sender
// stopped.
var errCut = errors.New("api: the body was cut")

// watchedBody knows whether a body was read from, and marks what its sender did
// wrong as errCut.
type watchedBody struct {
	io.ReadCloser
	begun bool
	over  bool         // its end was read, or no more of it comes
	atEnd func() error // refuses its end; nil takes it
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	b.over = err != nil
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		err = fmt.Errorf("%w: %w", errCut, err)
	case err != nil && b.atEnd != nil:
		if refused := b.atEnd(); refused != nil {
			err = refused
		}
	}
	return n, err
}
