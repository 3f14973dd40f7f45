package blob

import (
	"context"
	"io"
)

// Until is a reader that a long copy stops at with its context.
func Until(ctx context.Context, r io.Reader) io.Reader { return &until{ctx, r} }

type until struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (r *until) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
