package client

import (
	"context"

	"guiche/internal/authorization"
)

// Keyed reports, without asking, whether the service announced that it honours
// idempotency keys.
func (c *Client) Keyed() bool { return c.features().Idempotency }

// Recourse says what the service offers about a request after it was sent; an error means
// that it could not be asked yet.
func (c *Client) Recourse(ctx context.Context) (authorization.Recourse, error) {
	f, err := c.knownFeatures(ctx)
	return authorization.Recourse{Status: f.Status, LookUp: f.LookUp, Repeat: f.Idempotency}, err
}
