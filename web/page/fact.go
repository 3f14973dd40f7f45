package page

import "guiche/web/component"

// Fact is one line of a description list.
type Fact struct {
	Term   string
	Value  string
	Strong bool
	Code   bool // a number that is compared: letter-spaced
	Link   component.Link
	Detail string // smaller, after the value
}

// addFact adds a line.
func addFact(m component.Markup, _ int, f *Fact) component.Markup {
	m = m.Raw("<dt>").Text(f.Term).Raw("</dt><dd>")
	if f.Link.Href != "" {
		m = m.Raw("<a href=").Value(f.Link.Href).Raw(">").Text(f.Link.Text).Raw("</a>")
	} else {
		m = m.Raw("<span").Raw(f.class()).Raw(">").Text(f.Value).Raw("</span>")
	}
	if f.Detail != "" {
		m = m.Raw(`<span class="muted">&nbsp;`).Text(f.Detail).Raw("</span>")
	}
	return m.Raw("</dd>")
}

// class is the attribute of the value.
func (f *Fact) class() string {
	switch {
	case f.Code && f.Strong:
		return ` class="code fw-semibold"`
	case f.Code:
		return " class=code"
	case f.Strong:
		return " class=fw-semibold"
	}
	return ""
}
