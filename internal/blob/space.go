package blob

import "context"

type spaceKey struct{}

// WaitForSpace returns a context under which Put waits for space on the disk until
// patience is done, and fails only then. It is for bytes that come once, such as an
// answer on the wire, which waits meanwhile with its sender: they take no more memory.
func WaitForSpace(ctx, patience context.Context) context.Context {
	return context.WithValue(ctx, spaceKey{}, patience.Done())
}

// SpaceDeadline ends the wait of WaitForSpace; it is closed where nobody waits.
func SpaceDeadline(ctx context.Context) <-chan struct{} {
	if end, ok := ctx.Value(spaceKey{}).(<-chan struct{}); ok {
		return end
	}
	return nobodyWaits
}

var nobodyWaits = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
