// Package client speaks to an authorization service, the embedded one or any
// other, and only as its specification says. There is one way in: every request
// goes through an ordinary net/http transport, dialled over TCP or over whatever
// Config.Dial connects to.
//
// Sending has two steps, so that nothing is read before it is kept: Send makes
// one attempt and leaves facts (bytes sent, status, raw answer in the blob
// store); Interpret reads such an attempt by the outcome table, as often as one
// likes and always with the same result.
//
// Comments cite interface.md of package authorization: the specification ("2.3"),
// our decisions ("row 11") and the outcome table.
package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"guiche/internal/blob"
	"guiche/internal/requestid"
)

// AttachmentShape is how an item of anexos is written (row 2).
type AttachmentShape string

// The shapes of an attachment.
const (
	AttachmentObject AttachmentShape = "object" // {"base64", "name", "contentType"}
	AttachmentString AttachmentShape = "string" // the base64 alone
)

// Defaults of Config (below the outcome table).
const (
	DefaultConnectTimeout = 5 * time.Second
	DefaultAnswerTimeout  = 60 * time.Second
	DefaultQueryTimeout   = 10 * time.Second
	DefaultUploadTimeout  = 30 * time.Minute
	DefaultMaxAnswer      = 256 << 20
)

// Blobs is what the client needs of the blob store.
type Blobs interface {
	Put(ctx context.Context, r io.Reader) (blob.Info, error)
	Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error)
}

// Config says which service to speak to, and how. Zero values mean the defaults.
type Config struct {
	BaseURL string // http(s)://host[/path]; required
	Auth    Authorizer
	Blobs   Blobs

	// Dial opens connections; nil means TCP. TLS, where BaseURL is https, and the
	// counting of bytes come on top.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	TLS  *tls.Config // additions for https
	// Roots are asked at each connection who may sign the service's certificate; nil
	// means those of TLS, or the system's.
	Roots func() *x509.CertPool

	ConnectTimeout time.Duration // name, connection and TLS handshake
	AnswerTimeout  time.Duration // from the last byte that could be sent to the last byte of the answer
	UploadTimeout  time.Duration // the most that sending one request may take, however it moves
	QueryTimeout   time.Duration // of a search or another small question, at which a person waits
	MaxAnswer      int64         // bytes of an answer that are kept

	AttachmentShape AttachmentShape // default AttachmentObject
	Features        *Features       // set by hand; nil: what the service announces

	UnitsPath         string // default DefaultUnitsPath; NoPath for none
	ProfessionalsPath string // default DefaultProfessionalsPath; NoPath for none
	EligibilityPath   string // default DefaultEligibilityPath
	Eligibility       *bool  // whether eligibility is asked for; nil: as the features say

	// Accepted is called whenever the service has answered a question, and so accepted
	// the access; nil: nobody wants to know.
	Accepted func(ctx context.Context)

	Clock  func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil means slog.Default()
}

// Client is the desk's side of the wire. It is safe for concurrent use.
type Client struct {
	cfg       Config
	base      *url.URL
	queries   *http.Transport // for requests that may be repeated
	announced atomic.Pointer[Features]
}

// New checks the configuration; it does not connect.
func New(cfg Config) (*Client, error) {
	base, err := parseBaseURL(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	switch {
	case cfg.Auth == nil:
		return nil, errors.New("client: Auth is missing")
	case cfg.Blobs == nil:
		return nil, errors.New("client: Blobs is missing")
	case cfg.AttachmentShape != "" && cfg.AttachmentShape != AttachmentObject && cfg.AttachmentShape != AttachmentString:
		return nil, fmt.Errorf("client: attachment shape %q: want %s or %s", cfg.AttachmentShape, AttachmentObject, AttachmentString)
	}
	c := &Client{cfg: cfg.withDefaults(), base: base}
	c.queries = c.newTransport(nil, 0)
	c.queries.IdleConnTimeout = 30 * time.Second
	if bearer, ok := cfg.Auth.(*Bearer); ok {
		bearer.bind(c)
	}
	return c, nil
}

// parseBaseURL never quotes the address in its error: it may hold a password.
func parseBaseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("client: base URL: want http(s)://host[/path] without user, query or fragment")
	}
	return u, nil
}

func (cfg Config) withDefaults() Config {
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{}).DialContext
	}
	if cfg.ConnectTimeout <= 0 {
		cfg.ConnectTimeout = DefaultConnectTimeout
	}
	if cfg.AnswerTimeout <= 0 {
		cfg.AnswerTimeout = DefaultAnswerTimeout
	}
	if cfg.QueryTimeout <= 0 {
		cfg.QueryTimeout = DefaultQueryTimeout
	}
	if cfg.UploadTimeout <= 0 {
		cfg.UploadTimeout = DefaultUploadTimeout
	}
	if cfg.MaxAnswer <= 0 {
		cfg.MaxAnswer = DefaultMaxAnswer
	}
	if cfg.AttachmentShape == "" {
		cfg.AttachmentShape = AttachmentObject
	}
	setDefault(&cfg.UnitsPath, DefaultUnitsPath)
	setDefault(&cfg.ProfessionalsPath, DefaultProfessionalsPath)
	setDefault(&cfg.EligibilityPath, DefaultEligibilityPath)
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return cfg
}

// Close lets go of idle connections; attempts under way go on.
func (c *Client) Close() { c.queries.CloseIdleConnections() }

// newRequest returns a request to a path below the base URL, without access.
func (c *Client) newRequest(ctx context.Context, method, path string, body io.ReadCloser) (*http.Request, error) {
	u := c.base.JoinPath(path)
	r, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("build request to %s: %w", path, err)
	}
	r.Header.Set("User-Agent", "Guiche")
	if id := requestid.From(ctx); id != "" {
		r.Header.Set(requestid.Header, id)
	}
	return r, nil
}
