package metrics

import (
	"context"
	"sync"
)

// Register lists at most so many values that may be labels, the oldest first, so that the
// same ones are labels after every restart.
type Register func(ctx context.Context, limit int) ([]string, error)

// registered gives the oldest values of a register labels of their own.
type registered struct {
	max int

	mu    sync.Mutex
	list  Register // nil: no value is a label
	known map[string]bool
}

func newRegistered(limit int) *registered { return &registered{max: limit} }

func (r *registered) use(list Register) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = list
}

// label is the value, or Other when it is not among the oldest of the register.
func (r *registered) label(value string) string {
	known, list := r.look(value)
	if !known && list != nil {
		known = r.learn(list)[value]
	}
	if known {
		return value
	}
	return Other
}

// look reports whether a value is known, and returns the register while there may be more
// in it than is known.
func (r *registered) look(value string) (known bool, list Register) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) < r.max {
		list = r.list
	}
	return r.known[value], list
}

// learn reads the register. One that cannot be read now is read the next time.
func (r *registered) learn(list Register) map[string]bool {
	ctx, cancel := context.WithTimeout(context.Background(), sourceTime)
	defer cancel()
	values, err := list(ctx, r.max)
	if err != nil {
		return nil
	}
	known := make(map[string]bool, len(values))
	for _, v := range values {
		known[v] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = known
	return known
}
