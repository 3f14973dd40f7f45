package s3

import (
	"context"
	"time"

	"guiche/internal/blob"

	"github.com/minio/minio-go/v7"
)

// Where several processes store in one bucket, a blob that no row names is first marked, by an object
// of its own beside the blobs, and removed once the mark is markedFor old and the rows were asked
// again. Whoever stores a blob looks for its mark afterwards and takes it away. So one of the two
// always sees the other: a row that names the blob is committed long before the rows are asked again,
// or the mark is gone before the removal.
const (
	// markedFor is longer than anybody takes from storing a blob to the commit that names it.
	markedFor = time.Hour
	// markDue is the age from which a removal may be under way: clocks differ.
	markDue = markedFor - 10*time.Minute
)

func (b *Bucket) markKey(ref blob.Ref) string {
	return b.location.key(b.half + "/" + removalsFolder + "/" + string(ref))
}

// Mark marks a blob that is to be removed.
func (b *Bucket) Mark(ctx context.Context, ref blob.Ref) error {
	return b.writeLine(ctx, b.markKey(ref), "to be removed\n", "mark")
}

// MarkedAt is when a blob was marked, by the store's clock; the zero time where it is not.
func (b *Bucket) MarkedAt(ctx context.Context, ref blob.Ref) (at time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	for object := range b.core.ListObjectsIter(ctx, b.location.Bucket, minio.ListObjectsOptions{Prefix: b.markKey(ref), Recursive: true}) {
		if object.Err != nil {
			return at, failure("look for a mark", object.Err)
		}
		at = object.LastModified
	}
	return at, failure("look for a mark", ctx.Err())
}

// Unmark takes a mark away; it is no error when there is none.
func (b *Bucket) Unmark(ctx context.Context, ref blob.Ref) error {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	return failure("take a mark away", b.core.RemoveObject(ctx, b.location.Bucket, b.markKey(ref), minio.RemoveObjectOptions{}))
}

// keep takes the mark of a blob away that was just stored. While another process may be removing the
// blob by that mark, it has to be stored once more, later.
func (s *Store) keep(ctx context.Context, ref blob.Ref) error {
	at, err := s.bucket.MarkedAt(ctx, ref)
	if err != nil || at.IsZero() {
		return err
	}
	if err := s.bucket.Unmark(ctx, ref); err != nil {
		return err
	}
	now := s.clock()
	if now.Sub(at) < markDue {
		return nil
	}
	s.removing.notRemoved(ref, now)
	return slow.err("put", errUnsettled)
}

// removeMarked removes a blob by its mark when its time has come; before that it is asked about again.
func (s *Store) removeMarked(ctx context.Context, ref blob.Ref) error {
	at, err := s.bucket.MarkedAt(ctx, ref)
	switch {
	case err != nil:
		return err
	case at.IsZero():
		err = s.bucket.Mark(ctx, ref)
	case s.clock().Sub(at) >= markedFor:
		return s.removeNow(ctx, ref)
	}
	if err == nil {
		s.removing.postpone(ref)
		s.local.AskAgain(ref)
	}
	return err
}

// removeNow removes a blob from the bucket, and its mark.
func (s *Store) removeNow(ctx context.Context, ref blob.Ref) error {
	err := s.bucket.Delete(ctx, ref)
	if err == nil && s.shared {
		err = s.bucket.Unmark(ctx, ref)
	}
	if err != nil {
		s.removing.notRemoved(ref, s.clock())
		return err
	}
	return s.removing.removed(ref)
}
