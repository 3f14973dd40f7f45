package servicestore_test

import (
	"testing"
	"time"

	"guiche/internal/service"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// answered counts an address with a status.
func answered(route string, status, count int) service.TrafficCount {
	return service.TrafficCount{Route: route, Status: status, Count: count}
}

// traffic is a store with a clock that the test moves, and what three processes tell it.
type traffic struct {
	*testing.T
	*servicestore.Store
	now time.Time
}

func mustTraffic(t *testing.T) *traffic {
	t.Helper()
	f := &traffic{T: t, now: now}
	f.Store = servicestore.New(storetest.Open(t, migrations.Service, func() time.Time { return f.now }))
	return f
}

func (f *traffic) tell(n service.TrafficNews) {
	f.Helper()
	must(f.T, f.AddTraffic(f.Context(), n))
}

func (f *traffic) check(process uuid.UUID, want service.TrafficSum) {
	f.Helper()
	got, err := f.Traffic(f.Context(), process)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		f.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestStore_Traffic: the counts of all processes are added up, and the requests that the others are answering.
func TestStore_Traffic(t *testing.T) {
	f := mustTraffic(t)
	one, two, start := uuid.New(), uuid.New(), now
	f.check(one, service.TrafficSum{})
	f.tell(service.TrafficNews{Process: one, Since: start, Open: 2,
		Counts: []service.TrafficCount{answered("/b", 200, 1), answered("/a", 500, 3)}})
	f.now = start.Add(time.Minute)
	f.tell(service.TrafficNews{Process: one, Since: start, Open: 2})
	f.tell(service.TrafficNews{Process: two, Since: f.now, Open: 5,
		Counts: []service.TrafficCount{answered("/b", 200, 4), answered("/b", 401, 1)}})
	sum := []service.TrafficCount{answered("/a", 500, 3), answered("/b", 200, 5), answered("/b", 401, 1)}
	f.check(one, service.TrafficSum{Since: start, Open: 5, Counts: sum})
	f.check(two, service.TrafficSum{Since: start, Open: 2, Counts: sum})
	f.check(uuid.New(), service.TrafficSum{Since: start, Open: 7, Counts: sum})
}

// TestStore_Traffic_Ended: what a process counted that ended, or was killed, stays as long as another one runs. The
// first one after all of them begins anew.
func TestStore_Traffic_Ended(t *testing.T) {
	for name, end := range map[string]func(f *traffic, process uuid.UUID){
		"Stopped": func(f *traffic, process uuid.UUID) { f.tell(service.TrafficNews{Process: process, Last: true}) },
		"Killed":  func(f *traffic, _ uuid.UUID) { f.now = f.now.Add(service.ProcessGone) },
	} {
		t.Run(name, func(t *testing.T) {
			f := mustTraffic(t)
			one, two, three, start := uuid.New(), uuid.New(), uuid.New(), now
			counts := []service.TrafficCount{answered("/", 404, 1)}
			f.tell(service.TrafficNews{Process: one, Since: start, Open: 1, Counts: counts})
			f.now = start.Add(time.Second)
			f.tell(service.TrafficNews{Process: two, Since: f.now, Open: 1, Counts: counts})
			end(f, one)
			f.tell(service.TrafficNews{Process: two, Since: f.now, Open: 1})
			f.check(two, service.TrafficSum{Since: start, Counts: []service.TrafficCount{answered("/", 404, 2)}})
			end(f, two)
			f.check(three, service.TrafficSum{})
			f.tell(service.TrafficNews{Process: three, Since: f.now})
			f.check(three, service.TrafficSum{Since: f.now})
		})
	}
}

// TestStore_Traffic_Paused: a process that was stopped for long and is alone goes on with its counts.
func TestStore_Traffic_Paused(t *testing.T) {
	f := mustTraffic(t)
	one, counts := uuid.New(), []service.TrafficCount{answered("/", 404, 1)}
	for range 2 {
		f.tell(service.TrafficNews{Process: one, Since: now, Counts: counts})
		f.now = f.now.Add(time.Hour)
	}
	f.check(one, service.TrafficSum{Since: now, Counts: []service.TrafficCount{answered("/", 404, 2)}})
}
