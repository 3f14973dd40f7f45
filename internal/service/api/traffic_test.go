package api_test

import (
	"context"
	"fmt"
	"testing"

	"guiche/internal/service"
	"guiche/internal/service/api"
)

// A request counts as in flight until its answer is out, then under its status.
func TestAPI_Traffic(t *testing.T) {
	e := MustEnv(t, limits{})
	during := make(chan int, 1)
	e.Operator.Before(func(context.Context, service.OperatorRequest) error {
		got, err := e.API.Traffic(context.Background())
		during <- got.InFlight
		return err
	})
	e.MustAuthorize("1")
	if got := <-during; got != 1 {
		t.Errorf("while the operator is asked: %d in flight, want 1", got)
	}
	e.Get("/api/v2/nada")
	e.Server.Close() // waits for what runs
	got, err := e.API.Traffic(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []api.RouteTraffic{
		{Route: "/", Total: 1, Statuses: []api.StatusTraffic{{Status: 404, Count: 1}}},
		{Route: "/api/v2/autorizar/sp-sadt", Total: 1, Statuses: []api.StatusTraffic{{Status: 200, Count: 1}}},
	}
	if fmt.Sprint(got.Routes) != fmt.Sprint(want) || got.InFlight != 0 || !got.Since.Equal(start) {
		t.Errorf("got %+v, want %+v since %v", got, want, start)
	}
}
