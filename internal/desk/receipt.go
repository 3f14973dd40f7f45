package desk

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Receipt returns a case for the paper that its patient gets ("comprovante"); the audit trail
// says who made one.
func (d *Desk) Receipt(ctx context.Context, a permission.Actor, uid uuid.UUID) (Case, error) {
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return Case{}, err
	}
	return c, d.tellLook(ctx, d.entry(a, audit.ReceiptOpened, audit.ObjectCase, uid))
}

// HasReceipt reports whether there is something to tell the patient on paper: the operator or
// the service has answered.
func (c Case) HasReceipt() bool { return c.State == Answered || c.State == Refused }
