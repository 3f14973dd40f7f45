package page

import "guiche/web/component"

// Fields are the fields of a form: what was typed into each and what is wrong
// with it.
type Fields struct {
	Values   map[string]string // by wire name; "S" of a box that is ticked
	Problems []component.Problem
}

// message is what is wrong with a field, "" for nothing.
func (f Fields) message(name string) string {
	for _, p := range f.Problems {
		if p.Name == name {
			return p.Message
		}
	}
	return ""
}

// field fills a field with what was typed and what is wrong with it.
func (f Fields) field(field component.Field) component.Field {
	field.Value, field.Error = f.Values[field.Name], f.message(field.Name)
	return field
}

func (f Fields) pick(s component.Select) component.Select {
	s.Field = f.field(s.Field)
	return s
}

func (f Fields) check(name, label string) component.Check {
	return component.Check{Name: name, Label: label, Checked: f.Values[name] == "S", Error: f.message(name)}
}

// summaryTitle heads the error summary of a form; "" when nothing is wrong.
func (f Fields) summaryTitle() string { return f.titled("Confira os campos indicados") }

// filterTitle heads the error summary of a filter; "" when nothing is wrong.
func (f Fields) filterTitle() string { return f.titled("Confira o filtro") }

func (f Fields) titled(title string) string {
	if len(f.Problems) == 0 {
		return ""
	}
	return title
}

// from is the field of a filter for the first day of its period.
func (f Fields) from() component.Field {
	return f.field(component.Field{Name: "de", Label: "De", Date: true, Start: true})
}

// until is the field of a filter for the last day of its period.
func (f Fields) until() component.Field {
	return f.field(component.Field{Name: "ate", Label: "Até", Date: true})
}

// choice is a select of a filter; all is what it says when nothing is chosen.
func (f Fields) choice(name, label, all string, choices []component.Choice) component.Select {
	return f.pick(component.Select{Field: component.Field{Name: name, Label: label}, Prompt: all, Choices: choices})
}
