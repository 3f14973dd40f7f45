package s3_test

import (
	"errors"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/blob/s3test"
)

// TestBucket_Head: the bucket keeps one line, and says where it is out of reach.
func TestBucket_Head(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	b := p.bucket(t)
	for _, want := range []string{"", "4 abc\n", "5 def\n"} {
		if want != "" {
			if err := b.WriteHead(t.Context(), want); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := b.ReadHead(t.Context()); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	p.Fail(s3test.Cut)
	if err := b.WriteHead(t.Context(), "6 ghi\n"); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	if _, err := b.ReadHead(t.Context()); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
}
