package bench

import (
	"context"
	"fmt"
	"slices"
)

// listed is a page that is measured.
type listed struct {
	name    string
	request func(context.Context, *site) (func() []byte, error)
	list    bool // of cases, without words
}

var listedPages = []listed{
	{"history", page(fixed("/historico")), true},
	{"deep page", page(func(ctx context.Context, s *site) (string, error) { return s.deep(ctx) }), true},
	{"one filter", page(filterBy("unidade", "Centro")), true},
	{"queue", page(fixed("/fila")), true},
	{"case page", func(ctx context.Context, s *site) (func() []byte, error) {
		looks, err := s.caseRequests(ctx, 50)
		return inTurn(looks), err
	}, false},
}

func page(path func(context.Context, *site) (string, error)) func(context.Context, *site) (func() []byte, error) {
	return func(ctx context.Context, s *site) (func() []byte, error) {
		at, err := path(ctx, s)
		return always(s.user.request(at)), err
	}
}

// pages takes the times of pages on both engines.
func (s *onServer) pages(ctx context.Context) error {
	for _, p := range listedPages {
		if err := s.page(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// asking is a page of a program, and how long it took.
type asking struct {
	name    string // of the engine
	address string
	next    func() []byte
	took    times
	medians []float64 // of each round, in milliseconds
}

// sides are the same cases on both engines.
type sides struct{ postgres, sqlite *asking }

// pageRounds is how many rounds each of Options.rounds is, for what takes a millisecond or two.
const pageRounds = 3

// page takes the times of a page on both engines and of both sizes, all of them in each round: the machine is
// slower in one second than in the next.
func (s *onServer) page(ctx context.Context, p listed) error {
	var all []sides
	var turn []*asking
	for _, z := range s.sizes {
		one, err := s.sides(ctx, z, p)
		if err != nil {
			return err
		}
		all, turn = append(all, one), append(turn, one.postgres, one.sqlite)
	}
	for range pageRounds * s.rounds() {
		slices.Reverse(turn)
		for _, a := range turn {
			took, err := oneByOne(a.address, some(a.next, s.asked()))
			if err != nil {
				return err
			}
			a.took, a.medians = append(a.took, took...), append(a.medians, took.ms(50))
		}
	}
	s.compared(p, all)
	return nil
}

// sides are a page of a size.
func (s *onServer) sides(ctx context.Context, z *size, p listed) (one sides, err error) {
	ask := func(engine string, of *site) (*asking, error) {
		next, err := p.request(ctx, of)
		return &asking{name: engine, address: of.address, next: next}, err
	}
	if one.postgres, err = ask("PostgreSQL", z.postgres); err == nil {
		one.sqlite, err = ask("SQLite", z.sqlite)
	}
	return one, err
}

// compared adds what the rounds of a page say.
func (s *onServer) compared(p listed, all []sides) {
	distance, growth := none, none
	if p.list {
		distance, growth = atMost(1), atMost(1.1)
	}
	for n, z := range s.sizes {
		for _, a := range []*asking{all[n].sqlite, all[n].postgres} {
			s.table.add(p.name+" on "+a.name+" at "+z.name+", p50", a.took.ms(50), "ms", none)
			s.table.add(p.name+" on "+a.name+" at "+z.name+", p99", a.took.ms(99), "ms", none)
		}
		over := inRounds(all[n].postgres, all[n].sqlite, func(a, b float64) float64 { return a - b })
		s.table.add(p.name+" on PostgreSQL at "+z.name+", p50 over SQLite's", over, "ms", distance)
	}
	grown := inRounds(all[1].postgres, all[0].postgres, func(a, b float64) float64 { return a / b })
	s.table.add(p.name+" on PostgreSQL growth "+s.sizes[0].name+" to "+s.sizes[1].name, grown, "x", growth)
}

// inRounds is the median of what two sides are to each other in a round.
func inRounds(one, other *asking, to func(a, b float64) float64) float64 {
	rounds := make([]float64, len(one.medians))
	for n := range rounds {
		rounds[n] = to(one.medians[n], other.medians[n])
	}
	return median(rounds)
}

func some(next func() []byte, n int) (all [][]byte) {
	for range n {
		all = append(all, next())
	}
	return all
}
