package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Draft is a form in the making. It belongs to the person who opened it, and its
// identifier is the one-time token of the submission it becomes.
type Draft struct {
	UID         uuid.UUID
	Owner       uuid.UUID
	Form        Form
	Version     int // of the form; what SaveDraft compares
	Revision    int // 1 as it was opened; grows with every change, attachments included
	Attachments []Attachment
	Previous    uuid.UUID // the case this was copied from, or zero
	Copy        CopyKind  // what it is to that case
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Attachment is a file of a draft or a case; its bytes are in the blob store.
type Attachment struct {
	UID uuid.UUID
	authorization.Attachment
}

// DraftSummary is a draft in a list.
type DraftSummary struct {
	UID             uuid.UUID
	BeneficiaryName string // as typed, may be empty
	CardNumber      string // as typed, may be empty
	CredentialID    string // as typed, may be empty
	Attachments     int
	Previous        uuid.UUID
	UpdatedAt       time.Time
}

// DraftStore keeps drafts. A draft that is not there, not open any more or not
// the owner's is a problem.NotFound error.
type DraftStore interface {
	Draft(ctx context.Context, owner, uid uuid.UUID) (Draft, error)
	// DraftOwner returns whose a draft is or was, the zero uid without one.
	DraftOwner(ctx context.Context, uid uuid.UUID) (uuid.UUID, error)
	// Drafts lists the owner's open drafts, the latest change first.
	Drafts(ctx context.Context, owner uuid.UUID) ([]Draft, error)
	// SaveDraft stores the form if version is still the draft's, version 0 opening
	// the draft if need be. Otherwise the draft comes back as it stands with a
	// problem.Conflict error; without the draft when it was sent or discarded.
	// A longer form is refused by admit beside the bytes that the owner's drafts then keep.
	SaveDraft(ctx context.Context, owner, uid uuid.UUID, form Form, version int, admit func(kept int64) error) (Draft, error)
	// AddDraft stores a new draft with attachments, unless admit refuses them beside the
	// bytes that the owner's drafts keep.
	AddDraft(ctx context.Context, d Draft, entry audit.Entry, admit func(kept int64) error) error
	// DiscardDraft forgets what the draft held and keeps that there was one; problem.Conflict where it
	// is not at the revision, unless that is AnyVersion. drop is told which blobs it names no more,
	// before that is committed, and again where that is tried again.
	DiscardDraft(ctx context.Context, owner, uid uuid.UUID, revision int, entry audit.Entry, drop func(...blob.Ref)) error
	// Attach adds an attachment, opening the draft if need be, unless admit refuses
	// it beside those that are present and the bytes that all the owner's drafts keep.
	Attach(ctx context.Context, owner, draft uuid.UUID, a Attachment, admit func(present []Attachment, kept int64) error) error
	// DraftBytes is how much the owner's open drafts keep, text and attachments.
	DraftBytes(ctx context.Context, owner uuid.UUID) (int64, error)
	// Detach takes an attachment out; drop is as in DiscardDraft.
	Detach(ctx context.Context, owner, draft, attachment uuid.UUID, drop func(...blob.Ref)) error
	// ReplaceAttachments puts one attachment in the place of others, unless admit refuses it beside those that
	// stay; drop is as in DiscardDraft.
	ReplaceAttachments(ctx context.Context, owner, draft uuid.UUID, a Attachment, others []Attachment,
		admit func(present []Attachment, kept int64) error, drop func(...blob.Ref)) error
	// SentFiles lists the attachments of cases, in the order of these.
	SentFiles(ctx context.Context, cases []uuid.UUID) ([]SentFile, error)
	// AttachmentPlace returns the draft or the case that an attachment is in, whoever's it
	// is; zero uids without one.
	AttachmentPlace(ctx context.Context, attachment uuid.UUID) (draft, caseID uuid.UUID, err error)
}

// SaveDraft keeps what was typed so far; uid is chosen by the page that opened
// the form, and the first save (version 0) opens the draft. When another tab
// saved meanwhile the error is problem.Conflict, the newer draft is kept and
// comes back with it, and nothing is overwritten. A draft that was sent or
// discarded is problem.Conflict too, with a zero Draft. What is saved already is no
// change, whatever the version. A known code without a name gets its name.
func (d *Desk) SaveDraft(ctx context.Context, a permission.Actor, uid uuid.UUID, form Form, version int) (Draft, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Draft{}, err
	}
	if uid == uuid.Nil {
		return Draft{}, notFound()
	}
	form, err := d.named(ctx, form.known())
	if err != nil {
		return Draft{}, err
	}
	draft, err := d.config.Store.SaveDraft(ctx, a.User, uid, form, version, func(kept int64) error {
		return errors.Join(d.config.Space(), d.withinQuota(kept))
	})
	return draft, d.draftDenied(ctx, a, uid, err)
}

// named returns the form with the names of known procedures where none was typed.
func (d *Desk) named(ctx context.Context, form Form) (Form, error) {
	form.Procedures = slices.Clone(form.Procedures)
	for i, row := range form.Procedures {
		if strings.TrimSpace(row.Code) == "" || strings.TrimSpace(row.Name) != "" {
			continue
		}
		name, err := d.config.Directory.ProcedureName(ctx, row.Code)
		if problem.Is(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return form, fmt.Errorf("desk: name of a procedure: %w", err)
		}
		form.Procedures[i].Name = name
	}
	return form, nil
}

// Draft returns an open draft of the person; problem.NotFound otherwise.
func (d *Desk) Draft(ctx context.Context, a permission.Actor, uid uuid.UUID) (Draft, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Draft{}, err
	}
	draft, err := d.config.Store.Draft(ctx, a.User, uid)
	return draft, d.draftDenied(ctx, a, uid, err)
}

// DraftOpened reports whether a form has become a draft, even one that was sent or
// discarded since, or is somebody else's: to save it then says so.
func (d *Desk) DraftOpened(ctx context.Context, a permission.Actor, uid uuid.UUID) (bool, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return false, err
	}
	owner, err := d.config.Store.DraftOwner(ctx, uid)
	return owner != uuid.Nil, err
}

// Drafts lists the person's open drafts, the latest change first.
func (d *Desk) Drafts(ctx context.Context, a permission.Actor) ([]DraftSummary, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	drafts, err := d.config.Store.Drafts(ctx, a.User)
	if err != nil {
		return nil, err
	}
	summaries := make([]DraftSummary, len(drafts))
	for i, draft := range drafts {
		summaries[i] = draft.summary()
	}
	return summaries, nil
}

func (d Draft) summary() DraftSummary {
	value := func(name string) string { return strings.TrimSpace(d.Form.Values[name]) }
	return DraftSummary{
		UID: d.UID, Attachments: len(d.Attachments), Previous: d.Previous, UpdatedAt: d.UpdatedAt,
		BeneficiaryName: value("nomeBeneficiario"), CardNumber: value("numeroCarteira"), CredentialID: value("credencialId"),
	}
}

// LeaveDraft throws a draft away that another one takes the place of, if nothing would be lost
// but whom it is for.
func (d *Desk) LeaveDraft(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	draft, err := d.Draft(ctx, a, uid)
	if err == nil && draft.Form.OnlyWho() && len(draft.Attachments) == 0 && draft.Copy == NoCopy {
		err = d.discard(ctx, a, uid, draft.Revision)
	}
	if problem.Is(err, problem.NotFound) || problem.Is(err, problem.Conflict) {
		return nil // it is gone, or something came into it just now
	}
	return err
}

// DiscardDraft throws a draft away for good, its files included.
func (d *Desk) DiscardDraft(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	if err := a.Require(permission.SeePatients); err != nil {
		return err
	}
	return d.discard(ctx, a, uid, AnyVersion)
}

func (d *Desk) discard(ctx context.Context, a permission.Actor, uid uuid.UUID, revision int) error {
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	err := d.config.Store.DiscardDraft(ctx, a.User, uid, revision, d.entry(a, audit.DraftDiscarded, audit.ObjectDraft, uid), hold.Add)
	return d.draftDenied(ctx, a, uid, err)
}
