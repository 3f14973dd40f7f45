package metrics

import (
	"slices"
	"sync"
)

// recent gives the values that were used last labels of their own.
type recent struct {
	max    int
	forget func(value string) // one that has to make room

	mu     sync.Mutex
	values []string // the one that was used last is the last
}

// label is the value, which is used now.
func (r *recent) label(value string) string {
	if value == "" {
		return Other
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.values); n > 0 && r.values[n-1] == value {
		return value
	}
	if at := slices.Index(r.values, value); at >= 0 {
		r.values = slices.Delete(r.values, at, at+1)
	}
	if r.values = append(r.values, value); len(r.values) > r.max {
		r.forget(r.values[0])
		r.values = slices.Delete(r.values, 0, 1)
	}
	return value
}
