package document

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// maxStream is how much pdfcpu may unpack out of one stream of a PDF.
const maxStream = 64 << 20

// ErrNothingToMerge is returned by Merge without readers.
var ErrNothingToMerge = errors.New("document: no PDF to merge")

// keepToOurselves stops pdfcpu from reading and writing a folder of settings in
// the home of whoever runs the program.
var keepToOurselves = sync.OnceFunc(api.DisableConfigDir)

// ErrCannotMerge is returned by Merge when a PDF is damaged, locked or beyond
// what the library understands. What exactly is wrong is left out: such texts may
// quote the document.
var ErrCannotMerge = errors.New("document: a PDF cannot be merged")

// Merge writes the pages of the PDFs, in their order, as one PDF. The PDFs are
// held in memory together.
//
// The PDFs of operators are not always sound: after ErrCannotMerge they are to be
// shown one by one, and nothing useful is in w. Any other error comes from w.
func Merge(w io.Writer, readers ...io.ReadSeeker) (err error) {
	if len(readers) == 0 {
		return ErrNothingToMerge
	}
	keepToOurselves()
	out := &output{w: w}
	defer func() {
		if recover() != nil { // a library that reads hostile files may not stop the program
			err = ErrCannotMerge
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.Offline = true
	conf.Limits.MaxDecodeBytes = maxStream
	switch err := api.MergeRaw(readers, out, false, conf); {
	case out.err != nil:
		return fmt.Errorf("write a merged PDF: %w", out.err)
	case err != nil:
		return ErrCannotMerge
	}
	return nil
}

// output remembers what went wrong with the writer.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil {
		o.err = err
	}
	return n, err
}
