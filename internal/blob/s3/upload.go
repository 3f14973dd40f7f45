package s3

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"time"

	"guiche/internal/blob"

	"github.com/minio/minio-go/v7"
)

// partSize is up to what size a blob goes in one request, and the size of the parts of others.
const partSize = 8 << 20

// Put stores a blob with its length and the hash of what is sent. When it has returned, the
// store has it. What is not the blob is blob.ErrDamaged.
func (b *Bucket) Put(ctx context.Context, ref blob.Ref, content io.ReaderAt, size int64) error {
	if size > partSize {
		return b.putParts(ctx, ref, content, size)
	}
	sum, err := sumOf(io.NewSectionReader(content, 0, size), sha256.New())
	if err != nil {
		return err
	}
	if hex.EncodeToString(sum) != string(ref) {
		return blob.ErrDamaged
	}
	ctx, cancel := b.timeFor(ctx, size)
	defer cancel()
	_, err = b.core.PutObject(ctx, b.location.Bucket, b.key(ref), io.NewSectionReader(content, 0, size), size, "", string(ref),
		minio.PutObjectOptions{DisableContentSha256: true, UserMetadata: map[string]string{
			"x-amz-checksum-sha256": base64.StdEncoding.EncodeToString(sum)}})
	return failure("put", err)
}

// timeFor is how long a request may take that sends so many bytes.
func (b *Bucket) timeFor(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, b.patience+time.Duration(size/slowest)*time.Second)
}

// putParts stores a large blob: all of it or, when a part fails, nothing.
func (b *Bucket) putParts(ctx context.Context, ref blob.Ref, content io.ReaderAt, size int64) error {
	upload, err := b.core.NewMultipartUpload(ctx, b.location.Bucket, b.key(ref), minio.PutObjectOptions{})
	if err != nil {
		return failure("begin to put", err)
	}
	whole, parts := sha256.New(), []minio.CompletePart(nil)
	for at := int64(0); at < size && err == nil; at += partSize {
		var part minio.CompletePart
		part, err = b.putPart(ctx, ref, upload, len(parts)+1, io.NewSectionReader(content, at, min(partSize, size-at)), whole)
		parts = append(parts, part)
	}
	if err == nil && hex.EncodeToString(whole.Sum(nil)) != string(ref) {
		err = blob.ErrDamaged
	}
	if err == nil {
		ctx, cancel := b.timeFor(ctx, size) // the store may put the parts together meanwhile
		defer cancel()
		_, err = b.core.CompleteMultipartUpload(ctx, b.location.Bucket, b.key(ref), upload, parts, minio.PutObjectOptions{})
		err = failure("end to put", err)
	}
	if err != nil {
		b.abort(ctx, ref, upload)
	}
	return err
}

// putPart stores one part; whole takes its bytes in, too.
func (b *Bucket) putPart(ctx context.Context, ref blob.Ref, upload string, number int, part *io.SectionReader,
	whole io.Writer) (done minio.CompletePart, err error) {
	digest := sha256.New()
	sum, err := sumOf(io.TeeReader(part, whole), digest)
	if err == nil {
		_, err = part.Seek(0, io.SeekStart)
	}
	if err != nil {
		return done, err
	}
	ctx, cancel := b.timeFor(ctx, part.Size())
	defer cancel()
	stored, err := b.core.PutObjectPart(ctx, b.location.Bucket, b.key(ref), upload, number, part, part.Size(),
		minio.PutObjectPartOptions{Sha256Hex: hex.EncodeToString(sum), DisableContentSha256: true})
	return minio.CompletePart{PartNumber: number, ETag: stored.ETag}, failure("put a part", err)
}

// abort has the store forget the parts of an upload. One that stays is removed by Abandoned.
func (b *Bucket) abort(ctx context.Context, ref blob.Ref, upload string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.patience)
	defer cancel()
	_ = b.core.AbortMultipartUpload(ctx, b.location.Bucket, b.key(ref), upload)
}

// Abandoned removes the parts of uploads that began before a time and never ended.
func (b *Bucket) Abandoned(ctx context.Context, before time.Time) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for upload := range b.core.ListIncompleteUploads(ctx, b.location.Bucket, b.location.key(b.half+"/blobs/"), true) {
		if upload.Err != nil {
			return failure("list uploads", upload.Err)
		}
		if upload.Initiated.Before(before) {
			if err := b.core.AbortMultipartUpload(ctx, b.location.Bucket, upload.Key, upload.UploadID); err != nil {
				return failure("end an upload", err)
			}
		}
	}
	return ctx.Err()
}

func sumOf(r io.Reader, digest hash.Hash) ([]byte, error) {
	_, err := io.Copy(digest, r)
	return digest.Sum(nil), err
}
