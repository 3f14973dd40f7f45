package api

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Traffic is what the service was asked since it started.
type Traffic struct {
	Since    time.Time
	InFlight int            // requests that are being answered
	Routes   []RouteTraffic // by address
}

// RouteTraffic is the traffic of one address.
type RouteTraffic struct {
	Route    string // as in the specification: "/api/v2/autorizacoes/{guiaId}"; "/" is what does not exist
	Total    int
	Statuses []StatusTraffic // by status
}

// StatusTraffic counts the answers of one status; 0 stands for those that were cut.
type StatusTraffic struct {
	Status int
	Count  int
}

// traffic counts requests. The zero value is ready.
type traffic struct {
	mu     sync.Mutex
	since  time.Time
	open   int
	counts map[string]map[int]int
}

// begin counts a request as open, until end.
func (t *traffic) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open++
}

// end counts the answer under the pattern of its route. All addresses that do not exist
// count as "/", so that made-up ones cannot fill the memory.
func (t *traffic) end(route string, status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	if t.counts == nil {
		t.counts = map[string]map[int]int{}
	}
	if route == "" {
		route = "/"
	}
	if t.counts[route] == nil {
		t.counts[route] = map[int]int{}
	}
	t.counts[route][status]++
}

// Traffic returns what was counted so far.
func (a *API) Traffic() Traffic {
	t := &a.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	out := Traffic{Since: t.since, InFlight: t.open}
	for route, statuses := range t.counts {
		r := RouteTraffic{Route: route}
		for status, n := range statuses {
			r.Total += n
			r.Statuses = append(r.Statuses, StatusTraffic{status, n})
		}
		slices.SortFunc(r.Statuses, func(a, b StatusTraffic) int { return cmp.Compare(a.Status, b.Status) })
		out.Routes = append(out.Routes, r)
	}
	slices.SortFunc(out.Routes, func(a, b RouteTraffic) int { return cmp.Compare(a.Route, b.Route) })
	return out
}
