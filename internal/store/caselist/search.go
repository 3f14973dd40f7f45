package caselist

import (
	"context"
	"strings"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

const (
	// mostLeft is how many cases the other filters may leave for the search to go by them.
	mostLeft = 1500
	// mostRead is how many of those are read word by word before anything else is tried.
	mostRead = 60
	// probed is how many cases of a word tell how many more it has.
	probed = 64
	// entriesPerText is how many entries of words' lists are gone through in the time in which
	// the words of one case are read.
	entriesPerText = 60
	// mostCandidates is how many cases that have the beginnings of the words are read before
	// the words are looked for as they are.
	mostCandidates = 1000
)

// Find reads at most so many rows. Words are looked for where that is the least to read:
// in the cases that the other filters leave, or in the full-text index.
func (f *Finder) Find(ctx context.Context, tx *engine.Tx, found func(checksum.Row), limit int) ([]Row, error) {
	if f.words == nil || f.nothing() {
		rest, args := f.Rest(tx, limit)
		return Read(ctx, tx, found, rest, args...)
	}
	s := search{Finder: f, tx: tx, limit: limit}
	s.lists, s.plain = plainWords(f.words)
	ids, err := s.amongPending(ctx)
	if err != nil {
		return nil, err
	}
	if s.limit -= len(ids); s.limit > 0 {
		older, err := s.find(ctx)
		if err != nil {
			return nil, err
		}
		ids = append(ids, older...)
	}
	return Read(ctx, tx, found, `WHERE submission_id `+engine.InNumbers+` ORDER BY submission_id DESC`, engine.Numbers(ids))
}

// search looks for words.
type search struct {
	*Finder
	tx    *engine.Tx
	limit int
	lists [][]string // beginnings of words, of which a case has all of one list
	plain bool       // the lists may be compared with texts

	folded []byte // of the text that was compared last
}

// find returns the numbers of the cases, newest first.
func (s *search) find(ctx context.Context) ([]int64, error) {
	left, few, err := s.left(ctx)
	if err != nil || few && len(left) == 0 {
		return nil, err
	}
	if few {
		if ids, done, err := s.inSequence(ctx, left); done || err != nil {
			return ids, err
		}
	}
	if few && len(left) <= mostRead {
		if ids, done, err := s.among(ctx, left); done || err != nil {
			return ids, err
		}
	}
	e, err := s.expression(ctx)
	if err != nil || !e.some {
		return nil, err
	}
	ways := []func() ([]int64, bool, error){}
	if few {
		ways = append(ways, func() ([]int64, bool, error) { return s.meet(ctx, e, left) },
			func() ([]int64, bool, error) { return s.among(ctx, left) })
	}
	ways = append(ways, func() ([]int64, bool, error) { return s.byBeginnings(ctx, e) })
	for _, way := range ways {
		if ids, done, err := way(); done || err != nil {
			return ids, err
		}
	}
	query, args := s.stream(nothingElse, e.search, s.limit)
	return engine.List(ctx, s.tx, scanID, query, args...)
}

// left are the cases that the other filters leave, if those are few.
func (s *search) left(ctx context.Context) (ids []int64, few bool, err error) {
	if !s.filtered && (!s.since || !s.before) {
		return nil, false, nil
	}
	rest, args := s.Rest(s.tx, mostLeft+1)
	ids, err = engine.List(ctx, s.tx, scanID, `SELECT submission_id FROM case_summary`+rest, args...)
	return ids, len(ids) <= mostLeft, err
}

// among picks those of a few cases that have the words, by reading theirs.
func (s *search) among(ctx context.Context, few []int64) (ids []int64, done bool, err error) {
	if !s.plain {
		return nil, false, nil
	}
	return s.having(ctx, len(few)+1, `SELECT submission_id, `+whole+` FROM history h
		WHERE submission_id `+engine.InNumbers+` ORDER BY submission_id DESC`, engine.Numbers(few))
}

// inSequence is among for cases of a rare group. Their words stand one behind the other in an
// index; where it lacks one of the cases, it is not done.
func (s *search) inSequence(ctx context.Context, few []int64) (ids []int64, done bool, err error) {
	by, groups := s.tx.By(rareIndex), s.only[byGroup]
	if by == "" || !s.plain || len(groups) != 1 || rare(groups[0]) == 0 {
		return nil, false, nil
	}
	rows, err := s.tx.Query(ctx, `SELECT submission_id, `+whole+` FROM history h`+by+`
		WHERE rare > 0 AND rare = ? AND submission_id >= ? AND submission_id <= ? ORDER BY submission_id DESC`,
		rare(groups[0]), few[len(few)-1], few[0])
	if err != nil {
		return nil, false, engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	for len(few) > 0 && len(ids) < s.limit && rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, false, engine.Error(err)
		}
		if id > few[0] { // left out by another filter
			continue
		}
		has, plain := s.has(text)
		if id < few[0] || !plain {
			return nil, false, nil
		}
		if few = few[1:]; has {
			ids = append(ids, id)
		}
	}
	return ids, len(few) == 0 || len(ids) == s.limit, engine.Error(rows.Err())
}

// meet picks those of a few cases that have the words, by going through the lists of the
// words.
func (s *search) meet(ctx context.Context, e expression, few []int64) (ids []int64, done bool, err error) {
	if short, err := s.short(ctx, e, few); !short || err != nil {
		return nil, false, err
	}
	in := s.tx.Match(textIndex, e.search)
	rows, err := s.tx.Query(ctx, `SELECT `+in.ID+` FROM `+in.From+` WHERE `+in.ID+` >= ? AND `+in.ID+` <= ?
		ORDER BY `+in.ID+` DESC`, in.Value, few[len(few)-1], few[0])
	if err != nil {
		return nil, false, engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	for rows.Next() && len(ids) < s.limit {
		id, err := scanID(rows)
		if err != nil {
			return nil, false, engine.Error(err)
		}
		for few[0] > id { // the last one is none
			few = few[1:]
		}
		if few[0] == id {
			ids = append(ids, id)
		}
	}
	return ids, true, engine.Error(rows.Err())
}

// short reports whether it is less work to go through the lists of the words than to read a
// few cases. How long a list is the newest cases in it tell. An index without lists has none to
// go through.
func (s *search) short(ctx context.Context, e expression, few []int64) (bool, error) {
	if e.merged || s.tx.ListedLetters() == 0 {
		return false, nil
	}
	newest, oldest := few[0], few[len(few)-1]
	room := entriesPerText * int64(len(few))
	for _, word := range e.words {
		in := s.tx.Match(textIndex, word)
		at, err := engine.List(ctx, s.tx, scanID, `SELECT `+in.ID+` FROM `+in.From+` WHERE `+in.ID+` <= ?
			ORDER BY `+in.ID+` DESC LIMIT 1 OFFSET ?`, in.Value, newest, probed)
		if err != nil {
			return false, err
		}
		if len(at) > 0 {
			room -= probed * (newest - oldest) / (newest - at[0])
		}
	}
	return room > 0, nil
}

// byBeginnings reads the words of the cases that have words which begin alike, where the
// index would have to merge long lists of cases; it is done when enough of them have the
// words, or no more are left.
func (s *search) byBeginnings(ctx context.Context, e expression) (ids []int64, done bool, err error) {
	if !e.merged || !s.plain {
		return nil, false, nil
	}
	query, args := s.stream(withWords, engine.BeginAll(cut(s.lists, s.tx.ListedLetters())...), mostCandidates)
	return s.having(ctx, mostCandidates, query, args...)
}

// beside is what a stream reads of a case beside its number.
type beside struct{ columns, table, condition string }

var (
	nothingElse = beside{}
	// withWords is read behind the index, whose order is that of the stream.
	withWords = beside{`, ` + whole, ` CROSS JOIN history h`, `h.submission_id = `}
)

// stream is the query that reads from the full-text index, no further than it must. The
// filters are asked of their indexes, which are small, and the case only where it has to be.
func (s *search) stream(also beside, search engine.Search, limit int) (query string, args []any) {
	in := s.tx.Match(textIndex, search)
	c := conditions{nil, []any{in.Value}}
	if also.condition != "" {
		c.add(also.condition + in.ID)
	}
	for _, bound := range s.bounds.all {
		c.add(strings.ReplaceAll(bound, `submission_id`, in.ID))
	}
	c.args = append(c.args, s.bounds.args...)
	has := func(index, condition string, args ...any) {
		c.add(`EXISTS (SELECT 1 FROM case_summary c`+s.tx.By(index)+` WHERE c.submission_id = `+in.ID+` AND `+condition+`)`, args...)
	}
	for column, numbers := range s.only {
		if numbers != nil {
			has(indexes[column].name, columns[column]+` IN (`+marks(len(numbers))+`)`, anys(numbers)...)
		}
	}
	if s.status != "" {
		has(statusIndex, `status = ?`, string(s.status))
	}
	if len(s.where.all) > 0 {
		has(``, strings.Join(s.where.all, " AND "), s.where.args...)
	}
	where := ``
	if len(c.all) > 0 {
		where = ` WHERE ` + strings.Join(c.all, " AND ")
	}
	return `SELECT ` + in.ID + also.columns + ` FROM ` + in.From + also.table + where + ` ORDER BY ` + in.ID + ` DESC LIMIT ?`,
		append(c.args, limit)
}

// whole is all that is searched of a case.
const whole = `h.names || ' ' || h.numbers || ' ' || h.procedures`

// having reads cases with their words, at most so many, and picks those that have the words
// that are looked for. It is done when it found enough, or read fewer than it might; a case
// whose letters it cannot compare ends it.
func (s *search) having(ctx context.Context, most int, query string, args ...any) (ids []int64, done bool, err error) {
	rows, err := s.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, false, engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	read := 0
	for ; rows.Next() && len(ids) < s.limit; read++ {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, false, engine.Error(err)
		}
		has, plain := s.has(text)
		if !plain {
			return nil, false, nil
		}
		if has {
			ids = append(ids, id)
		}
	}
	return ids, len(ids) == s.limit || read < most, engine.Error(rows.Err())
}

// has reports whether a text has the words that are looked for, if it is plain.
func (s *search) has(text string) (has, plain bool) {
	if s.folded, plain = appendFolded(s.folded[:0], text); !plain {
		return false, false
	}
	return engine.HasAny(string(s.folded), s.lists), true
}
