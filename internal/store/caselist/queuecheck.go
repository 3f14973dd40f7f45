package caselist

import (
	"context"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// When a case was concluded, or reviewed, since it stands as it does: NULL where its latest event says something else. Of
// events with which nothing changes none counts, nor do the two kinds take each other back. What comes last is told by
// the order of the events, for a clock may have been set back.
const (
	latestEvent = ` FROM submission_event l WHERE l.kind NOT IN ('anotado', 'ato_pedido', 'ato_nao_feito', `
	concludedAt = `SELECT CASE l.kind WHEN '` + Concluded + `' THEN l.at END` + latestEvent + `'` + Reviewed + `')`
	reviewedAt  = `SELECT CASE l.kind WHEN '` + Reviewed + `' THEN l.at END` + latestEvent + `'` + Concluded + `', '` + Reopened + `')`
)

// queued is where cases stand in the queue, as their rows and events say: which of them is
// the condition that follows. What a person concluded counts until the case changes or
// somebody puts it back.
const queued = `WITH cases AS (SELECT s.*,
		(` + concludedAt + ` AND l.submission_id = s.submission_id ORDER BY l.id DESC LIMIT 1) AS concluded_at,
		(` + reviewedAt + ` AND l.submission_id = s.submission_id ORDER BY l.id DESC LIMIT 1) AS reviewed_at FROM case_summary s
		WHERE (s.corrected = 0 OR s.queue_group = 0) AND `

// queuedColumns are those of queue_case, but for its place.
const queuedColumns = `) SELECT submission_id, CASE WHEN concluded_at IS NULL THEN queue_group ELSE 7 END, unit,
	COALESCE(concluded_at, changed_at), created_at, patient_present,
	CASE WHEN concluded_at IS NULL AND queue_group IN (1, 5) THEN password_until ELSE '' END,
	CASE WHEN concluded_at IS NULL AND queue_group = 3 THEN COALESCE(reviewed_at, 0) ELSE 0 END FROM cases `

func scanEntry(row engine.Row) (e entry, err error) {
	err = row.Scan(&e.id, &e.group, &e.unit, &e.since, &e.created, &e.present, &e.ends, &e.review)
	e.place = place(e.group, e.id)
	return e, err
}

// queueAgain puts a case into the queue that does not stand there, as its row says.
func queueAgain(ctx context.Context, tx *engine.Tx, id int64) error {
	all, err := engine.List(ctx, tx, scanEntry, queued+`s.submission_id = ?`+queuedColumns, id)
	if err != nil || len(all) == 0 {
		return err
	}
	e := all[0].at(tx.Now)
	if e.stale(tx.Now) {
		return nil
	}
	r, err := rowOf(ctx, tx, id)
	if err != nil {
		return err
	}
	return e.enter(ctx, tx, r)
}

// recountAll makes the counters again, from the queue.
func recountAll(ctx context.Context, tx *engine.Tx) error {
	const counted = `SELECT queue_group, unit, COUNT(*) FROM queue_case GROUP BY queue_group, unit`
	for _, statement := range []string{
		`DELETE FROM queue_count WHERE (queue_group, unit, cases) NOT IN (` + counted + `)`,
		`INSERT INTO queue_count (queue_group, unit, cases) ` + counted + ` ON CONFLICT DO NOTHING`,
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return engine.Error(err)
		}
	}
	return nil
}

// CounterTable is the table of the queue's counters, QueueTable that of its cases, as Check
// names their rows.
const (
	CounterTable = "queue_count"
	QueueTable   = "queue_case"
)

// checkQueue compares where cases stand in the queue with their rows. What has stood there
// for as long as it may be gone, a review that is overdue comes back in a while, and while cases
// from before are put there nothing is compared.
func checkQueue(ctx context.Context, tx *engine.Tx, after, last int64, rows map[any][]any) (differing []checksum.Row, err error) {
	pending, err := queuePending(ctx, tx)
	if pending || err != nil {
		return nil, err
	}
	const pieceOf = `submission_id > ? AND submission_id <= ?`
	should, err := engine.List(ctx, tx, scanEntry, queued+`s.`+pieceOf+queuedColumns, after, last)
	if err != nil {
		return nil, err
	}
	stands, shown, err := standingNow(ctx, tx, pieceOf, after, last)
	if err != nil {
		return nil, err
	}
	tell := func(id int64) { differing = append(differing, checksum.Row{Table: QueueTable, Key: []any{id}}) }
	for _, e := range should {
		is, in := stands[e.id]
		if e = e.at(tx.Now); in && is != e && is != e.at(engine.Time(e.review)) || !in && !e.stale(tx.Now) {
			tell(e.id)
		}
		delete(stands, e.id)
	}
	for id := range stands {
		tell(id)
	}
	for _, p := range shown {
		if values := rows[p.id]; values != nil && !p.shows(values) {
			tell(p.id)
		}
	}
	return differing, nil
}

// standingNow is where cases stand in the queue, by their numbers, and what it shows of them.
func standingNow(ctx context.Context, tx *engine.Tx, condition string, args ...any) (stands map[int64]entry, shown []packed, err error) {
	stands = map[int64]entry{}
	shown, err = engine.List(ctx, tx, func(row engine.Row) (shown packed, err error) {
		var e entry
		err = row.Scan(&e.id, &e.group, &e.unit, &e.since, &e.created, &e.present, &e.ends, &e.review, &e.place, &shown.row)
		stands[e.id], shown.id = e, e.id
		return shown, err
	}, `SELECT submission_id, queue_group, unit, since, created_at, patient_present, ends, review, place, shown
		FROM queue_case WHERE `+condition, args...)
	return stands, shown, err
}

// packed is what the queue shows of a case.
type packed struct {
	id  int64
	row []byte
}

// shows reports whether it is the row of these values.
func (p packed) shows(values []any) bool {
	row, err := Table.Pack(values)
	return err == nil && string(row) == string(p.row)
}

// checkCounters compares the counters with the queue.
func checkCounters(ctx context.Context, tx *engine.Tx) ([]checksum.Row, error) {
	const counted = `SELECT queue_group, unit, COUNT(*) AS cases FROM queue_case GROUP BY queue_group, unit`
	return engine.List(ctx, tx, func(row engine.Row) (checksum.Row, error) {
		var e entry
		err := row.Scan(&e.group, &e.unit)
		return checksum.Row{Table: CounterTable, Key: []any{e.group, e.unit}}, err
	}, `SELECT queue_group, unit FROM (SELECT * FROM (`+counted+`) AS q EXCEPT SELECT queue_group, unit, cases FROM queue_count) AS lacking
		UNION SELECT queue_group, unit FROM (SELECT queue_group, unit, cases FROM queue_count EXCEPT SELECT * FROM (`+counted+`) AS q) AS wrong`)
}

func queuePending(ctx context.Context, tx *engine.Tx) (pending bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM queue_pending)`).Scan(&pending)
	return pending, engine.Error(err)
}
