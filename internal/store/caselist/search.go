package caselist

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
)

const (
	// mostNarrow is how many cases the other filters may leave for their words to be read one by one.
	mostNarrow = 2000
	// mostCandidates is how many cases that have the beginnings of the words are read before
	// the words are looked for as they are.
	mostCandidates = 500
	// indexedLetters is the longest beginning of a word that the full-text index has as one
	// list; of longer ones it merges the lists of all words that begin so.
	indexedLetters = 4
)

// Find reads at most so many rows. Words are looked for where that is the least to read:
// in the cases that the other filters leave, by their first letters, or as they are.
func (f *Finder) Find(ctx context.Context, tx *sqlite.Tx, found func(checksum.Row), limit int) ([]Row, error) {
	if f.match != "" && !f.nothing() {
		for _, search := range []func(context.Context, *sqlite.Tx, int) ([]int64, bool, error){f.byFilters, f.byBeginnings} {
			ids, done, err := search(ctx, tx, limit)
			if err != nil {
				return nil, err
			}
			if done {
				return readThese(ctx, tx, found, ids)
			}
		}
	}
	rest, args := f.Rest(limit)
	return Read(ctx, tx, found, rest, args...)
}

// readThese reads rows by their numbers, newest first.
func readThese(ctx context.Context, tx *sqlite.Tx, found func(checksum.Row), ids []int64) ([]Row, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("caselist: %w", err)
	}
	return Read(ctx, tx, found, `WHERE submission_id IN (SELECT value FROM json_each(?)) ORDER BY submission_id DESC`, string(list))
}

// byFilters reads the words of the cases that the other filters leave; it is done unless
// those are many.
func (f *Finder) byFilters(ctx context.Context, tx *sqlite.Tx, limit int) (ids []int64, done bool, err error) {
	words, plain := plainWords(f.words)
	if !plain || !f.filtered && (!f.since || !f.before) {
		return nil, false, nil
	}
	others := *f
	others.match = ""
	rest, args := others.Rest(mostNarrow + 1)
	left, err := sqlite.List(ctx, tx, scanID, `SELECT submission_id FROM case_summary`+rest, args...)
	if err != nil || len(left) > mostNarrow {
		return nil, false, err
	}
	list, err := json.Marshal(append([]int64{}, left...)) // no null
	if err != nil {
		return nil, false, fmt.Errorf("caselist: %w", err)
	}
	return having(ctx, tx, words, limit, mostNarrow+1, `SELECT submission_id, names, numbers, procedures FROM history
		WHERE submission_id IN (SELECT value FROM json_each(?)) ORDER BY submission_id DESC`, string(list))
}

// byBeginnings reads the words of the cases that have words which begin alike; it is done
// when enough of them have the words, or no more are left.
func (f *Finder) byBeginnings(ctx context.Context, tx *sqlite.Tx, limit int) (ids []int64, done bool, err error) {
	words, plain := plainWords(f.words)
	short, cut := beginnings(words)
	if !plain || !cut {
		return nil, false, nil
	}
	where, args := f.ofText()
	return having(ctx, tx, words, limit, mostCandidates, `SELECT h.submission_id, h.names, h.numbers, h.procedures
		FROM history_text t CROSS JOIN case_summary c ON c.submission_id = t.rowid CROSS JOIN history h ON h.submission_id = t.rowid
		WHERE `+where+` ORDER BY t.rowid DESC LIMIT ?`, slices.Concat([]any{sqlite.MatchAny(short)}, args, []any{mostCandidates})...)
}

// having reads cases with their words, at most so many, and picks those that have all of some
// words. It is done when it found enough, or read fewer than it might; a case whose letters
// it cannot compare ends it.
func having(ctx context.Context, tx *sqlite.Tx, words [][]string, limit, most int, query string, args ...any) (
	ids []int64, done bool, err error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, false, sqlite.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	read := 0
	for ; rows.Next() && len(ids) < limit; read++ {
		var id int64
		var names, numbers, procedures string
		if err := rows.Scan(&id, &names, &numbers, &procedures); err != nil {
			return nil, false, sqlite.Error(err)
		}
		text, plain := fold(names + " " + numbers + " " + procedures)
		if !plain {
			return nil, false, nil
		}
		if hasAny(text, words) {
			ids = append(ids, id)
		}
	}
	return ids, len(ids) == limit || read < most, sqlite.Error(rows.Err())
}

// hasAny reports whether a folded text has, for all beginnings of one of the lists, a word
// that begins so.
func hasAny(text string, lists [][]string) bool {
	return slices.ContainsFunc(lists, func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(text, word) })
	})
}

// hasWord reports whether a word of the text begins so. Words are letters and digits.
func hasWord(text, beginning string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], beginning)
		if at < 0 {
			return false
		}
		from += at
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		if from == 0 || !sqlite.InWord(before) {
			return true
		}
		from++
	}
}

// plainWords are the lists of beginnings, folded, of which a case has all of one; not where
// they have letters beyond those of western Europe.
func plainWords(words []string) (lists [][]string, plain bool) {
	for _, list := range sqlite.Alternatives(words) {
		folded := make([]string, len(list))
		for i, word := range list {
			if folded[i], plain = fold(word); !plain {
				return nil, false
			}
		}
		lists = append(lists, folded)
	}
	return lists, true
}

// beginnings are the words as far as the full-text index has them as one list, and whether
// any is longer. Numbers stay whole: few begin alike.
func beginnings(lists [][]string) (short [][]string, cut bool) {
	for _, list := range lists {
		begins := make([]string, len(list))
		for i, word := range list {
			begins[i] = word
			if letters := []rune(word); len(letters) > indexedLetters && !strings.ContainsAny(word, "0123456789") {
				begins[i], cut = string(letters[:indexedLetters]), true
			}
		}
		short = append(short, begins)
	}
	return short, cut
}

// folds are the letters from À to ÿ as the full-text index has them: small and without
// accents.
var folds = []rune("aaaaaaæceeeeiiiiðnooooo×øuuuuyþßaaaaaaæceeeeiiiiðnooooo÷øuuuuyþy")

// fold writes a text as the full-text index has it. Plain says that it could: letters beyond
// those of western Europe have rules of their own there.
func fold(text string) (folded string, plain bool) {
	plain = true
	folded = strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r < 'À' && r != 'µ':
			return r
		case 'À' <= r && r <= 'ÿ':
			return folds[r-'À']
		}
		plain = false
		return r
	}, text)
	return folded, plain
}
