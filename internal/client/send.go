package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"syscall"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
)

const sendPath = "/api/v2/autorizar/sp-sadt" // specification 4.2

var (
	errLocal          = errors.New("the request could not be made ready")
	errAnswerLate     = errors.New("no answer in time")
	errAnswerTooLarge = errors.New("the answer passes the limit")
	errStore          = errors.New("the answer could not be stored")
)

// Send makes one attempt to send a request and tells what the wire saw; nothing
// is interpreted and nothing is repeated, but for one case in which the service
// says that it did not act: 401 or 403, once, with an access that was renewed or is a
// key (the outcome table). The Exchange is then that of the repetition.
//
// A request whose earlier attempt may have been acted on is sent only once it is
// known whether the service honours idempotency keys: without its key, such a
// service would take the repetition for another request.
//
// When Send returns, the raw answer is in the blob store, even the beginning of one
// that was cut. SentBytes is 0 only when provably nothing was sent.
func (c *Client) Send(ctx context.Context, d authorization.Dispatch) authorization.Exchange {
	if d.UnknownOutcome {
		started := c.cfg.Clock()
		if _, err := c.knownFeatures(ctx); err != nil {
			return c.notSent(ctx, d, started, err)
		}
	}
	x, sent := c.attempt(ctx, d)
	if accessRefused(x.HTTPStatus) && (isKey(c.cfg.Auth) || c.renew(ctx, sent)) {
		d.Line = nil // it was taken
		x, _ = c.attempt(ctx, d)
	}
	return x
}

// isKey reports whether an access is a key: it has nothing to renew, and gets its one
// repetition as it is.
func isKey(a Authorizer) bool {
	_, ok := a.(APIKey)
	return ok
}

// notSent is an attempt that ended before a connection of its own.
func (c *Client) notSent(ctx context.Context, d authorization.Dispatch, started time.Time, err error) authorization.Exchange {
	x := authorization.Exchange{StartedAt: started, EndedAt: c.cfg.Clock(), Failure: failureOf(ctx, err, &byteCounter{})}
	c.logAttempt(ctx, d, x, err)
	return x
}

func accessRefused(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// renew reports whether there is a newer access than that of a refused request;
// refused is nil for a request that was never sent.
func (c *Client) renew(ctx context.Context, refused *http.Request) bool {
	if refused == nil {
		return false
	}
	renewed, err := c.cfg.Auth.Renew(ctx, refused)
	if err != nil {
		c.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "access to the authorization service was not renewed", slog.Any("error", err))
	}
	return renewed && err == nil
}

// attempt returns what the wire saw and what was sent, nil when nothing was.
func (c *Client) attempt(ctx context.Context, d authorization.Dispatch) (authorization.Exchange, *http.Request) {
	x := authorization.Exchange{StartedAt: c.cfg.Clock()}
	m := &byteCounter{ready: d.Ready, line: c.lineOf(d)}
	sent, err := c.exchange(ctx, d, m, &x)
	x.SentBytes = m.seal()
	x.Failure = failureOf(ctx, err, m)
	x.EndedAt = c.cfg.Clock()
	c.logAttempt(ctx, d, x, err)
	return x, sent
}

// exchange sends the request over a transport of its own, used once: a reused
// connection that dies would make net/http send again.
func (c *Client) exchange(ctx context.Context, d authorization.Dispatch, m *byteCounter, x *authorization.Exchange) (*http.Request, error) {
	body, err := openBody(ctx, c.cfg.Blobs, d.Request, c.cfg.AttachmentShape)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLocal, err)
	}
	defer func() { _ = body.Close() }() // read to its end or given up
	ctx, stop := c.limitTime(ctx, m)
	defer stop()
	req, err := c.newPost(ctx, sendPath, d.IdempotencyKey, body)
	if err != nil {
		x.HTTPStatus = refusedStatus(err)
		return nil, fmt.Errorf("%w: %w", errLocal, err)
	}
	t := c.newTransport(m, body.size)
	defer t.CloseIdleConnections()
	resp, err := t.RoundTrip(req)
	if err != nil {
		return req, c.wireError(ctx, body, err)
	}
	defer func() { _ = resp.Body.Close() }() // read to its end or given up
	if err := c.receive(ctx, resp, x); err != nil {
		return req, c.wireError(ctx, body, err)
	}
	return req, nil
}

// limitTime returns a context that ends when the answer is late. The time runs
// from the last bytes that the connection took, so that a slow line may upload
// for longer than a service may think.
func (c *Client) limitTime(parent context.Context, m *byteCounter) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	late := func() { cancel(errAnswerLate) }
	idle := time.AfterFunc(c.cfg.ConnectTimeout+c.cfg.AnswerTimeout, late)
	overall := time.AfterFunc(c.cfg.ConnectTimeout+c.cfg.UploadTimeout+c.cfg.AnswerTimeout, late)
	m.progress = func() { idle.Reset(c.cfg.AnswerTimeout) }
	return ctx, func() {
		idle.Stop()
		overall.Stop()
		cancel(nil)
	}
}

// newPost returns a request with its access on it; an empty key is none.
func (c *Client) newPost(ctx context.Context, path, key string, body *requestBody) (*http.Request, error) {
	req, err := c.newRequest(ctx, http.MethodPost, path, body.reader())
	if err != nil {
		return nil, err
	}
	req.ContentLength = body.size
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if key != "" && c.features().Idempotency {
		req.Header.Set("Idempotency-Key", key)
	}
	if err := c.cfg.Auth.Authorize(req); err != nil {
		return nil, fmt.Errorf("authorize: %w", err)
	}
	return req, nil
}

// receive stores the raw answer, or what comes of it.
func (c *Client) receive(ctx context.Context, resp *http.Response, x *authorization.Exchange) error {
	x.HTTPStatus = resp.StatusCode
	x.ContentType = resp.Header.Get("Content-Type")
	x.RetryAfter = retryHeader(resp.Header)
	raw := &answerReader{src: answerBody(resp), left: c.cfg.MaxAnswer}
	body := bufio.NewReader(raw)
	if _, err := body.Peek(1); err == nil {
		// What arrived is kept even when the caller has given up by now. Without space on
		// the disk the rest of it waits at its sender as long as it may take.
		info, err := c.cfg.Blobs.Put(blob.WaitForSpace(context.WithoutCancel(ctx), ctx), body)
		if err != nil {
			return fmt.Errorf("%w: %w", errStore, err)
		}
		x.Body, x.BodySize = info.Ref, info.Size
	}
	x.Complete = raw.err == nil
	return raw.err
}

// answerBody returns the body of an answer. Behind 101, which nobody asked for,
// comes no answer but the bare connection, which no context ends.
func answerBody(resp *http.Response) io.Reader {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return http.NoBody
	}
	return resp.Body
}

// answerReader ends where the answer ends, for whatever reason, and keeps the
// reason: nil when the framing said so.
type answerReader struct {
	src  io.Reader
	left int64
	err  error
}

func (a *answerReader) Read(p []byte) (int, error) {
	if a.err != nil {
		return 0, io.EOF
	}
	n, err := a.src.Read(p)
	if int64(n) > a.left {
		n, err = int(a.left), errAnswerTooLarge
	}
	a.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = err
		err = io.EOF
	}
	return n, err
}

// wireError names the true cause, which the transport's error may hide.
func (c *Client) wireError(ctx context.Context, body *requestBody, err error) error {
	if local := body.failure(); local != nil {
		return fmt.Errorf("%w: %w", errLocal, local)
	}
	if errors.Is(context.Cause(ctx), errAnswerLate) {
		return fmt.Errorf("%w: %w", errAnswerLate, err)
	}
	return fmt.Errorf("exchange: %w", err)
}

// failureOf classes an error of exchange; parent is the caller's context.
func failureOf(parent context.Context, err error, m *byteCounter) authorization.Failure {
	switch {
	case err == nil:
		return ""
	case (errors.Is(err, errLocal) || isExhausted(err)) && m.seal() == 0:
		return authorization.FailureLocal
	case errors.Is(err, errAnswerTooLarge):
		return authorization.FailureTooLarge
	case errors.Is(parent.Err(), context.Canceled):
		return authorization.FailureCancelled
	case !m.connected.Load():
		return authorization.FailureConnect
	case errors.Is(err, errAnswerLate), parent.Err() != nil:
		return authorization.FailureTimeout
	}
	return authorization.FailureCut
}

// isExhausted reports whether this side had no means left for a connection: that says
// nothing about the service.
func isExhausted(err error) bool {
	return slices.ContainsFunc(exhausted, func(cause syscall.Errno) bool { return errors.Is(err, cause) })
}

var exhausted = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL}

// logAttempt writes identifiers, codes and sizes. The error's text too where it
// is ours or the connection's: others may quote what the service sent.
func (c *Client) logAttempt(ctx context.Context, d authorization.Dispatch, x authorization.Exchange, err error) {
	level, attrs := slog.LevelInfo, []slog.Attr{
		slog.String("guia_prestador", d.Request.ProviderGuide), slog.Int("status", x.HTTPStatus),
		slog.Int64("sent_bytes", x.SentBytes), slog.Int64("bytes", x.BodySize), slog.Int64("ms", x.EndedAt.Sub(x.StartedAt).Milliseconds()),
	}
	if x.Failure != "" {
		level = slog.LevelWarn
		attrs = append(attrs, slog.String("failure", string(x.Failure)))
	}
	if x.Failure == authorization.FailureConnect || errors.Is(err, errLocal) || errors.Is(err, errStore) {
		attrs = append(attrs, slog.Any("error", err))
	}
	c.cfg.Logger.LogAttrs(ctx, level, "authorization request attempted", attrs...)
}
