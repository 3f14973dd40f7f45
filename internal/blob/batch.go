package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
)

// Batch collects small blobs whose files are in place and not yet on disk. Their bytes are
// written into the database in the transaction that names them, so that one sync makes both
// durable; package unsynced does that, and brings the files to disk later. It is safe for
// concurrent use.
type Batch struct {
	mu       sync.Mutex
	contents []Content
	written  []Content
}

// Content is a blob with its bytes.
type Content struct {
	Ref   Ref
	Bytes []byte
}

// NewContent names bytes that stay as they are.
func NewContent(content []byte) Content {
	sum := sha256.Sum256(content)
	return Content{Ref(hex.EncodeToString(sum[:])), content}
}

// Reader reads the bytes. Put under a batch takes them with their name.
func (c Content) Reader() *ContentReader { return &ContentReader{*bytes.NewReader(c.Bytes), c} }

// ContentReader reads the bytes of a blob.
type ContentReader struct {
	bytes.Reader
	Content Content
}

type batchKey struct{}

// In returns a context under which Put may leave small blobs to the batch. Whoever commits
// rows with their names does so under such a context too, and writes the batch with them:
// without that a power cut takes the files away.
func (b *Batch) In(ctx context.Context) context.Context { return context.WithValue(ctx, batchKey{}, b) }

// BatchOf returns the batch of a context, nil without one.
func BatchOf(ctx context.Context) *Batch {
	b, _ := ctx.Value(batchKey{}).(*Batch)
	return b
}

// Add leaves a blob to the batch.
func (b *Batch) Add(c Content) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.contents = append(b.contents, c)
}

// Content returns the bytes of a blob that was left to the batch, nil of any other.
func (b *Batch) Content(ref Ref) []byte {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range slices.Concat(b.contents, b.written) {
		if c.Ref == ref {
			return c.Bytes
		}
	}
	return nil
}

// Written notes that what was left to the batch is in the database: it has the bytes still, and
// does not write them again.
func (b *Batch) Written() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written, b.contents = append(b.written, b.contents...), nil
}

// Contents are the blobs that were left to the batch and are to be written; none of a nil Batch.
func (b *Batch) Contents() []Content {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Content(nil), b.contents...)
}
