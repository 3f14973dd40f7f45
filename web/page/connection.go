package page

import (
	"slices"

	"guiche/web/component"
	"guiche/web/layout"
)

// ConnectionView is GET and POST /servico/conexao, and POST /servico/conexao/testar.
type ConnectionView struct {
	layout.Page
	Fields                        // no secrets
	Settings map[string][]Setting // by group
	Service  string               // what is in force now: "serviço embutido", "servico.exemplo.com.br"
	Fixed    map[string]string    // by setting: the variable that sets it and wins
	Stored   map[string]string    // by field of a secret: "guardada em 21/11/2026"
	Lost     bool                 // the stored secret does not open any more
	Usual    map[string]string    // what each input holds at first
	Test     ConnectionTest
	Route    []Fact // out of the network; none where it is direct
	Version  string // of what the page shows
}

// Setting is one input of the page.
type Setting struct {
	component.Field
	Choices []component.Choice // of an input that chooses
	Mark    bool               // a checkbox
	Width   Width
}

// Width is how much of a row an input takes.
type Width string

// The widths; the zero value is as much as the others of its group.
const (
	WidthShort Width = "short" // the same, less than a row on a small screen too
	WidthWide  Width = "wide"  // a row
)

// class is the grid's class for an input of the group.
func (s Setting) class(group string) string {
	if s.Width == WidthWide {
		return "col-12"
	}
	class := "col-12"
	if s.Width == WidthShort {
		class = "col-6"
	}
	switch {
	case group == "anexos":
		class += " col-lg-4"
	case s.Width != WidthShort:
		class += " col-lg-6"
	}
	return class
}

// ConnectionTest is what the test found; the zero value is before it.
type ConnectionTest struct {
	Problems []component.Problem // why it could not begin
	Steps    []ConnectionStep
	Retype   bool // the page was loaded again: a secret has to be typed once more
}

// ConnectionStep is one step: its outcome has an icon, a word and a colour.
type ConnectionStep struct {
	Name, Word, Text string
	Icon             string
	Tone             component.Tone
}

// setting is one with what it holds.
func (m ConnectionView) setting(s Setting) component.Field {
	f := m.field(s.Field)
	if variable := m.Fixed[f.Name]; variable != "" {
		f.ReadOnly, f.Optional, f.Hint = true, false, "Definido por "+variable+", que vale mais que esta página."
	}
	return f
}

// choose is a setting that is one of its choices.
func (m ConnectionView) choose(s Setting) component.Select {
	return component.Select{Choices: s.Choices, Field: m.setting(s)}
}

// only is the only setting of a group.
func (m ConnectionView) only(group string) Setting { return m.Settings[group][0] }

// secret is a field whose value is never shown again.
func (m ConnectionView) secret(name, label string) component.Field {
	f := component.Field{Name: name, Label: label, Secret: true, Autocomplete: "new-password", Error: m.message(name)}
	if m.Stored[name] != "" {
		f.Optional, f.Hint = true, m.Stored[name]+". Deixe vazio para manter."
	}
	return f
}

// unusual reports whether a setting of the group is not as it is at first, or wrong: it
// must not be hidden.
func (m ConnectionView) unusual(group string) bool {
	return slices.ContainsFunc(m.Settings[group], func(s Setting) bool {
		return m.Values[s.Name] != m.Usual[s.Name] || m.message(s.Name) != ""
	})
}

func (m ConnectionView) markedByHand() bool { return m.Values["origemRecursos"] == "manual" }

func (m ConnectionView) methodLabel() string {
	method := m.only("acesso")
	for _, c := range method.Choices {
		if c.Value == m.Values[method.Name] {
			return c.Label
		}
	}
	return ""
}

// accessVariables are the variables that set the access by the method in use.
func (m ConnectionView) accessVariables() string {
	switch m.Values["metodo"] {
	case "senha":
		return "GUICHE_SERVICE_USER e GUICHE_SERVICE_PASSWORD"
	case "oauth":
		return "GUICHE_CLIENT_ID e GUICHE_CLIENT_SECRET"
	}
	return "GUICHE_API_KEY"
}
