package component

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// Icon draws an icon of the sprite, in the colour of the text. Screen readers skip it: a
// text belongs beside it.
func Icon(name string) templ.Component { return iconOf(name, "") }

// BadgeIcon is the icon of a situation alone.
func BadgeIcon(s Situation) templ.Component {
	if s.Spin {
		return iconOf(s.Icon, " spin")
	}
	return iconOf(s.Icon, "")
}

// iconOf is an icon with more classes.
func iconOf(name, more string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, `<i class="icon i-`+templ.EscapeString(name)+more+`"></i>`)
		return err
	})
}
