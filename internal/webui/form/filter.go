package form

import (
	"net/url"
	"strconv"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// maxPage bounds the number of a page, so that no page begins beyond an int.
const maxPage = 1_000_000

// Search is what the form of a list asks for.
type Search struct {
	Text string // the words, "" for everything
	Page int    // from 1
}

// ReadSearch reads the form of a list; nothing sent asks for the first page of
// everything, and so does a number that cannot be read.
func ReadSearch(posted url.Values) Search {
	f := New(posted)
	page, _ := strconv.Atoi(f.Raw("pagina")) // absent or garbled: the first page
	return Search{Text: f.Text("Busca"), Page: min(max(page, 1), maxPage)}
}

// Period reads the filter "de" and "ate": from the beginning of the one day until
// the end of the other, in the time zone of now. A day that is not typed is the
// zero time.
func (f *Form) Period(now time.Time) (from, until time.Time) {
	first := f.day("de", "De", now, authorization.ParseTypedStart)
	last := f.day("ate", "Até", now, authorization.ParseTypedDate)
	if !first.IsZero() {
		from = first.In(now.Location())
	}
	if last.IsZero() {
		return from, until
	}
	if last.Before(first) {
		f.Refuse("ate", authorization.CodeFormat, "O fim vem antes do começo.")
	}
	return from, last.AddDays(1).In(now.Location())
}

// dayParser reads a typed date, nearest to today.
type dayParser func(typed string, today time.Time) (authorization.LocalTime, error)

// day reads a typed date, the zero one where none was typed.
func (f *Form) day(name, label string, now time.Time, parse dayParser) authorization.LocalTime {
	if f.Text(name) == "" {
		return authorization.LocalTime{}
	}
	day, err := parse(f.Text(name), now)
	if err != nil {
		f.Refuse(name, authorization.CodeFormat, authorization.DateMessage(err, label, label+": informe a data como DD/MM/AAAA."))
		return authorization.LocalTime{}
	}
	return day
}

// UUID reads the identifier that was chosen of a list, uuid.Nil for none; message
// is said of what is not an identifier.
func (f *Form) UUID(name, message string) uuid.UUID {
	if f.Raw(name) == "" {
		return uuid.Nil
	}
	uid, err := uuid.Parse(f.Raw(name))
	if err != nil {
		f.Refuse(name, authorization.CodeDomain, message)
		return uuid.Nil
	}
	return uid
}
