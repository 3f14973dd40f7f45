package component

import "github.com/a-h/templ"

// Icon draws an icon of the sprite, in the colour of the text. Screen readers skip it: a
// text belongs beside it.
func Icon(name string) templ.Component {
	return drawn(func(m Markup) Markup { return m.Icon(name) })
}

// BadgeIcon is the icon of a situation alone.
func BadgeIcon(s Situation) templ.Component {
	return drawn(func(m Markup) Markup {
		if s.Spin {
			return m.icon(s.Icon, " spin")
		}
		return m.Icon(s.Icon)
	})
}

// Icon adds an icon.
func (m Markup) Icon(name string) Markup { return m.icon(name, "") }

// icon is an icon with more classes.
func (m Markup) icon(name, more string) Markup {
	return m.Raw(`<i class="icon i-`).Text(name).Raw(more).Raw(`"></i>`)
}
