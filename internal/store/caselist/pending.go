package caselist

import (
	"context"
	"math"
	"slices"

	"guiche/internal/store/engine"
)

// pieceOfPending is how many cases are learned in one transaction: those who write meanwhile wait for some
// milliseconds.
const pieceOfPending = 64

// LearnPending writes the words of cases that came. An engine that numbers rows in the order of their commits has
// them written in batches behind the requests; until then a case is pending: it stands behind the last one that has
// words, and a search reads it by itself.
func LearnPending(ctx context.Context, db engine.DB) error {
	for {
		some, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]int64, error) { return pending(ctx, tx, 1) })
		if err != nil || len(some) == 0 {
			return err
		}
		learn := func(tx *engine.Tx) error { return LearnAhead(ctx, tx, pieceOfPending) }
		if err := db.WriteDerived(ctx, learn); err != nil {
			return err
		}
	}
}

// LearnAhead writes the words of pending cases that came first, of at most so many.
func LearnAhead(ctx context.Context, tx *engine.Tx, most int) error {
	ids, err := pending(ctx, tx, most)
	if err != nil || len(ids) == 0 {
		return err
	}
	// a number that was damaged may stand where that of a case will
	if _, err := tx.Exec(ctx, `DELETE FROM history WHERE submission_id >= ?`, ids[0]); err != nil {
		return engine.Error(err)
	}
	return learnAll(ctx, tx, ids)
}

// learnedThrough is the last case that has words: those behind it are pending. A row of words behind all cases is
// damaged, and no sign that the cases before it have theirs.
func learnedThrough(ctx context.Context, tx *engine.Tx) (last int64, err error) {
	if !tx.InOrder() {
		return math.MaxInt64, nil
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(max(submission_id), 0) FROM history WHERE submission_id <= (SELECT max(id) FROM submission)`).
		Scan(&last)
	return last, engine.Error(err)
}

// MostPending is how many cases may be pending while what writes their words works as it should. More are damage.
const MostPending = 4096

// comparedThrough is the last case whose words must stand.
func comparedThrough(ctx context.Context, tx *engine.Tx) (last int64, err error) {
	through, err := learnedThrough(ctx, tx)
	if err != nil || through == math.MaxInt64 {
		return through, err
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(max(id), 0) FROM submission`).Scan(&last)
	return max(through, last-MostPending), engine.Error(err)
}

// pending are the cases that came first of those that are pending, at most so many.
func pending(ctx context.Context, tx *engine.Tx, most int) ([]int64, error) {
	last, err := learnedThrough(ctx, tx)
	if err != nil || last == math.MaxInt64 {
		return nil, err
	}
	return engine.List(ctx, tx, scanID, `SELECT id FROM submission WHERE id > ? ORDER BY id LIMIT ?`, last, most)
}

// amongPending returns the numbers of pending cases that have the words, newest first, and keeps the search to the
// others.
func (s *search) amongPending(ctx context.Context) ([]int64, error) {
	last, err := learnedThrough(ctx, s.tx)
	if err != nil || last == math.MaxInt64 {
		return nil, err
	}
	texts, err := engine.List(ctx, s.tx, scanCaseText, `SELECT submission_id, `+whole+` FROM history_words h WHERE submission_id > ?
		ORDER BY submission_id DESC`, last)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	all := s.Finder
	s.Finder = all.bounded(`submission_id <= ?`, last)
	rest, args := all.bounded(`submission_id > ?`, last).Rest(s.tx, len(texts))
	left, err := engine.List(ctx, s.tx, scanID, `SELECT submission_id FROM case_summary`+rest, args...)
	having := s.havingWords(texts)
	found := slices.DeleteFunc(left, func(id int64) bool { return !having[id] })
	return found[:min(len(found), s.limit)], err
}

// havingWords are the cases whose texts have the words, with whatever letters.
func (s *search) havingWords(texts []caseText) map[int64]bool {
	lists, having := engine.Folded(engine.Alternatives(s.words)), map[int64]bool{}
	for _, t := range texts {
		having[t.id] = engine.HasAny(engine.Fold(t.text), lists)
	}
	return having
}

// bounded is a finder with one bound more.
func (f *Finder) bounded(bound string, id int64) *Finder {
	other := *f
	other.bounds = conditions{slices.Clone(f.bounds.all), slices.Clone(f.bounds.args)}
	other.bounds.add(bound, id)
	return &other
}

// caseText is all that is searched of a case.
type caseText struct {
	id   int64
	text string
}

func scanCaseText(row engine.Row) (t caseText, err error) {
	err = row.Scan(&t.id, &t.text)
	return t, err
}
