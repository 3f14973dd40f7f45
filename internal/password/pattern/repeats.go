package pattern

import (
	"slices"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn/match"
)

// repeats are pieces that follow each other: "abcabc". Where the shortest piece and the longest
// one begin at the same place, the one that reaches farther counts.
func repeats(password string) (found []*match.Match) {
	for from := 0; from < len(password); {
		rest := []rune(password[from:])
		at, whole, base := firstRepeat(rest)
		if whole == 0 {
			break
		}
		i := from + len(string(rest[:at]))
		j := from + len(string(rest[:at+whole-1])) // where the last character begins
		piece := string(rest[at : at+base])
		guesses, parts := Guesses(piece, nil)
		found = append(found, &match.Match{Pattern: "repeat", I: i, J: j, Token: string(rest[at : at+whole]), BaseToken: piece,
			BaseGuesses: guesses, BaseMatches: parts, RepeatCount: whole / len(piece)})
		if from = j + 1; from < len(password) && !utf8.RuneStart(password[from]) {
			break
		}
	}
	return found
}

// firstRepeat returns where pieces first follow each other, how much they are together, and
// how long each is; nothing where none do.
func firstRepeat(s []rune) (at, whole, base int) {
	for at := range s {
		rest := s[at:]
		shortest, longest := 0, 0
		for size := 1; 2*size <= len(rest) && rest[size-1] != '\n'; size++ {
			if repeated(rest, size) == 1 {
				continue
			}
			if shortest == 0 {
				shortest = size
			}
			longest = size
		}
		if shortest == 0 {
			continue
		}
		whole, far := shortest*repeated(rest, shortest), longest*repeated(rest, longest)
		if far <= whole {
			return at, whole, shortest
		}
		return at, far, period(rest[:far])
	}
	return 0, 0, 0
}

// repeated counts how often the first piece of a size stands there, one after the other.
func repeated(s []rune, size int) (times int) {
	for times = 1; (times+1)*size <= len(s) && slices.Equal(s[:size], s[times*size:(times+1)*size]); {
		times++
	}
	return times
}

// period is the size of the shortest piece that a text consists of.
func period(s []rune) int {
	size := 1
	for len(s)%size > 0 || repeated(s, size)*size < len(s) {
		size++
	}
	return size
}
