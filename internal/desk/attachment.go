package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Attach stores a file with a draft, opening the draft if this is the first
// thing that happens to it. What is no proper PDF, JPEG or PNG, or passes a
// limit (interface.md, row 10), is refused with a sentence that names the file
// and the reason.
func (d *Desk) Attach(ctx context.Context, a permission.Actor, draft uuid.UUID, name string, r io.Reader) (Attachment, error) {
	return d.attach(ctx, a, draft, incoming{name: name, content: r, store: d.attachTo(a, draft)})
}

// AttachOnce is Attach for a file that may come again because nobody knows whether it
// arrived: one that the draft has already, by name and bytes, is that one.
func (d *Desk) AttachOnce(ctx context.Context, a permission.Actor, draft uuid.UUID, name string, r io.Reader) (Attachment, error) {
	return d.attach(ctx, a, draft, incoming{name: name, content: r, once: true, store: d.attachTo(a, draft)})
}

// incoming is a file on its way into a draft.
type incoming struct {
	name    string
	content io.Reader
	once    bool // what the draft has already is not added again
	store   func(ctx context.Context, a Attachment, admit func(present []Attachment, kept int64) error) error
}

func (d *Desk) attachTo(a permission.Actor, draft uuid.UUID) func(context.Context, Attachment, func([]Attachment, int64) error) error {
	return func(ctx context.Context, added Attachment, admit func([]Attachment, int64) error) error {
		return d.config.Store.Attach(ctx, a.User, draft, added, admit)
	}
}

func (d *Desk) attach(ctx context.Context, a permission.Actor, draft uuid.UUID, in incoming) (Attachment, error) {
	kept, err := d.mayAttach(ctx, a, draft, in.once)
	if err != nil {
		return Attachment{}, err
	}
	uid, err := uuid.NewV7()
	if err != nil {
		return Attachment{}, fmt.Errorf("desk: attach: %w", err)
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End() // what was refused is removed
	receiving := d.intake.Begin(a.User, kept, d.config.Quota, d.errQuota)
	defer receiving.End()
	file, err := d.receive(ctx, in.name, receiving.Reader(in.content))
	if err != nil {
		return Attachment{}, err
	}
	attachment := Attachment{UID: uid, Attachment: file}
	there := Attachment{}
	err = in.store(ctx, attachment, func(present []Attachment, kept int64) error {
		same := func(p Attachment) bool { return p.Blob == file.Blob && p.Name == file.Name }
		if at := slices.IndexFunc(present, same); in.once && at >= 0 {
			there = present[at]
			return errThere
		}
		return d.admit(present, kept, attachment)
	})
	if errors.Is(err, errThere) {
		return there, nil
	}
	return attachment, d.draftDenied(ctx, a, draft, err)
}

// errThere says that a draft has a file already.
var errThere = errors.New("desk: the draft has this file")

// mayAttach looks before a whole file is read in vain, and returns how many bytes the
// user's drafts keep. Whether there is room for one more file is open where it may be
// there already.
func (d *Desk) mayAttach(ctx context.Context, a permission.Actor, draft uuid.UUID, once bool) (kept int64, err error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return 0, err
	}
	if draft == uuid.Nil {
		return 0, notFound()
	}
	if kept, err = d.config.Store.DraftBytes(ctx, a.User); err != nil {
		return 0, err
	}
	present, err := d.config.Store.Draft(ctx, a.User, draft)
	switch {
	case problem.Is(err, problem.NotFound) || err == nil && once:
		return kept, nil // the first file may come before the first letter
	case err != nil:
		return 0, err
	default:
		return kept, d.admit(present.Attachments, kept, Attachment{})
	}
}

// errQuota refuses what a user's drafts would keep too much with.
func (d *Desk) errQuota() error {
	return problem.New(problem.TooLarge, fmt.Sprintf("Seus rascunhos e os anexos deles chegaram a %s, o limite por pessoa. "+
		"Envie ou descarte rascunhos e tente de novo.", document.FormatSize(d.config.Quota)))
}

// receive stores a file's bytes and says what they are. Of a photo it stores the picture
// alone; what was chosen is removed when the hold of ctx ends.
func (d *Desk) receive(ctx context.Context, name string, r io.Reader) (_ authorization.Attachment, err error) {
	limits := d.Limits() // the same for all of this file
	stored, err := d.put(ctx, name, r, limits)
	if err != nil {
		return authorization.Attachment{}, err
	}
	file, err := d.config.Blobs.Open(ctx, stored.Ref)
	if err != nil {
		return authorization.Attachment{}, fmt.Errorf("desk: read attachment back: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := document.Check(file, name, limits)
	if err != nil {
		return authorization.Attachment{}, err
	}
	if info.Kind != document.PDF {
		if stored, err = d.putPhoto(ctx, file, info, limits); err != nil {
			return authorization.Attachment{}, err
		}
	}
	return authorization.Attachment{Name: info.Name, ContentType: info.ContentType, Size: stored.Size, Blob: stored.Ref}, nil
}

// put stores a file while there is room on the disk.
func (d *Desk) put(ctx context.Context, name string, r io.Reader, limits document.Limits) (blob.Info, error) {
	// One byte beyond the limit is enough to tell that a file is too large.
	stored, err := d.config.Blobs.Put(ctx, blob.InRoom(io.LimitReader(r, limits.MaxFile+1), d.config.Blobs.Room))
	if err != nil {
		return blob.Info{}, fmt.Errorf("desk: attach: %w", err)
	}
	if stored.Size > limits.MaxFile {
		return blob.Info{}, problem.New(problem.TooLarge, fmt.Sprintf("%s tem mais de %s, o limite de um arquivo.",
			document.CleanName(name), document.FormatSize(limits.MaxFile)))
	}
	return stored, nil
}

// admit holds the limits of one request's attachments together, and of all that a user's
// drafts keep.
func (d *Desk) admit(present []Attachment, kept int64, added Attachment) error {
	if err := d.withinQuota(kept, added); err != nil {
		return err
	}
	sizes := make([]int64, 0, len(present)+1)
	for _, p := range present {
		sizes = append(sizes, p.Size)
	}
	return d.Limits().CheckSet(append(sizes, added.Size)...)
}

// withinQuota holds the limit of all that a user's drafts keep.
func (d *Desk) withinQuota(kept int64, added ...Attachment) error {
	for _, a := range added {
		kept += a.Size
	}
	if kept > d.config.Quota {
		return d.errQuota()
	}
	return nil
}

// RemoveAttachment takes a file out of a draft; bytes that nothing else has are removed.
func (d *Desk) RemoveAttachment(ctx context.Context, a permission.Actor, draft, attachment uuid.UUID) error {
	if _, err := d.Draft(ctx, a, draft); err != nil {
		return err
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	return d.attachmentDenied(ctx, a, attachment, d.config.Store.Detach(ctx, a.User, draft, attachment, hold.Add))
}

// DraftAttachment opens a file of the person's own draft; the audit trail says for what.
func (d *Desk) DraftAttachment(ctx context.Context, a permission.Actor, draft, attachment uuid.UUID, use FileUse) (File, error) {
	found, err := d.Draft(ctx, a, draft)
	if err != nil {
		return File{}, err
	}
	file, err := d.openAttachment(ctx, draft, found.Attachments, attachment)
	if err != nil {
		return File{}, d.attachmentDenied(ctx, a, attachment, err)
	}
	return d.handOut(ctx, file, use, attachmentWords(d.entry(a, audit.AttachmentOpened, audit.ObjectDraft, draft), attachment))
}

// CaseAttachment opens a file that was sent with a case; the audit trail says for what.
func (d *Desk) CaseAttachment(ctx context.Context, a permission.Actor, caseID, attachment uuid.UUID, use FileUse) (File, error) {
	c, err := d.reachable(ctx, a, caseID)
	if err != nil {
		return File{}, err
	}
	file, err := d.openAttachment(ctx, caseID, c.Attachments, attachment)
	if err != nil {
		return File{}, d.attachmentDenied(ctx, a, attachment, err)
	}
	return d.handOut(ctx, file, use, attachmentWords(d.entry(a, audit.AttachmentOpened, audit.ObjectCase, caseID), attachment))
}

// attachmentWords is what the trail keeps of an attachment that was opened or saved.
func attachmentWords(entry audit.Entry, attachment uuid.UUID) func(FileUse) audit.Entry {
	return func(use FileUse) audit.Entry {
		if use == FileOnScreen {
			use = FileOpen
		}
		entry.Detail = "anexo=" + attachment.String() + " modo=" + string(use)
		return entry
	}
}

func (d *Desk) openAttachment(ctx context.Context, owner uuid.UUID, attachments []Attachment, uid uuid.UUID) (File, error) {
	for _, a := range attachments {
		if a.UID == uid {
			return d.open(ctx, owner, a.Blob, a.Name, a.ContentType)
		}
	}
	return File{}, problem.New(problem.NotFound, "Anexo não encontrado.")
}
