package document

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/validate"
)

// maxDecoded is how many bytes pdfcpu may decode from one stream of a PDF.
const maxDecoded = 64 << 20

// ErrNothingToMerge is returned by Merge without readers.
var ErrNothingToMerge = errors.New("document: no PDF to merge")

// disablePdfcpuConfig keeps pdfcpu from reading and writing a folder of settings in
// the home folder of the program's user.
var disablePdfcpuConfig = sync.OnceFunc(func() { model.ConfigPath = "disable" })

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
	switch err := merge(out, readers); {
	case out.err != nil:
		return fmt.Errorf("write a merged PDF: %w", out.err)
	case err != nil:
		return ErrCannotMerge
	}
	return nil
}

// merge appends the pages of all PDFs to the first one.
func merge(w io.Writer, readers []io.ReadSeeker) error {
	conf := model.NewDefaultConfiguration()
	conf.Cmd, conf.ValidationMode = model.MERGECREATE, model.ValidationRelaxed
	conf.Offline, conf.CreateBookmarks = true, false
	conf.Limits.MaxDecodeBytes = maxDecoded
	var all *model.Context
	for i, r := range readers {
		pdf, err := pdfcpu.Read(r, conf)
		if err != nil {
			return err
		}
		if err := validate.XRefTable(pdf); err != nil {
			return err
		}
		if i == 0 {
			all = pdf
			all.EnsureVersionForWriting()
		} else if err := join(all, pdf, strconv.Itoa(i)); err != nil {
			return err
		}
	}
	if err := pdfcpu.OptimizeXRefTable(all); err != nil { // fonts that all have stand there once
		return err
	}
	return write(w, all)
}

func join(all, pdf *model.Context, name string) error {
	if all.XRefTable.Version() < model.V20 && pdf.XRefTable.Version() == model.V20 {
		return ErrCannotMerge
	}
	return pdfcpu.MergeXRefTables(name, pdf, all, false, false)
}

func write(w io.Writer, pdf *model.Context) error {
	to := bufio.NewWriter(w)
	pdf.Write.Writer = to
	return errors.Join(pdfcpu.WriteContext(pdf), to.Flush())
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
