package component

import "github.com/a-h/templ"

// Forms have many fields, and a filter stands above each page of a list: they are written without templ, for which
// each attribute is a value of its own.

// TextField is a labelled input with its message.
func TextField(f Field) templ.Component { return drawn(f.labelled) }

// Input is the input alone, for places with a label of their own.
func Input(f Field) templ.Component { return drawn(f.input) }

// SelectField is a labelled select with its message.
func SelectField(s Select) templ.Component { return drawn(s.labelled) }

func (f Field) labelled(m Markup) Markup {
	if m = f.label(m); f.Long {
		m = f.textArea(m)
	} else {
		m = f.input(m)
	}
	if f.Hint != "" {
		m = m.Raw(`<span class="small d-block"`).Attribute("id", f.hintID()).Raw(">").Text(f.Hint).Raw("</span>")
	}
	return f.message(m)
}

func (f Field) label(m Markup) Markup {
	m = m.Raw(`<label class="form-label"`).Attribute("for", f.ID()).Raw(">").Text(f.Label).Raw(" ")
	if f.Optional {
		m = m.Raw(`<small class="fw-normal">(opcional)</small>`)
	}
	return m.Raw("</label>")
}

func (f Field) input(m Markup) Markup {
	m = m.Raw(`<input class="form-control`)
	if f.Code {
		m = m.Raw(" code")
	}
	if f.AlignEnd {
		m = m.Raw(" text-end")
	}
	m = m.Raw(`"`).Attribute("id", f.ID()).Attribute("name", f.Name).Attribute("type", f.inputType())
	if !f.Secret && f.Value != "" {
		m = m.Attribute("value", f.Value)
	}
	return m.Attribute("autocomplete", f.autocomplete()).Attributes(f.attributes()).Raw(">")
}

func (f Field) textArea(m Markup) Markup {
	return m.Raw(`<textarea class="form-control"`).Attribute("id", f.ID()).Attribute("name", f.Name).Raw(` rows="2" autocomplete="off"`).
		Attributes(f.attributes()).Raw(">").Text(f.Value).Raw("</textarea>")
}

// message is what is wrong with the field: see FieldError.
func (f Field) message(m Markup) Markup {
	if f.Error == "" {
		return m
	}
	return m.Raw(`<span class="error tone-error"`).Attribute("id", f.ErrorID()).Raw(`><span class="visually-hidden">Erro: </span>`).
		Text(f.Error).Raw("</span>")
}

func (s Select) labelled(m Markup) Markup {
	m = s.label(m).Raw(`<select class="form-select"`).Attribute("id", s.ID()).Attribute("name", s.Name).Attributes(s.attributes()).Raw(">")
	if s.Prompt != "" {
		m = addOption(m, &Choice{Label: s.Prompt}, &s)
	}
	for _, group := range s.groups() {
		if group[0].Group != "" {
			m = m.Raw("<optgroup").Attribute("label", group[0].Group).Raw(">")
		}
		for i := range group {
			m = addOption(m, &group[i], &s)
		}
		if group[0].Group != "" {
			m = m.Raw("</optgroup>")
		}
	}
	return s.message(m.Raw("</select> "))
}

// addOption adds a choice of a select, whose lists may be long.
func addOption(m Markup, c *Choice, s *Select) Markup {
	m = m.Raw("<option value=").Value(c.Value)
	if c.Value == s.Value && (c.Parent == "" || s.Parent == "" || c.Parent == s.Parent) {
		m = m.Raw(" selected")
	}
	if c.Parent != "" {
		m = m.Raw(` data-for-value=`).Value(c.Parent)
	}
	return m.Raw(">").Text(c.Label)
}
