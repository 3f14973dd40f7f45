package document

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"guiche/internal/problem"
)

// endings are those that a file gets whose name has none of its kind.
var endings = map[Kind]string{PDF: ".pdf", JPEG: ".jpg", PNG: ".png"}

// attachedFile is what a refusal of Identify calls the file: its name is its sender's.
const attachedFile = "O anexo"

// Identify says what a file is by its content, whatever it is called, for a program that
// hands it on: the name is as CleanName makes it, with the ending of its kind. It looks
// for hostile formats and not at the structure, which is for whoever reads the file.
//
// Errors are those of Check, with messages that do not quote the name.
func Identify(r io.ReadSeeker, name string) (Info, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return Info{}, fmt.Errorf("size of a document: %w", err)
	}
	f := file{r: r, name: attachedFile, size: size}
	head, err := f.at(0, headSize)
	if err != nil {
		return Info{}, err
	}
	found := sniff(head)
	if found.kind == "" {
		return Info{}, f.refuse(problem.Unsupported, "não é aceito: o conteúdo é "+found.name+". Envie PDF, JPEG ou PNG.")
	}
	if err := f.checkPolyglot(found.kind, head); err != nil {
		return Info{}, err
	}
	return Info{Name: nameAs(found.kind, name), Kind: found.kind, ContentType: found.kind.ContentType(), Size: size}, nil
}

// nameAs is a clean name with an ending of the kind.
func nameAs(kind Kind, name string) string {
	clean := CleanName(name)
	if kindByExtension[strings.ToLower(filepath.Ext(clean))] == kind {
		return clean
	}
	return CleanName(clean + endings[kind])
}
