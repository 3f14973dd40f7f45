package deskstore

import (
	"context"
	"slices"
	"time"

	"guiche/internal/desk"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// due holds for what an attempt is to be made of now: what waited its time, and
// what may have been acted on and passed its deadline, held or not, because one
// more attempt settles it.
const due = `state = 'queued' AND (
	(due_at <= ?1 AND alert = '' AND (deadline_at > ?1 OR doubtful = 1)) OR (doubtful = 1 AND deadline_at <= ?1))`

// Claim commits due submissions as sending: those of patients at the counter first, then
// as they arrived.
func (s *Store) Claim(ctx context.Context, lease uuid.UUID, to desk.Recipient, slots desk.Slots) (claims []desk.Claim, err error) {
	if some, err := s.anyState(ctx, due); !some || err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		claims = nil
		ids, err := s.untaken(ctx, tx, lease, slots)
		if err != nil {
			return err
		}
		ids, err = s.whole(ctx, tx, ids, ofRequest)
		if err != nil {
			return err
		}
		for _, id := range ids {
			claim, err := claimOne(ctx, tx, id, lease, to)
			if err != nil {
				return err
			}
			claims = append(claims, claim)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claims, nil
}

// untaken is next without what another process is taking at this moment.
func (s *Store) untaken(ctx context.Context, tx *engine.Tx, lease uuid.UUID, bound desk.Slots) ([]int64, error) {
	taken := map[int64]bool{}
	for {
		ids, err := s.next(ctx, tx, lease, bound, taken)
		claim := tx.Claim(`st`)
		if err != nil || claim == "" || len(ids) == 0 {
			return ids, err
		}
		own, err := engine.List(ctx, tx, scanID, `SELECT st.submission_id FROM submission_state st WHERE st.submission_id `+
			engine.InNumbers+claim, engine.Numbers(ids))
		if err != nil || len(own) == len(ids) {
			return ids, err
		}
		for _, id := range ids {
			taken[id] = taken[id] || !slices.Contains(own, id)
		}
	}
}

// next returns what is to be sent now: patients who wait first, then by arrival. What was
// repeated in vain as often as makes an outage lets the others go first, as one of them
// may be answered and end it.
func (s *Store) next(ctx context.Context, tx *engine.Tx, lease uuid.UUID, slots desk.Slots, taken map[int64]bool) (ids []int64, err error) {
	free, err := freeSlots(ctx, tx, lease, slots)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, `SELECT s.id, s.credential_uid, q.doubtful = 1 AND q.deadline_at <= ?1
		FROM (SELECT * FROM submission_state WHERE `+due+`) q JOIN submission s ON s.id = q.submission_id
		ORDER BY q.doubtful = 1 AND q.attempt >= ?2, s.patient_present DESC, s.id`, engine.Micros(tx.Now), desk.OutageAfter)
	if err != nil {
		return nil, engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	for free.all > 0 && rows.Next() {
		var id int64
		var credential uuid.UUID
		var late bool
		if err := rows.Scan(&id, engine.ScanUID(&credential), &late); err != nil {
			return nil, engine.Error(err)
		}
		if _, damaged := s.damaged.Load(id); damaged {
			continue // it takes nobody's place
		}
		if !taken[id] && free.take(credential, late) {
			ids = append(ids, id)
		}
	}
	return ids, engine.Error(rows.Err())
}

// slots are what is free on the wire, in all and by credential.
type slots struct {
	all, perCredential int
	used               map[uuid.UUID]int       // by credential
	silent             map[uuid.UUID]time.Time // until when nothing is sent to a credential, or to the service
	now                time.Time
}

// freeSlots returns the slots that a process has left.
func freeSlots(ctx context.Context, tx *engine.Tx, lease uuid.UUID, bound desk.Slots) (f slots, err error) {
	f = slots{all: bound.All, perCredential: bound.PerCredential, used: map[uuid.UUID]int{}, now: tx.Now}
	sending, err := engine.List(ctx, tx, func(row engine.Row) (credential uuid.UUID, err error) {
		err = row.Scan(engine.ScanUID(&credential))
		return credential, err
	}, `SELECT s.credential_uid FROM submission_state st JOIN submission s ON s.id = st.submission_id
		WHERE st.state = 'sending' AND st.lease = ?`, engine.UID(lease))
	if err != nil {
		return f, err
	}
	for _, credential := range sending {
		f.used[credential]++
		f.all--
	}
	f.silent, err = silences(ctx, tx)
	if retryAt, silent := f.silent[serviceItself]; silent {
		f.all = trial(retryAt, f.now, len(sending))
	}
	return f, err
}

// take uses a slot for a request to a credential and reports whether there was one.
// What is late and may have been acted on needs no pause: its attempt settles it.
func (f *slots) take(credential uuid.UUID, late bool) bool {
	free := f.perCredential - f.used[credential]
	if retryAt, silent := f.silent[credential]; silent && !late {
		free = min(free, trial(retryAt, f.now, f.used[credential]))
	}
	if free <= 0 {
		return false
	}
	f.used[credential]++
	f.all--
	return true
}

// trial is how many requests may go to somebody who does not answer: one, when the pause
// is over and none is on the wire. A pause that is longer than any was planned by a clock
// that was put back since.
func trial(retryAt, now time.Time, used int) int {
	left := retryAt.Sub(now)
	if used > 0 || 0 < left && left <= desk.LongestOutagePause {
		return 0
	}
	return 1
}
