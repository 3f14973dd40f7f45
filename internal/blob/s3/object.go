package s3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"guiche/internal/blob"

	"github.com/minio/minio-go/v7"
)

// window is how many bytes are asked for first, and after each seek: who reads a part is not sent the rest.
// Who goes on reading is given four times as many each time.
const window = 1 << 20

// object is a blob that is read from the bucket, from wherever its reader goes. A connection
// that is cut is taken up where it was.
type object struct {
	bucket *Bucket
	ctx    context.Context // of the reader's values alone: it reads for longer than it was opened
	ref    blob.Ref
	size   int64

	pos   int64
	ahead int64 // how many bytes the next request asks for

	body      io.ReadCloser // nil before the next request
	at, until int64         // where the body is, and where it ends
	end       func()        // of the request
	idle      *time.Timer   // ends the request when nothing comes
}

// Open returns the bytes of a blob, which end with blob.ErrDamaged where they are others.
func (b *Bucket) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	if err := ref.Check(); err != nil {
		return nil, err
	}
	o := &object{bucket: b, ctx: context.WithoutCancel(ctx), ref: ref, size: -1, ahead: window}
	if err := o.request(); err != nil {
		return nil, err
	}
	r, err := blob.Checked(o, ref, o.size)
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return r, nil
}

// request asks for the next bytes from pos on.
func (o *object) request() error {
	ctx, cancel := context.WithCancelCause(o.ctx)
	idle := time.AfterFunc(o.bucket.patience, func() { cancel(context.DeadlineExceeded) })
	end := func() {
		idle.Stop()
		cancel(nil)
	}
	var options minio.GetObjectOptions
	if err := options.SetRange(o.pos, o.pos+o.ahead-1); err != nil {
		end()
		return err
	}
	body, info, header, err := o.bucket.core.GetObject(ctx, o.bucket.location.Bucket, o.bucket.key(o.ref), options)
	if err != nil {
		defer end()
		return o.unanswered(ctx, err)
	}
	if o.size < 0 {
		o.size = wholeSize(header, info.Size)
	}
	o.body, o.at, o.until, o.idle, o.end = body, o.pos, o.pos+info.Size, idle, end
	return nil
}

// unanswered is the error of a request without bytes; an empty blob has none to ask for.
func (o *object) unanswered(ctx context.Context, err error) error {
	if o.size < 0 && minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
		o.size = 0
		return nil
	}
	return failure("get", late(ctx, err))
}

// wholeSize is the size of the object of which some bytes came.
func wholeSize(header http.Header, came int64) int64 {
	_, whole, _ := strings.Cut(header.Get("Content-Range"), "/")
	if size, err := strconv.ParseInt(whole, 10, 64); err == nil {
		return size
	}
	return came
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
	for try := 1; len(p) > 0 && o.pos < o.size; {
		if n, err = o.read(p); n > 0 {
			return n, nil
		}
		if err != nil && try == tries {
			return 0, err
		}
		if err != nil {
			try++
		}
	}
	return 0, o.ended(len(p))
}

// read reads what comes next; at the end of what was asked for that is nothing.
func (o *object) read(p []byte) (n int, err error) {
	if o.at != o.pos { // its reader went elsewhere
		o.stop()
	}
	if o.body == nil {
		if err := o.request(); err != nil {
			return 0, err
		}
	}
	o.idle.Reset(o.bucket.patience)
	n, err = o.body.Read(p)
	o.at += int64(n)
	o.pos = o.at
	if err == nil {
		return n, nil
	}
	o.stop()
	if errors.Is(err, io.EOF) && o.at == o.until {
		o.ahead *= 4
		return n, nil
	}
	if errors.Is(err, io.EOF) { // before its end
		err = io.ErrUnexpectedEOF
	}
	return n, failure("read", err)
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
		o.pos, o.ahead = offset, window
	}
	return offset, nil
}

// Close implements io.Closer.
func (o *object) Close() error {
	o.stop()
	return nil
}
