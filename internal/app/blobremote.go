package app

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/blob/s3"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// remote is the part of the bucket that belongs to a half, as backups ask for it.
func (p blobPlace) remote(half string) backup.Remote {
	return bucketOfHalf{p.bucket.Of(half)}
}

// reachRemote is how backups reach the bucket of the settings, nil without one.
func (c Config) reachRemote() (func(half string) backup.Remote, error) {
	p, err := c.knownBlobPlace()
	if err != nil || p.bucket == nil {
		return nil, err
	}
	return p.remote, nil
}

// bucketOfHalf are the blobs of a half in a bucket.
type bucketOfHalf struct{ *s3.Bucket }

// Where implements backup.Remote.
func (b bucketOfHalf) Where() string { return b.Location().String() }

// List implements backup.Remote.
func (b bucketOfHalf) List(ctx context.Context, shard string) (map[blob.Ref]int64, error) {
	sizes := map[blob.Ref]int64{}
	err := b.Bucket.List(ctx, shard, func(s s3.Stored) error {
		sizes[s.Ref] = s.Size
		return nil
	})
	return sizes, err
}

// Open implements backup.Remote.
func (b bucketOfHalf) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	f, err := b.Bucket.Open(ctx, ref)
	if problem.Is(err, problem.NotFound) {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return f, err
}

// markRestored has the first start of a restored installation take the bucket over.
func (c Config) markRestored(m backup.Manifest) error {
	if m.Place() == "" {
		return nil
	}
	p, err := c.knownBlobPlace()
	if err != nil {
		return err
	}
	mark := blobMark{Place: p.bucket.Location().String(), Installation: uuid.NewString(), Claim: true}
	_, err = folderMarks(c.DataDir).write(context.Background(), mark)
	return err
}
