package jsonscan

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

const bufferSize = 64 << 10

// input is the text, with a window on its next bytes.
type input struct {
	buf    *bufio.Reader
	offset int64 // bytes before the window
}

// buffers are those of usual size that are read no more.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufferSize+8) }}

// newInput limits and buffers the body. The buffer holds the longest text that may stay
// in the document, so that a window over it never needs a second copy.
func newInput(ctx context.Context, r io.Reader, o Options) *input {
	src := &limitedReader{ctx: ctx, r: r, max: o.MaxBody}
	if size := o.Inline + 8; size > bufferSize+8 {
		return &input{buf: bufio.NewReaderSize(src, size)}
	}
	usual := buffers.Get().(*bufio.Reader) // the pool has no others
	usual.Reset(src)
	return &input{buf: usual}
}

// release gives the buffer back. Its bytes are personal data, which others overwrite.
func (in *input) release() {
	if in.buf.Size() == bufferSize+8 {
		in.buf.Reset(nil)
		buffers.Put(in.buf)
	}
}

// window returns the buffered bytes, at least n of them; io.EOF when the text has
// fewer left.
func (in *input) window(n int) ([]byte, error) {
	if in.buf.Buffered() < n {
		if b, err := in.buf.Peek(n); err != nil {
			return b, err
		}
	}
	return in.buf.Peek(in.buf.Buffered())
}

// advance moves past n bytes of the window.
func (in *input) advance(n int) {
	_, _ = in.buf.Discard(n) // the window held them
	in.offset += int64(n)
}

// limitedReader ends with TooLarge once more than max bytes were read.
type limitedReader struct {
	ctx  context.Context
	r    io.Reader
	max  int64
	read int64
}

// Read fails when the body exceeds max, or when its context has ended: a client that
// stalls does not hold its request for ever.
func (l *limitedReader) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, fmt.Errorf("read JSON: %w", err)
	}
	n, err := l.r.Read(p)
	l.read += int64(n)
	if l.max > 0 && l.read > l.max {
		return 0, &Error{Kind: TooLarge, Offset: l.max}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("read JSON: %w", err)
	}
	return n, err
}
