package component

import (
	"context"
	"io"
	"sync"

	"github.com/a-h/templ"
)

// Markup is HTML that repeats, such as the rows of a list: templ takes several allocations
// for each value.
type Markup []byte

// Raw adds HTML of ours.
func (m Markup) Raw(html string) Markup { return append(m, html...) }

// Text adds a text, in an element or in the quotes of an attribute.
func (m Markup) Text(text string) Markup {
	from := 0
	for i := range len(text) {
		if special>>text[i]&1 != 0 {
			m = append(append(m, text[from:i]...), entities[text[i]]...)
			from = i + 1
		}
	}
	return append(m, text[from:]...)
}

// Value adds the value of an attribute, in quotes only where it needs them: without, a list has fewer bytes.
func (m Markup) Value(text string) Markup {
	if isPlain(text) {
		return m.Raw(text)
	}
	return m.Raw(`"`).Text(text).Raw(`"`)
}

// isPlain reports whether a value needs no quotes.
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 'A' <= c && c <= 'Z', c == '-', c == '_':
		default:
			return false
		}
	}
	return text != ""
}

// special has a bit for each character that has an entity: a table would be looked into for every byte of a page.
const special = uint64(1)<<'&' | 1<<'<' | 1<<'>' | 1<<'"' | 1<<'\''

// entities stand for the characters that end a text or an attribute.
var entities = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;"}

// Badge adds a cell with the badge of a situation. The row has its tone.
func (m Markup) Badge(s Situation) Markup {
	m = m.Raw("<td><b class=")
	switch {
	case s.Local:
		m = m.Raw(`"i-`).Raw(s.Icon).Raw(` local"`)
	case s.Spin:
		m = m.Raw(`"i-`).Raw(s.Icon).Raw(` spin"`)
	default:
		m = m.Raw("i-").Raw(s.Icon)
	}
	return m.Raw(">").Text(s.Label).Raw("</b>")
}

// Cell adds a cell; its end follows from what comes next.
func (m Markup) Cell(text string) Markup { return m.Raw("<td>").Text(text) }

// Attribute adds an attribute with its value.
func (m Markup) Attribute(name, value string) Markup {
	return m.Raw(" ").Raw(name).Raw(`="`).Text(value).Raw(`"`)
}

// Attributes adds those that are texts, and those without a value that are on.
func (m Markup) Attributes(all templ.OrderedAttributes) Markup {
	for _, a := range all {
		switch value := a.Value.(type) {
		case string:
			m = m.Attribute(a.Key, value)
		case bool:
			if value {
				m = m.Raw(" ").Raw(a.Key)
			}
		}
	}
	return m
}

// Each writes the markup of each of many.
func Each[T any](all []T, add func(m Markup, i int, one *T) Markup) templ.Component {
	return drawn(func(m Markup) Markup {
		for i := range all {
			m = add(m, i, &all[i])
		}
		return m
	})
}

// drawn writes the markup that a function adds.
func drawn(add func(Markup) Markup) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		buffer := markups.Get().(*Markup) // there is nothing else in it
		defer markups.Put(buffer)
		*buffer = add((*buffer)[:0])
		_, err := w.Write(*buffer)
		return err
	})
}

// markups are kept from page to page, and nothing of what is in them.
var markups = sync.Pool{New: func() any { return new(Markup) }}
