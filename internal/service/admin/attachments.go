package admin

import (
	"context"
	"errors"
	"fmt"
	"io"

	"guiche/internal/blob"
	"guiche/internal/document"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Blobs is where the bytes of attachments are; a blob.Store satisfies it.
type Blobs interface {
	Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error)
}

// countActive counts the attachments of a request that do more than show pages or a
// picture. It looks at them here and not when they arrive: no body is in memory whole
// while a partner waits for the answer.
func (a *Admin) countActive(ctx context.Context, request uuid.UUID) (active int, err error) {
	refs, err := a.ledger.AttachmentBlobs(ctx, request)
	if err != nil {
		return 0, err
	}
	for _, ref := range refs {
		found, err := a.inspect(ctx, ref)
		if err != nil {
			return 0, err
		}
		if found.Active != 0 {
			active++
		}
	}
	return active, nil
}

// inspect finds nothing in bytes that are gone.
func (a *Admin) inspect(ctx context.Context, ref blob.Ref) (_ document.Inspection, err error) {
	file, err := a.blobs.Open(ctx, ref)
	if problem.Is(err, problem.NotFound) {
		return document.Inspection{}, nil
	}
	if err != nil {
		return document.Inspection{}, fmt.Errorf("admin: open an attachment: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return document.Inspect(ctx, file)
}
