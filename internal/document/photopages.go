package document

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// ErrNoPages is returned by PhotoPages for a picture that the PDF library does not understand.
var ErrNoPages = errors.New("document: a photo cannot become a page")

// bytesOfPixel is what the library takes for a pixel of a PNG, which it decodes; a JPEG goes into
// the PDF as it is.
const bytesOfPixel = 8

// PhotoPages writes a PDF with a page for each photo, as large as the photo. It waits for
// memory until ctx ends. Any error but ErrNoPages comes from w or ctx.
func PhotoPages(ctx context.Context, w io.Writer, photos ...io.ReadSeeker) (err error) {
	disablePdfcpuConfig()
	for _, photo := range photos {
		if !fitsPage(photo) {
			return ErrNoPages
		}
	}
	if err := turning.Acquire(ctx, maxTurning); err != nil {
		return fmt.Errorf("wait to join photos: %w", err)
	}
	defer turning.Release(maxTurning)
	out := &output{w: w}
	defer func() {
		if recover() != nil { // a hostile file must not stop the program
			err = ErrNoPages
		}
	}()
	switch err := photoPages(out, photos); {
	case out.err != nil:
		return fmt.Errorf("write a PDF of photos: %w", out.err)
	case err != nil:
		return ErrNoPages
	}
	return nil
}

// fitsPage reports whether a photo is one that can be held in memory.
func fitsPage(photo io.ReadSeeker) bool {
	size, format, err := image.DecodeConfig(photo)
	if err != nil || format == "png" && size.Width > maxTurning/bytesOfPixel/max(size.Height, 1) {
		return false
	}
	_, err = photo.Seek(0, io.SeekStart)
	return err == nil
}

func photoPages(w io.Writer, photos []io.ReadSeeker) error {
	conf := model.NewDefaultConfiguration()
	conf.Cmd, conf.Offline = model.IMPORTIMAGES, true
	pdf, err := pdfcpu.CreateContextWithXRefTable(conf, types.PaperSize["A4"])
	if err != nil {
		return err
	}
	parent, err := pdf.Pages()
	if err != nil {
		return err
	}
	tree, err := pdf.DereferenceDict(*parent)
	if err != nil {
		return err
	}
	for _, photo := range photos {
		pages, err := pdfcpu.NewPagesForImage(pdf.XRefTable, photo, parent, pdfcpu.DefaultImportConfig())
		if err != nil {
			return err
		}
		for _, page := range pages {
			if err := model.AppendPageTree(page, 1, tree); err != nil {
				return err
			}
			pdf.PageCount++
		}
	}
	return write(w, pdf)
}
