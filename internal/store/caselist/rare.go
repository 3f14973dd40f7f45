package caselist

import (
	"context"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/store/engine"
)

// rareGroups have few cases in any installation: outcomes that nobody knows, and codes that the
// program does not. The words of their cases stand together in an index: a search within them
// would else pick each out of all that the history has.
var rareGroups = []int64{unknown, int64(authorization.Unrecognized)}

const (
	rareIndex = "history_rare"
	// rareOf is history.rare of a case w.
	rareOf = `coalesce((SELECT CASE st.queue_group WHEN 0 THEN 1 WHEN 4 THEN 2 ELSE 0 END FROM submission_state st
		WHERE st.submission_id = w.submission_id), 0)`
)

// rare is history.rare of a case in a group: the place among rareGroups, from one, or 0.
func rare(group int64) int { return slices.Index(rareGroups, group) + 1 }

// noteRare notes that a case came into a rare group, or left it.
func noteRare(ctx context.Context, tx *engine.Tx, id, was, is int64) error {
	if rare(was) == rare(is) {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE history SET rare = ? WHERE submission_id = ?`, rare(is), id)
	return engine.Error(err)
}
