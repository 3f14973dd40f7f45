// Package requestid carries the id of a request from the browser through the desk
// and the service to the ledger, so that one id finds it in every log. An id is a
// UUID that says nothing about anybody.
package requestid

import (
	"context"

	"github.com/google/uuid"
)

// Header is the HTTP header that carries an id, both ways.
const Header = "X-Request-Id"

type key struct{}

// With returns a context that carries an id.
func With(ctx context.Context, id string) context.Context { return context.WithValue(ctx, key{}, id) }

// From returns the id that a context carries, "" for none.
func From(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}

// New returns an id for a request that came without one.
func New() string { return uuid.NewString() }

// Accept returns the id that a sender gave its request, in lower case, and a new
// one for anything but one UUID in its usual form: what a sender writes there goes
// into logs.
func Accept(given []string) string {
	if len(given) != 1 || len(given[0]) != len(uuid.Nil.String()) {
		return New()
	}
	id, err := uuid.Parse(given[0])
	if err != nil {
		return New()
	}
	return id.String()
}
