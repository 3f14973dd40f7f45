package report

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// denied returns the error of what was not found for the person. Where it is there all
// the same, the audit trail tells who asked for it; the person is not told.
func (h *History) denied(ctx context.Context, entry audit.Entry, exists func(context.Context, uuid.UUID) (bool, error),
	refused error) error {
	if !problem.Is(refused, problem.NotFound) {
		return refused
	}
	there, err := exists(ctx, entry.ObjectID)
	if err != nil {
		return err
	}
	if !there {
		return refused
	}
	entry.Event = audit.AccessDenied
	if err := h.config.Store.AppendAudit(context.WithoutCancel(ctx), entry); err != nil {
		return err
	}
	return refused
}
