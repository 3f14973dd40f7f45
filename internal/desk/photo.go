package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/document"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// putPhoto stores a photo upright and without what its camera wrote beside it.
func (d *Desk) putPhoto(ctx context.Context, file io.ReadSeeker, info document.Info, limits document.Limits) (blob.Info, error) {
	clean, write := io.Pipe()
	var cleaning sync.WaitGroup
	defer cleaning.Wait()
	defer clean.Close() // lets the writer go when put ended early
	cleaning.Go(func() {
		_ = write.CloseWithError(document.CleanPhoto(ctx, write, file, info)) // never fails
	})
	return d.put(ctx, info.Name, clean, limits)
}

// cleaned returns an attachment of a case or a draft as it would be kept if it were
// attached now: before photos were cleaned, they were kept with the place, the time and
// the camera. The bytes that it had are left to the cases that name them. What is damaged
// is returned as it is, for that is found before anything is sent.
//
// A photo that would be refused now is problem.Invalid or problem.TooLarge.
func (d *Desk) cleaned(ctx context.Context, owner uuid.UUID, a Attachment) (_ Attachment, err error) {
	kind := photoKind(a.ContentType)
	if kind == "" {
		return a, nil
	}
	file, size, err := d.openWhole(ctx, owner, a.Blob)
	if problem.Is(err, problem.Damaged) {
		return a, nil
	}
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info := document.Info{Name: a.Name, Kind: kind, ContentType: a.ContentType, Size: size}
	is := sha256.New()
	if err := document.CleanPhoto(ctx, is, file, info); err != nil {
		return a, fmt.Errorf("desk: clean a photo: %w", err)
	}
	if hex.EncodeToString(is.Sum(nil)) == string(a.Blob) {
		return a, nil
	}
	stored, err := d.putPhoto(ctx, file, info, d.Limits())
	if err != nil {
		return a, err
	}
	a.Size, a.Blob = stored.Size, stored.Ref
	return a, nil
}

// photoKind is the kind of a photo, "" of anything else.
func photoKind(contentType string) document.Kind {
	for _, kind := range []document.Kind{document.JPEG, document.PNG} {
		if kind.ContentType() == contentType {
			return kind
		}
	}
	return ""
}

// isRefused reports whether cleaned refused the photo.
func isRefused(err error) bool {
	return problem.Is(err, problem.Invalid) || problem.Is(err, problem.TooLarge)
}

// cleanDraft cleans the photos of a draft that is about to be sent. What they were stands
// under the hold, so that it goes with the draft. A photo that would be refused now is a
// problem of the field anexos.
func (d *Desk) cleanDraft(ctx context.Context, draft *Draft, hold blob.Hold) error {
	for i, a := range draft.Attachments {
		clean, err := d.cleaned(ctx, draft.UID, a)
		var refused *problem.Error
		if isRefused(err) && errors.As(err, &refused) {
			return problem.InvalidFields([]problem.Field{{Path: "anexos", Code: authorization.CodeFormat, Message: refused.Message}})
		}
		if err != nil {
			return err
		}
		if clean.Blob != a.Blob {
			hold.Add(a.Blob)
		}
		draft.Attachments[i] = clean
	}
	return nil
}
