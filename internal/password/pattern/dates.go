package pattern

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trustelem/zxcvbn/match"
	"github.com/trustelem/zxcvbn/scoring"
)

var recentYear = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`19\d\d|20[01]\d`) })

// years are those of the last century and the beginning of this one.
func years(password string) (found []*match.Match) {
	for _, at := range recentYear().FindAllStringIndex(password, -1) {
		found = append(found, &match.Match{Pattern: "regex", I: at[0], J: at[1] - 1, Token: password[at[0]:at[1]], RegexName: "recent_year"})
	}
	return found
}

// Years of a date that are written whole.
const firstYear, lastYear = 1000, 2050

// splits are where the parts of a date without separators end, by its length.
var splits = map[int][][2]int{
	4: {{1, 2}, {2, 3}},
	5: {{1, 3}, {2, 3}},
	6: {{1, 2}, {2, 4}, {4, 5}},
	7: {{1, 3}, {2, 3}, {4, 5}, {4, 6}},
	8: {{2, 4}, {4, 6}},
}

// dates are days in any order of their parts: "31121999", "1/2/99". One within another is left
// out.
func dates(password string) []*match.Match {
	var found []*match.Match
	add := func(from, length int, read func(token string) (year int, separator string, ok bool)) {
		if from+length > len(password) {
			return
		}
		token := password[from : from+length]
		if year, separator, ok := read(token); ok {
			found = append(found, &match.Match{Pattern: "date", I: from, J: from + length - 1, Token: token, Year: year, Separator: separator})
		}
	}
	for from := range len(password) {
		for length := 4; length <= 8; length++ {
			add(from, length, plainDate)
		}
		for length := 6; length <= 10; length++ {
			add(from, length, separatedDate)
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(m *match.Match) bool {
		return slices.ContainsFunc(found, func(o *match.Match) bool { return o != m && o.I <= m.I && o.J >= m.J })
	})
}

// plainDate reads a date without separators; of several the one whose year is nearest.
func plainDate(token string) (year int, separator string, ok bool) {
	if !isNumber(token, len(token)) {
		return 0, "", false
	}
	distance := func(year int) int { return max(year-scoring.ReferenceYear, scoring.ReferenceYear-year) }
	for _, s := range splits[len(token)] {
		y, is := yearOf(token[:s[0]], token[s[0]:s[1]], token[s[1]:])
		if is && (!ok || distance(y) < distance(year)) {
			year, ok = y, true
		}
	}
	return year, "", ok
}

// separatedDate reads a date whose parts the same character separates.
func separatedDate(token string) (year int, separator string, ok bool) {
	at := strings.IndexAny(token, " \t\n\v\f\r/\\_.-")
	if at < 0 {
		return 0, "", false
	}
	separator = token[at : at+1]
	parts := strings.Split(token, separator)
	if len(parts) != 3 || !isNumber(parts[0], 4) || !isNumber(parts[1], 2) || !isNumber(parts[2], 4) {
		return 0, "", false
	}
	year, ok = yearOf(parts[0], parts[1], parts[2])
	return year, separator, ok
}

// isNumber reports whether a text has digits alone, and at most so many.
func isNumber(s string, most int) bool {
	return s != "" && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// yearOf returns the year of a date of three parts, of which the year is the first or the last.
func yearOf(first, middle, last string) (year int, ok bool) {
	a, _ := strconv.Atoi(first) // digits alone
	b, _ := strconv.Atoi(middle)
	c, _ := strconv.Atoi(last)
	if !mayBeDate(a, b, c) {
		return 0, false
	}
	orders := [2][3]int{{c, a, b}, {a, b, c}}
	for _, o := range orders {
		if firstYear <= o[0] && o[0] <= lastYear {
			return o[0], isDay(o[1], o[2])
		}
	}
	for _, o := range orders {
		if isDay(o[1], o[2]) {
			return century(o[0]), true
		}
	}
	return 0, false
}

// mayBeDate rules out what has too many numbers that are no day, or no month.
func mayBeDate(a, middle, b int) bool {
	if middle < 1 || middle > 31 {
		return false
	}
	noDay, noMonth, zero := 0, 0, 0
	for _, n := range [...]int{a, middle, b} {
		if n > 99 && n < firstYear || n > lastYear {
			return false
		}
		if n > 31 {
			noDay++
		}
		if n > 12 {
			noMonth++
		}
		if n == 0 {
			zero++
		}
	}
	return noDay < 2 && noMonth < 3 && zero < 2
}

// isDay reports whether two numbers are a day and a month, in some order.
func isDay(a, b int) bool { return min(a, b) <= 12 && max(a, b) <= 31 }

// century writes a year of two digits whole.
func century(year int) int {
	switch {
	case year > 99:
		return year
	case year > 50:
		return 1900 + year
	}
	return 2000 + year
}
