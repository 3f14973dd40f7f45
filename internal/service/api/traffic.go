package api

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"guiche/internal/service"

	"github.com/google/uuid"
)

// Traffic is what the service was asked since it started; of several processes that share
// their counts, since the first of them did.
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

// trafficKey is what requests are counted by.
type trafficKey struct {
	route  string
	status int
}

// traffic counts requests. The zero value is ready.
type traffic struct {
	mu     sync.Mutex
	since  time.Time
	open   int
	counts map[trafficKey]int // without those that were told to other processes

	sharing sync.Mutex // held while counts move to the store
	process uuid.UUID
	told    time.Time // zero: never
	opened  int       // as it was told
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
		t.counts = map[trafficKey]int{}
	}
	t.counts[trafficKey{cmp.Or(route, "/"), status}]++
}

// counted returns what is not told yet.
func (t *traffic) counted() service.TrafficNews {
	t.mu.Lock()
	defer t.mu.Unlock()
	news := service.TrafficNews{Process: t.process, Since: t.since, Open: t.open}
	for key, n := range t.counts {
		news.Counts = append(news.Counts, service.TrafficCount{Route: key.route, Status: key.status, Count: n})
	}
	return news
}

// forget takes away what was told.
func (t *traffic) forget(told []service.TrafficCount) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range told {
		key := trafficKey{c.Route, c.Status}
		if t.counts[key] -= c.Count; t.counts[key] == 0 {
			delete(t.counts, key)
		}
	}
}

// Traffic returns what was counted so far, by other processes up to about a second ago.
func (a *API) Traffic(ctx context.Context) (Traffic, error) {
	if a.shared == nil {
		own := a.traffic.counted()
		return Traffic{Since: own.Since, InFlight: own.Open, Routes: byRoute(own.Counts)}, nil
	}
	a.traffic.sharing.Lock()
	defer a.traffic.sharing.Unlock()
	sum, err := a.shared.Traffic(ctx, a.traffic.process)
	if err != nil {
		return Traffic{}, err
	}
	own := a.traffic.counted()
	if sum.Since.IsZero() {
		sum.Since = own.Since
	}
	return Traffic{Since: sum.Since, InFlight: sum.Open + own.Open, Routes: byRoute(append(sum.Counts, own.Counts...))}, nil
}

// byRoute puts counts together by address and status.
func byRoute(counts []service.TrafficCount) (routes []RouteTraffic) {
	slices.SortFunc(counts, func(a, b service.TrafficCount) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Status, b.Status))
	})
	for i, c := range counts {
		if i == 0 || c.Route != counts[i-1].Route {
			routes = append(routes, RouteTraffic{Route: c.Route})
		}
		r := &routes[len(routes)-1]
		if last := len(r.Statuses) - 1; last < 0 || r.Statuses[last].Status != c.Status {
			r.Statuses = append(r.Statuses, StatusTraffic{Status: c.Status})
		}
		r.Statuses[len(r.Statuses)-1].Count += c.Count
		r.Total += c.Count
	}
	return routes
}
