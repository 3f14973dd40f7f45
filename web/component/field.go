package component

import "guiche/internal/authorization"

// Field is one input of a form with what was typed and what is wrong with it.
type Field struct {
	Name         string // wire name; ID(Name) is its id
	Label        string
	Value        string // as typed
	Error        string // sentence for the user, "" when there is none
	Hint         string // shown under the field
	Placeholder  string
	Optional     bool   // adds "(opcional)" to the label
	Digits       bool   // numeric keyboard
	Code         bool   // letter-spaced, no spell check: numbers that are compared
	Date         bool   // DD/MM/AAAA, formatted when the field is left; a month is its last day
	Start        bool   // of a Date that begins a period: a month is its first day
	Focus        bool   // takes the focus when the page opens
	Long         bool   // a text of several lines
	Secret       bool   // a password
	Autocomplete string // autocomplete, "off" when empty
	AriaLabel    string // label for screen readers alone, where no Label is drawn
	ReadOnly     bool   // shown as text; what is sent stays
	AlignEnd     bool   // a number, set at the end of the field
	Message      string // id of the message, where it is not ErrorID's
	combobox     *combobox
}

// combobox is what makes an input search while one types.
type combobox struct{ list, path, key string }

// AsCombobox makes the input search while one types: POST to path with the field
// "Busca", options into the list with that id. The key focuses it, "" for none.
func (f Field) AsCombobox(list, path, key string) Field {
	f.combobox = &combobox{list, path, key}
	return f
}

// ID returns the id of the input.
func (f Field) ID() string { return ID(f.Name) }

// ErrorID returns the id of the message beside the input.
func (f Field) ErrorID() string {
	if f.Message != "" {
		return f.Message
	}
	return f.ID() + "-error"
}

func (f Field) hintID() string { return f.ID() + "-hint" }

// describedBy joins the ids of what explains the input.
func (f Field) describedBy() string {
	switch {
	case f.Error != "" && f.Hint != "":
		return f.ErrorID() + " " + f.hintID()
	case f.Error != "":
		return f.ErrorID()
	case f.Hint != "":
		return f.hintID()
	}
	return ""
}

func (f Field) inputType() string {
	if f.Secret {
		return "password"
	}
	return "text"
}

func (f Field) autocomplete() string {
	if f.Autocomplete == "" {
		return "off"
	}
	return f.Autocomplete
}

func (f Field) placeholder() string {
	if f.Date && f.Placeholder == "" {
		return "DD/MM/AAAA"
	}
	return f.Placeholder
}

// Choice is one option of a select.
type Choice struct {
	Value  string
	Label  string
	Parent string // value of the select that it depends on (Select.DependsOn); "" shows it always
	Group  string // heading over options that belong together, for those without a script; "" for none
}

// Choices turns a domain table into options, labels as the table has them.
func Choices(options []authorization.Option) []Choice {
	choices := make([]Choice, len(options))
	for i, o := range options {
		choices[i] = Choice{Value: o.Code, Label: o.Label}
	}
	return choices
}

// CodeChoices turns a domain table into options that show the code alone, for
// tables known by their abbreviations.
func CodeChoices(options []authorization.Option) []Choice {
	choices := make([]Choice, len(options))
	for i, o := range options {
		choices[i] = Choice{Value: o.Code, Label: o.Code}
	}
	return choices
}

// Select is a field with a list of options.
type Select struct {
	Field
	Choices   []Choice
	Prompt    string // first, empty option; "" for none
	DependsOn string // name of the select that narrows this one by Choice.Parent; the server checks the pair
	Parent    string // what is chosen in that one: the same value may stand below several
}

// options returns the choices. A value that is not among them, typed or copied
// before, is added, so that it is not lost silently.
func (s Select) options() []Choice {
	if s.Value == "" {
		return s.Choices
	}
	for _, c := range s.Choices {
		if c.Value == s.Value {
			return s.Choices
		}
	}
	return append([]Choice{{Value: s.Value, Label: "valor anterior, fora da lista"}}, s.Choices...)
}

// groups splits the options into runs with the same heading.
func (s Select) groups() [][]Choice {
	var groups [][]Choice
	all := s.options()
	for from, i := 0, 1; i <= len(all); i++ {
		if i == len(all) || all[i].Group != all[from].Group {
			groups, from = append(groups, all[from:i]), i
		}
	}
	return groups
}

// Check is a box that sends S when it is ticked and nothing otherwise; the field
// then takes the specification's default, N.
type Check struct {
	Name    string
	Label   string
	Checked bool
	Error   string
}

// ID returns the id of the box.
func (c Check) ID() string { return ID(c.Name) }
