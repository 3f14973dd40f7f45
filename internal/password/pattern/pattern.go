// Package pattern finds in a password what is guessed first: words, keys beside each other,
// repetitions, sequences, years and dates, and estimates with them how many guesses it takes.
//
// It is zxcvbn's matching, over the lists, keyboards and scores of the library, whose own
// matching makes tables of 10 MB while every program starts. Here they are made for the first
// password that somebody chooses.
package pattern

import (
	"unicode/utf8"

	"github.com/trustelem/zxcvbn/match"
	"github.com/trustelem/zxcvbn/scoring"
)

// Guesses estimates how many guesses a password takes, and returns the parts that it is guessed
// by. Inputs are words that a guesser knows of the person, the likeliest first. What is no
// UTF-8 takes none.
func Guesses(password string, inputs []string) (guesses float64, parts []*match.Match) {
	if !utf8.ValidString(password) {
		return 0, nil
	}
	found := scoring.MostGuessableMatchSequence(password, matches(password, inputs), false)
	return found.Guesses, found.Sequence
}

// matches are all patterns of a password, which may overlap. Each says what scoring asks of its
// kind.
func matches(password string, inputs []string) (all []*match.Match) {
	known := wordsWith(inputs)
	all = append(all, known.in(password)...)
	all = append(all, known.reversedIn(password)...)
	all = append(all, known.disguisedIn(password)...)
	all = append(all, neighbours(password)...)
	all = append(all, repeats(password)...)
	all = append(all, sequences(password)...)
	all = append(all, years(password)...)
	all = append(all, dates(password)...)
	match.Sort(all)
	return all
}

// steepest is the largest step of a sequence: "acegi" has one of 2.
const steepest = 5

// sequences are characters at equal distances: "4567", "zyxw".
func sequences(password string) (found []*match.Match) {
	step := func(at int) int { return int(password[at+1]) - int(password[at]) }
	for from, to := 0, 0; from < len(password)-1; from = to {
		delta := step(from)
		for to = from + 1; to < len(password)-1 && step(to) == delta; {
			to++
		}
		if size := max(delta, -delta); size == 1 || to-from > 1 && 0 < size && size <= steepest {
			found = append(found, &match.Match{Pattern: "sequence", I: from, J: to, Token: password[from : to+1], Ascending: delta > 0})
		}
	}
	return found
}
