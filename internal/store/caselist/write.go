package caselist

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// Begin writes the rows of cases that begin, and puts them into the queue. It has their words found, or leaves
// them pending: see LearnPending.
func Begin(ctx context.Context, tx *engine.Tx, rows ...Row) error {
	ids, came := make([]int64, len(rows)), map[int64]int{}
	for i, r := range rows {
		ids[i] = r.ID
		if err := Table.Insert(ctx, tx, r.values()...); err != nil {
			return err
		}
		if e, in := r.entry(); in && !e.stale(tx.Now) {
			if err := e.enter(ctx, tx, &r); err != nil {
				return err
			}
			came[e.group]++
		}
	}
	for group, n := range came {
		if err := forget(ctx, tx, group, 2*n); err != nil {
			return err
		}
	}
	if tx.InOrder() {
		return nil
	}
	return learnAll(ctx, tx, ids)
}

// Change changes the row of a case. One that is damaged or missing stays so until it is made
// again, and the queue shows it no longer: it is no reason to leave the case as it is.
func Change(ctx context.Context, tx *engine.Tx, id int64, change func(*Row)) error {
	stored, err := Table.Rows(ctx, tx, `WHERE submission_id = ?`, id)
	if err != nil {
		return err
	}
	if len(stored) == 0 || stored[0].Damaged {
		return show(ctx, tx, id, nil)
	}
	var was Row
	if err := take(was.targets(), stored[0].Values); err != nil {
		return err
	}
	is := was
	change(&is)
	if is == was {
		return nil
	}
	if err := Table.Replace(ctx, tx, stored[0].Values, is.values()); err != nil {
		return err
	}
	if err := noteRare(ctx, tx, id, was.Group, is.Group); err != nil {
		return err
	}
	from, stood := was.entry()
	to, stands := is.entry()
	if stood == stands && from == to {
		return show(ctx, tx, id, &is)
	}
	if was.ChangedAt == is.ChangedAt { // what a person concluded still is
		if err := leave(ctx, tx, `submission_id = ?`, id); err != nil {
			return err
		}
		return queueAgain(ctx, tx, id)
	}
	if stood && stands && from.unit == to.unit && from.present == to.present && from.created == to.created {
		if there, err := from.shift(ctx, tx, to, &is); there || err != nil {
			return err
		}
	}
	return move(ctx, tx, &is, to, stands)
}

// Kinds of filter values.
const (
	Unit       = "unit"
	Credential = "credential"
	Sender     = "sender"
)

// Value returns the number of a filter value, and has it called as it is now.
func Value(ctx context.Context, tx *engine.Tx, kind string, uid uuid.UUID, name string) (number int64, err error) {
	var called string
	err = engine.Error(tx.QueryRow(ctx, `SELECT id, name FROM filter_value WHERE kind = ? AND uid = ?`, kind, engine.UID(uid)).
		Scan(&number, &called))
	if err == nil && called == name {
		return number, nil
	}
	if err != nil && !problem.Is(err, problem.NotFound) {
		return 0, err
	}
	tx.Invalidate()
	err = tx.QueryRow(ctx, `INSERT INTO filter_value (kind, uid, name) VALUES (?, ?, ?)
		ON CONFLICT (kind, uid) DO UPDATE SET name = excluded.name RETURNING id`, kind, engine.UID(uid), name).Scan(&number)
	return number, engine.Error(err)
}

// textIndex finds cases by their words. What SQLite has of it is told in migrations/desk.
var textIndex = engine.TextIndex{Table: "history_text", Columns: []string{"names", "numbers", "procedures"}, Words: "history_word"}

// Texts are those that cases are found by.
func Texts() engine.TextSource {
	return engine.TextSource{Index: textIndex, Table: "history", ID: "submission_id", Texts: textIndex.Columns}
}

// LearnNext writes the words of some of the cases behind the last one whose words are written, for a
// database that has the cases of another one, and reports whether there may be more. The order of words
// is the engine's.
func LearnNext(ctx context.Context, tx *engine.Tx) (more bool, err error) {
	n, err := tx.Exec(ctx, `INSERT INTO history (submission_id, names, numbers, procedures, rare)
		SELECT submission_id, names, numbers, procedures, `+rareOf+` FROM history_words w
		WHERE submission_id > coalesce((SELECT max(submission_id) FROM history), 0) ORDER BY submission_id LIMIT ?`, piece)
	return n == piece, engine.Error(err)
}

// words are those by which a case is found.
type words struct{ names, numbers, procedures string }

func (w words) texts() []string { return []string{w.names, w.numbers, w.procedures} }

// Learn has a case found by all numbers that it has by now: nothing else that it is found by changes.
func Learn(ctx context.Context, tx *engine.Tx, id int64) error {
	if last, err := learnedThrough(ctx, tx); err != nil || id > last {
		return err
	}
	var was words
	var numbers string
	err := engine.Error(tx.QueryRow(ctx, `SELECT h.names, h.numbers, h.procedures, w.numbers
		FROM history_words w JOIN history h ON h.submission_id = w.submission_id WHERE w.submission_id = ?`, id).
		Scan(&was.names, &was.numbers, &was.procedures, &numbers))
	switch {
	case problem.Is(err, problem.NotFound):
		return learnAll(ctx, tx, []int64{id})
	case err != nil || was.numbers == numbers:
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE history SET numbers = ? WHERE submission_id = ?`, numbers, id); err != nil {
		return engine.Error(err)
	}
	is := was
	is.numbers = numbers
	return tx.ChangeText(ctx, textIndex, id, was.texts(), is.texts())
}

// learnAll has cases found by their words that are not found yet, in the order of their numbers.
func learnAll(ctx context.Context, tx *engine.Tx, ids []int64) error {
	in, list := engine.InNumbers, any(engine.Numbers(ids))
	if len(ids) == 1 { // a request that comes: no list is read
		in, list = `= ?`, ids[0]
	}
	all, err := engine.List(ctx, tx, scanNumbered, `SELECT submission_id, names, numbers, procedures, `+rareOf+` FROM history_words w
		WHERE submission_id `+in, list)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.id, b.id) })
	for _, n := range all {
		if err := tx.Insert(ctx, "history", []string{"submission_id", "names", "numbers", "procedures", "rare"},
			n.id, n.names, n.numbers, n.procedures, n.rare); err != nil {
			return engine.Error(err)
		}
	}
	for _, n := range all {
		if err := tx.AddText(ctx, textIndex, n.id, n.names, n.numbers, n.procedures); err != nil {
			return err
		}
	}
	return nil
}

// numbered are the words of a case.
type numbered struct {
	id int64
	words
	rare int64 // see rareOf
}

func scanNumbered(row engine.Row) (n numbered, err error) {
	err = row.Scan(&n.id, &n.names, &n.numbers, &n.procedures, &n.rare)
	return n, err
}
