package client

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"guiche/internal/authorization"
)

// The functions of this file read JSON values as services write them: absent,
// null and empty alike, numbers as strings and strings as numbers (row 5). None
// of them fails.

// object returns the members of an object, nil for anything else.
func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

// list returns the items of an array; an object alone counts as its only item.
func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		return []any{v}
	}
	return nil
}

// isEmpty reports whether a list has nothing in it: null or [].
func isEmpty(v any) bool {
	items, ok := v.([]any)
	return v == nil || ok && len(items) == 0
}

// text returns a string without spaces around it, any other value as JSON.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	b, err := compactJSON(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// firstText returns the first member that is not empty.
func firstText(o map[string]any, names ...string) string {
	for _, name := range names {
		if s := text(o[name]); s != "" {
			return s
		}
	}
	return ""
}

// number returns an integer, 0 for what is none.
func number(v any) int {
	f, err := strconv.ParseFloat(strings.ReplaceAll(text(v), ",", "."), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0
	}
	return int(f)
}

// truth returns a boolean and whether the value says one.
func truth(v any) (value, known bool) {
	if b, ok := v.(bool); ok {
		return b, true
	}
	switch strings.ToLower(text(v)) {
	case "true", "s", "sim", "1":
		return true, true
	case "false", "n", "não", "nao", "0":
		return false, true
	}
	return false, false
}

// otherDates are the forms that some services write for dates: ISO 8601 with other offsets, and Brazilian ones.
var otherDates = []string{
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00",
	"02/01/2006", "02/01/2006 15:04", "02/01/2006 15:04:05",
}

// moment returns a date-time; false when there is a text that is none.
func moment(v any) (authorization.LocalTime, bool) {
	s := text(v)
	if s == "" {
		return authorization.LocalTime{}, true
	}
	if t, err := authorization.ParseLocalTime(s); err == nil {
		return t, true
	}
	for _, layout := range otherDates {
		if t, err := time.Parse(layout, s); err == nil {
			return authorization.NewLocalTime(t), true
		}
	}
	return authorization.LocalTime{}, false
}
