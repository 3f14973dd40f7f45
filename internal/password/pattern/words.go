package pattern

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/trustelem/zxcvbn/frequency"
	"github.com/trustelem/zxcvbn/match"
)

// words are what guessers try, by how soon.
type words struct {
	known  map[string]int // the lists of the library
	inputs map[string]int
}

// listed has of each word of the lists its best rank: a worse one of another list is never
// the fewest guesses.
var listed = sync.OnceValue(func() map[string]int {
	ranks := map[string]int{}
	for _, list := range frequency.FrequencyLists {
		for i, word := range list {
			word = strings.ToLower(word)
			if rank, ok := ranks[word]; !ok || i+1 < rank {
				ranks[word] = i + 1
			}
		}
	}
	return ranks
})

func wordsWith(inputs []string) words {
	w := words{listed(), map[string]int{}}
	for i, input := range inputs {
		w.inputs[strings.ToLower(input)] = i + 1
	}
	return w
}

func (w words) rank(word string) int {
	known, input := w.known[word], w.inputs[word]
	if known == 0 || input == 0 {
		return max(known, input)
	}
	return min(known, input)
}

// in are the words in a password.
func (w words) in(password string) (found []*match.Match) {
	for from := range password {
		for length := range password[from:] {
			to := from + length
			token := password[from : to+1]
			word := strings.ToLower(token)
			if rank := w.rank(word); rank > 0 {
				found = append(found, &match.Match{Pattern: "dictionary", I: from, J: to, Token: token, MatchedWord: word, Rank: rank})
			}
		}
	}
	return found
}

// reversedIn are the words in a password from its end.
func (w words) reversedIn(password string) []*match.Match {
	found := w.in(reversed(password))
	for _, m := range found {
		m.Token, m.Reversed = reversed(m.Token), true
		m.I, m.J = len(password)-1-m.J, len(password)-1-m.I
	}
	return found
}

func reversed(s string) string {
	letters := []rune(s)
	slices.Reverse(letters)
	return string(letters)
}

// disguises are the characters that stand for a letter.
var disguises = []struct {
	letter     string
	characters []string
}{
	{"a", []string{"4", "@"}}, {"b", []string{"8"}}, {"c", []string{"(", "{", "[", "<"}}, {"e", []string{"3"}},
	{"g", []string{"6", "9"}}, {"i", []string{"1", "!", "|"}}, {"l", []string{"1", "|", "7"}}, {"o", []string{"0"}},
	{"s", []string{"$", "5"}}, {"t", []string{"+", "7"}}, {"x", []string{"%"}}, {"z", []string{"2"}},
}

// disguisedIn are the words in a password of which some letters are other characters.
func (w words) disguisedIn(password string) (found []*match.Match) {
	for _, letters := range readings(password) {
		var pairs []string
		for character, letter := range letters {
			pairs = append(pairs, character, letter)
		}
		for _, m := range w.in(strings.NewReplacer(pairs...).Replace(password)) {
			m.Token = password[m.I : m.J+1]
			if len(m.Token) == 1 || strings.ToLower(m.Token) == m.MatchedWord {
				continue
			}
			m.L33t, m.Sub = true, maps.Clone(letters)
			maps.DeleteFunc(m.Sub, func(character, _ string) bool { return !strings.Contains(m.Token, character) })
			found = append(found, m)
		}
	}
	return found
}

// readings are the ways to read a password's characters as letters, each letter as one of the
// characters that stand for it; none where no character does.
func readings(password string) []map[string]string {
	all := []map[string]string{{}}
	for _, d := range disguises {
		var more []map[string]string
		for _, character := range d.characters {
			if strings.Contains(password, character) {
				more = append(more, readAs(all, character, d.letter)...)
			}
		}
		if more != nil {
			all = distinct(more)
		}
	}
	return slices.DeleteFunc(all, func(letters map[string]string) bool { return len(letters) == 0 })
}

// readAs adds to each reading that a character is a letter. One that has it as another letter
// stays, too.
func readAs(all []map[string]string, character, letter string) (more []map[string]string) {
	for _, letters := range all {
		if _, other := letters[character]; other {
			more = append(more, letters)
		}
		also := maps.Clone(letters)
		also[character] = letter
		more = append(more, also)
	}
	return more
}

func distinct(all []map[string]string) (each []map[string]string) {
	seen := map[string]bool{}
	for _, letters := range all {
		if key := fmt.Sprint(letters); !seen[key] {
			seen[key] = true
			each = append(each, letters)
		}
	}
	return each
}
