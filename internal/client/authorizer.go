package client

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
)

// Authorizer puts the access of this installation on requests (specification 5).
// It is safe for concurrent use.
type Authorizer interface {
	// Authorize sets the headers of one request. An error means that there is no
	// access to send, so nothing is sent.
	Authorize(r *http.Request) error
	// Renew replaces the access of a request that the service has refused and
	// reports whether newer ones are in place, so that it is worth one repetition.
	Renew(ctx context.Context, refused *http.Request) (bool, error)
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
func (APIKey) Renew(context.Context, *http.Request) (bool, error) { return false, nil }

// String keeps the key out of formatted texts.
func (APIKey) String() string { return "[chave]" }

// GoString keeps the key out of %#v.
func (APIKey) GoString() string { return "[chave]" }

// LogValue keeps the key out of logs.
func (k APIKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// accessError says that the service refused this installation's own access
// when it was asked for a token; it carries no text of the service's.
type accessError struct{ status int }

func (e *accessError) Error() string {
	return "the authorization service gives no token: status " + strconv.Itoa(e.status)
}

// refusedStatus returns what an error of Authorize counts as: the status of a
// refusal of the access, 0 for anything else.
func refusedStatus(err error) int {
	var refused *accessError
	if errors.As(err, &refused) {
		return http.StatusUnauthorized
	}
	return 0
}

// statusError is an HTTP status that is no answer to what was asked.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }
