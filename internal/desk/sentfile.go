package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// SentFile is an attachment of an earlier case.
type SentFile struct {
	Case   uuid.UUID
	SentAt time.Time
	Attachment
}

// sentFilesShown is how many are offered to be used again.
const sentFilesShown = 5

// SentFiles lists what went with cases and is not in a draft yet, the latest first and each
// once.
func (d *Desk) SentFiles(ctx context.Context, a permission.Actor, draft Draft, cases []CaseSummary) ([]SentFile, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	uids := make([]uuid.UUID, len(cases))
	for i, c := range cases {
		uids[i] = c.UID
	}
	all, err := d.config.Store.SentFiles(ctx, uids)
	if err != nil {
		return nil, err
	}
	seen := map[blob.Ref]bool{}
	for _, present := range draft.Attachments {
		seen[present.Blob] = true
	}
	var offered []SentFile
	for _, f := range all {
		if !seen[f.Blob] && len(offered) < sentFilesShown {
			offered = append(offered, f)
		}
		seen[f.Blob] = true
	}
	return offered, nil
}

// AttachAgain adds to a draft what was sent with a case within the person's reach, as it would
// be kept now.
func (d *Desk) AttachAgain(ctx context.Context, a permission.Actor, draft, caseID, attachment uuid.UUID) (Attachment, error) {
	if _, err := d.mayAttach(ctx, a, draft, false); err != nil {
		return Attachment{}, err
	}
	c, err := d.reachable(ctx, a, caseID)
	if err != nil {
		return Attachment{}, err
	}
	at := slices.IndexFunc(c.Attachments, func(sent Attachment) bool { return sent.UID == attachment })
	if at < 0 || c.isDamaged(at) {
		return Attachment{}, problem.New(problem.NotFound, "Anexo não encontrado.")
	}
	entry := d.entry(a, audit.AttachmentOpened, audit.ObjectCase, caseID)
	entry.Detail = "anexo=" + attachment.String() + " modo=usar"
	if err := d.config.Store.AppendAudit(ctx, entry); err != nil {
		return Attachment{}, err
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	again, err := d.cleaned(ctx, caseID, c.Attachments[at])
	if err != nil {
		return Attachment{}, err
	}
	return again, d.attachMade(ctx, a, draft, &again)
}

// attachMade adds an attachment whose bytes are stored.
func (d *Desk) attachMade(ctx context.Context, a permission.Actor, draft uuid.UUID, made *Attachment) (err error) {
	if made.UID, err = uuid.NewV7(); err != nil {
		return fmt.Errorf("desk: attach: %w", err)
	}
	err = d.config.Store.Attach(ctx, a.User, draft, *made, func(present []Attachment, kept int64) error {
		return d.admit(present, kept, *made)
	})
	return d.draftDenied(ctx, a, draft, err)
}

// joinedName is what the PDF of a draft's photos is called.
const joinedName = "fotos.pdf"

// JoinPhotos puts one PDF with a page for each photo of a draft in their place.
func (d *Desk) JoinPhotos(ctx context.Context, a permission.Actor, draft uuid.UUID) error {
	found, err := d.Draft(ctx, a, draft)
	if err != nil {
		return err
	}
	var photos []Attachment
	for _, f := range found.Attachments {
		if photoKind(f.ContentType) != "" {
			photos = append(photos, f)
		}
	}
	if len(photos) < 2 {
		return problem.New(problem.Conflict, "São precisas duas fotos ou mais para juntar.")
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	joined, err := d.putPages(ctx, draft, photos)
	if err != nil {
		return err
	}
	err = d.config.Store.ReplaceAttachments(ctx, a.User, draft, joined, photos, func(present []Attachment, kept int64) error {
		return d.admit(present, kept, joined)
	}, hold.Add)
	return d.draftDenied(ctx, a, draft, err)
}

// putPages stores the PDF of photos.
func (d *Desk) putPages(ctx context.Context, draft uuid.UUID, photos []Attachment) (made Attachment, err error) {
	readers := make([]io.ReadSeeker, len(photos))
	for i, p := range photos {
		file, _, err := d.openWhole(ctx, draft, p.Blob)
		if err != nil {
			return made, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		readers[i] = file
	}
	pages, write := io.Pipe()
	var joining sync.WaitGroup
	defer joining.Wait()
	defer pages.Close() // lets the writer go when put ended early
	joining.Go(func() {
		_ = write.CloseWithError(document.PhotoPages(ctx, write, readers...)) // never fails
	})
	stored, err := d.put(ctx, joinedName, pages, d.Limits())
	if errors.Is(err, document.ErrNoPages) {
		return made, problem.New(problem.Unsupported, "Não deu para juntar estas fotos. Envie cada uma como está.")
	}
	if err != nil {
		return made, err
	}
	made.Attachment = authorization.Attachment{Name: joinedName, ContentType: document.PDF.ContentType(), Size: stored.Size, Blob: stored.Ref}
	made.UID, err = uuid.NewV7()
	return made, err
}
