package metrics

import "sync"

// Other is the label of all values beyond the bound.
const Other = "other"

// bounded gives the first values that come labels of their own.
type bounded struct {
	max int

	mu   sync.Mutex
	seen map[string]bool
}

func newBounded(limit int) *bounded { return &bounded{max: limit, seen: map[string]bool{}} }

// label is the value, or Other when there are too many.
func (b *bounded) label(value string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case value == "":
		return Other
	case b.seen[value]:
		return value
	case len(b.seen) >= b.max:
		return Other
	}
	b.seen[value] = true
	return value
}
