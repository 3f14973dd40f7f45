package form

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxRows bounds how many rows of a list are read.
const maxRows = 200

// Values of the buttons that change the rows of a form.
const (
	addRow    = "adicionar"
	removeRow = "remover-" // and the index of the row
)

// Row is one of several groups of fields that are alike: the fields list[0].part,
// list[1].part, …
type Row struct {
	form   *Form
	prefix string
}

// Name returns the name of one of the row's fields.
func (r Row) Name(part string) string { return r.prefix + part }

// Raw returns a field of the row as it was typed.
func (r Row) Raw(part string) string { return r.form.Raw(r.Name(part)) }

// Line returns a field of the row as one line with single spaces.
func (r Row) Line(part string) string { return r.form.Line(r.Name(part)) }

// Checked reports whether a box of the row is ticked.
func (r Row) Checked(part string) bool { return r.form.Checked(r.Name(part)) }

// Set fills a field of the row.
func (r Row) Set(part, value string) { r.form.Set(r.Name(part), value) }

// SetChecked ticks a box of the row, or clears it.
func (r Row) SetChecked(part string, on bool) { r.form.SetChecked(r.Name(part), on) }

// Rows returns the rows of a list up to the first one without the field
// list[i].texts[0]. Rows whose texts are all blank are dropped, and so is the one
// whose button for removing it was pressed; boxes alone do not make a row. From
// then on the form numbers the rows as they are returned, as its page shows them.
// Rows is called once for each list.
func (f *Form) Rows(list string, texts ...string) []Row {
	var kept []url.Values
	for i := range maxRows {
		prefix := rowPrefix(list, i)
		if !f.posted.Has(prefix + texts[0]) {
			break
		}
		blank := !slices.ContainsFunc(texts, func(part string) bool { return f.Text(prefix+part) != "" })
		if !blank && f.Button() != removeRow+strconv.Itoa(i) {
			kept = append(kept, f.parts(prefix))
		}
	}
	for name := range f.posted {
		if strings.HasPrefix(name, list+"[") {
			delete(f.posted, name)
		}
	}
	rows := make([]Row, len(kept))
	for i, parts := range kept {
		rows[i] = Row{f, rowPrefix(list, i)}
		for part, values := range parts {
			f.posted[rows[i].Name(part)] = values
		}
	}
	return rows
}

// AddRow returns a new row after n others, to be filled.
func (f *Form) AddRow(list string, n int) Row { return Row{f, rowPrefix(list, n)} }

// RowsChanged reports whether the button that was pressed asks for one more row or
// for one less: the form is to be shown again, and nothing is kept yet.
func (f *Form) RowsChanged() bool {
	return f.Button() == addRow || strings.HasPrefix(f.Button(), removeRow)
}

// parts returns the fields below a prefix, by the rest of their names.
func (f *Form) parts(prefix string) url.Values {
	parts := url.Values{}
	for name, values := range f.posted {
		if part, ok := strings.CutPrefix(name, prefix); ok {
			parts[part] = values
		}
	}
	return parts
}

func rowPrefix(list string, i int) string { return fmt.Sprintf("%s[%d].", list, i) }
