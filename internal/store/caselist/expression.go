package caselist

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/store/engine"
)

const (
	// indexedLetters is the longest beginning of a word that the full-text index has as one
	// list; of longer ones it merges the lists of all words that begin so, before anything
	// is found.
	indexedLetters = 4
	// mostWords is how many words may stand for a longer beginning; they are merged as they
	// are read.
	mostWords = 12
)

// expression is what the full-text index is asked.
type expression struct {
	match  string   // "" where it knows a word of none of the lists
	words  []string // the expression of each word
	merged bool     // it merges long lists first
}

// expression puts together what finds the cases that have all beginnings of one of the lists.
// In place of long beginnings stand the words that the index has.
func (s *search) expression(ctx context.Context) (e expression, err error) {
	if !s.plain {
		return expression{match: engine.MatchQuery(s.words), merged: true}, nil
	}
	var either []string
	for _, list := range s.lists {
		words, merged, err := s.each(ctx, needed(list))
		if err != nil {
			return expression{}, err
		}
		if len(words) > 0 {
			either = append(either, "("+strings.Join(words, " AND ")+")")
			e.words, e.merged = append(e.words, words...), e.merged || merged
		}
	}
	e.match = strings.Join(either, " OR ")
	return e, nil
}

// each are the expressions of the beginnings of one list, none where the index lacks a word.
func (s *search) each(ctx context.Context, list []string) (parts []string, merged bool, err error) {
	parts = make([]string, len(list))
	for i, beginning := range list {
		parts[i] = engine.MatchAny([][]string{{beginning}})
		if utf8.RuneCountInString(beginning) <= indexedLetters {
			continue
		}
		words, err := wordsFrom(ctx, s.tx, beginning)
		if err != nil || len(words) == 0 {
			return nil, false, err
		}
		if len(words) > mostWords || slices.ContainsFunc(words, isUnusual) {
			merged = true
			continue
		}
		parts[i] = engine.MatchWords(words)
	}
	return parts, merged, nil
}

// isUnusual reports whether the index might read another word than it wrote.
func isUnusual(word string) bool {
	folded, plain := fold(word)
	return !plain || folded != word
}

// wordsFrom are the words of the index that begin so, one more than mostWords at most. From
// each it goes to the next with a search of its own: a word stands there once for each case.
func wordsFrom(ctx context.Context, tx *engine.Tx, beginning string) ([]string, error) {
	return engine.List(ctx, tx, func(row engine.Row) (word string, err error) {
		err = row.Scan(&word)
		return word, err
	}, `WITH RECURSIVE following (word) AS (
		SELECT (SELECT term FROM history_word WHERE term >= ?1 LIMIT 1)
		UNION ALL SELECT (SELECT term FROM history_word WHERE term >= word || char(1) LIMIT 1) FROM following
			WHERE substr(word, 1, length(?1)) = ?1 LIMIT ?2)
		SELECT word FROM following WHERE substr(word, 1, length(?1)) = ?1`, beginning, mostWords+1)
}

// needed leaves out what another beginning of the list implies.
func needed(list []string) (some []string) {
	for i, beginning := range list {
		if !slices.ContainsFunc(list[i+1:], func(later string) bool { return strings.HasPrefix(later, beginning) }) &&
			!slices.ContainsFunc(some, func(earlier string) bool { return strings.HasPrefix(earlier, beginning) }) {
			some = append(some, beginning)
		}
	}
	return some
}

// cut are the beginnings as far as the index has them as one list.
func cut(lists [][]string) (short [][]string) {
	for _, list := range lists {
		begins := make([]string, len(list))
		for i, word := range list {
			letters := []rune(word)
			begins[i] = string(letters[:min(len(letters), indexedLetters)])
		}
		short = append(short, needed(begins))
	}
	return short
}
