package desk

import (
	"context"
	"fmt"
	"io"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// LaterFiles is what a person sends the operator of an authorization that lacks an attachment.
type LaterFiles struct {
	Authorization int // place in the answer
	Answers       int // that the case had when the person saw it
}

// KeepFile keeps one of the files that are to be sent. What is no proper PDF, JPEG or PNG, or
// passes a limit, is refused with a sentence that names the file and the reason.
type KeepFile func(name string, r io.Reader) error

// Attachable are the places of the authorizations that lack an attachment which the operator
// takes through the service; none where that does not offer it.
func (d *Desk) Attachable(c Case) (places []int) {
	if !d.Offers().Attachments || c.Answer == nil {
		return nil
	}
	for i, a := range c.Answer.Authorizations {
		if d.takesActs(c, i) && a.Status == authorization.AwaitingAttachment {
			places = append(places, i)
		}
	}
	return places
}

// FilesInDoubt are those that may have reached the operator of the authorization at a place of the
// answer, and go out once more as they were.
func (c Case) FilesInDoubt(place int) []Attachment {
	if c.Answer == nil || place < 0 || place >= len(c.Answer.Authorizations) {
		return nil
	}
	about := c.Answer.Authorizations[place]
	for _, act := range slices.Backward(c.Acts) {
		if act.Kind == ActAttachments && act.State == ActDoubtful && act.GuideID == about.GuideID && !act.Answered {
			return act.Files
		}
	}
	return nil
}

// AddAttachments sends the operator through the service what an authorization lacks, once: the
// files are kept with the case before anything leaves. After a doubt the same ones go out with
// the same key. read hands over the files, and says what they are for. What is wrong with them
// is problem.Invalid; a case that stands otherwise by now is problem.Conflict.
func (d *Desk) AddAttachments(ctx context.Context, a permission.Actor, uid uuid.UUID, read func(KeepFile) (LaterFiles, error)) error {
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return err
	}
	if len(d.Attachable(c)) == 0 {
		return errNotNow()
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End() // what was refused is removed
	var files []Attachment
	asked, err := read(func(name string, r io.Reader) (err error) {
		files, err = d.keepLater(ctx, files, name, r)
		return err
	})
	if err != nil {
		return err
	}
	if asked.Answers != len(c.Answers) || !slices.Contains(d.Attachable(c), asked.Authorization) {
		return errNotNow()
	}
	if again := c.FilesInDoubt(asked.Authorization); len(again) > 0 {
		files = again
	}
	if len(files) == 0 {
		return problem.InvalidFields([]problem.Field{{Path: "anexo", Code: authorization.CodeRequired, Message: "Escolha o arquivo a enviar."}})
	}
	return d.act(ctx, a, c, Act{Kind: ActAttachments, Place: asked.Authorization, Files: files}, audit.AttachmentsSent,
		func(ctx context.Context, act Act) (authorization.Authorization, error) {
			return d.config.Service.AddAttachments(ctx, act.onWire(), act.filesOnWire())
		})
}

// keepLater stores one more of the files that are to be sent together.
func (d *Desk) keepLater(ctx context.Context, files []Attachment, name string, r io.Reader) ([]Attachment, error) {
	sizes := make([]int64, len(files), len(files)+1)
	for i, f := range files {
		sizes[i] = f.Size
	}
	if err := d.Limits().CheckSet(append(sizes, 1)...); err != nil {
		return files, err
	}
	file, err := d.receive(ctx, name, r)
	if err != nil {
		return files, err
	}
	if err := d.Limits().CheckSet(append(sizes, file.Size)...); err != nil {
		return files, err
	}
	uid, err := uuid.NewV7()
	if err != nil {
		return files, fmt.Errorf("desk: attach later: %w", err)
	}
	return append(files, Attachment{UID: uid, Attachment: file}), nil
}

func (a Act) filesOnWire() []authorization.Attachment {
	all := make([]authorization.Attachment, len(a.Files))
	for i, f := range a.Files {
		all[i] = f.Attachment
	}
	return all
}
