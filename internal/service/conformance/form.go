package conformance

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// form is the type that the specification gives a field.
type form struct {
	name string
	fits func(any) bool
}

// The forms of sections 2 and 4.
var (
	text     = form{"a string", func(v any) bool { _, ok := v.(string); return ok }}
	flag     = form{"a boolean", func(v any) bool { _, ok := v.(bool); return ok }}
	list     = form{"an array", func(v any) bool { _, ok := v.([]any); return ok }}
	aObject  = form{"an object", func(v any) bool { _, ok := v.(object); return ok }}
	integer  = form{"an integer", isInteger}
	uuidText = form{"a UUID", matches(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)}
	dateTime = form{"an ISO 8601 date-time", isDateTime}
	base64ed = form{"a base64 string", isBase64}
	code     = form{"one of the 18 codes", isCode}
)

// orNull allows null, for fields of which the specification says "or null".
func (f form) orNull() form {
	return form{f.name + " or null", func(v any) bool { return v == nil || f.fits(v) }}
}

// matches is a form for texts of a pattern, such as a guide number.
func matches(pattern string) func(any) bool {
	re := regexp.MustCompile(pattern)
	return func(v any) bool { s, ok := v.(string); return ok && re.MatchString(s) }
}

// isInteger accepts 5 but not 5.0 or "5": a partner's typed client would not.
func isInteger(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	_, err := n.Int64()
	return err == nil
}

var dateForms = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339}

// isDateTime accepts the forms in which the interface writes a moment.
func isDateTime(v any) bool {
	s, ok := v.(string)
	for _, layout := range dateForms {
		if _, err := time.Parse(layout, s); ok && err == nil {
			return true
		}
	}
	return false
}

// isBase64 accepts the standard alphabet with padding; the interface answers with no
// other.
func isBase64(v any) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}

// codes are the allowed codes of section 3.
const codes = "A Z R N K C P E S M I Ç H T X V W -"

// isCode accepts one of the error codes that the interface knows.
func isCode(v any) bool {
	s, ok := v.(string)
	return ok && s != "" && !strings.Contains(s, " ") && strings.Contains(" "+codes+" ", " "+s+" ")
}

// field is a row of a table of section 2.
type field struct {
	name   string
	form   form
	needed bool // an answer without it cannot be understood; elsewhere absence is not shown (row 5)
	says   string
}

// fieldChecks makes one check for each row of a table, over all objects that
// the table is about.
func fieldChecks(fields []field, objects func(*Case) []object) []Check {
	var all []Check
	for _, f := range fields {
		all = append(all, sentence(f.name, f.name+": "+f.form.name+", "+f.says, func(c *Case) {
			for i, o := range objects(c) {
				c.field(f, i, o)
			}
		}))
	}
	return all
}

// field checks one property of the i-th object. A property that the interface leaves
// open is reported as such and does not fail the run.
func (c *Case) field(f field, i int, o object) {
	v, there := o[f.name]
	switch {
	case f.form.fits(v) && there:
	case !there && f.needed:
		c.errorf("%s is absent in object %d", f.name, i+1)
	case !there:
		c.open("%s is absent in object %d", f.name, i+1)
	case (v == nil || v == "") && !f.needed:
		c.open("%s without a value is %s", f.name, quote(v))
	default:
		c.errorf("%s is %s in object %d, want %s", f.name, quote(v), i+1, f.form.name)
	}
}

// quote shows a value as it came, shortened: a report must not hold a whole guide.
func quote(v any) string {
	said, _ := json.Marshal(v)
	return cut(string(said))
}
