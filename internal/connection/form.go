package connection

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// What a checkbox holds.
const (
	marked   = "S"
	unmarked = "N"
)

const megabyte = 1 << 20

// units are what a number of the form counts.
var units = map[Kind]int64{Number: 1, Megabytes: megabyte, Seconds: int64(time.Second), Minutes: int64(time.Minute)}

// ReadForm returns what was typed. A number that cannot be read becomes 0, which no
// setting may be.
func ReadForm(get func(name string) string) Settings {
	var s Settings
	for _, f := range table {
		f.Read(&s, get)
	}
	return s
}

// Form is the settings as the form has them, by name of the input.
func (s Settings) Form() map[string]string {
	values := map[string]string{}
	for _, f := range table {
		for i, name := range f.Inputs() {
			values[name] = f.text(s, i)
		}
	}
	return values
}

// Inputs are the names of the setting's inputs: its own, or one for each mark.
func (f Field) Inputs() []string {
	if f.Kind != Marks {
		return []string{f.Name}
	}
	names := f.values()
	for i := range names {
		names[i] = f.Name + "." + names[i]
	}
	return names
}

// Read sets the value in s to what was typed. AllowedHost needs the address before.
func (f Field) Read(s *Settings, get func(name string) string) {
	typed := get(f.Name)
	switch value := f.At(s).(type) {
	case *string:
		*value = f.readLine(*s, typed)
	case *bool:
		*value = (typed == f.Choices[1].Value) == (f.On == f.Choices[1].Value)
	case *int:
		*value = int(f.readNumber(typed))
	case *int64:
		*value = f.readNumber(typed)
	case *time.Duration:
		*value = time.Duration(f.readNumber(typed))
	case *[]string:
		*value = f.readMarks(get)
	}
}

// readLine reads a text as it will be stored; surrounding and repeated white space is
// what copying left behind.
func (f Field) readLine(s Settings, typed string) string {
	switch f.Kind {
	case OneOf:
		return typed
	case Words:
		return strings.Join(strings.Fields(typed), " ")
	case AllowedHost:
		if typed == marked {
			return s.Host()
		}
		return ""
	}
	return strings.TrimSpace(typed)
}

// maxTyped is the largest number that is read: none is larger than its setting's Max.
const maxTyped = 100_000

// readNumber turns what was typed into the stored unit. What is no number becomes 0,
// which the check refuses with a sentence beside the field.
func (f Field) readNumber(typed string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(typed), 10, 64)
	if err != nil || n < 0 || n > maxTyped {
		return 0
	}
	return n * units[f.Kind]
}

// readMarks reads the boxes of a field that takes several values.
func (f Field) readMarks(get func(name string) string) []string {
	var values []string
	for i, name := range f.Inputs() {
		if get(name) == marked {
			values = append(values, f.Choices[i].Value)
		}
	}
	return values
}

// text is what the i-th input holds.
func (f Field) text(s Settings, i int) string {
	switch value := f.At(&s).(type) {
	case *bool:
		return f.switchValue(*value)
	case *int:
		return strconv.Itoa(*value)
	case *int64:
		return strconv.FormatInt(*value/units[f.Kind], 10)
	case *time.Duration:
		return strconv.FormatFloat(float64(*value)/float64(units[f.Kind]), 'f', -1, 64)
	case *[]string:
		return mark(slices.Contains(*value, f.Choices[i].Value))
	case *string:
		if f.Kind == AllowedHost {
			return mark(*value != "")
		}
		return *value
	}
	return ""
}

// switchValue is the choice that stands for on.
func (f Field) switchValue(on bool) string {
	for _, c := range f.Choices {
		if (c.Value == f.On) == on {
			return c.Value
		}
	}
	return ""
}

// mark is the value of a box.
func mark(on bool) string {
	if on {
		return marked
	}
	return unmarked
}
