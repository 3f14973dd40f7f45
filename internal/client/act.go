package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// Offers says, without asking, what the service takes or tells beside requests.
func (c *Client) Offers() authorization.Offers {
	f := c.features()
	return authorization.Offers{Attachments: f.Attachments, Biometrics: f.Biometrics, Cancellation: f.Cancellation,
		Eligibility: c.offersEligibility(), Repeatable: f.Idempotency}
}

func (c *Client) actJSON(ctx context.Context, act authorization.Act, kind string, body any) (authorization.Authorization, error) {
	text, err := compactJSON(body)
	if err != nil {
		return authorization.Authorization{}, err
	}
	return c.act(ctx, act, kind, func() (*requestBody, error) { return streamBody(ctx, c.cfg.Blobs, [][]byte{text}, nil) })
}

// act posts to an authorization; a refused access is renewed once, for then the service did
// nothing. Nothing else is repeated: open is called for each body. What may have been done
// although no answer says so is authorization.Doubtful.
func (c *Client) act(ctx context.Context, act authorization.Act, kind string,
	open func() (*requestBody, error)) (authorization.Authorization, error) {
	path := authorizationPath(act.GuideID) + "/" + kind
	r, err := c.post(ctx, path, act.Key, open)
	if err == nil && accessRefused(r.status) && c.renew(ctx, r.sent) {
		r, err = c.post(ctx, path, act.Key, open)
	}
	switch {
	case err != nil:
		return authorization.Authorization{}, unanswered(fmt.Errorf("post %s: %w", kind, err))
	case accessRefused(r.status):
		return authorization.Authorization{}, problem.Wrap(problem.Unavailable,
			"O serviço de autorização recusou o acesso do Guichê. Avise a administração.",
			fmt.Errorf("post %s: %w", kind, statusError(r.status)))
	}
	e, err := c.accepted(ctx, r)
	if err != nil && leavesDoubt(r.status, e, err) {
		err = &authorization.Doubtful{Err: err}
	}
	if err != nil {
		return authorization.Authorization{}, err
	}
	o := object(e.data)
	if len(o) == 0 && e.failed() {
		return authorization.Authorization{}, refusedBy(http.StatusConflict, e)
	}
	if o == nil {
		return authorization.Authorization{}, &authorization.Doubtful{Err: errForeign(errors.New("data is no object"))}
	}
	return e.readAuthorization(o), nil
}

// unanswered is the error of an act without an answer: the context's when it was cancelled
// and nothing had left.
func unanswered(err error) error {
	var doubtful *authorization.Doubtful
	switch {
	case errors.As(err, &doubtful):
		return &authorization.Doubtful{Err: problem.Wrap(problem.Unavailable,
			"O serviço de autorização não respondeu. Consulte a situação antes de tentar de novo.", err)}
	case errors.Is(err, context.Canceled):
		return err
	}
	return problem.Wrap(problem.Unavailable, "O serviço de autorização não pôde ser alcançado. Nada foi enviado.", err)
}

// leavesDoubt reports whether an answer that is no success leaves open whether something was
// done: by row 18 all but a 4xx, with an envelope or without, and a request to wait.
func leavesDoubt(status int, e envelope, err error) bool {
	var busy *authorization.Busy
	switch {
	case errors.As(err, &busy):
		return false
	case status == http.StatusConflict:
		return hasCode(e.errors, reasonBusy) || hasCode(e.errors, reasonConflict)
	}
	return status/100 != 4
}

// post sends over a transport of its own, used once: a reused connection that dies
// would make net/http send again. Its error is authorization.Doubtful once a byte has left.
func (c *Client) post(ctx context.Context, path, key string, open func() (*requestBody, error)) (reply, error) {
	m := &byteCounter{}
	r, err := c.postOnce(ctx, path, key, m, open)
	if sent := m.seal(); err != nil && sent > 0 {
		err = &authorization.Doubtful{Err: err}
	}
	return r, err
}

func (c *Client) postOnce(ctx context.Context, path, key string, m *byteCounter, open func() (*requestBody, error)) (reply, error) {
	body, err := open()
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = body.Close() }() // read to its end or given up
	ctx, stop := c.limitTime(ctx, m)
	defer stop()
	req, err := c.newPost(ctx, path, key, body)
	if status := refusedStatus(err); status != 0 {
		return reply{status: status}, nil
	}
	if err != nil {
		return reply{}, err
	}
	t := c.newTransport(m, body.size)
	defer t.CloseIdleConnections()
	resp, err := t.RoundTrip(req)
	if err != nil {
		return reply{}, c.wireError(ctx, body, err)
	}
	defer func() { _ = resp.Body.Close() }() // read to its end or given up
	return readReply(resp, req)
}
