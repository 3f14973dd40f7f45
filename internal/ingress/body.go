package ingress

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// steadyBody is the body of somebody whom the program knows. Its deadlines go on as long as bytes come: a slow line
// gets to its end, and one that stands still is not waited for.
type steadyBody struct {
	io.ReadCloser
	writer http.ResponseWriter
	until  time.Time // of the whole body
	renew  time.Time // from when on the deadlines are set again
}

// renewTime is how long a deadline stays as it is: setting one for each read would only cost.
const renewTime = time.Second

// Read implements io.Reader.
func (b *steadyBody) Read(p []byte) (int, error) {
	if now := time.Now(); !now.Before(b.renew) {
		b.renew = now.Add(renewTime)
		b.deadlines(now, earlier(now.Add(StallTime), b.until))
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		now := time.Now()
		b.deadlines(now, now.Add(KnownTime)) // what is done with the body may take longer than the body
	}
	return n, err
}

// deadlines gives the answer its whole time, however long its request has taken: net/http counts from the header on.
func (b *steadyBody) deadlines(now, read time.Time) {
	control := http.NewResponseController(b.writer)
	_ = control.SetReadDeadline(read)
	_ = control.SetWriteDeadline(now.Add(KnownTime))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// BodyWithin bounds the body of somebody known as a whole, from now on.
func BodyWithin(r *http.Request, d time.Duration) {
	if b, ok := r.Body.(*steadyBody); ok {
		b.until, b.renew = time.Now().Add(d), time.Time{}
	}
}
