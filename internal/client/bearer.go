package client

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// expiryMargin is how long before its end a token is renewed, so that it does not
// end on its way; a tenth of its life where that is less.
const expiryMargin = 30 * time.Second

// Pauses after the service refused this installation's access: asking again at once
// would only lock it out.
const (
	firstPause = 30 * time.Second
	longPause  = 15 * time.Minute
)

// Bearer authorizes with tokens that it gets and renews itself (specification 5).
// However many requests wait for a token, one renewal is under way. It belongs to
// the Client that is made with it, whose base URL and transport it uses.
type Bearer struct {
	source tokenSource
	client *Client

	mu       sync.Mutex
	held     tokens
	renewal  *renewal // the renewal under way, nil when there is none
	refused  error    // why the service gave no token, until paused is over
	paused   time.Time
	refusals int // in a row
}

var _ Authorizer = (*Bearer)(nil)

// tokenSource gets tokens of one kind.
type tokenSource interface {
	// tokens asks for fresh ones; refresh, where there is one, is worth trying first
	// and is not used again.
	tokens(ctx context.Context, c *Client, refresh string) (tokens, error)
}

// renewal is one renewal for all who wait.
type renewal struct {
	done  chan struct{}
	token string
	err   error
}

// bind makes the authorizer part of a client.
func (b *Bearer) bind(c *Client) { b.client = c }

// Authorize implements Authorizer: it gets a token when there is none or the one
// that is there ends soon.
func (b *Bearer) Authorize(r *http.Request) error {
	token, err := b.token(r.Context(), "")
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// Renew implements Authorizer. A token that was renewed since the request was sent
// is not renewed again.
func (b *Bearer) Renew(ctx context.Context, refused *http.Request) (bool, error) {
	stale := strings.TrimPrefix(refused.Header.Get("Authorization"), "Bearer ")
	token, err := b.token(ctx, stale)
	return err == nil && token != stale, err
}

// token returns a token that is not the stale one.
func (b *Bearer) token(ctx context.Context, stale string) (string, error) {
	token, f, err := b.current(stale)
	if f == nil {
		return token, err
	}
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// current returns the token that is held, or the renewal to wait for.
func (b *Bearer) current(stale string) (string, *renewal, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.client.cfg.Clock()
	switch {
	case b.renewal != nil:
	case b.held.access != "" && b.held.access != stale && now.Before(b.held.until):
		return b.held.access, nil, nil
	case now.Before(b.paused):
		return "", nil, b.refused
	default:
		b.renewal = &renewal{done: make(chan struct{})}
		go b.renew(b.renewal, b.held.takeRefresh(now))
	}
	return "", b.renewal, nil
}

// renew ends apart from the request that began it: others wait for it too.
func (b *Bearer) renew(f *renewal, refresh string) {
	ctx, cancel := context.WithTimeout(context.Background(), b.client.cfg.QueryTimeout)
	defer cancel()
	got, err := b.source.tokens(ctx, b.client, refresh)
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.err = err; err == nil {
		b.held, b.refusals, f.token = got, 0, got.access
	} else {
		b.pause(err)
	}
	b.renewal = nil
	close(f.done)
}

// pause keeps a refusal for a while, longer each time.
func (b *Bearer) pause(err error) {
	wait := pauseOf(err)
	if refusedStatus(err) != 0 {
		wait = min(firstPause<<min(b.refusals, 8), longPause)
		b.refusals++
	}
	b.refused, b.paused = err, b.client.cfg.Clock().Add(wait)
}

// String keeps tokens and secrets out of formatted text.
func (*Bearer) String() string { return "[token]" }

// GoString keeps them out of %#v.
func (*Bearer) GoString() string { return "[token]" }

// LogValue keeps them out of logs.
func (b *Bearer) LogValue() slog.Value { return slog.StringValue(b.String()) }

// tokens is what a service handed out.
type tokens struct {
	access       string
	until        time.Time // when it is to be renewed
	refresh      string
	refreshUntil time.Time
}

// takeRefresh returns the refresh token, "" when there is none, and forgets it: it
// may be used once, and a request that was cut may have used it.
func (t *tokens) takeRefresh(now time.Time) string {
	refresh := t.refresh
	if !now.Before(t.refreshUntil) {
		refresh = ""
	}
	t.refresh = ""
	return refresh
}
