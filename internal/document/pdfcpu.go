package document

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// maxDecoded is how many bytes pdfcpu may decode from one stream of a PDF.
const maxDecoded = 64 << 20

// disablePdfcpuConfig keeps pdfcpu from reading and writing a folder of settings in
// the home folder of the program's user.
var disablePdfcpuConfig = sync.OnceFunc(func() { model.ConfigPath = "disable" })

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
