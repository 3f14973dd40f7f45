package document

import (
	"bytes"
	"regexp"
	"strconv"

	"guiche/internal/problem"
)

// pdfTailSize is how much of the end is searched for the pointer to the table of
// objects. The end mark itself must lie in the last 1024 bytes for most readers;
// some writers pad with zeros after it.
const pdfTailSize = 4096

// checkPDF looks at both ends of the file: header, end mark, pointer to the table
// of objects, trailer. It uses no PDF library on purpose: that loads the whole file,
// unpacks up to hundreds of megabytes out of a small hostile one, and refuses scans
// that every reader opens. Only files that are cut short, locked or no PDF at all
// are refused here. pages is 0 when unknown.
func (f file) checkPDF(head []byte) (pages int, err error) {
	tail, err := f.at(max(0, f.size-pdfTailSize), pdfTailSize)
	if err != nil {
		return 0, err
	}
	end := bytes.LastIndex(tail, []byte("%%EOF"))
	pointer := lastPointer(tail[:max(0, end)])
	if pointer == "" || pointer == "0" { // 0: only the first part of a linearized file is there
		return 0, f.refuseTruncated()
	}
	offset, err := strconv.ParseInt(pointer, 10, 64)
	if err != nil || offset >= f.size {
		return 0, f.refuseDamaged()
	}
	x := &xref{file: f, start: int64(bytes.Index(head, []byte(pdfHeader))), budget: maxTableBytes}
	if err := x.load(offset); err != nil {
		return 0, x.refusal(err)
	}
	if x.trailer["Encrypt"] != nil {
		return 0, f.refuse(problem.Invalid,
			"está protegido por senha. Salve uma cópia sem proteção (Imprimir, Salvar como PDF) e anexe de novo.")
	}
	if x.trailer["Root"] == nil {
		return 0, f.refuseDamaged()
	}
	pages, known := x.pages()
	if known && pages < 1 {
		return 0, f.refuse(problem.Invalid, "não tem nenhuma página.")
	}
	return pages, nil
}

var pointerPattern = regexp.MustCompile(`startxref\s+(\d+)`)

// lastPointer returns the digits after the last "startxref", "" without any.
func lastPointer(tail []byte) string {
	all := pointerPattern.FindAllSubmatch(tail, -1)
	if all == nil {
		return ""
	}
	return string(all[len(all)-1][1])
}
