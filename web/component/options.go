package component

import "github.com/a-h/templ"

// options are the choices of a select; its lists may be long.
func options(choices []Choice, value string) templ.Component {
	return Each(choices, func(m Markup, _ int, c *Choice) Markup {
		m = m.Raw("<option value=").Value(c.Value)
		if c.Value == value {
			m = m.Raw(" selected")
		}
		if c.Parent != "" {
			m = m.Raw(` data-for-value=`).Value(c.Parent)
		}
		return m.Raw(">").Text(c.Label)
	})
}
