package component

import "github.com/a-h/templ"

// options are the choices of a select; its lists may be long.
func options(choices []Choice, value string) templ.Component {
	return Each(choices, func(m Markup, _ int, c *Choice) Markup {
		m = m.Raw(`<option value="`).Text(c.Value).Raw(`"`)
		if c.Value == value {
			m = m.Raw(" selected")
		}
		if c.Parent != "" {
			m = m.Raw(` data-for-value="`).Text(c.Parent).Raw(`"`)
		}
		return m.Raw(">").Text(c.Label)
	})
}
