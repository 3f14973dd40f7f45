package caselist

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/store/engine"
)

// Groups of the queue beside those of authorization.
const (
	unknown = 0
	refusal = int64(authorization.Refusal)
	ready   = int64(authorization.Ready)
	waiting = int64(authorization.Waiting)
	closed  = int64(authorization.Closed)
)

// Kinds of the events with which a person takes a case out of the queue, and puts it back.
const (
	Concluded = "concluido"
	Reopened  = "reaberto"
)

// How long a case stands in the queue without a change; what is unknown stays.
const (
	stays       = 30 * 24 * time.Hour
	closedStays = 2 * 24 * time.Hour // some zone's day is not over before
)

// entry is a row of queue_case.
type entry struct {
	id, place, group, unit, since, created int64
	present                                bool
	ends                                   string
	review                                 int64 // when its operator was asked to look at a denial again, 0: it was not
}

// placeBits are those of a place that a case's number takes; the group stands before them.
const placeBits = 48

// place orders the queue: by group, and in it what came first comes first. What waits for
// nobody of the provider is turned round.
func place(group, id int64) int64 {
	if waits(group) {
		return group<<placeBits | id
	}
	return group<<placeBits | (1<<placeBits - 1 - id)
}

// waits reports whether cases of a group wait for somebody of the provider.
func waits(group int64) bool { return group < ready }

// entry returns where a case stands in the queue.
func (r *Row) entry() (e entry, in bool) {
	if r.Corrected && r.Group != unknown {
		return e, false
	}
	e = entry{id: r.ID, group: r.Group, unit: r.Unit, since: r.ChangedAt, created: r.CreatedAt, present: r.PatientPresent}
	if r.Group == ready || r.Group == int64(authorization.YourTurn) {
		e.ends = r.PasswordUntil
	}
	e.place = place(e.group, e.id)
	return e, true
}

// concluded is the entry of a case that a person has taken out of the queue.
func (e entry) concluded(at int64) entry {
	e.group, e.since, e.ends, e.review = closed, at, "", 0
	e.place = place(closed, e.id)
	return e
}

// stale reports whether a case has been in the queue for as long as it may.
func (e entry) stale(now time.Time) bool {
	return e.group != unknown && e.since < oldest(e.group, now)
}

// oldest is since when a case of a group may have stood there.
func oldest(group int64, now time.Time) int64 {
	if group == closed {
		return engine.Micros(now.Add(-closedStays))
	}
	return engine.Micros(now.Add(-stays))
}

// enter puts a case into the queue with what is shown of its row, unless it stands there.
func (e entry) enter(ctx context.Context, tx *engine.Tx, r *Row) error {
	shown, err := r.shown()
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, `INSERT INTO queue_case (submission_id, place, queue_group, unit, since, created_at, patient_present, ends,
		review, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, e.id, e.place, e.group, e.unit, e.since, e.created,
		number(e.present), e.ends, e.review, shown)
	if n == 0 || err != nil {
		return engine.Error(err)
	}
	return count(ctx, tx, e.group, e.unit, 1)
}

// show has the queue show the row of a case as it is, wherever the case stands there; nil for none.
func show(ctx context.Context, tx *engine.Tx, id int64, r *Row) error {
	shown, err := r.shown()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE queue_case SET shown = ? WHERE submission_id = ?`, shown, id)
	return engine.Error(err)
}

// leave takes a case out of the queue, wherever it stands there.
func leave(ctx context.Context, tx *engine.Tx, condition string, args ...any) error {
	left, err := engine.List(ctx, tx, func(row engine.Row) (e entry, err error) {
		err = row.Scan(&e.group, &e.unit)
		return e, err
	}, `DELETE FROM queue_case WHERE `+condition+` RETURNING queue_group, unit`, args...)
	for _, e := range left {
		if err := count(ctx, tx, e.group, e.unit, -1); err != nil {
			return err
		}
	}
	return err
}

// shift has a case that stands where its row said go where it says now, and reports whether it stood there: what a
// person concluded does not.
func (e entry) shift(ctx context.Context, tx *engine.Tx, to entry, r *Row) (bool, error) {
	shown, err := r.shown()
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, `UPDATE queue_case SET place = ?, queue_group = ?, since = ?, ends = ?, review = ?, shown = ?
		WHERE submission_id = ? AND place = ? AND unit = ?`, to.place, to.group, to.since, to.ends, to.review, shown, e.id, e.place, to.unit)
	if n == 0 || err != nil {
		return false, engine.Error(err)
	}
	if err := count(ctx, tx, e.group, to.unit, -1); err != nil {
		return true, err
	}
	if err := count(ctx, tx, to.group, to.unit, 1); err != nil {
		return true, err
	}
	return true, forget(ctx, tx, to.group, 2)
}

// move has a case stand in the queue where its entry says, after it stood elsewhere.
func move(ctx context.Context, tx *engine.Tx, r *Row, to entry, in bool) error {
	if err := leave(ctx, tx, `submission_id = ?`, r.ID); err != nil || !in {
		return err
	}
	if err := to.enter(ctx, tx, r); err != nil {
		return err
	}
	return forget(ctx, tx, to.group, 2)
}

// forget takes the oldest cases of a group out of the queue that have been in it for as long
// as they may. Whoever comes takes two along, so that nobody else has to.
func forget(ctx context.Context, tx *engine.Tx, group int64, most int) error {
	if group == unknown {
		return nil
	}
	stale, err := engine.List(ctx, tx, func(row engine.Row) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT submission_id FROM queue_case WHERE queue_group = ? AND since < ? ORDER BY since LIMIT ?`,
		group, oldest(group, tx.Now), most)
	if err != nil || len(stale) == 0 { // mostly: to delete nothing takes three times as long
		return err
	}
	return leave(ctx, tx, `submission_id `+engine.InNumbers, engine.Numbers(stale))
}

// Conclude takes a case out of the queue: it counts as closed for the day.
func Conclude(ctx context.Context, tx *engine.Tx, id int64) error {
	r, e, err := entryOf(ctx, tx, id)
	if err != nil || r == nil {
		return err
	}
	return move(ctx, tx, r, e.concluded(engine.Micros(tx.Now)), true)
}

// Reopen puts a concluded case back where it stood, unless it would have left the queue by
// now.
func Reopen(ctx context.Context, tx *engine.Tx, id int64) error {
	r, e, err := entryOf(ctx, tx, id)
	if err != nil || r == nil {
		return err
	}
	if e, err = e.reviewed(ctx, tx); err != nil {
		return err
	}
	return move(ctx, tx, r, e, !e.stale(tx.Now))
}

// entryOf returns the row of a case, and where the case stands as it says; nil for a damaged row and for one that
// stands nowhere.
func entryOf(ctx context.Context, tx *engine.Tx, id int64) (r *Row, e entry, err error) {
	if r, err = rowOf(ctx, tx, id); r == nil || err != nil {
		return nil, e, err
	}
	e, in := r.entry()
	if !in {
		return nil, e, nil
	}
	return r, e, nil
}

// mostCounted is more than any installation has: a counter beyond it was damaged.
const mostCounted = 1 << 50

// count adds to a counter; one that counts nothing is no row. One that was damaged begins anew, and is right again
// after the next check: a number that is only shown keeps no answer from being stored.
func count(ctx context.Context, tx *engine.Tx, group, unit int64, more int) error {
	const where = ` WHERE queue_group = ? AND unit = ?`
	if more > 0 {
		_, err := tx.Exec(ctx, `INSERT INTO queue_count (queue_group, unit, cases) VALUES (?1, ?2, ?3)
			ON CONFLICT (queue_group, unit) DO UPDATE SET cases = excluded.cases
				+ CASE WHEN queue_count.cases BETWEEN 1 AND ?4 THEN queue_count.cases ELSE 0 END`, group, unit, more, mostCounted)
		return engine.Error(err)
	}
	gone, err := tx.Exec(ctx, `DELETE FROM queue_count`+where+` AND (cases <= ? OR cases > ?)`, group, unit, -more, mostCounted)
	if gone > 0 || err != nil {
		return engine.Error(err)
	}
	_, err = tx.Exec(ctx, `UPDATE queue_count SET cases = cases + ?`+where, more, group, unit)
	return engine.Error(err)
}
