package page

import (
	"slices"

	"guiche/web/component"
)

// Event is one line of the time line, newest first.
type Event struct {
	Time   string         // "14:00", "02/01 14:00" or "02/01/2006 14:00"
	Tone   component.Tone // colours the point, "" for none
	Strong string
	Text   string
	Detail string
	Note   string // what a person wrote, in lines
}

// hasWholeDates reports whether the time of a line has its year: all times need more room then.
func hasWholeDates(lines []Event) bool {
	return slices.ContainsFunc(lines, func(e Event) bool { return len(e.Time) > len("02/01 14:00") })
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
