package page

import (
	"strconv"

	"guiche/web/component"
)

// addCounter adds one of the counters above the queue.
func addCounter(m component.Markup, _ int, c *Counter) component.Markup {
	m = m.Raw(`<a class="`).Raw(string(c.Tone))
	if c.urgent() {
		m = m.Raw(" urgent")
	}
	m = m.Raw(`" id="grupo-`).Text(c.Slug).Raw(`"`).Attribute("href", c.Href)
	if c.Current {
		m = m.Raw(` aria-current="true"`).Attributes(component.Shortcut("Escape"))
	}
	m = m.Raw("><span>").Icon(c.Icon).Text(c.Label).Raw(" ")
	if c.Current {
		m = m.Raw(`<kbd aria-hidden="true">Esc</kbd>`)
	}
	return m.Raw("</span> <b>").Text(strconv.Itoa(c.Count)).Raw("</b> <small>").Text(c.Detail).Raw("</small></a>")
}
