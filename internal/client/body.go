package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"

	"guiche/internal/authorization"
)

// requestBody streams a request: the texts of encodeRequest with the base64 of
// one attachment between each two. It holds one chunk in memory.
type requestBody struct {
	size int64 // bytes of the whole body

	mu    sync.Mutex // the transport may close while it reads
	parts io.Reader
	files []io.Closer
	whole []byte // all of it, where it has no attachments
	err   error  // an attachment could not be read
}

// openBody opens every attachment before anything is sent, so that one that is
// missing or has another size than the request says costs no connection.
func openBody(ctx context.Context, blobs Blobs, r authorization.Request, shape AttachmentShape) (*requestBody, error) {
	texts, err := encodeRequest(r, shape)
	if err != nil {
		return nil, err
	}
	return streamBody(ctx, blobs, texts, r.Attachments)
}

// streamBody puts the base64 of an attachment between each two texts.
func streamBody(ctx context.Context, blobs Blobs, texts [][]byte, attachments []authorization.Attachment) (*requestBody, error) {
	b := &requestBody{}
	if len(attachments) == 0 {
		b.whole = texts[0]
	}
	parts := []io.Reader{b.text(texts[0])}
	for i, a := range attachments {
		part, err := b.open(ctx, blobs, a)
		if err != nil {
			_ = b.Close() // the first error says why
			return nil, fmt.Errorf("attachment %d: %w", i, err)
		}
		parts = append(parts, part, b.text(texts[i+1])) //nolint:gosec // there is one more text than attachments
	}
	b.parts = io.MultiReader(parts...)
	return b, nil
}

// reader is the body as net/http sends it: one that it knows to be in memory leaves together with the header.
func (b *requestBody) reader() io.ReadCloser {
	if b.whole != nil {
		return io.NopCloser(bytes.NewReader(b.whole))
	}
	return b
}

func (b *requestBody) text(t []byte) io.Reader {
	b.size += int64(len(t))
	return &textReader{rest: t}
}

func (b *requestBody) open(ctx context.Context, blobs Blobs, a authorization.Attachment) (io.Reader, error) {
	f, err := blobs.Open(ctx, a.Blob)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	b.files = append(b.files, f)
	stored, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	if stored != a.Size {
		return nil, fmt.Errorf("has %d bytes, want %d", stored, a.Size)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("rewind: %w", err)
	}
	b.size += int64(base64.StdEncoding.EncodedLen(int(a.Size)))
	return &base64Reader{src: f, want: a.Size}, nil
}

// Read implements io.Reader.
func (b *requestBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.parts.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && b.err == nil {
		b.err = err
	}
	return n, err
}

// Close implements io.Closer; the transport may close more than once.
func (b *requestBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, f := range b.files {
		errs = append(errs, f.Close())
	}
	b.files = nil
	return errors.Join(errs...)
}

// failure returns why the body could not be read to its end, nil when it could.
func (b *requestBody) failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// textReader reads a text.
type textReader struct{ rest []byte }

func (t *textReader) Read(p []byte) (int, error) {
	if len(t.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

const rawChunk = 24 << 10 // a multiple of 3: only the last chunk is padded

// base64Reader encodes src, which must yield exactly want bytes: it is read to
// its end, so that the store can notice damage, and any difference is an error
// before the request is complete.
type base64Reader struct {
	src     io.Reader
	want    int64
	read    int64
	rest    []byte // encoded, not yet returned
	err     error
	raw     []byte
	encoded []byte
}

func (r *base64Reader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.err == nil {
			r.fill()
		}
		if len(r.rest) == 0 {
			r.raw, r.encoded = nil, nil
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fill encodes the next chunk.
func (r *base64Reader) fill() {
	if r.raw == nil {
		r.raw = make([]byte, rawChunk)
		r.encoded = make([]byte, base64.StdEncoding.EncodedLen(rawChunk))
	}
	n, err := io.ReadFull(r.src, r.raw)
	r.read += int64(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		r.err = fmt.Errorf("read attachment: %w", err)
		return
	case r.read > r.want, err != nil && r.read < r.want:
		r.err = fmt.Errorf("attachment yields %d bytes, want %d", r.read, r.want)
		return
	}
	r.err = err
	base64.StdEncoding.Encode(r.encoded, r.raw[:n])
	r.rest = r.encoded[:base64.StdEncoding.EncodedLen(n)]
}
