package directorystore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/directory"
	"guiche/internal/store/engine"
)

// mostCandidates bounds what a search reads: of more, those with the shortest names are put
// in order.
const mostCandidates = 100

// candidates are active procedures that have words which begin so, those with shorter names
// first, then by name and code: an order that every engine gives alike.
func candidates(ctx context.Context, tx *engine.Tx, words []string, limit int) ([]directory.Procedure, error) {
	found := matching(tx, words)
	return engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+`
		FROM `+found.From+` JOIN procedure p ON p.id = `+found.ID+` WHERE p.active = 1
		ORDER BY length(p.name), p.name, p.code LIMIT ?`, found.Value, max(limit, mostCandidates))
}

// byFit returns the candidates that fit best what was typed, at most limit: by their fit, then
// those with less before a parenthesis, as "US de abdome total (rins, bexiga)", then in their order.
func byFit(all []directory.Procedure, words []string, limit int) []directory.Procedure {
	type candidate struct {
		directory.Procedure
		fit
		length int
	}
	typed, ranked := make([]string, len(words)), make([]candidate, len(all))
	for i, word := range words {
		typed[i] = engine.Fold(word)
	}
	for i, p := range all {
		short, _, _ := strings.Cut(p.Name, " (")
		ranked[i] = candidate{p, fitOf(p, typed), utf8.RuneCountInString(short)}
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int {
		return cmp.Or(b.best-a.best, b.names-a.names, a.length-b.length)
	})
	best := all[:min(limit, len(all))]
	for i := range best {
		best[i] = ranked[i].Procedure
	}
	return best
}

// fit is how well the names of a procedure fit what was typed.
type fit struct {
	best  int // that of the name that fits best
	names int // how many begin so
}

// How well one name fits.
const (
	anywhere    = iota // its words are somewhere in the names
	begins             // a name begins so
	beginsWhole        // a name begins so, with whole words
	sameWords          // a name says this alone
)

func fitOf(p directory.Procedure, typed []string) (f fit) {
	f.count(nameFit(p.Name, typed))
	for _, alias := range p.Aliases {
		f.count(nameFit(alias, typed))
	}
	return f
}

func (f *fit) count(of int) {
	f.best = max(f.best, of)
	if of > anywhere {
		f.names++
	}
}

// nameFit reads no further than name and typed are the same.
func nameFit(name string, typed []string) int {
	n := 0
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !engine.InWord(r) }) {
		word = engine.Fold(word)
		switch {
		case word == "":
			continue
		case n == len(typed):
			return beginsWhole
		case word == typed[n]:
			n++
		case n == len(typed)-1 && strings.HasPrefix(word, typed[n]):
			return begins
		default:
			return anywhere
		}
	}
	if n < len(typed) {
		return anywhere
	}
	return sameWords
}
