package deskstore

import (
	"context"
	"time"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// mostDoubts is how many doubtful submissions are asked about at a time.
const mostDoubts = 1000

// inDoubt holds for a submission of which nobody knows what became.
const inDoubt = `st.queue_group = 0 AND st.state = 'unknown' AND st.alert <> 'conflict'`

// keptAnswer holds for an exchange that brought an answer.
const keptAnswer = `x.body <> '' AND x.complete = 1`

// InDoubt implements desk.DoubtStore. It is asked every few seconds: of doubts from before, of
// which an installation has more every year, not even the numbers are read. So many
// submissions are looked at that a clock which was set back hides none.
func (s *Store) InDoubt(ctx context.Context, after time.Time) ([]uuid.UUID, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]uuid.UUID, error) {
		return engine.List(ctx, tx, scanUID, `SELECT s.uid FROM submission_state st JOIN submission s ON s.id = st.submission_id
			WHERE `+inDoubt+` AND s.created_at > ?1 AND st.submission_id >= (SELECT MIN(id) FROM
				(SELECT id FROM submission WHERE created_at > ?1 ORDER BY created_at LIMIT 200) AS nearest)
			ORDER BY st.submission_id DESC LIMIT ?2`, engine.Micros(after), mostDoubts)
	})
}

// Doubt implements desk.DoubtStore.
func (s *Store) Doubt(ctx context.Context, uid uuid.UUID) (desk.Doubt, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (d desk.Doubt, err error) {
		var id int64
		err = tx.QueryRow(ctx, `SELECT s.id, s.uid, st.attempt, s.provider_guide, st.reason,
			COALESCE((SELECT a.started_at FROM attempt a WHERE a.submission_id = s.id AND a.number = st.attempt), 0)
			FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.uid = ? AND `+inDoubt, engine.UID(uid)).
			Scan(&id, engine.ScanUID(&d.Case), &d.Attempt, &d.ProviderGuide, &d.Reason, engine.ScanTime(&d.SentAt))
		if err != nil {
			return desk.Doubt{}, engine.Error(err)
		}
		whole, err := s.whole(ctx, tx, []int64{id}, ofRequest)
		if err == nil && len(whole) == 0 {
			err = problem.New(problem.NotFound, "")
		}
		return d, err
	})
}

// KeptAnswers implements desk.DoubtStore. CROSS JOIN keeps SQLite from beginning with all
// answers that there are.
func (s *Store) KeptAnswers(ctx context.Context) ([]desk.Orphan, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Orphan, error) {
		ids, err := engine.List(ctx, tx, scanID, `SELECT DISTINCT st.submission_id FROM submission_state st
			CROSS JOIN attempt a CROSS JOIN exchange x
			WHERE a.submission_id = st.submission_id AND x.attempt_id = a.id AND `+inDoubt+` AND `+keptAnswer)
		if err != nil {
			return nil, err
		}
		if ids, err = s.whole(ctx, tx, ids, ofRequest); err != nil {
			return nil, err
		}
		return engine.List(ctx, tx, scanOrphan, attemptsLeft+`st.submission_id `+engine.InNumbers+` AND `+keptAnswer+`
			ORDER BY st.submission_id DESC, a.number`, engine.Numbers(ids))
	})
}

// Resolve implements desk.DoubtStore.
func (s *Store) Resolve(ctx context.Context, c desk.Claim, to desk.Settlement) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		id, err := updateState(ctx, tx, c.Case, to, func(was unsettled) bool { return was.state == desk.Unknown })
		if err != nil {
			return err
		}
		return addOutcome(ctx, tx, id, c.Attempt, to)
	})
}

// NoteAbsent implements desk.DoubtStore.
func (s *Store) NoteAbsent(ctx context.Context, uid uuid.UUID) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		id, err := moveState(ctx, tx, uid, checksum.Change{Set: `reason = ?`, Values: []any{desk.ReasonAbsent},
			Condition: `state = 'unknown' AND reason <> ?`, Args: []any{desk.ReasonAbsent}})
		if problem.Is(err, problem.NotFound) {
			return nil // noted already, or decided
		}
		if err != nil {
			return err
		}
		return addEvent(ctx, tx, id, desk.Event{Kind: desk.EventAbsent, Reason: desk.ReasonAbsent})
	})
}
