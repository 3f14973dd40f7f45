package s3test_test

import (
	"strings"
	"testing"

	"guiche/internal/blob/s3test"
)

// TestGateway_Relative: a folder may be named from where the program runs.
func TestGateway_Relative(t *testing.T) {
	t.Chdir(t.TempDir())
	place, stop, err := s3test.Gateway(t.Context(), "blobs")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if want := "s3://" + s3test.Bucket + "/"; !strings.HasPrefix(place, want) {
		t.Errorf("got %q, want it to begin with %q", place, want)
	}
}
