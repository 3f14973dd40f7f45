package caselist

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/store/engine"
)

// mostWords is how many words may stand for a beginning that the full-text index has no list
// of; they are merged as they are read.
const mostWords = 12

// expression is what the full-text index is asked.
type expression struct {
	search engine.Search
	some   bool            // it knows the words of one of the lists
	words  []engine.Search // that of each word
	merged bool            // it merges long lists first
}

// expression puts together what finds the cases that have all beginnings of one of the lists.
// In place of beginnings that the index has no list of stand the words that it has.
func (s *search) expression(ctx context.Context) (e expression, err error) {
	if s.tx.ListedLetters() == 0 || !s.plain {
		return expression{search: engine.BeginAll(engine.Alternatives(s.words)...), some: true, merged: s.tx.ListedLetters() > 0}, nil
	}
	var either []engine.Search
	for _, list := range s.lists {
		words, merged, err := s.each(ctx, needed(list))
		if err != nil {
			return expression{}, err
		}
		if len(words) > 0 {
			either = append(either, engine.All(words...))
			e.words, e.merged = append(e.words, words...), e.merged || merged
		}
	}
	if e.some = len(either) > 0; e.some {
		e.search = engine.Any(either...)
	}
	return e, nil
}

// each are the searches for the beginnings of one list, none where the index lacks a word.
func (s *search) each(ctx context.Context, list []string) (parts []engine.Search, merged bool, err error) {
	parts = make([]engine.Search, len(list))
	for i, beginning := range list {
		parts[i] = engine.Begins(beginning)
		if utf8.RuneCountInString(beginning) <= s.tx.ListedLetters() {
			continue
		}
		words, err := s.tx.WordsFrom(ctx, textIndex, beginning, mostWords+1)
		if err != nil || len(words) == 0 {
			return nil, false, err
		}
		if len(words) > mostWords || slices.ContainsFunc(words, isUnusual) {
			merged = true
			continue
		}
		parts[i] = engine.AnyWord(words...)
	}
	return parts, merged, nil
}

// isUnusual reports whether the index might read another word than it wrote.
func isUnusual(word string) bool {
	folded, plain := fold(word)
	return !plain || folded != word
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
func cut(lists [][]string, listed int) (short [][]string) {
	for _, list := range lists {
		begins := make([]string, len(list))
		for i, word := range list {
			letters := []rune(word)
			begins[i] = string(letters[:min(len(letters), listed)])
		}
		short = append(short, needed(begins))
	}
	return short
}
