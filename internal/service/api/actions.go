package api

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
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
