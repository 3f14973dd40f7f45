package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// kinds are the searches that are made, and how many of each.
var kinds = []struct {
	name string
	n    int
	form func(*site, *rand.Rand) url.Values
}{
	{"two-word", 80, func(s *site, r *rand.Rand) url.Values { return url.Values{"texto": {s.facts.name(r)}} }},
	{"eight letters", 30, func(_ *site, r *rand.Rand) url.Values { return url.Values{"texto": {letters(r)}} }},
	{"words and a month", 30, func(s *site, r *rand.Rand) url.Values {
		from := s.facts.Last.AddDate(0, -1-r.IntN(30), 0)
		return url.Values{"texto": {s.facts.name(r)}, "de": {day(from)}, "ate": {day(from.AddDate(0, 1, 0))}}
	}},
	{"words and a rare group", 30, func(s *site, r *rand.Rand) url.Values {
		return url.Values{"texto": {s.facts.name(r)}, "situacao": {"nao"}}
	}},
	{"words without an answer", 30, func(s *site, r *rand.Rand) url.Values {
		return url.Values{"texto": {s.facts.name(r)}, "situacao": {"sem-resposta"}}
	}},
}

// name is the first and the last name of a patient: names are as common as patients.
func (f facts) name(r *rand.Rand) string { return f.words(2*r.IntN(len(f.Words)/2) + 1) }

// letters are eight words of one letter.
func letters(r *rand.Rand) string {
	words := make([]string, 8)
	for i := range words {
		words[i] = string("amscrjlpde"[r.IntN(10)])
	}
	return strings.Join(words, " ")
}

// pace is the time between two searches.
const pace = 25 * time.Millisecond

// searches asks for filters with words at a steady pace, 200 in all.
func (h *history) searches(ctx context.Context) error {
	r := rand.New(rand.NewPCG(12, 200)) //nolint:gosec // no secret
	var all times
	var slowest string
	for _, kind := range kinds {
		var requests [][]byte
		for range h.unlessBrief(kind.n) {
			path, err := h.many.filter(ctx, kind.form(h.many, r))
			if err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
			requests = append(requests, h.many.user.request(path))
		}
		took, err := openLoop(h.many.address, requests, pace)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		if len(all) == 0 || took.at(100) > all.at(100) {
			slowest = kind.name
		}
		all = append(all, took...)
		h.table.add(kind.name+" search p99 at 1M", took.ms(99), "ms", atMost(10))
	}
	h.table.add("200 searches p99 at 1M", all.ms(99), "ms", atMost(10))
	h.table.add("200 searches worst at 1M", all.ms(100), "ms", atMost(50))
	h.table.note("  the worst was one of %s", slowest)
	return nil
}
