package document_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"guiche/internal/document"
)

// stuck is a file whose reading never ends, once it was read so many times from its start.
type stuck struct {
	*bytes.Reader
	size    int64 // that it claims to have, 0 for its own
	starts  int
	reached chan<- struct{}
	release <-chan struct{}
}

func (s *stuck) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd && s.size > 0 {
		return s.size, nil
	}
	if whence == io.SeekStart && offset == 0 {
		s.starts--
	}
	return s.Reader.Seek(offset, whence)
}

func (s *stuck) Read(b []byte) (int, error) {
	if s.starts < 0 {
		select {
		case s.reached <- struct{}{}:
		case <-s.release:
		}
		<-s.release
		return 0, io.ErrUnexpectedEOF
	}
	return s.Reader.Read(b)
}

// checkWaits begins work on files that get stuck, and then some on another one, which must
// wait for them until its time is over.
func checkWaits(t *testing.T, files int, begin func(s *stuck), other func(ctx context.Context) error) {
	t.Helper()
	reached, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer sync.OnceFunc(func() { close(release) })()
	for range files {
		all.Go(func() { begin(&stuck{reached: reached, release: release}) })
	}
	for range files {
		<-reached
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := other(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that it waited until its time was over", err)
	}
}

// TestCleanPhoto_waits: photos that are being turned take no more memory together than
// they may.
func TestCleanPhoto_waits(t *testing.T) {
	large, small := MustFlat(t, 11500, 5800, coarse, exif(6)), MustFlat(t, 1000, 800, coarse, exif(6))
	clean := func(ctx context.Context, r io.ReadSeeker, size int) error {
		return document.CleanPhoto(ctx, io.Discard, r, document.Info{Name: "foto.jpg", Kind: document.JPEG, Size: int64(size)})
	}
	checkWaits(t, 1, func(s *stuck) {
		s.Reader, s.starts = bytes.NewReader(large), 1
		_ = clean(context.Background(), s, len(large))
	}, func(ctx context.Context) error { return clean(ctx, bytes.NewReader(small), len(small)) })
}

// TestInspect_waits: likewise PDFs that are being looked into.
func TestInspect_waits(t *testing.T) {
	checkWaits(t, 2, func(s *stuck) {
		s.Reader, s.size = bytes.NewReader(nil), 64<<20
		_, _ = document.Inspect(context.Background(), s)
	}, func(ctx context.Context) error {
		_, err := document.Inspect(ctx, bytes.NewReader(MustPDF(t, 1)))
		return err
	})
}

// TestInert_waits: and PDFs of which a copy is made.
func TestInert_waits(t *testing.T) {
	checkWaits(t, 2, func(s *stuck) {
		s.Reader, s.size = bytes.NewReader(nil), 1<<20
		_, _ = document.Inert(context.Background(), s)
	}, func(ctx context.Context) error {
		_, err := document.Inert(ctx, bytes.NewReader(MustPDF(t, 1)))
		return err
	})
}

// TestInert_NotInTime: whoever waits for copies that do not end is told that there is none now.
func TestInert_NotInTime(t *testing.T) {
	pdf := MustPDF(t, 1)
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		for range 2 {
			go func() {
				_, _ = document.Inert(t.Context(), &stuck{Reader: bytes.NewReader(nil), size: 1 << 20, release: release})
			}()
		}
		synctest.Wait() // until both are stuck
		_, err := document.Inert(t.Context(), bytes.NewReader(pdf))
		if !errors.Is(err, document.ErrNotInTime) || !errors.Is(err, document.ErrNotInert) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %v", err, document.ErrNotInTime)
		}
	})
}

// TestInspect_size: one that is too large is not read, nor is a copy made.
func TestInspect_size(t *testing.T) {
	large := &stuck{Reader: bytes.NewReader(nil), size: 64<<20 + 1, starts: 9}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if got, err := document.Inspect(ctx, large); err != nil || got != (document.Inspection{Unreadable: true}) {
		t.Errorf("got %+v, %v, want unreadable", got, err)
	}
	if _, err := document.Inert(ctx, large); !errors.Is(err, document.ErrNotInert) {
		t.Errorf("got %v, want no copy", err)
	}
}
