package deskstore

import (
	"context"
	"time"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// mostDoubts is how many doubtful submissions are asked about at a time.
const mostDoubts = 1000

// Doubts implements desk.DoubtStore.
func (s *Store) Doubts(ctx context.Context, after time.Time) ([]desk.Doubt, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) ([]desk.Doubt, error) {
		return sqlite.List(ctx, tx, scanDoubt, `SELECT s.uid, st.attempt, s.provider_guide, st.reason,
			COALESCE((SELECT a.started_at FROM attempt a WHERE a.submission_id = s.id AND a.number = st.attempt), 0)
			FROM submission_state st JOIN submission s ON s.id = st.submission_id
			WHERE st.queue_group = 0 AND st.state = 'unknown' AND st.alert <> 'conflict' AND s.created_at > ?
			ORDER BY st.submission_id DESC LIMIT ?`, sqlite.Micros(after), mostDoubts)
	})
}

func scanDoubt(row sqlite.Row) (d desk.Doubt, err error) {
	err = row.Scan(sqlite.ScanUID(&d.Case), &d.Attempt, &d.ProviderGuide, &d.Reason, sqlite.ScanTime(&d.SentAt))
	return d, err
}

// KeptAnswers implements desk.DoubtStore.
func (s *Store) KeptAnswers(ctx context.Context) ([]desk.Orphan, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) ([]desk.Orphan, error) {
		return sqlite.List(ctx, tx, scanOrphan, attemptsLeft+`st.queue_group = 0 AND st.state = 'unknown' AND st.alert <> 'conflict'
			AND x.body <> '' AND x.complete = 1 ORDER BY st.submission_id DESC, a.number`)
	})
}

// Resolve implements desk.DoubtStore.
func (s *Store) Resolve(ctx context.Context, c desk.Claim, to desk.Settlement) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		id, err := updateState(ctx, tx, c.Case, to, `state = 'unknown'`)
		if err != nil {
			return err
		}
		return addOutcome(ctx, tx, id, c.Attempt, to)
	})
}

// NoteAbsent implements desk.DoubtStore.
func (s *Store) NoteAbsent(ctx context.Context, uid uuid.UUID) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		var id int64
		err := sqlite.Error(tx.QueryRow(ctx, `UPDATE submission_state SET reason = ?1 WHERE state = 'unknown' AND reason <> ?1
			AND submission_id = (SELECT id FROM submission WHERE uid = ?2) RETURNING submission_id`,
			desk.ReasonAbsent, sqlite.UID(uid)).Scan(&id))
		if problem.Is(err, problem.NotFound) {
			return nil // noted already, or decided
		}
		if err != nil {
			return err
		}
		return addEvent(ctx, tx, id, desk.Event{Kind: desk.EventAbsent, Reason: desk.ReasonAbsent})
	})
}
