package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// CodeDamaged is the code of a field that names a damaged attachment.
const CodeDamaged = "anexo_danificado"

// damagedAttachments reads every attachment of a request, which the store checks against its name,
// and names those that are missing, shortened or changed. An error is a failure of this
// machine that may pass: nothing is known of the attachment then.
func (d *Desk) damagedAttachments(ctx context.Context, uid uuid.UUID, attachments []authorization.Attachment) ([]problem.Field, error) {
	var found []problem.Field
	for i, a := range attachments {
		err := d.checkWhole(ctx, uid, a)
		if err != nil && !problem.Is(err, problem.Damaged) {
			return nil, fmt.Errorf("desk: read attachment %d: %w", i, err)
		}
		if err != nil {
			found = append(found, problem.Field{Path: attachmentPath(i), Code: CodeDamaged,
				Message: fmt.Sprintf("O arquivo “%s” está danificado no Guichê e não foi enviado. Anexe-o de novo.", a.Name)})
		}
	}
	return found, nil
}

func attachmentPath(i int) string { return fmt.Sprintf("anexos[%d]", i) }

func (d *Desk) checkWhole(ctx context.Context, uid uuid.UUID, a authorization.Attachment) error {
	f, _, err := d.openWhole(ctx, uid, a.Blob)
	if err != nil {
		return err
	}
	return f.Close()
}

// unlessDamage returns nil for an error that tells of damage.
func unlessDamage(err error) error {
	if problem.Is(err, problem.NotFound) || errors.Is(err, blob.ErrDamaged) {
		return nil
	}
	return err
}

// damage is what damaged attachments make of a submission: nothing of it left, unless an
// earlier attempt may have been acted on.
func damage(c Claim, fields []problem.Field) Settlement {
	s := Settlement{CaseState: CaseState{UnknownOutcome: c.UnknownOutcome}}
	s.Reason = ReasonDamaged
	if c.UnknownOutcome {
		return s.unknown()
	}
	s.State, s.Origin, s.Event = Refused, OriginDesk, EventRefused
	s.Answer, s.Fields = &authorization.Answer{}, fields
	return s
}

// isDamaged reports whether the case ended because its attachment at the place is damaged.
func (c Case) isDamaged(place int) bool {
	return c.Reason == ReasonDamaged && slices.ContainsFunc(c.Fields, func(f problem.Field) bool { return f.Path == attachmentPath(place) })
}
