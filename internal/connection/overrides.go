package connection

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Overrides are what flags and variables set: it wins over what is stored, and the
// page shows it as fixed.
type Overrides struct {
	Settings        // what is zero is not overridden; BaseURL brings Method, User, ClientID and the secret
	Secret   Secret // of Method
}

// Fixed returns the variable of each setting that is overridden by itself, by name of
// the setting; that of the address stands for all that comes with it.
func (o Overrides) Fixed() map[string]string {
	fixed := map[string]string{}
	for _, f := range o.fields() {
		fixed[f.Name] = f.Variable()
	}
	return fixed
}

// fields are the settings that are overridden: those by themselves, and the address.
func (o Overrides) fields() []Field {
	return slices.DeleteFunc(Fields(), func(f Field) bool {
		return f.Flag == "" || f.WithAddress && f.Name != FieldBaseURL || !f.isSet(o.Settings)
	})
}

// has tells whether a flag or a variable holds the field, so that the page shows it
// without letting anybody change it.
func (o Overrides) has(name string) bool {
	return slices.ContainsFunc(o.fields(), func(f Field) bool { return f.Name == name })
}

// apply returns s with the overrides. A service that the configuration names may be in
// a local network.
func (o Overrides) apply(s Settings) Settings {
	if o.BaseURL != "" {
		s.Embedded, s.BaseURL, s.Method, s.User, s.ClientID = false, o.BaseURL, o.Method, o.User, o.ClientID
		s.InternalHost = s.Host()
	}
	return o.take(s, o.Settings)
}

// restore returns s with the stored value of everything that is overridden: what the
// page shows as fixed must not be saved. Neither must the settings of other methods
// than that of the address, of which the page has no fields then.
func (o Overrides) restore(s, stored Settings) Settings {
	if o.BaseURL != "" {
		for _, f := range table {
			if f.WithAddress || f.Method != "" && f.Method != o.Method {
				f.copyFrom(&s, stored)
			}
		}
	}
	return o.take(s, stored)
}

// take returns s with what from has of the settings that are overridden by themselves.
func (o Overrides) take(s, from Settings) Settings {
	for _, f := range o.fields() {
		if !f.WithAddress {
			f.copyFrom(&s, from)
		}
	}
	return s
}

// Check returns a limit or a choice that cannot work, named by its variable.
func (o Overrides) Check() error {
	for _, f := range o.fields() {
		if f.number(o.Settings) < 0 {
			return fmt.Errorf("%s: must not be negative", f.Variable())
		}
		if f.Kind == OneOf && !slices.Contains(f.values(), f.line(o.Settings)) {
			return fmt.Errorf("%s: want %s", f.Variable(), strings.Join(f.values(), " or "))
		}
	}
	if o.UploadTotal > 0 && o.UploadFile > o.UploadTotal {
		return errors.New("GUICHE_UPLOAD_FILE_MB: one file may not be larger than GUICHE_UPLOAD_TOTAL_MB")
	}
	return nil
}

// CheckPaths returns a path that cannot be one below the address, named by its
// variable.
func (o Overrides) CheckPaths() error {
	for _, f := range o.fields() {
		path := f.line(o.Settings)
		if f.Kind == Path && (!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "?#\\ ")) {
			return fmt.Errorf("%s: want a path below GUICHE_BASE_URL, such as /api/v1/auth/login", f.Variable())
		}
	}
	return nil
}
