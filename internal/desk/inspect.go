package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"guiche/internal/blob"
	"guiche/internal/document"
)

// maxInspections is how many findings are remembered.
const maxInspections = 4096

// inspections remembers what was found in PDFs. It is the same whenever it is looked for,
// so that every process finds it by itself.
type inspections struct {
	mu    sync.Mutex
	found map[blob.Ref]document.Inspection
}

func (i *inspections) get(ref blob.Ref) (document.Inspection, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	found, ok := i.found[ref]
	return found, ok
}

func (i *inspections) put(ref blob.Ref, found document.Inspection) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.found == nil || len(i.found) >= maxInspections {
		i.found = map[blob.Ref]document.Inspection{}
	}
	i.found[ref] = found
}

// Inspect says what a PDF of a draft or a case, from a person or from the service, does
// beside showing pages. One that is Unreadable is not shown: it cannot be read, or there
// is no copy of it that only shows pages.
func (d *Desk) Inspect(ctx context.Context, ref blob.Ref) document.Inspection {
	if found, ok := d.inspected.get(ref); ok {
		return found
	}
	found, err := d.inspect(ctx, ref)
	if err != nil {
		if ctx.Err() == nil {
			d.config.Logger.Warn("PDF not inspected", "cause", err)
		}
		return document.Inspection{Unreadable: true}
	}
	d.inspected.put(ref, found)
	return found
}

func (d *Desk) inspect(ctx context.Context, ref blob.Ref) (_ document.Inspection, err error) {
	file, err := d.config.Blobs.Open(ctx, ref)
	if err != nil {
		return document.Inspection{}, fmt.Errorf("desk: open a PDF: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	found, err := document.Inspect(ctx, file)
	if err != nil || found.Harmless() || found.Unreadable {
		return found, err
	}
	_, err = document.Inert(ctx, file)
	if errors.Is(err, document.ErrNotInert) && !errors.Is(err, document.ErrNotInTime) {
		found.Unreadable, err = true, nil
	}
	return found, err
}

// showable returns what a page may show of a file: the file itself, a copy of a PDF that
// only shows its pages, or the file again with Download set. The copy is made anew each
// time and kept nowhere. The file is the caller's until showable returns without an error.
func (d *Desk) showable(ctx context.Context, file File) (File, error) {
	if file.ContentType != document.PDF.ContentType() {
		return file, nil
	}
	found := d.Inspect(ctx, file.ref)
	if found.Harmless() {
		return file, nil
	}
	if file.Download = found.Unreadable; file.Download {
		return file, nil
	}
	inert, err := document.Inert(ctx, file)
	if errors.Is(err, document.ErrNotInert) {
		file.Download = true
		_, err = file.Seek(0, io.SeekStart)
		return file, err
	}
	if err != nil {
		return File{}, fmt.Errorf("desk: copy a PDF: %w", err)
	}
	name := strings.TrimSuffix(file.Name, filepath.Ext(file.Name)) + " (cópia).pdf"
	shown := File{ReadSeekCloser: inMemory{bytes.NewReader(inert)}, Name: name, ContentType: file.ContentType,
		Size: int64(len(inert)), Copy: true}
	return shown, file.Close()
}

// inMemory is a file that needs no closing.
type inMemory struct{ *bytes.Reader }

// Close implements io.Closer.
func (inMemory) Close() error { return nil }
