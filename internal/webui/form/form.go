// Package form reads what a browser posts: typed values out of the fields, what is
// wrong with each field, and the text as it was typed, to be shown again.
//
// A handler of a list's entry reads its form once, lets the owner of the data
// check the values, and shows the same form when something is wrong:
//
//	f := form.New(posted)
//	unit := directory.TypedUnit{Name: f.Line("nome")}
//	for _, row := range f.Rows("pontosAtendimento", "nome", "id") {
//		unit.CarePoints = append(unit.CarePoints, directory.TypedPoint{
//			Name: row.Line("nome"), ID: row.Raw("id"), Active: row.Checked("ativo")})
//	}
//	if f.RowsChanged() { // a button for one more row, or one less: nothing is kept yet
//		return show(f)
//	}
//	f.Add(problem.FieldsOf(keep(unit))...)
//	if f.Invalid() {
//		return show(f) // f.Values() and f.Problems() are what the view draws
//	}
//
// What is kept is shown by the same view: Set and AddRow fill an empty form.
package form

import (
	"maps"
	"net/url"
	"strings"

	"guiche/internal/oneline"
	"guiche/internal/problem"
)

// ticked is what a box sends; one that is not ticked sends nothing.
const ticked = "S"

// button is the name of the buttons of a form, whose value says which was pressed.
const button = "acao"

// Form is a posted form with what is wrong with it.
type Form struct {
	posted   url.Values
	problems []problem.Field
}

// New returns the form of posted values; nil for an empty form.
func New(posted url.Values) *Form {
	f := &Form{posted: maps.Clone(posted)}
	if f.posted == nil {
		f.posted = url.Values{}
	}
	return f
}

// Raw returns a field as it was typed, "" for one that was not sent.
func (f *Form) Raw(name string) string { return f.posted.Get(name) }

// Text returns a field without the white space around it.
func (f *Form) Text(name string) string { return strings.TrimSpace(f.posted.Get(name)) }

// Line returns a field as one line with single spaces.
func (f *Form) Line(name string) string { return oneline.Clean(f.posted.Get(name)) }

// Checked reports whether a box is ticked.
func (f *Form) Checked(name string) bool { return f.posted.Get(name) == ticked }

// Button returns the value of the button that was pressed, "" without one.
func (f *Form) Button() string { return f.posted.Get(button) }

// Set fills a field.
func (f *Form) Set(name, value string) { f.posted.Set(name, value) }

// SetChecked ticks a box, or clears it.
func (f *Form) SetChecked(name string, on bool) {
	if on {
		f.posted.Set(name, ticked)
		return
	}
	f.posted.Del(name)
}

// Values returns the text of each field as it was typed, for showing it again.
func (f *Form) Values() map[string]string {
	values := make(map[string]string, len(f.posted))
	for name := range f.posted {
		values[name] = f.posted.Get(name)
	}
	return values
}

// Refuse notes what is wrong with a field; code is one of authorization's words.
func (f *Form) Refuse(name, code, message string) {
	f.Add(problem.Field{Path: name, Code: code, Message: message})
}

// Add notes what somebody else found wrong.
func (f *Form) Add(problems ...problem.Field) { f.problems = append(f.problems, problems...) }

// Problems returns what is wrong, in the order in which it was noted.
func (f *Form) Problems() []problem.Field { return f.problems }

// Invalid reports whether anything is wrong.
func (f *Form) Invalid() bool { return len(f.problems) > 0 }
