package authorization

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"guiche/internal/oneline"
)

// LocalTime is a date-time without zone, as the specification's ISO 8601 values
// are (2.3, 2.5). The zero value means absent. It compares with ==.
type LocalTime struct {
	t time.Time // always UTC, used as a wall clock only
}

// What ParseTypedDate and ParseTypedStart refuse.
var (
	errNotADate  = errors.New("not a date")
	errNoSuchDay = errors.New("no such day")
)

const localLayout = "2006-01-02T15:04:05"

// NewLocalTime returns the wall clock of t in t's own zone, to the second.
func NewLocalTime(t time.Time) LocalTime {
	y, m, d := t.Date()
	h, mi, s := t.Clock()
	return LocalTime{time.Date(y, m, d, h, mi, s, 0, time.UTC)}
}

// DateOf returns midnight of a calendar day.
func DateOf(year int, month time.Month, day int) LocalTime {
	return LocalTime{time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// wireLayouts are the forms of ISO 8601 that services write.
var wireLayouts = []string{
	localLayout, time.DateOnly, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", time.DateTime, time.RFC3339Nano,
}

// ParseLocalTime reads ISO 8601: a date, or a date-time with or without a
// fraction. A zone is tolerated and dropped: only the wall clock counts.
func ParseLocalTime(s string) (LocalTime, error) {
	s = strings.TrimSpace(s)
	for _, layout := range wireLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return NewLocalTime(t), nil
		}
	}
	return LocalTime{}, fmt.Errorf("date-time of %d characters is not ISO 8601", len(s))
}

// ParseTypedDate reads a date as users type it: 31122027, 311227, 31/12/27,
// 31/12/2027 or 2027-12-31, also with dots, dashes or spaces. A month and a year,
// 12/2027 as cards have it, are its last day. A year of two digits is the one
// nearest to today. Dates that do not exist are refused.
func ParseTypedDate(s string, today time.Time) (LocalTime, error) {
	lt, wholeMonth, err := parseTyped(s, today)
	if wholeMonth {
		y, m, _ := lt.t.Date()
		return DateOf(y, m+1, 0), err
	}
	return lt, err
}

// ParseTypedStart reads the day that a period begins: as ParseTypedDate, but a month and
// a year are its first day.
func ParseTypedStart(s string, today time.Time) (LocalTime, error) {
	lt, _, err := parseTyped(s, today)
	return lt, err
}

// DateMessage says what is wrong with a typed date that was refused with err: the field
// with that label holds a day that does not exist, or unreadable, what has no form of a date.
func DateMessage(err error, label, unreadable string) string {
	if errors.Is(err, errNoSuchDay) {
		return label + ": esta data não existe. Confira dia, mês e ano."
	}
	return unreadable
}

// parseTyped reads a typed date, of a month and a year the first day.
func parseTyped(s string, today time.Time) (lt LocalTime, wholeMonth bool, err error) {
	parts := dateParts(s)
	if wholeMonth = len(parts) == 2; wholeMonth {
		parts = append([]string{"1"}, parts...)
	}
	if len(parts) != 3 {
		return LocalTime{}, false, errNotADate
	}
	var d, m, y int
	if _, err := fmt.Sscanf(strings.Join(parts, " "), "%d %d %d", &d, &m, &y); err != nil {
		return LocalTime{}, false, errNotADate
	}
	if len(parts[2]) == 2 {
		y = nearestYear(y, today.Year())
	}
	lt = DateOf(y, time.Month(m), d)
	if lt.t.Day() != d || int(lt.t.Month()) != m || y < 1900 || y > 9999 {
		return LocalTime{}, false, errNoSuchDay
	}
	return lt, wholeMonth, nil
}

// dateParts splits a date into day, month and year, or month and year; nil when it
// has another form. What nobody sees, and is pasted along, is no part of it.
func dateParts(s string) []string {
	s = oneline.Visible(s)
	for _, r := range s {
		if !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("/.-", r) {
			return nil
		}
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(parts) == 1 && (len(parts[0]) == 8 || len(parts[0]) == 6) {
		p := parts[0]
		parts = []string{p[:2], p[2:4], p[4:]}
	}
	if len(parts) == 3 && len(parts[0]) == 4 {
		slices.Reverse(parts)
	}
	if !slices.Contains(dateShapes, shape(parts)) {
		return nil
	}
	return parts
}

// dateShapes are how many digits the parts of a date may have.
var dateShapes = []string{"112", "122", "212", "222", "114", "124", "214", "224", "14", "24"}

func shape(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
	}
	return b.String()
}

func nearestYear(twoDigits, current int) int {
	y := current - current%100 + twoDigits
	switch {
	case y > current+50:
		return y - 100
	case y <= current-50:
		return y + 100
	}
	return y
}

// IsZero reports whether the time is absent.
func (l LocalTime) IsZero() bool { return l.t.IsZero() }

// String returns the wire form, 2027-12-31T00:00:00, and "" when absent.
func (l LocalTime) String() string {
	if l.IsZero() {
		return ""
	}
	return l.t.Format(localLayout)
}

// Date returns the day as it is shown, 31/12/2027, and "" when absent.
func (l LocalTime) Date() string {
	if l.IsZero() {
		return ""
	}
	return l.t.Format("02/01/2006")
}

// DateTime returns 31/12/2027 14:05, and "" when absent.
func (l LocalTime) DateTime() string {
	if l.IsZero() {
		return ""
	}
	return l.t.Format("02/01/2006 15:04")
}

// In returns the instant of the wall clock in a zone. Where summer time skips it, that is as much
// later: a day that has no midnight begins at one o'clock, and not on the day before.
func (l LocalTime) In(zone *time.Location) time.Time {
	y, m, d := l.t.Date()
	h, mi, s := l.t.Clock()
	t := time.Date(y, m, d, h, mi, s, 0, zone)
	return t.Add(max(0, l.t.Sub(NewLocalTime(t).t)))
}

// AddDays returns the same wall clock so many days later.
func (l LocalTime) AddDays(days int) LocalTime { return LocalTime{l.t.AddDate(0, 0, days)} }

// Before reports whether the day of l is before the day of other.
func (l LocalTime) Before(other LocalTime) bool {
	return l.t.Format(time.DateOnly) < other.t.Format(time.DateOnly)
}

// DaysUntil returns the calendar days from l to other.
func (l LocalTime) DaysUntil(other LocalTime) int {
	day := func(t time.Time) int64 { return t.Truncate(24*time.Hour).Unix() / (24 * 60 * 60) } // a Duration ends after 292 years
	return int(day(other.t) - day(l.t))
}

// MarshalText writes the wire form, so that a stored request or answer holds
// dates as the specification writes them; absent is "".
func (l LocalTime) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (l *LocalTime) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*l = LocalTime{}
		return nil
	}
	read, err := ParseLocalTime(string(text))
	if err != nil {
		return err
	}
	*l = read
	return nil
}
