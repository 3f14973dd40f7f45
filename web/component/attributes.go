package component

import (
	"maps"

	"github.com/a-h/templ"
)

// attributes are what an input and a text area have in common.
func (f Field) attributes() templ.Attributes {
	attrs := templ.Attributes{}
	set := func(on bool, name string, value any) {
		if on {
			attrs[name] = value
		}
	}
	set(f.placeholder() != "", "placeholder", f.placeholder())
	set(f.Digits || f.Date, "inputmode", "numeric")
	set(f.Code || f.Date || f.Secret || f.Autocomplete == "username", "spellcheck", "false")
	set(f.Autocomplete == "username", "autocapitalize", "none")
	set(f.Date, "data-date", true)
	set(f.Date && f.Start, "data-date", "start")
	set(f.Focus, "autofocus", true)
	set(f.Error != "", "aria-invalid", "true")
	set(f.describedBy() != "", "aria-describedby", f.describedBy())
	set(f.AriaLabel != "", "aria-label", f.AriaLabel)
	set(f.ReadOnly, "readonly", true)
	set(f.ReadOnly, "tabindex", "-1")
	if f.combobox != nil {
		maps.Copy(attrs, f.combobox.attributes())
	}
	return attrs
}

// attributes make an input a combobox (ARIA pattern: list autocomplete); the
// script sends only what is typed in it, as "Busca".
func (c combobox) attributes() templ.Attributes {
	attrs := templ.Attributes{
		"role": "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": c.list, "spellcheck": "false",
		"hx-post": c.path, "hx-trigger": "input delay:150ms", "hx-target": "#" + c.list, "hx-sync": "this:replace",
		"hx-status:4xx": "swap:none", "hx-status:5xx": "swap:none",
	}
	maps.Copy(attrs, Shortcut(c.key))
	return attrs
}

// Shortcut gives a control a key that presses or focuses it, none for "". Screen readers
// say it with the control; the script acts on it.
func Shortcut(key string) templ.Attributes {
	if key == "" {
		return nil
	}
	spoken := key
	if key == "F8" {
		spoken = "F8 Control+Enter"
	}
	return templ.Attributes{"data-shortcut": key, "aria-keyshortcuts": spoken}
}

// attributes are those of a select.
func (s Select) attributes() templ.Attributes {
	attrs := s.Field.attributes()
	delete(attrs, "placeholder")
	if s.DependsOn != "" {
		attrs["data-depends-on"] = ID(s.DependsOn)
	}
	return attrs
}
