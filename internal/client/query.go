package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

const maxReply = 8 << 20 // bytes of a reply

// reply is the answer to a query or to an act, in memory.
type reply struct {
	status int
	body   []byte
	sent   *http.Request // nil when nothing was
	wait   string        // header Retry-After
}

// get asks for a path; a refused access is renewed once. Errors
// are for the person (problem.Unavailable), or the context's when it was
// cancelled.
func (c *Client) get(ctx context.Context, path string, query url.Values, accept string) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.QueryTimeout)
	defer cancel()
	r, err := c.getOnce(ctx, path, query, accept)
	if err == nil && accessRefused(r.status) && c.renew(ctx, r.sent) {
		r, err = c.getOnce(ctx, path, query, accept)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return reply{}, fmt.Errorf("ask %s: %w", path, err)
	case problem.Is(err, problem.Unavailable):
		return reply{}, err // says already what a person should know
	case err != nil:
		return reply{}, problem.Wrap(problem.Unavailable,
			"O serviço de autorização não respondeu. Tente de novo em instantes.", fmt.Errorf("ask %s: %w", path, err))
	case redirects(r.status):
		return reply{}, errRedirected(r.status)
	case accessRefused(r.status):
		return reply{}, problem.Wrap(problem.Unavailable,
			"O serviço de autorização recusou o acesso do Guichê. Avise a administração.",
			fmt.Errorf("ask %s: %w: %w", path, authorization.ErrNotAdmitted, statusError(r.status)))
	}
	if r.status/100 == 2 && c.cfg.Accepted != nil {
		c.cfg.Accepted(ctx)
	}
	return r, nil
}

// redirects reports whether a status sends elsewhere, where nothing of this
// installation's goes.
func redirects(status int) bool { return status/100 == 3 }

func errRedirected(status int) error {
	return problem.Wrap(problem.Unavailable, "O serviço mandou procurar em outro endereço, e o Guichê não segue. A "+
		"administração deve conferir o endereço e o caminho.",
		statusError(status))
}

func (c *Client) getOnce(ctx context.Context, path string, query url.Values, accept string) (reply, error) {
	req, err := c.newRequest(ctx, http.MethodGet, path, nil)
	if err != nil {
		return reply{}, err
	}
	req.URL.RawQuery = query.Encode()
	req.Header.Set("Accept", accept)
	if err := c.cfg.Auth.Authorize(req); err != nil {
		if status := refusedStatus(err); status != 0 {
			return reply{status: status}, nil
		}
		return reply{}, fmt.Errorf("authorize: %w", err)
	}
	resp, err := c.queries.RoundTrip(req)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = resp.Body.Close() }() // read to its end or given up
	return readReply(resp, req)
}

// readReply reads the answer to what was sent into memory.
func readReply(resp *http.Response, sent *http.Request) (reply, error) {
	body, err := io.ReadAll(io.LimitReader(answerBody(resp), maxReply+1))
	if err == nil && len(body) > maxReply {
		err = errAnswerTooLarge
	}
	return reply{resp.StatusCode, body, sent, retryHeader(resp.Header)}, err
}

// envelope reads a reply that must be a success, whatever its content type says.
func (r reply) envelope(ctx context.Context) (envelope, error) {
	if r.status == http.StatusTooManyRequests {
		return envelope{}, problem.Wrap(problem.Throttled,
			"O serviço de autorização recebeu pedidos demais agora. Tente de novo em instantes.", statusError(r.status))
	}
	e, err := readEnvelope(ctx, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.body)), nil }, nil)
	switch {
	case ctx.Err() != nil:
		return envelope{}, fmt.Errorf("read answer: %w", ctx.Err())
	case err != nil:
		return envelope{}, errForeign(fmt.Errorf("%w: %w", statusError(r.status), err))
	case r.status/100 != 2 || e.failed():
		return envelope{}, r.refused(e)
	}
	return e, nil
}

// refused is the error of an envelope that says no, in the service's own words. Those of a
// 500 say what broke there, which tells a person nothing.
func (r reply) refused(e envelope) error {
	cause := fmt.Errorf("%w, sucesso %v", statusError(r.status), e.succeeded())
	if r.status == http.StatusInternalServerError || len(e.errors) == 0 || e.errors[0].Message == "" {
		return errForeign(cause)
	}
	return problem.Wrap(problem.Unavailable, e.errors[0].Message, cause)
}
