package desk

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// CopyKind is what a request made from another case is to that case.
type CopyKind string

// The kinds of copies.
const (
	NoCopy     CopyKind = ""
	Correction CopyKind = "correcao"  // takes the place of the case
	Repetition CopyKind = "repeticao" // asks for the same once more; the case stands
)

// CanCopy reports whether the case can be corrected or repeated; what was sent again is
// continued there.
func (s CaseState) CanCopy() bool {
	return !s.State.Pending() && s.State != Unknown && s.State != Resent
}

// CanRepeat reports whether to ask for the same once more makes sense: not of what gave the
// patient nothing.
func (c CaseSummary) CanRepeat() bool {
	return c.CanCopy() && (c.CopyKind() == Repetition || c.Status == authorization.PartiallyAuthorized)
}

// CopyKind is what a copy made now would be to the case: a correction of what gave the
// patient nothing or not all, else a repetition.
func (s CaseState) CopyKind() CopyKind {
	switch {
	case s.Contradictory():
		return Repetition
	case s.State == Refused, s.Group == authorization.YourTurn, s.Group == authorization.ToFix, s.Group == authorization.Refusal:
		return Correction
	}
	return Repetition
}

// CopyToDraft opens a new draft with everything that was asked in a case, its
// attachments that are whole included, photos cleaned, linked to it. A case that may still be answered, or of
// which nobody knows whether it arrived, is problem.Conflict: a copy could get a
// second authorization.
func (d *Desk) CopyToDraft(ctx context.Context, a permission.Actor, caseID uuid.UUID) (Draft, error) {
	return d.copyToDraft(ctx, a, caseID, CaseState.CopyKind)
}

// RepeatToDraft is CopyToDraft for asking for the same once more, whatever became of the case.
func (d *Desk) RepeatToDraft(ctx context.Context, a permission.Actor, caseID uuid.UUID) (Draft, error) {
	return d.copyToDraft(ctx, a, caseID, func(CaseState) CopyKind { return Repetition })
}

func (d *Desk) copyToDraft(ctx context.Context, a permission.Actor, caseID uuid.UUID, kind func(CaseState) CopyKind) (Draft, error) {
	c, err := d.reachable(ctx, a, caseID)
	if err != nil {
		return Draft{}, err
	}
	if err := d.config.Space(); err != nil {
		return Draft{}, err
	}
	if !c.CanCopy() {
		return Draft{}, problem.New(problem.Conflict, "Este pedido ainda espera resposta. Um segundo envio poderia gerar duas guias.")
	}
	draft := Draft{Owner: a.User, Form: FormOf(c.Request), Previous: c.UID, Copy: kind(c.CaseState)}
	if draft.UID, err = uuid.NewV7(); err != nil {
		return Draft{}, fmt.Errorf("desk: copy: %w", err)
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	for i, attachment := range c.Attachments {
		if c.isDamaged(i) {
			continue
		}
		attachment, err := d.cleaned(ctx, caseID, attachment)
		if isRefused(err) {
			continue
		}
		if err != nil {
			return Draft{}, err
		}
		if attachment.UID, err = uuid.NewV7(); err != nil {
			return Draft{}, fmt.Errorf("desk: copy: %w", err)
		}
		draft.Attachments = append(draft.Attachments, attachment)
	}
	admit := func(kept int64) error { return d.withinQuota(kept, draft.Attachments...) }
	if err := d.config.Store.AddDraft(ctx, draft, d.entry(a, audit.CaseCopied, audit.ObjectCase, caseID), admit); err != nil {
		return Draft{}, err
	}
	return d.config.Store.Draft(ctx, a.User, draft.UID)
}
