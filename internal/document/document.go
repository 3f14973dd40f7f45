// Package document checks attachments, the files that people and operators send, makes
// PDFs harmless to show and photos a PDF to keep. A file is a PDF, a JPEG or a PNG; its extension, its first bytes
// and its structure must agree. A check reads headers only, so it needs little memory
// whatever it is given; only a photo that is turned upright is decoded, within a bound.
package document

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"guiche/internal/problem"
)

// Kind is a kind of file that is accepted.
type Kind string

// The kinds.
const (
	PDF  Kind = "PDF"
	JPEG Kind = "JPEG"
	PNG  Kind = "PNG"
)

// ContentType returns the media type, "" for an unknown kind.
func (k Kind) ContentType() string {
	return map[Kind]string{PDF: "application/pdf", JPEG: "image/jpeg", PNG: "image/png"}[k]
}

var kindByExtension = map[string]Kind{
	".pdf": PDF, ".jpg": JPEG, ".jpeg": JPEG, ".jpe": JPEG, ".jfif": JPEG, ".png": PNG,
}

// Info is what a check found out about a file.
type Info struct {
	Name        string // as CleanName made it
	Kind        Kind
	ContentType string
	Size        int64 // bytes
	Pages       int   // of a PDF; 0 when unknown
	Width       int   // of an image, in pixels
	Height      int
}

// maxPixels is the largest image accepted: more would exhaust the memory of a
// program that decodes it.
const maxPixels = 100_000_000

// headSize is how many bytes at the start are searched for signatures; readers of
// PDF look for its header there.
const headSize = 1024

// Check says what the file of that name is, or why it is not accepted. r is read
// from its start, and left there.
//
// Errors: problem.TooLarge over l.MaxFile, problem.Unsupported for another kind of
// file, problem.Invalid for one that is empty, cut short, damaged, protected by a
// password, too large as an image or two formats at once; each has a message that
// names the file. Any other error comes from r.
func Check(r io.ReadSeeker, name string, l Limits) (Info, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return Info{}, fmt.Errorf("size of a document: %w", err)
	}
	f := file{r: r, name: CleanName(name), size: size}
	info, err := f.check(l)
	if err != nil {
		return Info{}, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return Info{}, fmt.Errorf("rewind a document: %w", err)
	}
	return info, nil
}

// check goes from the cheapest question to the dearest: size, kind, then the format's
// own.
func (f file) check(l Limits) (Info, error) {
	if err := f.checkSize(l); err != nil {
		return Info{}, err
	}
	head, err := f.at(0, headSize)
	if err != nil {
		return Info{}, err
	}
	kind, err := f.checkKind(head)
	if err != nil {
		return Info{}, err
	}
	if err := f.checkPolyglot(kind, head); err != nil {
		return Info{}, err
	}
	info := Info{Name: f.name, Kind: kind, ContentType: kind.ContentType(), Size: f.size}
	switch kind {
	case PDF:
		info.Pages, err = f.checkPDF(head)
	case JPEG:
		info.Width, info.Height, err = f.checkJPEG()
	case PNG:
		info.Width, info.Height, err = f.checkPNG()
	}
	return info, err
}

// checkSize refuses what is empty and what is larger than allowed.
func (f file) checkSize(l Limits) error {
	switch {
	case f.size == 0:
		return f.refuse(problem.Invalid, "está vazio. Escolha o arquivo de novo.")
	case f.size > l.MaxFile:
		return f.refuse(problem.TooLarge, "tem "+exceeds(f.size, l.MaxFile)+".")
	}
	return nil
}

// checkKind compares the content with the extension.
func (f file) checkKind(head []byte) (Kind, error) {
	found := sniff(head)
	byName, known := kindByExtension[strings.ToLower(filepath.Ext(f.name))]
	switch {
	case found.kind == "":
		return "", f.refuse(problem.Unsupported, "não é aceito: o conteúdo é "+found.name+". Envie PDF, JPEG ou PNG.")
	case !known:
		return "", f.refuse(problem.Unsupported, "não termina em .pdf, .jpg ou .png. O conteúdo é "+string(found.kind)+": renomeie o arquivo.")
	case byName != found.kind:
		return "", f.refuse(problem.Unsupported, fmt.Sprintf(
			"diz ser %s, mas o conteúdo é %s. Renomeie o arquivo e confira se é o certo.", byName, found.kind))
	}
	return found.kind, nil
}

// checkPolyglot refuses a file that is two kinds of file at once: what one program
// shows as a picture, another would run or unpack.
func (f file) checkPolyglot(kind Kind, head []byte) error {
	lower := bytes.ToLower(head)
	for _, sign := range []string{"<html", "<!doctype html", "<script", "<svg"} {
		if bytes.Contains(lower, []byte(sign)) {
			return f.refusePolyglot("código de página da web")
		}
	}
	if kind != PDF && bytes.Contains(head, []byte(pdfHeader)) {
		return f.refusePolyglot("um PDF escondido")
	}
	zip, err := f.endsAsZIP()
	if err == nil && zip {
		return f.refusePolyglot("um arquivo compactado escondido")
	}
	return err
}

// checkTrailing refuses another file appended after the end of an image. Previews
// and films, which cameras append, are accepted.
func (f file) checkTrailing(end int64) error {
	rest, err := f.at(end, headSize)
	if err != nil {
		return err
	}
	if found := sniff(bytes.TrimLeft(rest, "\x00\t\r\n ")); found.hostile || found.kind == PDF {
		return f.refusePolyglot("outro arquivo escondido")
	}
	return nil
}

// refusePolyglot refuses a file that is two things at once: another program might see
// the other one.
func (f file) refusePolyglot(what string) error {
	return f.refuse(problem.Invalid, "contém "+what+" e não é aceito. Digitalize ou fotografe o documento de novo.")
}

// refuseDamaged refuses what a viewer could not open.
func (f file) refuseDamaged() error {
	return f.refuse(problem.Invalid, "está danificado. Digitalize ou baixe o documento de novo.")
}

// refuseTruncated refuses a file whose end is missing, the usual mark of an interrupted
// download.
func (f file) refuseTruncated() error {
	return f.refuse(problem.Invalid, "está incompleto: falta o fim do arquivo. Digitalize ou baixe o documento de novo.")
}

// refuse returns the error for the user: its message begins with the file's name.
func (f file) refuse(code problem.Code, message string) error {
	return problem.New(code, f.name+" "+message)
}
