package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// authorizationsPath is where a service tells of authorizations and takes what is
// done to them (row 18).
const authorizationsPath = "/api/v2/autorizacoes"

// errNotAnnounced is what is returned, without asking, for a feature that the
// service does not announce.
func errNotAnnounced(word string) error {
	return problem.Wrap(problem.Unavailable, "O serviço de autorização não oferece isto.", errors.New("not announced: "+word))
}

// Status asks how an authorization stands, where that is announced (situacao).
// One that the service does not know is problem.NotFound, any other trouble
// problem.Unavailable.
func (c *Client) Status(ctx context.Context, guideID string) (authorization.Authorization, error) {
	if !c.features().Status {
		return authorization.Authorization{}, errNotAnnounced("situacao")
	}
	r, err := c.get(ctx, authorizationPath(guideID), nil, "application/json")
	if err != nil {
		return authorization.Authorization{}, err
	}
	return c.single(ctx, r)
}

// FindByProviderGuide asks what became of a request, by its guiaPrestador, where
// that is announced (consulta-por-guia). No authorizations and no errors mean that
// it never arrived. problem.Conflict says that it is still being answered. An answer
// without items is about the question and tells nothing: problem.Unavailable.
func (c *Client) FindByProviderGuide(ctx context.Context, providerGuide string) (authorization.Answer, error) {
	if !c.features().LookUp {
		return authorization.Answer{}, errNotAnnounced("consulta-por-guia")
	}
	r, err := c.get(ctx, authorizationsPath, url.Values{"guiaPrestador": {providerGuide}}, "application/json")
	if err != nil {
		return authorization.Answer{}, err
	}
	e, err := c.accepted(ctx, r)
	if err != nil {
		return authorization.Answer{}, err
	}
	items, told := object(e.data)["items"]
	if len(list(items)) > maxEntries {
		return authorization.Answer{}, errForeign(errAnswerTooLarge)
	}
	answer := authorization.Answer{Success: !e.failed(), Errors: e.errors}
	for _, item := range list(items) {
		if o := object(item); o != nil {
			answer.Authorizations = append(answer.Authorizations, e.readAuthorization(o))
		}
	}
	numberThrough(answer.Authorizations)
	if !told || len(answer.Authorizations) == 0 && !isEmpty(items) {
		return authorization.Answer{}, errForeign(errors.New("data holds no items"))
	}
	return answer, nil
}

// AddAttachments sends attachments of an authorization that lacks them, where that
// is announced (anexos), and returns it as it stands then. problem.Conflict says
// that its status does not take any, problem.Invalid what is wrong with them.
func (c *Client) AddAttachments(ctx context.Context, act authorization.Act,
	attachments []authorization.Attachment) (authorization.Authorization, error) {
	if !c.features().Attachments {
		return authorization.Authorization{}, errNotAnnounced("anexos")
	}
	texts, err := encodeAttachments([]byte("{"), attachments, c.cfg.AttachmentShape, []byte("}"))
	if err != nil {
		return authorization.Authorization{}, err
	}
	return c.act(ctx, act, "anexos", func() (*requestBody, error) { return streamBody(ctx, c.cfg.Blobs, texts, attachments) })
}

// Biometrics hands captures to the operator, where that is announced (biometria),
// and returns the authorization as it stands then: with problem.Conflict when its
// status does not take any.
func (c *Client) Biometrics(ctx context.Context, act authorization.Act,
	captures []authorization.Capture) (authorization.Authorization, error) {
	if !c.features().Biometrics {
		return authorization.Authorization{}, errNotAnnounced("biometria")
	}
	type item struct {
		Kind   string `json:"tipo"`
		Data   string `json:"conteudo"`
		Device string `json:"dispositivo"`
	}
	items := make([]item, len(captures))
	for i, capture := range captures {
		items[i] = item{capture.Kind, base64.StdEncoding.EncodeToString(capture.Data), capture.Device}
	}
	return c.actJSON(ctx, act, "biometria", map[string]any{"biometrias": items})
}

// Cancel asks for an authorization to be cancelled, where that is announced
// (cancelamento), and returns it as it stands then. problem.Conflict says that it
// can no longer be cancelled.
func (c *Client) Cancel(ctx context.Context, act authorization.Act, reason string) (authorization.Authorization, error) {
	if !c.features().Cancellation {
		return authorization.Authorization{}, errNotAnnounced("cancelamento")
	}
	return c.actJSON(ctx, act, "cancelamento", map[string]any{"motivo": reason})
}

func authorizationPath(guideID string) string {
	return authorizationsPath + "/" + url.PathEscape(guideID)
}

// single reads an answer whose data is one authorization.
func (c *Client) single(ctx context.Context, r reply) (authorization.Authorization, error) {
	e, err := c.accepted(ctx, r)
	if err != nil {
		return authorization.Authorization{}, err
	}
	o := object(e.data)
	if o == nil {
		return authorization.Authorization{}, errForeign(errors.New("data is no object"))
	}
	return e.readAuthorization(o), nil
}

// accepted reads an answer, its PDFs into blobs; a refusal becomes the error that
// it tells of, authorization.Busy where the service asks to wait.
func (c *Client) accepted(ctx context.Context, r reply) (envelope, error) {
	e, err := c.read(ctx, r)
	wait, told := retryAfter(authorization.Exchange{RetryAfter: r.wait, EndedAt: c.cfg.Clock()})
	if err != nil && (r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable && told) {
		err = &authorization.Busy{After: wait, Err: err}
	}
	return e, err
}

// read reads an answer that must be a success; what a refusal says comes with its error.
func (c *Client) read(ctx context.Context, r reply) (envelope, error) {
	e, err := readEnvelope(ctx, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.body)), nil }, c.keepPDF)
	var foreign *unreadable
	switch {
	case errors.As(err, &foreign):
		return envelope{}, errForeign(fmt.Errorf("status %d: %w", r.status, err))
	case err != nil:
		return envelope{}, err
	case r.status/100 == 2:
		return e, nil
	}
	return e, refusedBy(r.status, e)
}

func errForeign(cause error) error {
	return problem.Wrap(problem.Unavailable, "O serviço de autorização deu uma resposta que o Guichê não entende. "+
		"Avise a administração.", cause)
}

// refusals are the statuses that say what a person can do about it; the others
// are a service that does not work.
var refusals = map[int]problem.Code{
	http.StatusNotFound: problem.NotFound, http.StatusConflict: problem.Conflict, http.StatusUnprocessableEntity: problem.Invalid,
	http.StatusRequestEntityTooLarge: problem.TooLarge, http.StatusTooManyRequests: problem.Throttled,
}

// refusedBy turns a refusal into an error with the service's own words.
func refusedBy(status int, e envelope) error {
	code, ok := refusals[status]
	if !ok {
		code = problem.Unavailable
	}
	message := "O serviço de autorização não fez o que foi pedido."
	if len(e.errors) > 0 && e.errors[0].Message != "" {
		message = e.errors[0].Message
	}
	refused := problem.Wrap(code, message, statusError(status))
	for _, wrong := range e.errors {
		if wrong.Field != "" {
			refused.Fields = append(refused.Fields, problem.Field{Path: asName(wrong.Field), Code: asName(wrong.Code), Message: wrong.Message})
		}
	}
	return refused
}

// namePattern is that of fields and codes as programs write them. Logs tell of both: a sentence, or a card, in their place does not
// belong there.
var namePattern = regexp.MustCompile(`^(\d{1,6}|[A-Za-z_$][\w.$\[\]-]{0,99})$`)

// asName is a text that is such a name, "" otherwise.
func asName(text string) string {
	if namePattern.MatchString(text) {
		return text
	}
	return ""
}
