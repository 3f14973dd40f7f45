package desk

import (
	"context"
	"fmt"

	"guiche/internal/problem"
)

// afterShortage lets what the service put off leave as soon as there is space again, where
// the service writes to the same disk: it had none either, and has now.
func (d *Desk) afterShortage(ctx context.Context) error {
	short := problem.Is(d.config.Space(), problem.NoSpace)
	if d.short && !short && d.config.SharesDisk() {
		if err := d.config.Store.EndPauses(ctx); err != nil {
			return fmt.Errorf("desk: after a shortage: %w", err)
		}
	}
	d.short = short
	return nil
}
