package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// site is a place in the code where one operator can make a mistake, in one or
// more ways.
type site struct {
	source       *source
	operator     string
	function     string // the one around it, "" outside of any
	line, column int
	ways         []edit
	turn         uint64 // when it is drawn
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// mutant is one mistake. Its ID stays the same while the file does.
type mutant struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Operator string `json:"operator"`
	Change   string `json:"change"`
	Code     string `json:"code"`              // the line it is in
	Outcome  string `json:"outcome,omitempty"` // killed, time-out or survived
	By       string `json:"by,omitempty"`      // the first test that failed
	NotRun   bool   `json:"not_run,omitempty"` // no test runs the code

	source *source
	edit   edit
	column int
}

// apply returns the text of the file with the mistake in it.
func (m mutant) apply() []byte {
	return slices.Concat(m.source.text[:m.edit.start], []byte(m.edit.text), m.source.text[m.edit.end:])
}

// mutant is one of the changes that are possible at a site.
func (s site) mutant(way int) mutant {
	e := s.ways[way]
	was := string(s.source.text[e.start:e.end])
	return mutant{
		ID:   fmt.Sprintf("%s:%d:%d:%s:%d", s.source.name, s.line, s.column, s.operator, way),
		File: s.source.name, Line: s.line, Operator: s.operator,
		Change: fmt.Sprintf("%s: %s → %s", s.operator, oneLine(was), oneLine(e.text)),
		Code:   oneLine(s.source.line(e.start)),
		source: s.source, edit: e, column: s.column,
	}
}

// line returns the line of the file that the byte at offset is in.
func (s *source) line(offset int) string {
	start := bytes.LastIndexByte(s.text[:offset], '\n') + 1
	if length := bytes.IndexByte(s.text[start:], '\n'); length >= 0 {
		return string(s.text[start : start+length])
	}
	return string(s.text[start:])
}

// oneLine shortens a piece of code for a report.
func oneLine(text string) string {
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) == 0 {
		return "(nothing)"
	}
	if len(words) > 70 {
		return string(words[:69]) + "…"
	}
	return string(words)
}

// sample gives the mutants of a package one after the other, in an order that
// the seed decides. Each kind of mistake comes up as often as any other, as long
// as the package has a place for it. A place keeps its turn when the code around
// it changes: the order comes from the line and its function, not from positions.
type sample struct {
	pkg   *pkg
	rand  *rand.Rand
	kinds [][]site
	round []int // the kinds that are still to come in this round
}

// draw starts a sample of the package.
func (p *pkg) draw(seed uint64) *sample {
	s := &sample{pkg: p, rand: rand.New(rand.NewPCG(seed, 0))}
	byKind := map[string][]site{}
	seen := map[string]int{}
	for _, one := range p.sites() {
		name := fmt.Sprint(seed, one.operator, one.function, one.code())
		seen[name]++ // tells apart those of one line
		one.turn = hash(name, seen[name])
		byKind[one.operator] = append(byKind[one.operator], one)
	}
	for _, operator := range operators {
		sites := byKind[operator.name]
		slices.SortStableFunc(sites, func(a, b site) int { return cmp.Compare(a.turn, b.turn) })
		s.kinds = append(s.kinds, sites)
	}
	return s
}

// hash orders the sites: two runs with one seed draw the same mutants, on every machine.
func hash(name string, n int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, n))
	return binary.BigEndian.Uint64(sum[:])
}

// code returns the line of the site.
func (s site) code() string { return strings.TrimSpace(s.source.line(s.ways[0].start)) }

// next returns the next mutant that the type checker accepts.
func (s *sample) next() (mutant, bool) {
	for {
		one, ok := s.site()
		if !ok {
			return mutant{}, false
		}
		m := one.mutant(int(one.turn % uint64(len(one.ways))))
		if s.pkg.compiles(m) {
			return m, true
		}
	}
}

// site draws the next place. It goes through the kinds of mutants in turn, so that the
// many comparisons do not crowd out the few loops.
func (s *sample) site() (site, bool) {
	for {
		if len(s.round) == 0 {
			for kind, sites := range s.kinds {
				if len(sites) > 0 {
					s.round = append(s.round, kind)
				}
			}
			if len(s.round) == 0 {
				return site{}, false
			}
			s.rand.Shuffle(len(s.round), func(i, j int) { s.round[i], s.round[j] = s.round[j], s.round[i] })
		}
		kind := s.round[0]
		s.round = s.round[1:]
		if sites := s.kinds[kind]; len(sites) > 0 {
			s.kinds[kind] = sites[1:]
			return sites[0], true
		}
	}
}
