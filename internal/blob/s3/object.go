package s3

import (
	"context"
	"errors"
	"io"
	"time"

	"guiche/internal/blob"

	"github.com/minio/minio-go/v7"
)

// object is a blob that is read from the bucket, from wherever its reader goes. A connection
// that is cut is taken up where it was.
type object struct {
	bucket *Bucket
	ctx    context.Context //nolint:containedctx // of the reader's values alone: it reads for longer than it was opened
	ref    blob.Ref
	size   int64

	pos  int64
	body io.ReadCloser // from pos on; nil before the next request
	end  func()        // of the request
	idle *time.Timer   // ends the request when nothing comes
}

// Open returns the bytes of a blob, which end with blob.ErrDamaged where they are others.
func (b *Bucket) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	if err := ref.Check(); err != nil {
		return nil, err
	}
	o := &object{bucket: b, ctx: context.WithoutCancel(ctx), ref: ref, size: -1}
	if err := o.request(); err != nil {
		return nil, err
	}
	r, err := blob.Checked(o, ref, o.size)
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return r, nil
}

// request asks for the bytes from pos on.
func (o *object) request() error {
	ctx, cancel := context.WithCancelCause(o.ctx)
	idle := time.AfterFunc(o.bucket.patience, func() { cancel(context.DeadlineExceeded) })
	var options minio.GetObjectOptions
	if o.pos > 0 {
		if err := options.SetRange(o.pos, 0); err != nil {
			return err
		}
	}
	body, info, _, err := o.bucket.core.GetObject(ctx, o.bucket.location.Bucket, o.bucket.key(o.ref), options)
	if err != nil {
		idle.Stop()
		cancel(nil)
		return failure("get", late(ctx, err))
	}
	if o.size < 0 {
		o.size = info.Size
	}
	o.body, o.idle, o.end = body, idle, func() {
		idle.Stop()
		cancel(nil)
	}
	return nil
}

// late is the error of what was ended because nothing came.
func late(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return err
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (n int, err error) {
	for try := 1; ; try++ {
		if o.pos >= o.size || len(p) == 0 {
			return 0, o.ended(len(p))
		}
		if o.body == nil {
			err = o.request()
		}
		if o.body != nil {
			o.idle.Reset(o.bucket.patience)
			n, err = o.body.Read(p)
			o.pos += int64(n)
			if n == 0 && err == nil {
				continue
			}
			if err != nil {
				o.stop()
			}
			if n > 0 {
				return n, nil
			}
			if errors.Is(err, io.EOF) { // before its end
				err = io.ErrUnexpectedEOF
			}
			err = failure("read", err)
		}
		if try == tries {
			return 0, err
		}
	}
}

func (o *object) ended(wanted int) error {
	if wanted == 0 {
		return nil
	}
	return io.EOF
}

// stop ends the request; the next Read makes another one.
func (o *object) stop() {
	if o.body != nil {
		_ = o.body.Close() // only read
		o.end()
		o.body = nil
	}
}

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.pos
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return o.pos, errors.New("s3: seek before the start")
	}
	if offset != o.pos {
		o.stop()
	}
	o.pos = offset
	return offset, nil
}

// Close implements io.Closer.
func (o *object) Close() error {
	o.stop()
	return nil
}
