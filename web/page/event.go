package page

import "guiche/web/component"

// Event is one line of the time line, newest first.
type Event struct {
	Time   string         // "14:00"
	Tone   component.Tone // colours the point, "" for none
	Strong string
	Text   string
	Detail string
	Note   string // what a person wrote, in lines
}

// addEvent adds a line.
func addEvent(m component.Markup, _ int, e *Event) component.Markup {
	m = m.Raw("<li")
	if e.Tone != "" {
		m = m.Raw(" class=").Value(string(e.Tone))
	}
	m = m.Raw(`><span class="muted">`).Text(e.Time).Raw("</span><div>")
	if e.Strong != "" {
		m = m.Raw("<b>").Text(e.Strong).Raw("</b> ")
	}
	m = m.Text(e.Text)
	if e.Detail != "" {
		m = m.Raw(` <small class="small d-block">`).Text(e.Detail).Raw("</small>")
	}
	if e.Note != "" {
		m = m.Raw(` <p class="note-text mb-0">`).Text(e.Note).Raw("</p>")
	}
	return m.Raw("</div></li>")
}
