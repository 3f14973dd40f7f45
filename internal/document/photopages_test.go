package document_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/document"
)

// TestPhotoPages makes of photos one PDF that is taken as an attachment.
func TestPhotoPages(t *testing.T) {
	var b bytes.Buffer
	if err := document.PhotoPages(t.Context(), &b, bytes.NewReader(apptest.PNG()), bytes.NewReader(apptest.Photo())); err != nil {
		t.Fatal(err)
	}
	info, err := document.Check(bytes.NewReader(b.Bytes()), "fotos.pdf", document.DefaultLimits())
	checkPages(t, b.Bytes(), 2)
	if err != nil || info.Kind != document.PDF {
		t.Errorf("got %v, %v", info.Kind, err)
	}
	if err := document.PhotoPages(t.Context(), io.Discard, strings.NewReader("no photo")); !errors.Is(err, document.ErrNoPages) {
		t.Errorf("what is none: got %v", err)
	}
	r, broken := io.Pipe()
	_ = r.CloseWithError(errDisk)
	if err := document.PhotoPages(t.Context(), broken, bytes.NewReader(apptest.PNG())); !errors.Is(err, errDisk) {
		t.Errorf("a writer that fails: got %v, want its own error", err)
	}
}
