package s3_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/blob/blobtest"
)

// counted counts the bytes that a server answers with.
type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// Unwrap lets each piece leave at once.
func (c counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// countGets counts what is asked for, and how many bytes of blobs come back.
func (p place) countGets() (gets, whole, bytes *atomic.Int64) {
	gets, whole, bytes = new(atomic.Int64), new(atomic.Int64), new(atomic.Int64)
	p.Wrap(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/") {
				gets.Add(1)
				if r.Header.Get("Range") == "" {
					whole.Add(1)
				}
				w = counted{w, bytes}
			}
			next.ServeHTTP(w, r)
		})
	})
	return gets, whole, bytes
}

// TestStore_Open_Ranges: the bucket sends what is read of a blob and little more, and nothing twice.
func TestStore_Open_Ranges(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	const size = 32 << 20
	s, content := p.open(t), strings.Repeat("0123456789abcdef", size>>4)
	ref, hold := blobtest.MustPut(t, s, content)
	defer hold.End()
	for name, tt := range map[string]struct{ from, n, bytes, gets int64 }{
		"Part": {size / 2, 100, 2 << 20, 2}, // a window at the start, with which the size comes, and one at the part
		"All":  {0, size, size, 4},          // 1, 4, 16 and the other 11 MiB
	} {
		t.Run(name, func(t *testing.T) {
			gets, whole, bytes := p.countGets()
			f, err := s.Open(t.Context(), ref)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				offset int64
				whence int
			}{{0, io.SeekEnd}, {tt.from, io.SeekStart}} { // as http.ServeContent does
				if _, err := f.Seek(step.offset, step.whence); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := io.ReadAll(io.LimitReader(f, tt.n)); err != nil || string(got) != content[tt.from:tt.from+tt.n] {
				t.Errorf("got %d bytes, %v", len(got), err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if gets.Load() != tt.gets || whole.Load() > 0 || bytes.Load() > tt.bytes {
				t.Errorf("%d requests, %d of them without a range, brought %d bytes; want %d, none, %d at most", gets.Load(), whole.Load(),
					bytes.Load(), tt.gets, tt.bytes)
			}
		})
	}
}
