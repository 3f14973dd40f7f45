package api_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"guiche/internal/service"
	"guiche/internal/service/api"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// trafficStore notes what it is told, and answers with what another process counted.
type trafficStore struct {
	told []service.TrafficNews
	sum  service.TrafficSum
	err  error
}

func (s *trafficStore) AddTraffic(_ context.Context, news service.TrafficNews) error {
	if s.err == nil {
		s.told = append(s.told, news)
	}
	return s.err
}

func (s *trafficStore) Traffic(context.Context, uuid.UUID) (service.TrafficSum, error) {
	return s.sum, s.err
}

// sharing is an interface that tells others what it counts.
type sharing struct {
	*testing.T
	*api.API
	store *trafficStore
	now   time.Time
}

func mustShare(t *testing.T) *sharing {
	t.Helper()
	e, f := MustEnv(t, limits{}), &sharing{T: t, store: &trafficStore{}, now: start}
	f.API = api.New(api.Config{Service: e.Service, Blobs: e.Blobs, Clock: func() time.Time { return f.now },
		Traffic: f.store, Logger: slog.New(slog.DiscardHandler)})
	return f
}

// ask sends n requests for what does not exist.
func (f *sharing) ask(n int) {
	for range n {
		f.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(f.Context(), http.MethodGet, "/api/v2/nada", nil))
	}
}

// check compares how much each telling was about; -1 is one that says that the process ends.
func (f *sharing) check(want ...int) {
	f.Helper()
	var got []int
	for _, news := range f.store.told {
		n := 0
		for _, c := range news.Counts {
			n += c.Count
		}
		if got = append(got, n); news.Last {
			got[len(got)-1] = -1
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("-want +got:\n%s", diff)
	}
}

func (f *sharing) share() {
	f.Helper()
	if err := f.ShareTraffic(f.Context()); err != nil {
		f.Fatal(err)
	}
}

// TestAPI_ShareTraffic: each request is told once, and without any only now and then that the process is there.
func TestAPI_ShareTraffic(t *testing.T) {
	f := mustShare(t)
	f.share()
	f.share()
	f.ask(2)
	f.share()
	f.share()
	f.now = f.now.Add(service.ProcessGone / 4)
	f.share()
	f.check(0, 2, 0)
	if err := f.EndTraffic(t.Context()); err != nil {
		t.Error(err)
	}
	f.check(0, 2, 0, -1)
}

// TestAPI_ShareTraffic_Fails: what could not be told is told the next time; what others counted cannot be said.
func TestAPI_ShareTraffic_Fails(t *testing.T) {
	f := mustShare(t)
	f.store.err = errors.New("out of reach")
	f.ask(3)
	if err := f.ShareTraffic(t.Context()); !errors.Is(err, f.store.err) {
		t.Errorf("got %v", err)
	}
	if _, err := f.Traffic(t.Context()); !errors.Is(err, f.store.err) {
		t.Errorf("got %v", err)
	}
	f.store.err = nil
	f.share()
	f.check(3)
}

// TestAPI_EndTraffic_Untold: a process that never said that it is there does not say that it ends.
func TestAPI_EndTraffic_Untold(t *testing.T) {
	f := mustShare(t)
	if err := f.EndTraffic(t.Context()); err != nil {
		t.Error(err)
	}
	f.check()
}

// TestAPI_Traffic_Shared: the sum of all, and what was counted here since the last telling.
func TestAPI_Traffic_Shared(t *testing.T) {
	f := mustShare(t)
	f.ask(1)
	f.share()
	f.store.sum = service.TrafficSum{Since: start.Add(-time.Hour), Open: 4, Counts: []service.TrafficCount{
		{Route: "/", Status: 404, Count: 6}, {Route: "/x", Status: 200, Count: 1}, {Route: "/x", Status: 401, Count: 1}}}
	f.ask(2)
	got, err := f.Traffic(t.Context())
	want := api.Traffic{Since: start.Add(-time.Hour), InFlight: 4, Routes: []api.RouteTraffic{
		{Route: "/", Total: 8, Statuses: []api.StatusTraffic{{Status: 404, Count: 8}}},
		{Route: "/x", Total: 2, Statuses: []api.StatusTraffic{{Status: 200, Count: 1}, {Status: 401, Count: 1}}}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
