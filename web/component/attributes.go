package component

import "github.com/a-h/templ"

// attributes are what an input and a text area have in common: a list, which templ need not sort as it would a map.
func (f Field) attributes() templ.OrderedAttributes {
	attrs := make(templ.OrderedAttributes, 0, 8)
	set := func(on bool, name string, value any) {
		if on {
			attrs = append(attrs, attribute(name, value))
		}
	}
	set(f.placeholder() != "", "placeholder", f.placeholder())
	set(f.Digits || f.Date, "inputmode", "numeric")
	set(f.Code || f.Date || f.Secret || f.Autocomplete == "username" || f.combobox != nil, "spellcheck", "false")
	set(f.Autocomplete == "username", "autocapitalize", "none")
	set(f.Date && !f.Start, "data-date", true)
	set(f.Date && f.Start, "data-date", "start")
	set(f.Focus, "autofocus", true)
	set(f.Error != "", "aria-invalid", "true")
	set(f.describedBy() != "", "aria-describedby", f.describedBy())
	set(f.AriaLabel != "", "aria-label", f.AriaLabel)
	set(f.ReadOnly, "readonly", true)
	set(f.ReadOnly, "tabindex", "-1")
	if f.combobox != nil {
		return f.combobox.attributes(attrs)
	}
	return attrs
}

func attribute(name string, value any) templ.KeyValue[string, any] {
	return templ.KeyValue[string, any]{Key: name, Value: value}
}

// attributes make an input a combobox (ARIA pattern: list autocomplete); the
// script sends only what is typed in it, as "Busca".
func (c combobox) attributes(attrs templ.OrderedAttributes) templ.OrderedAttributes {
	attrs = append(attrs, attribute("role", "combobox"), attribute("aria-autocomplete", "list"), attribute("aria-expanded", "false"),
		attribute("aria-controls", c.list), attribute("hx-post", c.path),
		attribute("hx-trigger", "input delay:150ms"), attribute("hx-target", "#"+c.list), attribute("hx-sync", "this:replace"),
		attribute("hx-status:4xx", "swap:none"), attribute("hx-status:5xx", "swap:none"))
	return append(attrs, Shortcut(c.key)...)
}

// Shortcut gives a control a key that presses or focuses it, none for "". Screen readers
// say it with the control; the script acts on it.
func Shortcut(key string) templ.OrderedAttributes {
	if key == "" {
		return nil
	}
	spoken := key
	if key == "F8" {
		spoken = "F8 Control+Enter"
	}
	return templ.OrderedAttributes{attribute("aria-keyshortcuts", spoken), attribute("data-shortcut", key)}
}

// attributes are those of a select.
func (s Select) attributes() templ.OrderedAttributes {
	field := s.Field
	field.Placeholder = ""
	attrs := field.attributes()
	if s.DependsOn != "" {
		attrs = append(attrs, attribute("data-depends-on", ID(s.DependsOn)))
	}
	return attrs
}
