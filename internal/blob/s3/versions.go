package s3

import (
	"context"

	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/minio/minio-go/v7"
)

// BringBack undoes the removal of a blob in a bucket that keeps versions: what marks it as removed
// is removed. ok is false where there is no earlier version.
func (b *Bucket) BringBack(ctx context.Context, ref blob.Ref) (ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	var marks []string
	for version := range b.core.ListObjectsIter(ctx, b.location.Bucket,
		minio.ListObjectsOptions{Prefix: b.key(ref), Recursive: true, WithVersions: true}) {
		switch {
		case version.Err != nil:
			return false, failure("list versions", version.Err)
		case version.IsDeleteMarker:
			marks = append(marks, version.VersionID)
		default:
			ok = true
		}
	}
	if !ok {
		return false, nil
	}
	for _, mark := range marks {
		err := b.core.RemoveObject(ctx, b.location.Bucket, b.key(ref), minio.RemoveObjectOptions{VersionID: mark})
		if err != nil {
			return false, failure("bring back", err)
		}
	}
	if _, err = b.Stat(ctx, ref); problem.Is(err, problem.NotFound) {
		return false, nil
	}
	return err == nil, err
}
