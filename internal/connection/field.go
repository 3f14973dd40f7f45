package connection

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Field describes one setting.
type Field struct {
	Name   string              // of the form field, and in the audit trail
	Column string              // in the table connection
	Kind   Kind                // how it is typed, bounded and kept
	At     func(*Settings) any // pointer to the value: *string, *bool, *int, *int64, *time.Duration or *[]string

	Default string   // as the form shows it; "" is the zero value, or the first of Choices
	Choices []Choice // of OneOf, Switch and Marks
	On      string   // of a Switch: the choice that is true
	Max     int      // characters of a text; or the largest number, in the unit of Kind
	Ours    int      // the largest number that the embedded service takes; 0 is Max
	Unit    string   // what a Number counts, as people read it

	Remote      bool                                  // means something for another service only
	WithAddress bool                                  // set from outside together with the address, not by itself
	Method      Method                                // the only method that uses it, "" for any
	When        func(Settings) bool                   // what else makes it count; nil: nothing
	Optional    bool                                  // may be empty
	Missing     string                                // says that it must not be empty, where Kind does not
	Rule        func(Settings) (code, message string) // what else makes it wrong; nil: nothing

	Group       Group
	Place       int // within Group; equal ones keep the order of the table
	Width       Width
	Label       string
	Hint        string
	Placeholder string

	Flag string // without its dash; "" for a setting of the page alone
	Help string // of the flag
}

// Choice is a value that a setting may have, with its label.
type Choice struct{ Value, Label string }

// Kind is how a setting is typed, bounded and kept.
type Kind int

// The kinds.
const (
	Text        Kind = iota // a line for people
	Word                    // a line that programs compare
	Words                   // several, separated by spaces
	Path                    // below the address
	Address                 // http(s)://host[:port][/path]
	AllowedHost             // the host of the address where a mark allows it, else ""
	Number                  // from 1 to Max
	Megabytes               // bytes, typed in MB
	Seconds                 // a time, typed in seconds
	Minutes                 // a time, typed in minutes
	OneOf                   // one of Choices
	Switch                  // true or false, typed as one of two Choices
	Marks                   // any of Choices, each with a mark
)

// Group is where a setting stands on the page.
type Group string

// The groups.
const (
	GroupService     Group = "servico"     // which service
	GroupAddress     Group = "endereco"    // where another one is
	GroupAccess      Group = "acesso"      // by which method
	GroupUser        Group = "usuario"     // beside the secret of Password
	GroupLogin       Group = "login"       // how to log in
	GroupClient      Group = "cliente"     // beside the secret of OAuth
	GroupToken       Group = "token"       // how to get a token
	GroupFeatures    Group = "recursos"    // what is used beyond the specification
	GroupByHand      Group = "recursosMao" // what that is, by hand
	GroupPaths       Group = "caminhos"
	GroupAttachments Group = "anexos"
	GroupTimes       Group = "prazos"
	GroupSlots       Group = "envios" // how many requests at the same time
)

// Groups lists the groups that have settings.
func Groups() []Group {
	var groups []Group
	for _, f := range table {
		if !slices.Contains(groups, f.Group) {
			groups = append(groups, f.Group)
		}
	}
	return groups
}

// Width is how much of a row of the page a setting takes.
type Width int

// The widths.
const (
	Normal Width = iota // as much as the others of its group, a row on a small screen
	Short               // the same, less than a row on a small screen too
	Wide                // a row
)

// Fields describe every setting, in the order of the check and of the audit trail.
func Fields() []Field { return slices.Clone(table) }

// FieldsOf returns the settings of a group, in the order of the page.
func FieldsOf(g Group) []Field {
	fields := slices.DeleteFunc(Fields(), func(f Field) bool { return f.Group != g })
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(a.Place, b.Place) })
	return fields
}

// Defaults are the settings of a new installation.
func Defaults() Settings {
	var s Settings
	for _, f := range table {
		f.Read(&s, func(string) string { return f.Default })
	}
	return s
}

// values are those of the choices.
func (f Field) values() []string {
	all := make([]string, len(f.Choices))
	for i, c := range f.Choices {
		all[i] = c.Value
	}
	return all
}

// Variable is the environment variable of the flag, "" for a setting without one.
func (f Field) Variable() string {
	if f.Flag == "" {
		return ""
	}
	return "GUICHE_" + strings.ToUpper(strings.ReplaceAll(f.Flag, "-", "_"))
}

// Usage is what the program says about the flag.
func (f Field) Usage() string {
	if f.Default == "" {
		return f.Help
	}
	return f.Help + " (default: as the page Conexão says, " + f.FlagDefault() + " at first)"
}

// FlagDefault is the default as a flag takes it.
func (f Field) FlagDefault() string {
	s := Defaults()
	if d, ok := f.At(&s).(*time.Duration); ok {
		return shortDuration(*d)
	}
	return f.Default
}

// shortDuration leaves out units that are zero: 30m in place of 30m0s.
func shortDuration(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "m0s")
	if text != d.String() {
		text += "m"
	}
	return text
}

// counts reports whether the setting means anything beside the others.
func (f Field) counts(s Settings) bool {
	return (!f.Remote || !s.Embedded) && (f.Method == "" || f.Method == s.Method) && (f.When == nil || f.When(s))
}

// isSet reports whether the setting has a value.
func (f Field) isSet(s Settings) bool { return !reflect.ValueOf(f.At(&s)).Elem().IsZero() }

// same reports whether both have the same value.
func (f Field) same(a, b Settings) bool {
	if marks, ok := f.At(&a).(*[]string); ok {
		return slices.Equal(*marks, *f.At(&b).(*[]string))
	}
	return reflect.ValueOf(f.At(&a)).Elem().Equal(reflect.ValueOf(f.At(&b)).Elem())
}

// copyFrom gives to the value that from has.
func (f Field) copyFrom(to *Settings, from Settings) {
	reflect.ValueOf(f.At(to)).Elem().Set(reflect.ValueOf(f.At(&from)).Elem())
}

// changed names the settings in which s differs.
func (old Settings) changed(s Settings) []string {
	var names []string
	for _, f := range table {
		if !f.same(old, s) {
			names = append(names, f.Name)
		}
	}
	return names
}
