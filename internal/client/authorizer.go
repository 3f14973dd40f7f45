package client

import (
	"context"
	"log/slog"
	"net/http"
)

// Authorizer puts this installation's credentials on requests (specification 5).
// It is safe for concurrent use.
type Authorizer interface {
	// Authorize sets the headers of one request. An error means that there are no
	// credentials to send, so nothing is sent.
	Authorize(r *http.Request) error
	// Renew replaces credentials that the service has refused and reports whether
	// new ones are in place, so that the request is worth one repetition.
	Renew(ctx context.Context) (bool, error)
}

// APIKey authorizes with a key of the partner profile in the header x-api-key.
// A key cannot be renewed: only an administrator can make another.
type APIKey string

// Authorize implements Authorizer.
func (k APIKey) Authorize(r *http.Request) error {
	r.Header.Set("x-api-key", string(k))
	return nil
}

// Renew implements Authorizer.
func (APIKey) Renew(context.Context) (bool, error) { return false, nil }

// String keeps the key out of formatted texts.
func (APIKey) String() string { return "[chave]" }

// GoString keeps the key out of %#v.
func (APIKey) GoString() string { return "[chave]" }

// LogValue keeps the key out of logs.
func (k APIKey) LogValue() slog.Value { return slog.StringValue(k.String()) }
