package reportstore

import (
	"strings"

	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// finder collects the parts of a query for ids of history, newest first. Rows
// stand in the order of sending, so each index, and the index of the words, is
// read backwards from the place of the page and no further than the page needs.
type finder struct {
	from  string
	id    string // column that is read backwards
	where []string
	args  []any
}

func (f *finder) add(condition string, args ...any) {
	f.where, f.args = append(f.where, condition), append(f.args, args...)
}

// equal adds a condition on a column unless the value is absent.
func (f *finder) equal(column string, uid uuid.UUID) {
	if uid != uuid.Nil {
		f.add(column+` = ?`, sqlite.UID(uid))
	}
}

// find returns the query and its arguments; after is the id of the last case of
// the page before, 0 for the first page.
func find(reach permission.Reach, q report.Query, after int64) (query string, args []any) {
	f := &finder{from: `history h`, id: `h.submission_id`, where: []string{`1 = 1`}}
	f.text(q.Text)
	f.within(reach)
	f.period(q)
	f.situation(q.Situation)
	f.equal(`h.credential_uid`, q.Credential)
	f.equal(`h.unit_uid`, q.Unit)
	f.equal(`h.sender`, q.Sender)
	if after != 0 {
		f.add(f.id+` < ?`, after)
	}
	return `SELECT h.submission_id FROM ` + f.from + ` WHERE ` + strings.Join(f.where, " AND ") + ` ORDER BY ` + f.id + ` DESC LIMIT ?`,
		append(f.args, q.Limit)
}

// text finds rows that hold a word with each beginning; a text without any word
// ("🫀") is found nowhere.
func (f *finder) text(text string) {
	if text == "" {
		return
	}
	words := sqlite.Words(text)
	if len(words) == 0 {
		f.add(`1 = 0`)
		return
	}
	f.from, f.id = `history_text t CROSS JOIN history h ON h.submission_id = t.rowid`, `t.rowid`
	f.add(`history_text MATCH ?`, sqlite.MatchQuery(words))
}

// within keeps to the reach. Over several units SQLite would collect and sort all
// their rows; the plus makes it read backwards and leave out the others.
func (f *finder) within(reach permission.Reach) {
	switch {
	case reach.All:
	case len(reach.Units) == 1:
		f.equal(`h.unit_uid`, reach.Units[0])
	default:
		units := make([]any, len(reach.Units))
		for i, u := range reach.Units {
			units[i] = sqlite.UID(u)
		}
		f.add(`+h.unit_uid IN (`+strings.TrimSuffix(strings.Repeat("?, ", len(units)), ", ")+`)`, units...)
	}
}

// period keeps to the time of sending. The rows nearest to its edges tell where
// in the table it begins and ends; so many of them are looked at that a clock
// which was set back does not hide a case.
func (f *finder) period(q report.Query) {
	const near = `FROM (SELECT id FROM submission WHERE created_at`
	if !q.Since.IsZero() {
		since := sqlite.Micros(q.Since)
		f.add(`+h.created_at >= ? AND h.submission_id >= (SELECT MIN(id) `+near+` >= ? ORDER BY created_at LIMIT 1000))`, since, since)
	}
	if !q.Before.IsZero() {
		before := sqlite.Micros(q.Before)
		f.add(`+h.created_at < ? AND h.submission_id <= (SELECT MAX(id) `+near+` < ? ORDER BY created_at DESC LIMIT 1000))`, before, before)
	}
}

func (f *finder) situation(s report.Situation) {
	switch {
	case s.Status != "":
		f.add(`h.status = ?`, string(s.Status))
	case s.Unknown || s.Group != 0:
		f.add(`h.queue_group = ?`, s.Group)
	}
}
