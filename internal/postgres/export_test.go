package postgres

import "context"

// ErrPooled says that a pooler stands between.
var ErrPooled = errPooled

// Silent reports whether nothing came on a connection.
var Silent = silent

// Dial connects to a server.
var Dial = dial

// Listen hands on what others tell until its connection ends.
func (s *Signals) Listen(ctx context.Context, heard func(word string)) error {
	return s.listen(ctx, heard)
}
