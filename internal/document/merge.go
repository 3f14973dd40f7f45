package document

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// maxDecoded is how many bytes pdfcpu may decode from one stream of a PDF.
const maxDecoded = 64 << 20

// ErrNothingToMerge is returned by Merge without readers.
var ErrNothingToMerge = errors.New("document: no PDF to merge")

// disablePdfcpuConfig keeps pdfcpu from reading and writing a folder of settings in
// the home folder of the program's user.
var disablePdfcpuConfig = sync.OnceFunc(api.DisableConfigDir)

// ErrCannotMerge is returned by Merge when a PDF is damaged, locked or beyond
// what the library understands. What exactly is wrong is left out: such texts may
// quote the document.
var ErrCannotMerge = errors.New("document: a PDF cannot be merged")

// Merge writes the pages of the PDFs, in their order, as one PDF. The PDFs are
// held in memory together.
//
// The PDFs of operators are not always valid: after ErrCannotMerge, show them one by
// one, and use nothing of what w got. Any other error comes from w.
func Merge(w io.Writer, readers ...io.ReadSeeker) (err error) {
	if len(readers) == 0 {
		return ErrNothingToMerge
	}
	disablePdfcpuConfig()
	out := &output{w: w}
	defer func() {
		if recover() != nil { // a hostile file must not stop the program
			err = ErrCannotMerge
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.Offline = true
	conf.Limits.MaxDecodeBytes = maxDecoded
	switch err := api.MergeRaw(readers, out, false, conf); {
	case out.err != nil:
		return fmt.Errorf("write a merged PDF: %w", out.err)
	case err != nil:
		return ErrCannotMerge
	}
	return nil
}

// output remembers an error of the writer, which pdfcpu does not hand on.
type output struct {
	w   io.Writer
	err error
}

// Write keeps the writer's own error, which the PDF library would replace.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil {
		o.err = err
	}
	return n, err
}
