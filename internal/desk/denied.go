package desk

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// caseDenied returns the error of a case that was not found. Where there is one, in a
// unit that the actor does not work in, the audit trail tells who asked for it; the actor
// is not told.
func (d *Desk) caseDenied(ctx context.Context, a permission.Actor, uid uuid.UUID, notFound error) error {
	if !problem.Is(notFound, problem.NotFound) {
		return notFound
	}
	_, err := d.config.Store.CaseState(ctx, permission.Reach{All: true}, uid)
	if problem.Is(err, problem.NotFound) {
		return notFound
	}
	if err != nil {
		return err
	}
	return d.denied(ctx, a, audit.ObjectCase, uid, "alcance=unidade", notFound)
}

// draftDenied returns the error of a draft that is not there for the actor. Where it is
// somebody else's, the audit trail tells who asked for it.
func (d *Desk) draftDenied(ctx context.Context, a permission.Actor, uid uuid.UUID, refused error) error {
	if !problem.Is(refused, problem.NotFound) && !problem.Is(refused, problem.Conflict) {
		return refused
	}
	owner, err := d.config.Store.DraftOwner(ctx, uid)
	if err != nil {
		return err
	}
	if owner == uuid.Nil || owner == a.User {
		return refused
	}
	return d.denied(ctx, a, audit.ObjectDraft, uid, "alcance=pessoa", refused)
}

// attachmentDenied returns the error of an attachment that is not where it was looked
// for. Where it is in somebody else's draft, or in a case outside the actor's units, the
// audit trail tells who asked for it.
func (d *Desk) attachmentDenied(ctx context.Context, a permission.Actor, attachment uuid.UUID, notFound error) error {
	if !problem.Is(notFound, problem.NotFound) {
		return notFound
	}
	draft, caseID, err := d.config.Store.AttachmentPlace(ctx, attachment)
	switch {
	case err != nil:
		return err
	case draft != uuid.Nil:
		return d.draftDenied(ctx, a, draft, notFound)
	case caseID != uuid.Nil:
		if _, err := d.CaseState(ctx, a, caseID); err != nil {
			return err
		}
	}
	return notFound
}

func (d *Desk) denied(ctx context.Context, a permission.Actor, object string, uid uuid.UUID, detail string, refused error) error {
	entry := d.entry(a, audit.AccessDenied, object, uid)
	entry.Detail = detail
	if err := d.config.Store.AppendAudit(context.WithoutCancel(ctx), entry); err != nil {
		return err
	}
	return refused
}
