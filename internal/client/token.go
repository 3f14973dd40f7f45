package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"guiche/internal/authorization"
)

// untilRefused is the life of a token for which the service names none: it is
// renewed once it is refused.
const untilRefused = 10 * 365 * 24 * time.Hour

// tokenRequest asks for tokens.
type tokenRequest struct {
	path        string
	contentType string
	body        []byte
	id          string // for HTTP Basic, with secret; "" is none
	secret      Secret
}

// askTokens makes one attempt over a connection of its own: one that was kept
// might be dead, and a refresh token is not sent twice. Errors hold nothing that was
// sent or answered but the status.
func (c *Client) askTokens(ctx context.Context, t tokenRequest) (tokens, error) {
	req, err := c.newRequest(ctx, http.MethodPost, t.path, io.NopCloser(bytes.NewReader(t.body)))
	if err != nil {
		return tokens{}, err
	}
	req.ContentLength = int64(len(t.body))
	req.Header.Set("Content-Type", t.contentType)
	req.Header.Set("Accept", "application/json")
	if t.id != "" {
		req.SetBasicAuth(t.id, string(t.secret))
	}
	transport := c.newTransport(nil, 0)
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return tokens{}, fmt.Errorf("ask for a token: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // read to its end or given up
	return c.receiveTokens(resp)
}

func (c *Client) receiveTokens(resp *http.Response) (tokens, error) {
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		now := c.cfg.Clock()
		wait, _ := retryAfter(authorization.Exchange{RetryAfter: retryHeader(resp.Header), EndedAt: now})
		return tokens{}, &busyError{status, wait}
	case redirects(status):
		return tokens{}, errRedirected(status)
	case status/100 == 4:
		return tokens{}, &accessError{status}
	case status/100 != 2:
		return tokens{}, fmt.Errorf("ask for a token: %w", statusError(status))
	}
	v, err := decodeTokens(answerBody(resp))
	if err != nil {
		return tokens{}, errors.New("ask for a token: the answer is no JSON")
	}
	if success, known := truth(object(v)["sucesso"]); known && !success {
		return tokens{}, &accessError{resp.StatusCode}
	}
	return readTokens(object(v), c.cfg.Clock())
}

func decodeTokens(body io.Reader) (v any, err error) {
	plain, err := unzip(body)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(fromUTF8(io.LimitReader(plain, maxReply)))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

// readTokens reads them from data or the top level, in snake or camel case (row
// 23).
func readTokens(o map[string]any, now time.Time) (tokens, error) {
	for _, place := range []map[string]any{object(o["data"]), o} {
		access := firstText(place, "access_token", "accessToken")
		if access == "" {
			continue
		}
		if strings.ContainsFunc(access, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return tokens{}, errors.New("ask for a token: it holds characters that no header takes")
		}
		life := lifeOf(place, "expires_in", "expiresIn")
		return tokens{
			access: access, until: now.Add(life - min(expiryMargin, life/10)),
			refresh:      firstText(place, "refresh_token", "refreshToken"),
			refreshUntil: now.Add(lifeOf(place, "refresh_expires_in", "refreshExpiresIn")),
		}, nil
	}
	return tokens{}, errors.New("ask for a token: the answer holds none")
}

func lifeOf(o map[string]any, names ...string) time.Duration {
	if seconds := number(firstText(o, names...)); seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return untilRefused
}

// busyError says that the service wants to be asked later.
type busyError struct {
	status int
	wait   time.Duration
}

func (e *busyError) Error() string { return fmt.Sprintf("ask for a token: status %d", e.status) }

// leastPause is how long a service that is busy is left alone when it does not say: whoever
// waits for a token asks many times a second.
const leastPause = 5 * time.Second

// pauseOf returns how long the service wants to be left alone.
func pauseOf(err error) time.Duration {
	var busy *busyError
	if errors.As(err, &busy) {
		return min(max(busy.wait, leastPause), longPause)
	}
	return 0
}
