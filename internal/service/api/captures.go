package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/ingress"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
	"guiche/internal/service"
)

// maxCaptureBody is the most that a body with captures may hold: they stay in
// memory.
const maxCaptureBody = 8 << 20

// actOnCaptures serves POST /api/v2/autorizacoes/{guiaId}/biometria. Captures never touch
// the disk, so that only some of them are in memory at a time; the others wait before
// their body is read, and not for long.
func (a *API) actOnCaptures(c *call) (response, error) {
	leave, err := a.enterCaptures(c)
	if err != nil {
		return response{}, err
	}
	defer leave()
	return a.act(a.readCaptures)(c)
}

// enterCaptures waits for memory for the captures of a request, and says when there is
// none in time.
func (a *API) enterCaptures(c *call) (leave func(), err error) {
	size := c.ContentLength
	if size < 0 || size > maxCaptureBody {
		size = maxCaptureBody
	}
	ctx, cancel := context.WithTimeout(c.Context(), a.limits.CaptureWait)
	defer cancel()
	if leave, err = a.captures.enter(ctx, c.caller.ProfileID, size); err != nil {
		refused := &refusal{status: http.StatusServiceUnavailable, code: string(problem.Unavailable), cause: err,
			message: "Há biometrias demais ao mesmo tempo. Tente de novo em instantes."}
		return nil, refused.retryAfter(a.limits.CaptureWait)
	}
	ingress.BodyWithin(c.Request, a.limits.CaptureTime)
	return leave, nil
}

// readCaptures reads {"biometrias": [{tipo, conteudo, dispositivo}]}.
func (a *API) readCaptures(c *call) (service.ActionRequest, error) {
	kept := &capturesKept{bytes: make([]byte, 0, max(0, min(c.ContentLength, maxCaptureBody))*3/4)}
	options := smallBody(maxCaptureBody)
	options.MaxRest, options.Inline, options.Extract = maxRest, -1, isCapture
	doc, err := a.readBody(c, kept.keep, options)
	if err != nil {
		return service.ActionRequest{}, err
	}
	var bad []problem.Field
	out := service.ActionRequest{Kind: service.ActionBiometrics}
	if o, ok := readObject(doc.Rest(), "", &bad); ok {
		out.Captures = captureReader{doc, kept}.read(o, a.limits.MaxCaptures)
	}
	if len(bad) > 0 {
		return out, invalid(bad...)
	}
	return out, nil
}

// captureNames are the properties that hold a capture's content, the first being ours.
var captureNames = []string{"conteudo", "base64"}

// isCapture says which strings of a body are expected to be base64.
func isCapture(pointer string) bool {
	parts := strings.Split(pointer, "/")
	return len(parts) == 4 && parts[1] == "biometrias" && slices.Contains(captureNames, parts[3])
}

// capturesKept holds the decoded bytes of a request's captures, one after the other.
type capturesKept struct {
	bytes []byte
	ends  []int // of each
}

// keep takes the bytes of one capture; what does not come whole is dropped.
func (k *capturesKept) keep(_ context.Context, r io.Reader) (ref string, size int64, err error) {
	before := len(k.bytes)
	for err == nil {
		k.bytes = slices.Grow(k.bytes, 512)
		var n int
		n, err = r.Read(k.bytes[len(k.bytes):cap(k.bytes)])
		k.bytes = k.bytes[:len(k.bytes)+n]
	}
	if err != io.EOF { // the reader's own end, as io.ReadAll takes it
		k.bytes = k.bytes[:before]
		return "", 0, err
	}
	k.ends = append(k.ends, len(k.bytes))
	return strconv.Itoa(len(k.ends) - 1), int64(len(k.bytes) - before), nil
}

// capture returns the bytes that keep named.
func (k *capturesKept) capture(ref string) []byte {
	i, err := strconv.Atoi(ref)
	if err != nil || i >= len(k.ends) {
		return nil
	}
	begin := 0
	if i > 0 {
		begin = k.ends[i-1]
	}
	return k.bytes[begin:k.ends[i]:k.ends[i]]
}

// captureReader takes captures out of a document whose bytes are kept apart.
type captureReader struct {
	doc  *jsonscan.Document
	kept *capturesKept
}

// read reads the list of captures. None and more than most are refused; one that
// cannot be read is a problem of its own, so that the caller learns of all at once.
func (r captureReader) read(o object, most int) []service.Capture {
	elements, path := o.list("biometrias")
	if len(elements) == 0 && len(*o.problems) == 0 {
		o.add("biometrias", authorization.CodeRequired, "Envie pelo menos uma biometria.")
	}
	if len(elements) > most {
		o.add("biometrias", authorization.CodeLimit, fmt.Sprintf("São no máximo %d biometrias.", most))
		return nil
	}
	captures := make([]service.Capture, 0, len(elements))
	for i, element := range elements {
		if item, ok := readObject(element, path(i), o.problems); ok {
			captures = append(captures, r.capture(item))
		}
	}
	return captures
}

// capture reads one capture. Its content may be called conteudo or base64, and an empty
// one is refused here: no operator could compare it.
func (r captureReader) capture(o object) (out service.Capture) {
	o.text("tipo", &out.Kind)
	if kinds := service.CaptureKinds(); !slices.Contains(kinds, out.Kind) {
		o.add("tipo", authorization.CodeDomain, "tipo deve ser um destes: "+strings.Join(kinds, ", ")+".")
	}
	o.text("dispositivo", &out.Device)
	var text string
	name := o.first(captureNames)
	if !o.goodText(name, &text) {
		return out
	}
	content, _ := r.doc.Extracted(text)
	switch {
	case content.Err != nil:
		o.add(name, authorization.CodeFormat, "A biometria não está em base64.")
	case content.Size == 0:
		o.add(name, authorization.CodeRequired, "A biometria está vazia.")
	default:
		out.Data = r.kept.capture(content.Ref)
	}
	return out
}
