package api

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/wire"
)

// act serves POST /api/v2/autorizacoes/{guiaId}/anexos, biometria and cancelamento
// (row 18), in the order of row 8.
func (a *API) act(read func(*call) (service.ActionRequest, error)) func(*call) (response, error) {
	return func(c *call) (response, error) {
		id, err := guideID(c)
		if err != nil {
			return response{}, err
		}
		if err := a.service.MayAct(c.Context(), c.caller, id); err != nil {
			return response{}, err
		}
		request, err := read(c)
		if err != nil {
			return response{}, err
		}
		request.Caller, request.GuideID = c.caller, id
		if request.Key, err = a.idempotencyKey(c.Header); err != nil {
			return response{}, err
		}
		result, err := a.service.Act(c.Context(), request)
		return response{stored: result.Answer, stream: func(out *wire.Writer) { out.Single(result.Authorization) }}, err
	}
}

// readAttachments reads {"anexos": […]}, whose items are those of a request (row 2).
func (a *API) readAttachments(c *call) (service.ActionRequest, error) {
	doc, err := a.readAttachmentBody(c, "")
	if err != nil {
		return service.ActionRequest{}, err
	}
	out := service.ActionRequest{Kind: service.ActionAttachments}
	var bad []problem.Field
	if o, ok := readObject(doc.Rest(), "", &bad); ok {
		if out.Attachments, err = (attachmentReader{doc, a.limits}).read(o); err != nil {
			return out, err
		}
		if len(out.Attachments) == 0 && len(bad) == 0 {
			o.add("anexos", authorization.CodeRequired, "Envie pelo menos um anexo.")
		}
	}
	if len(bad) > 0 {
		return out, invalid(bad...)
	}
	return out, nil
}

// maxCaptureBody is the most that a body with captures may hold: they stay in
// memory.
const maxCaptureBody = 8 << 20

// readCaptures reads {"biometrias": [{tipo, conteudo, dispositivo}]}. The captures
// never touch the disk, not even as a hash.
func (a *API) readCaptures(c *call) (service.ActionRequest, error) {
	doc, err := a.readBody(c, nil, smallBody(maxCaptureBody))
	if err != nil {
		return service.ActionRequest{}, err
	}
	var bad []problem.Field
	out := service.ActionRequest{Kind: service.ActionBiometrics}
	if o, ok := readObject(doc.Rest(), "", &bad); ok {
		out.Captures = o.captures(a.limits.MaxCaptures)
	}
	if len(bad) > 0 {
		return out, invalid(bad...)
	}
	return out, nil
}

// captures reads the list of captures. None and more than most are refused; one that
// cannot be read is a problem of its own, so that the caller learns of all at once.
func (o object) captures(most int) []service.Capture {
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
			captures = append(captures, item.capture())
		}
	}
	return captures
}

// capture reads one capture. Its content may be called conteudo or base64, and an empty
// one is refused here: no operator could compare it.
func (o object) capture() (out service.Capture) {
	o.text("tipo", &out.Kind)
	if kinds := service.CaptureKinds(); !slices.Contains(kinds, out.Kind) {
		o.add("tipo", authorization.CodeDomain, "tipo deve ser um destes: "+strings.Join(kinds, ", ")+".")
	}
	o.text("dispositivo", &out.Device)
	var text string
	name := o.first([]string{"conteudo", "base64"})
	if !o.goodText(name, &text) {
		return out
	}
	var err error
	if out.Data, err = jsonscan.DecodeBase64(text); err != nil {
		o.add(name, authorization.CodeFormat, "A biometria não está em base64.")
	} else if len(out.Data) == 0 {
		o.add(name, authorization.CodeRequired, "A biometria está vazia.")
	}
	return out
}

// maxReason is the longest motivo, in characters.
const maxReason = 500

// readCancellation reads {"motivo": "…"}; the reason may be left out.
func (a *API) readCancellation(c *call) (service.ActionRequest, error) {
	doc, err := a.readBody(c, nil, smallBody(maxRest))
	if err != nil {
		return service.ActionRequest{}, err
	}
	var bad []problem.Field
	out := service.ActionRequest{Kind: service.ActionCancel}
	if o, ok := readObject(doc.Rest(), "", &bad); ok {
		o.text("motivo", &out.Reason)
		if out.Reason = strings.TrimSpace(out.Reason); utf8.RuneCountInString(out.Reason) > maxReason {
			o.add("motivo", authorization.CodeLimit, fmt.Sprintf("O motivo tem no máximo %d caracteres.", maxReason))
		}
	}
	if len(bad) > 0 {
		return out, invalid(bad...)
	}
	return out, nil
}
