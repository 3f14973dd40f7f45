package desk

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"guiche/internal/audit"
	"guiche/internal/blob"
)

// File is an open file; the caller closes it.
type File struct {
	io.ReadSeekCloser
	Name        string // without folders, safe to offer for saving
	ContentType string
	Size        int64 // bytes
	Copy        bool  // of a PDF, without what it does beside showing pages
	Download    bool  // not to be shown, only to be saved

	ref blob.Ref
}

// FileUse is what somebody does with a file, as the audit trail tells it.
type FileUse string

// The uses of a file.
const (
	FileOnScreen FileUse = "" // a guide in the page of its case: a look at the case
	FileOpen     FileUse = "aberta"
	FileDownload FileUse = "baixada"
)

// open opens a file of a case or a draft.
func (d *Desk) open(ctx context.Context, owner uuid.UUID, ref blob.Ref, name, contentType string) (File, error) {
	bytes, size, err := d.openWhole(ctx, owner, ref)
	if err != nil {
		return File{}, err
	}
	return File{ReadSeekCloser: bytes, Name: name, ContentType: contentType, Size: size, ref: ref}, nil
}

// handOut hands out a file to be saved, or as it may be shown, once the audit trail says
// which of the two it was: not every file may be shown.
func (d *Desk) handOut(ctx context.Context, file File, use FileUse, entry func(FileUse) audit.Entry) (File, error) {
	out, err := file, error(nil)
	if out.Download = use == FileDownload; !out.Download {
		out, err = d.showable(ctx, file)
	}
	if err != nil {
		return File{}, errors.Join(err, file.Close())
	}
	if out.Download {
		use = FileDownload
	}
	if err := d.tellLook(ctx, entry(use)); err != nil {
		return File{}, errors.Join(err, out.Close())
	}
	return out, nil
}
