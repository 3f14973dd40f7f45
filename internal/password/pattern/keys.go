package pattern

import (
	"slices"
	"strings"

	"github.com/trustelem/zxcvbn/adjacency"
	"github.com/trustelem/zxcvbn/match"
)

// shifted are the characters of a keyboard that need another key held.
const shifted = `~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?`

// neighbours are characters whose keys are beside each other: "zxcvb", "147".
func neighbours(password string) (found []*match.Match) {
	for _, name := range []string{"qwerty", "dvorak", "keypad", "mac_keypad"} {
		for from := 0; from < len(password)-1; {
			w := walk{graph: adjacency.Graphs[name]}
			length := w.along(password[from:])
			if length > 2 {
				found = append(found, &match.Match{Pattern: "spatial", I: from, J: from + length - 1, Token: password[from : from+length],
					Graph: name, Turns: w.turns, ShiftedCount: w.shifted})
			}
			from += length
		}
	}
	return found
}

// walk goes from key to key.
type walk struct {
	graph          *adjacency.Graph
	turns, shifted int
}

// along goes as far as each key is beside the last one, and returns how many those are.
func (w *walk) along(keys string) (length int) {
	if !strings.HasSuffix(w.graph.Name, "keypad") && strings.IndexByte(shifted, keys[0]) >= 0 {
		w.shifted++
	}
	direction := -1
	for length = 1; length < len(keys); length++ {
		pressed := string(rune(keys[length]))
		beside := w.graph.Graph[string(rune(keys[length-1]))]
		to := slices.IndexFunc(beside, func(key string) bool { return strings.Contains(key, pressed) })
		if to < 0 {
			break
		}
		if strings.Index(beside[to], pressed) == 1 { // a key has its character with another one held behind its own
			w.shifted++
		}
		if to != direction {
			w.turns, direction = w.turns+1, to
		}
	}
	return length
}
