package caselist

import (
	"context"
	"math"
	"slices"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// fromCase makes rows from the rows of cases, in the order of Table's columns.
const fromCase = `SELECT s.id, s.uid, s.created_at, COALESCE((SELECT id FROM filter_value WHERE kind = 'unit' AND uid = st.unit_uid), 0),
	COALESCE((SELECT id FROM filter_value WHERE kind = 'credential' AND uid = s.credential_uid), 0),
	COALESCE((SELECT id FROM filter_value WHERE kind = 'sender' AND uid = s.sender), 0), s.patient_present, s.beneficiary_name,
	s.card_number, s.credential_name, s.unit_name, COALESCE(p.code, ''), COALESCE(p.name, ''),
	(SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id), st.state, st.status, st.queue_group, st.origin,
	st.changed_at, st.reason, st.alert, st.doubtful, st.simulated, st.corrected, st.authorizations, st.authorized, st.items,
	st.items_authorized, st.password, st.password_until,
	EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
		OR EXISTS (SELECT 1 FROM "authorization" z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
	FROM submission s JOIN submission_state st ON st.submission_id = s.id
	LEFT JOIN submission_procedure p ON p.submission_id = s.id AND p.position = 0 `

func scanValues(row engine.Row) ([]any, error) {
	values := make([]any, len(Table.Columns)+1)
	targets := make([]any, len(values))
	for i := range values {
		targets[i] = &values[i]
	}
	return values, row.Scan(targets...)
}

// named makes sure that filter_value has what a case is filtered by.
const named = `INSERT INTO filter_value (kind, uid, name)
	SELECT 'unit', st.unit_uid, s.unit_name FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.id = ?1
	UNION ALL SELECT 'credential', credential_uid, credential_name FROM submission WHERE id = ?1
	UNION ALL SELECT 'sender', sender, '' FROM submission WHERE id = ?1 ON CONFLICT (kind, uid) DO NOTHING`

// Name makes sure that all has a number by which a case is filtered.
func Name(ctx context.Context, tx *engine.Tx, id int64) error {
	tx.Invalidate()
	_, err := tx.Exec(ctx, named, id)
	return engine.Error(err)
}

// Rebuild makes rows and words of cases, and the counters and what filters are called, again from the cases.
func Rebuild(ctx context.Context, tx *engine.Tx, ids []int64) error {
	for _, id := range ids {
		if err := rebuild(ctx, tx, id); err != nil {
			return err
		}
	}
	if err := recountAll(ctx, tx); err != nil {
		return err
	}
	return renameAll(ctx, tx)
}

// rebuild makes row and words of a case again.
func rebuild(ctx context.Context, tx *engine.Tx, id int64) error {
	if err := Name(ctx, tx, id); err != nil {
		return err
	}
	made, err := engine.List(ctx, tx, scanValues, fromCase+`WHERE s.id = ?`, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM queue_case WHERE submission_id = ?`, id); err != nil {
		return engine.Error(err)
	}
	if err := Table.Delete(ctx, tx, id); err != nil {
		return err
	}
	if len(made) == 0 {
		return nil
	}
	if err := Table.Insert(ctx, tx, made[0]...); err != nil {
		return err
	}
	if err := queueAgain(ctx, tx, id); err != nil {
		return err
	}
	return relearn(ctx, tx, id)
}

// relearn writes the words of a case again. Where they stand already and differ they were
// damaged: the index, which was written with them, has those that the case has.
func relearn(ctx context.Context, tx *engine.Tx, id int64) error {
	n, err := tx.Exec(ctx, `UPDATE history SET (names, numbers, procedures, rare) =
		(SELECT names, numbers, procedures, `+rareOf+` FROM history_words w WHERE submission_id = ?1) WHERE submission_id = ?1`, id)
	if n > 0 || err != nil {
		return engine.Error(err)
	}
	return Learn(ctx, tx, id)
}

// LostCase is what Check names a case by that lists tell of, and that is gone itself: nothing
// can be made again.
const LostCase = "case"

// piece is how many cases are compared at a time.
const piece = 500

// Check compares all that is kept for lists with the cases that it was made from, and hands
// out the rows that differ; what differs in words, counters or filters is named by the row of the
// case, by the counter or by the value. Next is as in checksum.Check.
func Check(ctx context.Context, db engine.DB, found func(checksum.Row), next func() error) error {
	for last := int64(0); ; {
		p, err := engine.Get(ctx, db, func(tx *engine.Tx) (compared, error) { return checkPiece(ctx, tx, last) })
		each(p.differing, found)
		if err != nil {
			return err
		}
		if last = p.last; p.read < piece {
			rest, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]checksum.Row, error) { return checkRest(ctx, tx) })
			each(rest, found)
			return err
		}
		if next != nil {
			if err := next(); err != nil {
				return err
			}
		}
	}
}

// checkRest compares what is kept of many cases together.
func checkRest(ctx context.Context, tx *engine.Tx) ([]checksum.Row, error) {
	counters, err := checkCounters(ctx, tx)
	if err != nil {
		return nil, err
	}
	values, err := checkValues(ctx, tx)
	return append(counters, values...), err
}

func each(rows []checksum.Row, found func(checksum.Row)) {
	for _, r := range rows {
		found(r)
	}
}

// compared is what was made of a piece of the cases.
type compared struct {
	last      int64 // of its cases
	read      int
	differing []checksum.Row
}

// checkPiece compares the cases after one.
func checkPiece(ctx context.Context, tx *engine.Tx, after int64) (p compared, err error) {
	made, err := engine.List(ctx, tx, scanValues, fromCase+`WHERE s.id > ? ORDER BY s.id LIMIT ?`, after, piece)
	if err != nil {
		return compared{last: after}, err
	}
	if p.read, p.last = len(made), after; p.read > 0 {
		p.last, _ = made[p.read-1][0].(int64) // the key is always a number
	}
	lost, err := lostCases(ctx, tx, after, p)
	if err != nil || p.read == 0 {
		p.differing = lost
		return p, err
	}
	kept, err := Table.Rows(ctx, tx, `WHERE submission_id > ? AND submission_id <= ?`, after, p.last)
	if err != nil {
		return p, err
	}
	byID := map[any][]any{}
	for _, s := range kept {
		if !s.Damaged {
			byID[s.Values[0]] = s.Values
		}
	}
	for _, values := range made {
		if !slices.EqualFunc(values, byID[values[0]], checksum.Equal) {
			p.differing = append(p.differing, checksum.Row{Table: Table.Name, Key: values[:1]})
		}
	}
	queue, err := checkQueue(ctx, tx, after, p.last, byID)
	if err != nil {
		return p, err
	}
	words, err := checkWords(ctx, tx, after, p.last)
	p.differing = slices.Concat(lost, p.differing, queue, words)
	return p, err
}

// lostCases finds, in a piece or behind the last one, rows of cases that are gone: a row of theirs
// that vanished whole has no checksum that would tell.
func lostCases(ctx context.Context, tx *engine.Tx, after int64, p compared) ([]checksum.Row, error) {
	through := p.last
	if p.read < piece {
		through = math.MaxInt64
	}
	return engine.List(ctx, tx, func(row engine.Row) (checksum.Row, error) {
		id, err := scanID(row)
		return checksum.Row{Table: LostCase, Key: []any{id}}, err
	}, `SELECT c.submission_id FROM case_summary c WHERE c.submission_id > ? AND c.submission_id <= ? AND NOT EXISTS (SELECT 1
		FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.id = c.submission_id)
		ORDER BY c.submission_id LIMIT ?`, after, through, piece)
}

// checkWords compares the words of cases that are not pending, and whether they are noted as those of a rare group.
func checkWords(ctx context.Context, tx *engine.Tx, after, last int64) ([]checksum.Row, error) {
	through, err := comparedThrough(ctx, tx)
	if err != nil {
		return nil, err
	}
	return engine.List(ctx, tx, func(row engine.Row) (checksum.Row, error) {
		id, err := scanID(row)
		return checksum.Row{Table: "history", Key: []any{id}}, err
	}, `SELECT w.submission_id
		FROM history_words w LEFT JOIN history h ON h.submission_id = w.submission_id
		WHERE w.submission_id > ? AND w.submission_id <= ?
		AND (h.names, h.numbers, h.procedures, h.rare) IS DISTINCT FROM (w.names, w.numbers, w.procedures, `+rareOf+`)`,
		after, min(last, through))
}

func scanID(row engine.Row) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}
